//! One suite for all engines. An engine joins it with one line at the end of this file.

use crate::common::article_cases::ARTICLE_CASES;
use crate::common::{oracle, visited};
use std::collections::BTreeSet;
use std::sync::OnceLock;
use sudoku::engine::{Engine, Entry, Method, by_name, registry};
use sudoku::generate::Generator;
use sudoku::grid::{Cell, Digit, Grid};
use sudoku::rules::Rules;

/// A puzzle and its solutions, lexicographically, as the oracle finds them.
struct Case<const N: usize> {
    name: String,
    rules: Rules<N>,
    puzzle: Grid<N>,
    solutions: Vec<Grid<N>>,
}

impl<const N: usize> Case<N> {
    fn new(name: &str, rules: &Rules<N>, puzzle: Grid<N>) -> Self {
        Case {
            name: format!("{name} {N}x{N}"),
            rules: rules.clone(),
            puzzle,
            solutions: oracle(rules, &puzzle, usize::MAX),
        }
    }
}

/// Grids of every kind that a plain search can manage: `givens` of a side must leave it a chance.
fn generated<const N: usize>(givens: usize, rules: &Rules<N>) -> Vec<Case<N>> {
    let mut generator = Generator::with_rules(2, rules).unwrap();
    let complete = generator.complete();
    let mut cases = vec![
        Case::new("complete", rules, complete),
        Case::new("unique", rules, generator.unique(givens).unwrap()),
        Case::new("swapped", rules, without_two_digits(&complete)),
        Case::new("none", rules, generator.unsolvable(givens).unwrap()),
    ];
    // Full grids that break a rule, and givens that clash in each kind of house.
    for house in rules.houses().iter().step_by(N) {
        let (first, last) = (house.cells[0], house.cells[N - 1]);
        let mut clash = Grid::EMPTY;
        clash.set(first, Some(Digit::from_index(0)));
        clash.set(last, Some(Digit::from_index(0)));
        cases.push(Case::new("clash", rules, clash));
        let mut wrong = complete;
        wrong.set(first, complete.get(last));
        cases.push(Case::new("full but wrong", rules, wrong));
    }
    for case in &cases {
        let expected = match case.name.split(' ').next() {
            Some("complete" | "unique") => 1,
            // The sums of cages can distinguish the two digits.
            Some("swapped") => case.solutions.len().max(2 - rules.cages().len().min(1)),
            _ => 0,
        };
        assert_eq!(case.solutions.len(), expected, "{}", case.name);
    }
    cases
}

/// The grid without its first two digits: at least two solutions, because they can be exchanged.
fn without_two_digits<const N: usize>(complete: &Grid<N>) -> Grid<N> {
    let mut puzzle = *complete;
    for (cell, digit) in complete.givens() {
        if digit.value() <= 2 {
            puzzle.set(cell, None);
        }
    }
    puzzle
}

/// Checks the contract of the trait on one case; `other` is a puzzle to solve in between.
fn check<const N: usize>(
    entry: &Entry<N>,
    engine: &mut dyn Method<N>,
    case: &Case<N>,
    other: &Grid<N>,
) {
    let context = format!("{} on {}", entry.name, case.name);
    let expected = &case.solutions;

    // All solutions, each once, and in order where that is promised.
    let found = engine.solutions(&case.puzzle, usize::MAX);
    if entry.lexicographic {
        assert_eq!(&found, expected, "{context}");
    } else {
        let mut sorted = found.clone();
        sorted.sort_unstable();
        assert_eq!(&sorted, expected, "{context}");
    }

    // Limits and early stops see the beginning of the same order.
    assert_eq!(
        engine.first(&case.puzzle),
        found.first().copied(),
        "{context}"
    );
    let limits = BTreeSet::from([0, 1, 2, found.len(), found.len() + 1]);
    for limit in limits {
        let upto = &found[..limit.min(found.len())];
        assert_eq!(
            engine.solutions(&case.puzzle, limit),
            upto,
            "{context}, limit {limit}"
        );
        let count = engine.count(&case.puzzle, limit as u64);
        assert_eq!(count, upto.len() as u64, "{context}, limit {limit}");
        if limit > 0 {
            assert_eq!(
                visited(engine, &case.puzzle, limit),
                upto,
                "{context}, stop at {limit}"
            );
        }
    }

    // What a search costs depends on the puzzle alone, not on the searches before it.
    let mut visit = |_: &Grid<N>| std::ops::ControlFlow::Continue(());
    let statistics = engine.for_each(&case.puzzle, &mut visit);
    engine.first(other);
    let again = engine.for_each(&case.puzzle, &mut visit);
    assert_eq!(statistics, again, "{context}");
    let fresh = entry
        .engine(&case.rules)
        .unwrap()
        .for_each(&case.puzzle, &mut visit);
    assert_eq!(statistics, fresh, "{context}");
    assert!(expected.is_empty() || statistics.nodes > 0, "{context}");
    assert!(
        case.rules.allow(&case.puzzle) || statistics.nodes == 0,
        "{context}"
    );
}

fn check_all<const N: usize>(name: &str, cases: &[Case<N>]) {
    let entry = by_name::<N>(name).expect("the engine is registered");
    if !entry.sides.contains(&N) {
        assert!(entry.engine(&Rules::classic()).is_err());
        return;
    }
    for case in cases {
        match entry.engine(&case.rules) {
            Ok(mut engine) => check(&entry, engine.as_mut(), case, &cases[0].puzzle),
            Err(_) => assert!(!entry.support.includes(&case.rules)),
        }
    }
}

/// The cases are made once, for all engines.
macro_rules! shared_cases {
    ($name:ident, $side:literal, $cases:expr) => {
        fn $name() -> &'static [Case<$side>] {
            static CASES: OnceLock<Vec<Case<$side>>> = OnceLock::new();
            CASES.get_or_init(|| $cases)
        }
    };
}

shared_cases!(cases_1, 1, {
    let one = Grid::from_rows(&[[1]]).unwrap();
    vec![
        Case::new("empty", &Rules::classic(), Grid::EMPTY),
        Case::new("complete", &Rules::classic(), one),
    ]
});

shared_cases!(cases_4, 4, {
    let rules = Rules::classic();
    let mut cases = generated(6, &rules);
    cases.push(Case::new("empty", &rules, Grid::EMPTY));
    assert_eq!(cases.last().map(|case| case.solutions.len()), Some(288));
    let mut generator = Generator::new(1);
    for solutions in [2, 5, 12, 24] {
        let puzzle = generator.several(solutions, 8).unwrap();
        cases.push(Case::new("several", &rules, puzzle));
    }
    cases
});

shared_cases!(cases_9, 9, {
    let rules = Rules::classic();
    let mut cases = generated(32, &rules);
    let mut generator = Generator::new(3);
    for solutions in [3, 40] {
        let puzzle = generator.several(solutions, 36).unwrap();
        cases.push(Case::new("several", &rules, puzzle));
    }
    cases
});
shared_cases!(cases_16, 16, generated(170, &Rules::classic()));
shared_cases!(cases_25, 25, generated(540, &Rules::classic()));

shared_cases!(hard_9, 9, {
    let hard = ARTICLE_CASES
        .iter()
        .find(|case| case.name == "hardest_2010");
    let case = hard.expect("one of the six");
    vec![Case::new(case.name, &Rules::classic(), case.grid())]
});

shared_cases!(variants_4, 4, {
    // Regions:  0 0 0 1
    //           2 0 1 1
    //           2 2 3 1
    //           2 3 3 3
    let map = [[0, 0, 0, 1], [2, 0, 1, 1], [2, 2, 3, 1], [2, 3, 3, 3]];
    let jigsaw = Rules::jigsaw(&map).unwrap();
    let mut cases = generated(4, &Rules::diagonal());
    cases.push(Case::new("empty diagonal", &Rules::diagonal(), Grid::EMPTY));
    cases.push(Case::new("empty jigsaw", &jigsaw, Grid::EMPTY));
    cases
});
shared_cases!(variants_9, 9, {
    let mut cases = generated(30, &Rules::diagonal());
    cases.extend(generated(30, &Rules::windoku()));
    cases.extend(generated(36, &Rules::latin()));
    // Cages over a complete grid: three cells of each row.
    let complete = Generator::<9>::new(5).complete();
    let mut killer = Rules::classic();
    for row in 0..9 {
        for first in [0, 3, 6] {
            let cells: Vec<Cell<9>> = (first..first + 3).map(|c| Cell::at(row, c)).collect();
            let digits = cells.iter().filter_map(|&cell| complete.get(cell));
            let sum = digits.map(|digit| u32::from(digit.value())).sum();
            killer = killer.with_cage(&cells, sum).unwrap();
        }
    }
    cases.extend(generated(14, &killer));
    cases
});
shared_cases!(cases_6, 6, {
    let mut cases = generated(12, &Rules::classic());
    cases.extend(generated(12, &Rules::boxes(3, 2).unwrap()));
    let diagonal: Vec<Cell<6>> = (0..6).map(|k| Cell::at(k, k)).collect();
    let one_diagonal = Rules::classic().with_house(&diagonal).unwrap();
    cases.extend(generated(12, &one_diagonal));
    let cage = [Cell::at(0, 0), Cell::at(1, 1), Cell::at(5, 5)];
    cases.extend(generated(12, &one_diagonal.with_cage(&cage, 9).unwrap()));
    cases
});
shared_cases!(cases_5, 5, {
    let mut cases = generated(10, &Rules::latin());
    let map = [
        [0, 0, 0, 1, 1],
        [0, 0, 1, 1, 1],
        [2, 2, 2, 2, 3],
        [2, 3, 3, 3, 3],
        [4, 4, 4, 4, 4],
    ];
    cases.extend(generated(10, &Rules::jigsaw(&map).unwrap()));
    cases
});
shared_cases!(cases_12, 12, generated(100, &Rules::classic()));

/// An empty grid has too many solutions to see, so only the first few are asked for.
fn check_empty_grid<const N: usize>(name: &str, limit: usize) {
    let entry = by_name::<N>(name).expect("the engine is registered");
    let Ok(mut engine) = entry.engine(&Rules::classic()) else {
        return;
    };
    let found = engine.solutions(&Grid::EMPTY, limit);
    assert_eq!(found.len(), limit);
    assert!(found.iter().all(|grid| Rules::classic().is_solved_by(grid)));
    let mut sorted = found.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), limit, "no solution comes twice");
    if entry.lexicographic {
        assert_eq!(found, oracle(&Rules::classic(), &Grid::EMPTY, limit));
    }
    assert_eq!(engine.count(&Grid::EMPTY, limit as u64), limit as u64);
}

macro_rules! conformance {
    ($($engine:ident)*) => {
        $(mod $engine {
            use super::*;

            const NAME: &str = stringify!($engine);

            #[test]
            fn agrees_with_the_oracle_on_small_grids() {
                check_all(NAME, cases_1());
                check_all(NAME, cases_4());
            }

            #[test]
            fn agrees_with_the_oracle_on_9x9() {
                check_all(NAME, cases_9());
            }

            #[test]
            fn agrees_with_the_oracle_on_hard_9x9() {
                check_all(NAME, hard_9());
            }

            #[test]
            fn agrees_with_the_oracle_on_large_grids() {
                check_all(NAME, cases_16());
                check_all(NAME, cases_25());
            }

            #[test]
            fn agrees_with_the_oracle_under_other_rules() {
                check_all(NAME, variants_4());
                check_all(NAME, variants_9());
            }

            #[test]
            fn agrees_with_the_oracle_on_other_sides() {
                check_all(NAME, cases_5());
                check_all(NAME, cases_6());
                check_all(NAME, cases_12());
            }

            #[test]
            fn stops_early_on_an_empty_grid() {
                check_empty_grid::<4>(NAME, 288);
                check_empty_grid::<9>(NAME, 50);
            }
        })*

        #[test]
        fn every_engine_is_tested() {
            let mut registered: Vec<&str> = registry::<9>().iter().map(|e| e.name).collect();
            let mut tested = vec![$(stringify!($engine)),*];
            registered.sort_unstable();
            tested.sort_unstable();
            assert_eq!(tested, registered);
        }
    };
}

conformance! {
    houses
    lexicographic
    backtracking
    lookup_backtracking
    naked_singles
    naked_singles_undo
    four_views
    four_views_fewest
    counted_cells
    counted_views
    bitmask_fewest
    brute_force
    bitmask
    dancing_links
    large
    large_views
    learning
    bands
    wide
}

/// The oracle would take years here. The lexicographic engine changes its ways on such a puzzle
/// (see `Order::Lexicographic`), so it is compared with `houses`.
#[test]
fn solutions_come_in_order_where_the_search_is_hard() {
    let puzzle = Generator::<16>::new(1).several(30, 96).unwrap();
    let engine = |name| {
        by_name::<16>(name)
            .unwrap()
            .engine(&Rules::classic())
            .unwrap()
    };
    let mut expected = engine("houses").solutions(&puzzle, 100);
    expected.sort_unstable();
    assert_eq!(expected.len(), 30);
    let mut found = Vec::new();
    let statistics = engine("lexicographic").for_each(&puzzle, |solution| {
        found.push(*solution);
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!(found, expected);
    assert!(statistics.guesses > 1000, "{statistics:?}");
}
