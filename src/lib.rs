//! Solves Sudoku of any side from 1 to 36, under the classic rules and any others.
//!
//! # Why, and when not
//!
//! - A 9x9 puzzle takes about a microsecond, allocates nothing and needs no engine to be set up:
//!   [`Grid::solve`]. Millions of them are solved as text, on all processors: [`engine::nine::Stream`].
//! - Any side and any rules: [`Rules`] are values of houses, cages and constraints such as thermometers, and
//!   grids can [overlap](rules::Overlap). Searches that fail often learn from contradictions.
//! - Seeded puzzles that are the same on every machine ([`generate`]), ratings and the steps of a
//!   person's solution ([`rate`]), the notations of the online judges ([`notation`]).
//!
//! It is not for programs that must be tiny (backtracking is thirty lines) or that lack the standard
//! library.
//!
//! # A puzzle
//!
//! ```
//! use sudoku::{Answer, Grid};
//!
//! let puzzle: Grid<9> =
//!     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
//! let Answer::Unique(solution) = puzzle.solve() else {
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
//! assert_eq!(puzzle.count_solutions(1000), 72);
//! for solution in puzzle.solutions().take(2) {
//!     println!("{solution}");
//! }
//! # Ok::<(), sudoku::notation::ParseError>(())
//! ```
//!
//! # Other rules
//!
//! Rules are values: houses of any cells, cages with sums, and [constraints](rules::Constraint).
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
//! The library does no I/O of its own: it uses the readers and writers that the caller passes. It has
//! no dependencies unless a feature is enabled:
//!
//! - `serde`: grids, cells and digits can be serialised.
//! - `rand`: [`generate::Random`] is a source of random numbers for the crate `rand` 0.10.
//! - `cli`: the command `sudoku` (`cargo install sudoku-engines --features cli`).
#![deny(unsafe_code)] // one module, the SIMD engine, allows it

pub mod engine;
pub mod generate;
pub mod grid;
pub mod notation;
pub mod rate;
pub mod rules;
#[cfg(feature = "serde")]
mod serialise;
mod solver;

pub use grid::{Cell, Digit, Grid};
pub use rules::Rules;
pub use solver::{Answer, OverlapSolver, Solutions, Solver};
