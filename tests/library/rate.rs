//! The rating of puzzles, and the steps of a person's solution.

use std::collections::BTreeMap;
use sudoku::engine::{self, Engine};
use sudoku::generate::Generator;
use sudoku::notation::Notation;
use sudoku::rate::{Rater, Rating, Technique};
use sudoku::{Cell, Digit, Grid, Rules};

/// Rates puzzles and checks every step against the solution: what it places is right, what it removes
/// was there and is wrong. How often each technique was used.
fn check<const N: usize>(rules: &Rules<N>, puzzles: &[Grid<N>]) -> BTreeMap<Technique, usize> {
    let mut rater = Rater::new(rules);
    let mut engine = engine::fastest(rules);
    let mut used = BTreeMap::new();
    for puzzle in puzzles {
        let rating = rater.rate(puzzle).expect("one solution");
        let solution = engine.first(puzzle).expect("one solution");
        let mut steps = rater.steps(puzzle);
        let mut hardest = Technique::HiddenSingle;
        loop {
            let candidates: Vec<Vec<Digit<N>>> = Cell::all()
                .map(|cell| steps.candidates(cell).collect())
                .collect();
            let Some(step) = steps.next() else { break };
            let context = format!("{step} in {puzzle}");
            hardest = hardest.max(step.technique);
            *used.entry(step.technique).or_default() += 1;
            assert!(
                step.placed.is_some() || !step.removed.is_empty(),
                "{context}"
            );
            if let Some((cell, digit)) = step.placed {
                assert_eq!(solution.get(cell), Some(digit), "{context}");
            }
            for (cell, digit) in step.removed {
                assert!(candidates[cell.index()].contains(&digit), "{context}");
                assert_ne!(solution.get(cell), Some(digit), "{context}");
            }
        }
        if steps.is_solved() {
            assert_eq!(*steps.grid(), solution);
            assert_eq!(hardest, rating.technique);
        } else {
            assert_eq!(rating.technique, Technique::Beyond);
        }
    }
    used
}

#[test]
fn no_step_is_wrong() {
    let puzzles = Generator::<9>::new(1).minimals(1500);
    let used = check(&Rules::classic(), &puzzles);
    for technique in Technique::ALL {
        let is_absent = matches!(
            technique,
            // The first two are for cages and constraints, the third is no step.
            Technique::CageSum | Technique::Constraint | Technique::Beyond
                // These are needed once in thousands of puzzles.
                | Technique::Jellyfish
                | Technique::HiddenQuad
        );
        assert!(is_absent || used.contains_key(&technique), "{technique}");
    }
}

/// Takes minutes; `cargo test --release -p sudoku-engines -- --ignored no_step`.
#[test]
#[ignore = "takes minutes: run by hand"]
fn no_step_is_wrong_in_100_000_puzzles() {
    let mut generator = Generator::<9>::new(2);
    let mut used = BTreeMap::new();
    for _ in 0..200 {
        for (technique, times) in check(&Rules::classic(), &generator.minimals(500)) {
            *used.entry(technique).or_insert(0) += times;
        }
    }
    println!("{used:?}");
}

#[test]
fn other_rules_and_sides_are_rated() {
    let mut generator = Generator::with_rules(2, &Rules::<9>::diagonal()).unwrap();
    let puzzles: Vec<_> = (0..16)
        .filter_map(|more| generator.unique(24 + more))
        .collect();
    assert!(check(&Rules::diagonal(), &puzzles).len() > 1);
    let mut generator = Generator::<16>::new(2);
    let puzzles: Vec<_> = (0..3).filter_map(|_| generator.unique(120)).collect();
    check(&Rules::classic(), &puzzles);
    let mut generator = Generator::<4>::new(2);
    let puzzles: Vec<_> = (0..20).map(|_| generator.minimal()).collect();
    check(&Rules::classic(), &puzzles);
}

/// The general engine does not end on puzzles such as this one in any reasonable time.
#[test]
fn hard_25x25_puzzles_are_rated() {
    let line = include_str!("../../benches/puzzles/25x25-givens278.txt")
        .lines()
        .nth(3)
        .unwrap();
    let puzzle: Grid<25> = Notation::LINE.parse(line).unwrap();
    assert!(Rater::new(&Rules::classic()).rate(&puzzle).is_some());
}

#[test]
fn killers_are_rated_by_their_sums() {
    let rules = Generator::<9>::new(4).killer(3);
    let used = check(&rules, &[Grid::EMPTY]);
    assert!(used[&Technique::CageSum] > 10, "{used:?}");
}

#[test]
fn only_puzzles_with_one_solution_have_a_rating() {
    let mut rater = Rater::new(&Rules::classic());
    let mut generator = Generator::<9>::new(3);
    assert_eq!(rater.rate(&Grid::EMPTY), None);
    let several = generator.several(2, 40).expect("a puzzle of two solutions");
    assert_eq!(rater.rate(&several), None);
    let none = generator.unsolvable(30).expect("a puzzle without solution");
    assert_eq!(rater.rate(&none), None);
    let full = generator.complete();
    let easiest = Rating {
        technique: Technique::HiddenSingle,
        guesses: 0,
    };
    assert_eq!(rater.rate(&full), Some(easiest));
}

#[test]
fn the_hardest_puzzles_are_beyond_and_need_guesses() {
    let line = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
    let puzzle: Grid<9> = Notation::LINE.parse(line).unwrap();
    let rating = Rater::new(&Rules::classic()).rate(&puzzle).unwrap();
    assert_eq!(rating.technique, Technique::Beyond);
    assert!(rating.guesses > 10);
}

/// The ratings that Sudoku6Explainer's description gives for its own examples.
#[test]
fn ratings_on_the_scale_of_sudoku_explainer_are_those_published() {
    let boxes = Rules::<6>::classic();
    let both_diagonals = Rules::<6>::diagonal();
    let latin = Rules::<6>::latin();
    for (rules, puzzle, expected) in [
        (&boxes, "....1..2...3.....4..56........34....", "7.1"),
        (&boxes, ".....12....3..2.......45.16.........", "1.5"),
        (
            &both_diagonals,
            "12.................34.....5.........",
            "1.5",
        ),
        (&latin, ".1.2...2......3.4.......25.1......3.", "1.5"),
    ] {
        let puzzle = puzzle.parse().unwrap();
        let rating = Rater::new(rules).difficulty(&puzzle).unwrap();
        assert_eq!(rating.to_string(), expected, "{puzzle}");
    }
    assert_eq!(Rater::new(&boxes).difficulty(&Grid::EMPTY), None);
}

/// The ratings that Sudoku Explainer 1.2.1 itself gives.
#[test]
fn ratings_on_the_scale_of_sudoku_explainer_are_those_of_the_program() {
    let mut rater = Rater::new(&Rules::<9>::classic());
    for (puzzle, expected) in [
        (
            "....4...36.....4..94.3.8.7.8.....5.......97...258....6...6.235......4....729.5...",
            "2.6",
        ),
        (
            "2...4.6..6..89...5.47...2......8...........9..51..4.....5....63..49.1........37..",
            "2.0",
        ),
        (
            "......1.3..75.......54.682....7.9...95...17..........2.4.....6..86..7........53.4",
            "2.5",
        ),
        // A unique loop of six cells, a naked set beside a rectangle, a bivalue grave of two cells, aligned triplets.
        (
            "7....8..3.4.62......2.9..7...9.65............8......2.4.35.9..76.......4.8..1.5..",
            "4.6",
        ),
        (
            "...237.9..6....3.....4..12.......6..2..9.6..4..1.4.8..8..6......5.18.9.7.........",
            "4.6",
        ),
        (
            "....4..7....73.9...8.....1.87...2......3...2.6..8....7.9.4.1..83..........2...6..",
            "5.7",
        ),
        (
            "3...654...7..3.....4...87....2..98..8...5..14.....625.......3.......2..693......5",
            "7.5",
        ),
    ] {
        let puzzle = puzzle.parse().unwrap();
        assert_eq!(
            rater.difficulty(&puzzle).unwrap().to_string(),
            expected,
            "{puzzle}"
        );
    }
}
