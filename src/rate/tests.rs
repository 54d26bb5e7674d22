use super::*;
use crate::generate::Generator;
use std::collections::BTreeSet;

/// Rates puzzles and checks what was filled in and taken away against the solutions.
fn techniques<const N: usize>(rules: &Rules<N>, puzzles: &[Grid<N>]) -> BTreeSet<Technique> {
    let mut rater = Rater::new(rules);
    let mut engine = engine::fastest(rules);
    let mut found = BTreeSet::new();
    for puzzle in puzzles {
        let rating = rater.rate(puzzle).expect("one solution");
        let solution = engine.first(puzzle).expect("one solution");
        let mut candidates = rater.candidates(puzzle);
        assert_eq!(candidates.solve(), rating.technique);
        for (cell, digit) in solution.givens() {
            let left = candidates.digits[cell.index()];
            assert!(left >> digit.index() & 1 == 1, "{puzzle:?}");
            if rating.technique < Technique::Beyond {
                assert!(candidates.filled[cell.index()], "{puzzle:?}");
                assert_eq!(left.count_ones(), 1);
            }
        }
        found.insert(rating.technique);
    }
    found
}

#[test]
fn techniques_take_nothing_that_the_solution_has() {
    let puzzles = Generator::<9>::new(1).minimals(1500);
    let found = techniques(&Rules::classic(), &puzzles);
    for technique in Technique::ALL {
        // These are needed once in thousands of puzzles.
        let is_rare = matches!(
            technique,
            Technique::Swordfish
                | Technique::HiddenTriple
                | Technique::NakedQuad
                | Technique::Jellyfish
                | Technique::HiddenQuad
        );
        assert!(is_rare || found.contains(&technique), "{technique}");
    }
}

#[test]
fn other_rules_and_sides_are_rated() {
    let mut generator = Generator::with_rules(2, &Rules::<9>::diagonal()).unwrap();
    let puzzles: Vec<_> = (0..16)
        .filter_map(|more| generator.unique(24 + more))
        .collect();
    assert!(techniques(&Rules::diagonal(), &puzzles).len() > 1);
    let mut generator = Generator::<16>::new(2);
    let puzzles: Vec<_> = (0..3).filter_map(|_| generator.unique(120)).collect();
    techniques(&Rules::classic(), &puzzles);
    let mut generator = Generator::<4>::new(2);
    let puzzles: Vec<_> = (0..20).map(|_| generator.minimal()).collect();
    techniques(&Rules::classic(), &puzzles);
}

/// The general engine does not end on puzzles such as this one in any reasonable time.
#[test]
fn hard_25x25_puzzles_are_rated() {
    let line = include_str!("../../benches/puzzles/25x25-givens278.txt")
        .lines()
        .nth(3)
        .unwrap();
    let puzzle: Grid<25> = crate::notation::Notation::LINE.parse(line).unwrap();
    let rating = Rater::new(&Rules::classic()).rate(&puzzle).unwrap();
    assert_eq!(rating.technique, Technique::Beyond);
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
