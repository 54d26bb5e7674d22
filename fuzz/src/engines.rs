//! Fuzzes the engines: derives a puzzle from the input and solves it with every engine; all must
//! agree.

use std::any::Any;
use std::ops::ControlFlow;
use sudoku::engine::nine::{Batch, Processor, Wide};
use sudoku::engine::{Engine, Statistics, registry};
use sudoku::rules::box_shape;
use sudoku::{Cell, Digit, Grid, Rules};

/// The engines that support many empty cells.
const FAST: [&str; 7] = [
    "houses",
    "lexicographic",
    "bands",
    "wide",
    "large_views",
    "learning",
    "large",
];

/// Maximum number of solutions to compare.
const LIMIT: usize = 30;

/// Solves the puzzle derived from `data` with every engine that supports it.
///
/// # Panics
///
/// If two engines disagree or a solution is wrong.
pub fn compare(data: &[u8]) {
    let mut bytes = Bytes { data, state: 1 };
    match bytes.next() % 8 {
        0 => compare_side::<4>(&mut bytes, 16, 16),
        1 => compare_side::<16>(&mut bytes, 50, 140),
        2 => compare_side::<25>(&mut bytes, 50, 300),
        _ => compare_side::<9>(&mut bytes, 40, 64),
    }
}

/// The bytes of the input, followed by pseudo-random numbers seeded with them.
struct Bytes<'a> {
    data: &'a [u8],
    state: u64,
}

impl Bytes<'_> {
    fn next(&mut self) -> usize {
        let byte = match self.data.split_first() {
            Some((&byte, rest)) => {
                self.data = rest;
                byte
            }
            None => (self.state >> 40) as u8,
        };
        let mixed = self.state ^ u64::from(byte);
        self.state = mixed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::from(byte)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() * 256 + self.next()) % limit
    }
}

/// A solved grid with cells removed and sometimes one changed.
fn puzzle<const N: usize>(bytes: &mut Bytes, most_empty: usize) -> Grid<N> {
    let (side, _) = box_shape(N);
    let mut names: Vec<usize> = (0..N).collect();
    for i in 0..N {
        names.swap(i, bytes.below(N));
    }
    // Exchanges rows within their bands, as often as the input specifies.
    let mut rows: Vec<usize> = (0..N).collect();
    for row in 0..N {
        rows.swap(row, row / side * side + bytes.next() % side);
    }
    let mut grid = Grid::EMPTY;
    for cell in Cell::all() {
        let row = rows[cell.row()];
        let value = (side * (row % side) + row / side + cell.column()) % N;
        grid.set(cell, Some(Digit::from_index(names[value])));
    }
    for _ in 0..bytes.below(most_empty + 1) {
        grid.set(Cell::from_index(bytes.below(N * N)), None);
    }
    for _ in 0..[0, 0, 0, 1, 1, 2, 3, 4][bytes.next() % 8] {
        let digit = Digit::from_index(bytes.below(N));
        grid.set(Cell::from_index(bytes.below(N * N)), Some(digit));
    }
    grid
}

fn compare_side<const N: usize>(bytes: &mut Bytes, slow: usize, fast: usize) {
    let all_engines = bytes.next().is_multiple_of(2);
    let puzzle = puzzle::<N>(bytes, if all_engines { slow } else { fast });
    let rules = Rules::classic();
    let mut expected: Option<(&str, Vec<Grid<N>>)> = None;
    let mut in_order: Option<(&str, Vec<Grid<N>>)> = None;
    for entry in registry::<N>() {
        if !entry.sides.contains(&N) || !(all_engines || FAST.contains(&entry.name)) {
            continue;
        }
        let mut engine = entry.engine(&rules).expect("classic rules");
        let mut found = engine.solutions(&puzzle, LIMIT);
        for solution in &found {
            assert!(rules.is_solved_by(solution), "{}: {puzzle:?}", entry.name);
            let kept = puzzle
                .givens()
                .all(|(cell, digit)| solution.get(cell) == Some(digit));
            assert!(kept, "{}: {puzzle:?}", entry.name);
        }
        if entry.lexicographic {
            match &in_order {
                Some((name, first)) => {
                    assert_eq!(first, &found, "{name}, {}: {puzzle:?}", entry.name);
                }
                None => in_order = Some((entry.name, found.clone())),
            }
        }
        found.sort_unstable();
        found.dedup();
        match &expected {
            Some((name, first)) => {
                let same = first.len() == found.len() && (first.len() == LIMIT || *first == found);
                assert!(same, "{name} and {} on {puzzle:?}", entry.name);
            }
            None => expected = Some((entry.name, found)),
        }
    }
    let puzzle: &dyn Any = &puzzle;
    if let Some(puzzle) = puzzle.downcast_ref::<Grid<9>>() {
        compare_vector_engines(puzzle);
    }
}

/// Checks that the vector engines give the same result with every register width, and in a batch.
fn compare_vector_engines(puzzle: &Grid<9>) {
    let mut first: Option<(Vec<Grid<9>>, Statistics)> = None;
    for processor in Processor::all() {
        let mut found = Vec::new();
        let cost = Wide::on(processor).for_each(puzzle, |solution| {
            found.push(*solution);
            if found.len() < LIMIT {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        let expected = first.get_or_insert((found.clone(), cost));
        assert_eq!(
            *expected,
            (found.clone(), cost),
            "{processor:?}: {puzzle:?}"
        );
        // More than the vector lanes of any machine.
        let mut batch = Batch::on(processor);
        let mut firsts = [None; 40];
        batch.first(&[*puzzle; 40], &mut firsts);
        assert_eq!(
            firsts,
            [found.first().copied(); 40],
            "{processor:?}: {puzzle:?}"
        );
        let mut counts = [0; 40];
        let cost = batch.count(&[*puzzle; 40], &mut counts, LIMIT as u64);
        assert_eq!(
            counts,
            [found.len() as u64; 40],
            "{processor:?}: {puzzle:?}"
        );
        assert_eq!(cost.guesses, 40 * expected.1.guesses);
        assert_eq!(cost.nodes, 40 * expected.1.nodes);
    }
}
