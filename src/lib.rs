//! Solves Sudoku of any side from 1 to 36, under the classic rules and any others.
//!
//! # A puzzle
//!
//! ```
//! use sudoku::{Answer, Grid};
//!
//! let puzzle: Grid<9> =
//!     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
//! let Answer::Unique(solution) = sudoku::solve(&puzzle) else {
//!     panic!("no solution, or several");
//! };
//! println!("{}", solution.pretty());
//! # assert!(solution.to_string().starts_with("534678912"));
//! # Ok::<(), sudoku::notation::ParseError>(())
//! ```
//!
//! # All solutions
//!
//! ```
//! use sudoku::Grid;
//!
//! let puzzle: Grid<4> = "1...............".parse()?;
//! assert_eq!(sudoku::count_solutions(&puzzle, 1000), 72);
//! for solution in sudoku::solutions(&puzzle).take(2) {
//!     println!("{solution}");
//! }
//! # Ok::<(), sudoku::notation::ParseError>(())
//! ```
//!
//! # Other rules
//!
//! Rules are values: houses of any cells, and cages with sums.
//!
//! ```
//! use sudoku::{Cell, Grid, Rules, Solver};
//!
//! let rules = Rules::<6>::boxes(2, 3)?.with_cage(&[Cell::at(0, 0), Cell::at(1, 0)], 3)?;
//! let mut solver = Solver::with_rules(&rules);
//! let solution = solver.first(&Grid::EMPTY).expect("a solution");
//! assert!(rules.is_solved_by(&solution));
//! # Ok::<(), sudoku::rules::RulesError>(())
//! ```
//!
//! # New puzzles, and how hard they are
//!
//! ```
//! use sudoku::{Rules, generate::Generator, rate::Rater};
//!
//! let puzzle = Generator::<9>::new(2026).minimal();
//! let rating = Rater::new(&Rules::classic()).rate(&puzzle).expect("one solution");
//! println!("{puzzle}: {}", rating.technique);
//! ```
//!
//! # Millions of puzzles
//!
//! [`engine::nine::Stream`] solves lines of text on all processors, sixteen or 32 puzzles at a time
//! on each.
//!
//! ```
//! use sudoku::engine::nine::Stream;
//!
//! let puzzles = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n";
//! let mut solutions = Vec::new();
//! Stream::new(2).solve_text(&puzzles[..], &mut solutions, 1)?;
//! assert_eq!(&solutions[..9], b"534678912");
//! # Ok::<(), sudoku::engine::nine::StreamError>(())
//! ```
//!
//! # Modules
//!
//! [`notation`] reads and writes grids as online judges do; [`engine`] contains all solving methods,
//! including those of four well-known articles, for comparison and for authors of new ones.
//!
//! The library has no dependencies and does no I/O of its own: it uses the readers and
//! writers that the caller passes.
#![deny(unsafe_code)] // one module, the SIMD engine, allows it

pub mod engine;
pub mod generate;
pub mod grid;
pub mod notation;
pub mod rate;
pub mod rules;
mod solver;

pub use engine::heaviest::heaviest_solution;
pub use grid::{Cell, Digit, Grid};
pub use rules::Rules;
pub use solver::{Answer, Solutions, Solver};

/// Whether a classic puzzle has no solution, one or several.
///
/// A 9x9 puzzle is solved by a thread-local engine, without any allocation; for many puzzles of
/// another side a [`Solver`] saves the set-up.
pub fn solve<const N: usize>(puzzle: &Grid<N>) -> Answer<N> {
    engine::with_classic(|engine| {
        Answer::of_search(|visit| {
            engine.for_each(puzzle, visit);
        })
    })
}

/// A solution of a classic puzzle, or `None` if it has none. If there are several, any of them may be
/// returned.
///
/// Faster than [`solve`], which also proves that there is no other.
pub fn first_solution<const N: usize>(puzzle: &Grid<N>) -> Option<Grid<N>> {
    engine::with_classic(|engine| engine.first(puzzle))
}

/// The number of solutions of a classic puzzle, counted up to `limit`.
pub fn count_solutions<const N: usize>(puzzle: &Grid<N>, limit: u64) -> u64 {
    engine::with_classic(|engine| engine.count(puzzle, limit))
}

/// Whether a classic puzzle has exactly one solution, and several as soon as any given is removed.
pub fn is_minimal<const N: usize>(puzzle: &Grid<N>) -> bool {
    let mut without = *puzzle;
    count_solutions(puzzle, 2) == 1
        && puzzle.givens().all(|(cell, digit)| {
            without.set(cell, None);
            let solutions = count_solutions(&without, 2);
            without.set(cell, Some(digit));
            solutions > 1
        })
}

/// The solutions of a classic puzzle in lexicographic order.
pub fn solutions<const N: usize>(puzzle: &Grid<N>) -> Solutions<N> {
    Solutions::new(engine::fastest_classic(), puzzle)
}

/// Calls `visit` with the solutions of a classic puzzle in lexicographic order - the first cells,
/// row by row, count most - until it breaks.
pub fn solve_in_order<const N: usize>(
    puzzle: &Grid<N>,
    visit: &mut engine::Visitor<'_, N>,
) -> engine::Statistics {
    engine::lexicographic_classic().for_each(puzzle, visit)
}
