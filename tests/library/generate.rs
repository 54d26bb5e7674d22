//! Generated grids and puzzles.

use sudoku::engine::{self, Engine};
use sudoku::generate::{Generator, Random, Unsatisfiable};
use sudoku::{Grid, Rules};

#[test]
fn the_random_sequence_is_splitmix64() {
    // The first numbers of the reference implementation for seed 1234567.
    let mut random = Random::new(1_234_567);
    let drawn = [random.next_u64(), random.next_u64(), random.next_u64()];
    let reference = [
        6_457_827_717_110_365_317,
        3_203_168_211_198_807_973,
        9_817_491_932_198_370_423,
    ];
    assert_eq!(drawn, reference);
}

/// Pinned: a change of these grids changes every test case that was ever generated.
#[test]
fn a_seed_gives_the_same_grid_for_ever() {
    let rows = *Generator::<4>::new(1).complete().rows();
    assert_eq!(
        rows,
        [[4, 3, 1, 2], [1, 2, 4, 3], [2, 1, 3, 4], [3, 4, 2, 1]]
    );
    let rows = *Generator::<9>::new(1).complete().rows();
    assert_eq!(rows[0], [7, 3, 8, 6, 9, 1, 4, 2, 5]);
    assert_eq!(rows[8], [5, 6, 1, 8, 4, 2, 9, 3, 7]);
    let rows = *Generator::<9>::new(1).minimal().rows();
    assert_eq!(rows[3], [3, 2, 0, 5, 0, 0, 7, 0, 0]);
    assert_eq!(rows[8], [0, 0, 1, 0, 0, 0, 0, 0, 0]);
}

fn makes_what_it_says<const N: usize>(givens: usize, rules: &Rules<N>) {
    let mut generator = Generator::with_rules(7, rules).unwrap();
    let mut engine = engine::fastest(rules);
    assert!(rules.is_solved_by(&generator.complete()));
    let unique = generator.unique(givens).unwrap();
    assert_eq!(
        (unique.count_givens(), engine.count(&unique, 2)),
        (givens, 1)
    );
    let several = generator.several(3, givens).unwrap();
    assert!(several.count_givens() <= givens);
    assert_eq!(engine.count(&several, 4), 3);
    let unsolvable = generator.unsolvable(givens).unwrap();
    assert!(rules.allow(&unsolvable));
    assert_eq!(
        (unsolvable.count_givens(), engine.count(&unsolvable, 1)),
        (givens, 0)
    );
}

#[test]
fn every_side_makes_what_it_says() {
    makes_what_it_says::<4>(6, &Rules::classic());
    makes_what_it_says::<9>(32, &Rules::classic());
    makes_what_it_says::<9>(32, &Rules::diagonal());
    makes_what_it_says::<16>(140, &Rules::classic());
    makes_what_it_says::<25>(380, &Rules::classic());
}

#[test]
fn rules_that_no_grid_obeys_are_refused() {
    // Region 0 and row 1 share three cells; the fourth of each holds the same digit, but both
    // lie in column 4.
    let map = [[0, 0, 0, 1], [1, 1, 1, 0], [2, 2, 2, 2], [3, 3, 3, 3]];
    let rules = Rules::<4>::jigsaw(&map).unwrap();
    let refused = Generator::with_rules(1, &rules).err();
    assert_eq!(refused, Some(Unsatisfiable));
}

#[test]
fn more_solutions_than_can_be_counted_are_not_made() {
    assert_eq!(Generator::<4>::new(1).several(u64::MAX, 8), None);
    assert_eq!(Generator::<4>::new(1).several(u64::MAX - 1, 8), None);
}

#[test]
fn the_empty_grid_is_a_puzzle_with_several_solutions() {
    let puzzle = Generator::<4>::new(1).several(288, 0);
    assert_eq!(puzzle, Some(Grid::EMPTY));
}

#[test]
fn killers_have_one_solution() {
    for (seed, most) in [(1, 2), (2, 4), (3, 6)] {
        let rules = Generator::<9>::new(seed).killer(most);
        let caged: usize = rules.cages().iter().map(|cage| cage.cells.len()).sum();
        assert_eq!(caged, 81);
        assert!(rules.cages().iter().all(|cage| cage.cells.len() <= most));
        assert_eq!(engine::fastest(&rules).count(&Grid::EMPTY, 2), 1);
    }
    let rules = Generator::<6>::new(1).killer(3);
    assert_eq!(engine::fastest(&rules).count(&Grid::EMPTY, 2), 1);
    // Chance alone does not make a grid under cages.
    let complete = Generator::with_rules(1, &rules).unwrap().complete();
    assert!(rules.is_solved_by(&complete));
}

#[test]
fn a_minimal_puzzle_needs_every_given() {
    let mut engine = engine::fastest(&Rules::classic());
    let puzzle = Generator::<9>::new(3).minimal();
    assert_eq!(engine.count(&puzzle, 2), 1);
    for (cell, _) in puzzle.givens() {
        let mut fewer = puzzle;
        fewer.set(cell, None);
        assert_eq!(engine.count(&fewer, 2), 2);
    }
}
