//! Sudoku engines from 4x4 to 25x25, and the notations in which online judges write grids.
//!
//! The library has no dependencies and does no I/O of its own: it reads from and writes to what
//! the caller hands it.
//!
//! ```
//! use sudoku::Grid;
//!
//! let puzzle = Grid::from_rows(&[[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]])?;
//! let solution = sudoku::solve(&puzzle).expect("this puzzle has a solution");
//! assert_eq!(solution.to_rows(), [[1, 3, 2, 4], [4, 2, 3, 1], [2, 4, 1, 3], [3, 1, 4, 2]]);
//! # Ok::<(), sudoku::grid::InvalidValue>(())
//! ```
#![deny(unsafe_code)] // one module, the SIMD engine, allows it

pub mod engine;
pub mod generate;
pub mod grid;
pub mod notation;
pub mod rate;
pub mod rules;

pub use grid::{Cell, Digit, Grid};
pub use rules::Rules;

/// A solution of a classic puzzle, or `None` when it has none.
///
/// Where many puzzles are solved, one engine for all of them ([`engine::fastest`]) saves its
/// set-up. Which of several solutions is found is not promised; [`solve_in_order`] does promise.
pub fn solve<const N: usize>(puzzle: &Grid<N>) -> Option<Grid<N>> {
    engine::fastest(&Rules::classic()).first(puzzle)
}

/// How many solutions a classic puzzle has, counted up to `limit`.
pub fn count_solutions<const N: usize>(puzzle: &Grid<N>, limit: u64) -> u64 {
    engine::fastest(&Rules::classic()).count(puzzle, limit)
}

/// Hands the solutions of a classic puzzle to `visit` in lexicographic order - the first cells,
/// row by row, count most - until it breaks.
pub fn solve_in_order<const N: usize>(
    puzzle: &Grid<N>,
    visit: &mut engine::Visitor<'_, N>,
) -> engine::Statistics {
    engine::lexicographic(&Rules::classic()).for_each(puzzle, visit)
}
