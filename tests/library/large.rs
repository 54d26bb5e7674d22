//! The engines for large grids, against each other and against backtracking.

use std::ops::ControlFlow;
use sudoku::engine::{Backtracking, Engine, Method, by_name};
use sudoku::generate::Random;
use sudoku::grid::{Cell, Digit, Grid};
use sudoku::rules::Rules;

const ENGINES: [&str; 3] = ["large_views", "learning", "large"];

const MINIMAL_16: &str = include_str!("../../benches/puzzles/16x16-minimal.txt");
const GIVENS_105: &str = include_str!("../../benches/puzzles/16x16-givens105.txt");
const GIVENS_320: &str = include_str!("../../benches/puzzles/25x25-givens320.txt");

fn engine<const N: usize>(name: &str) -> Box<dyn Method<N>> {
    let entry = by_name(name).expect("registered");
    entry.engine(&Rules::classic()).expect("supported")
}

fn parse<const N: usize>(line: &str) -> Grid<N> {
    line.parse().expect("a grid")
}

fn shuffled(count: usize, random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    random.shuffle(&mut order);
    order
}

/// `grid` with lines moved within their bands, bands moved, digits renamed, and perhaps mirrored:
/// the solutions move along, so there are as many.
fn disguise<const N: usize>(grid: &Grid<N>, random: &mut Random) -> Grid<N> {
    let side = N.isqrt();
    let mut lines = || -> Vec<usize> {
        let bands = shuffled(side, random);
        bands
            .iter()
            .flat_map(|band| {
                let within = shuffled(side, random);
                within.into_iter().map(move |k| band * side + k)
            })
            .collect()
    };
    let (rows, columns) = (lines(), lines());
    let digits = shuffled(N, random);
    let mirror = random.below(2) == 1;
    let mut out = Grid::EMPTY;
    for (cell, digit) in grid.givens() {
        let (r, c) = (rows[cell.row()], columns[cell.column()]);
        let to = if mirror { (c, r) } else { (r, c) };
        out.set(
            Cell::from_index(to.0 * N + to.1),
            Some(Digit::from_index(digits[digit.index()])),
        );
    }
    out
}

/// A full grid, then `givens` of its digits.
fn scattered<const N: usize>(givens: usize, random: &mut Random) -> Grid<N> {
    let full = disguise(&pattern(), random);
    let mut grid = Grid::EMPTY;
    for i in shuffled(N * N, random).into_iter().take(givens) {
        let cell = Cell::from_index(i);
        grid.set(cell, full.get(cell));
    }
    grid
}

/// The full grid whose rows are one row shifted.
fn pattern<const N: usize>() -> Grid<N> {
    let side = N.isqrt();
    let mut grid = Grid::EMPTY;
    for cell in Cell::all() {
        let shift = cell.row() % side * side + cell.row() / side;
        grid.set(cell, Some(Digit::from_index((cell.column() + shift) % N)));
    }
    grid
}

fn solved<const N: usize>(puzzle: &Grid<N>, solution: &Grid<N>) {
    assert!(Rules::classic().is_solved_by(solution));
    for (cell, digit) in puzzle.givens() {
        assert_eq!(solution.get(cell), Some(digit));
    }
}

fn sorted<const N: usize>(engine: &mut dyn Method<N>, puzzle: &Grid<N>) -> Vec<Grid<N>> {
    let mut all = engine.solutions(puzzle, usize::MAX);
    all.sort_unstable();
    all
}

#[test]
fn small_grids_have_the_solutions_that_backtracking_finds() {
    let mut random = Random::new(1);
    for givens in 0..12 {
        for _ in 0..8 {
            let puzzle = scattered::<4>(givens, &mut random);
            let expected = Backtracking.solutions(&puzzle, usize::MAX);
            for name in ENGINES {
                assert_eq!(sorted(&mut *engine(name), &puzzle), expected, "{name}");
            }
        }
    }
    // Of more solutions only the number is compared.
    const LIMIT: usize = 1000;
    for givens in [24, 26, 30, 40, 81] {
        for _ in 0..4 {
            let puzzle = scattered::<9>(givens, &mut random);
            let expected = Backtracking.solutions(&puzzle, LIMIT);
            for name in ENGINES {
                if expected.len() < LIMIT {
                    assert_eq!(sorted(&mut *engine(name), &puzzle), expected, "{name}");
                }
                let count = engine(name).count(&puzzle, LIMIT as u64);
                assert_eq!(count, expected.len() as u64, "{name}");
            }
        }
    }
}

#[test]
fn wrong_digits_leave_no_solution() {
    let mut random = Random::new(2);
    for name in ENGINES {
        for _ in 0..60 {
            let mut puzzle = scattered::<9>(35, &mut random);
            let cell = Cell::from_index(random.below(81));
            puzzle.set(cell, Some(Digit::from_index(random.below(9))));
            let expected = Backtracking.count(&puzzle, 20);
            assert_eq!(engine(name).count(&puzzle, 20), expected, "{name}");
        }
        let mut twice = pattern::<16>();
        twice.set(Cell::from_index(0), twice.get(Cell::from_index(1)));
        assert_eq!(engine(name).count(&twice, 2), 0, "{name}");
        // No house holds a digit twice, yet cell (1, 1) has no digit left.
        let mut stuck = Grid::<25>::EMPTY;
        for k in 1..25 {
            stuck.set(
                Cell::from_index(if k < 13 { k } else { k * 25 }),
                Some(Digit::from_index(k)),
            );
        }
        assert!(engine(name).first(&stuck).is_some(), "{name}");
        stuck.set(Cell::from_index(26), Some(Digit::from_index(0)));
        assert_eq!(engine(name).first(&stuck), None, "{name}");
    }
}

fn empty_and_full<const N: usize>(name: &str) {
    let found = engine(name).solutions(&Grid::<N>::EMPTY, 5);
    assert_eq!(found.len(), 5);
    for (i, grid) in found.iter().enumerate() {
        solved(&Grid::EMPTY, grid);
        assert!(!found[..i].contains(grid), "{name} finds a grid twice");
    }
    assert_eq!(engine(name).count(&Grid::<N>::EMPTY, 0), 0);
    let full = pattern::<N>();
    assert_eq!(engine(name).solutions(&full, 2), [full]);
}

#[test]
fn empty_and_full_grids_of_every_side() {
    for name in ENGINES {
        empty_and_full::<9>(name);
        empty_and_full::<16>(name);
        // Learning takes seconds to fill larger empty grids, which is not what it is for.
        if name != "learning" {
            empty_and_full::<25>(name);
            empty_and_full::<36>(name);
        }
    }
}

fn unique_however_disguised<const N: usize>(lines: &str, take: usize) {
    let mut random = Random::new(3);
    for line in lines.lines().take(take) {
        let puzzle = parse::<N>(line);
        let expected = engine("large_views").first(&puzzle).expect("a solution");
        solved(&puzzle, &expected);
        let disguised = disguise(&puzzle, &mut random);
        for name in ENGINES {
            assert_eq!(engine(name).solutions(&puzzle, 2), [expected], "{name}");
            assert_eq!(engine(name).count(&disguised, 2), 1, "{name}");
        }
    }
}

#[test]
fn unique_puzzles_of_16() {
    unique_however_disguised::<16>(MINIMAL_16, 12);
    unique_however_disguised::<16>(GIVENS_105, 12);
}

#[test]
fn unique_puzzles_of_25() {
    unique_however_disguised::<25>(GIVENS_320, 12);
}

#[test]
fn several_solutions_are_counted_however_disguised() {
    let mut random = Random::new(4);
    let mut several = 0;
    // The first has 89,520.
    for line in MINIMAL_16.lines().skip(1).take(4) {
        // Without one more given a minimal puzzle has several solutions.
        let mut puzzle = parse::<16>(line);
        let given = puzzle.givens().nth(7).expect("a given").0;
        puzzle.set(given, None);
        let expected = sorted(&mut *engine("large_views"), &puzzle);
        several += usize::from(expected.len() > 1);
        let disguised = disguise(&puzzle, &mut random);
        for name in ENGINES {
            assert_eq!(sorted(&mut *engine(name), &puzzle), expected, "{name}");
            assert_eq!(engine(name).count(&puzzle, 2), 2, "{name}");
            let count = engine(name).count(&disguised, u64::MAX);
            assert_eq!(count, expected.len() as u64, "{name}");
        }
    }
    assert_eq!(several, 4);
}

#[test]
fn a_search_does_not_depend_on_those_before() {
    for name in ENGINES {
        let mut used = engine::<16>(name);
        for line in MINIMAL_16.lines().take(4) {
            let puzzle = parse(line);
            let mut stop = |_: &Grid<16>| ControlFlow::Continue(());
            let fresh = engine(name).for_each(&puzzle, &mut stop);
            assert_eq!(used.for_each(&puzzle, &mut stop), fresh, "{name}");
            assert!(fresh.nodes > 0);
        }
    }
}
