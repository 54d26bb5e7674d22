use super::*;
use crate::generate::Generator;
use crate::{Cell, Digit};
use std::collections::{BTreeMap, BTreeSet};

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
            // The first is for cages, the last is no step.
            Technique::CageSum | Technique::Beyond
                // These are needed once in thousands of puzzles.
                | Technique::Jellyfish
                | Technique::HiddenQuad
        );
        assert!(is_absent || used.contains_key(&technique), "{technique}");
    }
}

/// Takes minutes; `cargo test --release -p sudoku -- --ignored no_step`.
#[test]
#[ignore = "takes minutes"]
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

/// Each technique finds its pattern, and not where one more candidate breaks it.
#[test]
fn a_technique_is_found_where_its_pattern_is_and_not_where_it_is_broken() {
    let classic = Rules::<9>::classic();
    let killer = Generator::<9>::new(3).killer(4);
    let mut all_marks: Vec<(Rater<9>, Grid<9>)> = Generator::<9>::new(1)
        .minimals(400)
        .into_iter()
        .map(|puzzle| (Rater::new(&classic), puzzle))
        .collect();
    all_marks.push((Rater::new(&killer), Grid::EMPTY));
    let mut shown = BTreeSet::new();
    for (rater, puzzle) in &all_marks {
        let mut marks = Marks::new(&rater.topology, puzzle);
        while marks.empty > 0 {
            let Some(step) = marks.next_move() else { break };
            if shown.insert(step.technique) {
                let pattern =
                    |step: &marks::Move| (step.houses.clone(), step.cells.clone(), step.digits);
                let is_broken = (0..81 * 9).any(|candidate| {
                    let (cell, digit) = (candidate / 9, candidate % 9);
                    let mut more = marks.clone();
                    more.digits[cell] |= 1 << digit;
                    let is_new = more.digits[cell] != marks.digits[cell] && !marks.filled[cell];
                    is_new
                        && more.find(step.technique).as_ref().map(pattern) != Some(pattern(&step))
                });
                // No candidate is beside a sum: its pattern is only ever used up.
                assert!(
                    is_broken || step.technique == Technique::CageSum,
                    "{step:?}"
                );
                let mut after = marks.clone();
                after.apply(&step);
                let again = after.find(step.technique);
                assert_ne!(again.as_ref().map(pattern), Some(pattern(&step)));
            }
            marks.apply(&step);
        }
        // A full grid leaves nothing to find.
        let solved = marks.empty == 0;
        assert!(!solved || Technique::ALL.into_iter().all(|t| marks.find(t).is_none()));
    }
    for technique in Technique::ALL {
        let is_rare = matches!(
            technique,
            Technique::Beyond
                | Technique::Swordfish
                | Technique::HiddenTriple
                | Technique::NakedQuad
                | Technique::Jellyfish
                | Technique::HiddenQuad
        );
        assert!(is_rare || shown.contains(&technique), "{technique}");
    }
}

/// The rare ones, each made by hand: a digit, or the digits of a house, confined as the name says.
#[test]
fn rare_techniques_are_found() {
    let rater = Rater::new(&Rules::<9>::classic());
    let empty = || Marks::new(&rater.topology, &Grid::<9>::EMPTY);
    for (technique, lines) in [
        (Technique::XWing, 2),
        (Technique::Swordfish, 3),
        (Technique::Jellyfish, 4),
    ] {
        // Digit 1 lies in the first columns only, in every second row.
        let mut marks = empty();
        for line in 0..lines {
            for column in lines..9 {
                marks.digits[2 * line * 9 + column] &= !1;
            }
        }
        let step = marks.find(technique).expect("the fish");
        assert_eq!((step.digits, step.removed.len()), (1, (9 - lines) * lines));
        marks.digits[8] |= 1;
        assert!(marks.find(technique).is_none());
    }
    for (technique, size) in [
        (Technique::HiddenPair, 2),
        (Technique::HiddenTriple, 3),
        (Technique::HiddenQuad, 4),
    ] {
        // The first digits have the first places of row 5 only.
        let mut marks = empty();
        for column in size..9 {
            marks.digits[36 + column] &= !((1 << size) - 1);
        }
        let step = marks.find(technique).expect("the hidden set");
        assert_eq!(step.cells, (36..36 + size).collect::<Vec<_>>());
        marks.digits[44] |= 1;
        assert!(marks.find(technique).is_none());
    }
    for (technique, size) in [
        (Technique::NakedPair, 2),
        (Technique::NakedTriple, 3),
        (Technique::NakedQuad, 4),
    ] {
        // The first cells of row 5 have the first digits only.
        let mut marks = empty();
        for column in 0..size {
            marks.digits[36 + column] = (1 << size) - 1;
        }
        let step = marks.find(technique).expect("the naked set");
        assert_eq!(step.digits, (1 << size) - 1);
        assert!(step.removed.contains(&(44, (1 << size) - 1)));
        marks.digits[36] |= 1 << 8;
        assert!(marks.find(technique).is_none());
    }
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
    let puzzle: Grid<25> = crate::notation::Notation::LINE.parse(line).unwrap();
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
    let puzzle: Grid<9> = crate::notation::Notation::LINE.parse(line).unwrap();
    let rating = Rater::new(&Rules::classic()).rate(&puzzle).unwrap();
    assert_eq!(rating.technique, Technique::Beyond);
    assert!(rating.guesses > 10);
}
