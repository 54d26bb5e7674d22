//! Engines: ways to solve a puzzle, behind one trait, listed in one [`registry`](registry()).
//!
//! To solve a puzzle, call [`Grid::solve`]. For a certain method, or for other rules, use the
//! registry:
//!
//! ```
//! use sudoku::engine::{self, Engine};
//! use sudoku::{Grid, Rules};
//!
//! let rules = Rules::diagonal();
//! let mut engine = engine::by_name::<4>("houses").unwrap().engine(&rules)?;
//! assert_eq!(engine.count(&Grid::EMPTY, 1000), 48);
//! # Ok::<(), engine::Unsupported>(())
//! ```
//!
//! A new engine is one file here, one entry in `registry.rs` and one line in
//! `tests/library/conformance.rs`. One that is the fastest for some side also takes its place in
//! [`fastest`].

mod articles;
pub mod big;
pub(crate) mod constraints;
mod entry;
mod heaviest;
mod houses;
mod mask;
pub mod nine;
mod registry;

pub use articles::{
    Backtracking, Bitmask, BitmaskFewest, BruteForce, CountedCells, CountedViews, DancingLinks,
    FourViews, FourViewsFewest, LookupBacktracking, NakedSingles, NakedSinglesUndo,
};
pub use entry::{Entry, Support, Unsupported};
pub use heaviest::heaviest_solution;
pub(crate) use houses::Cells;
pub(crate) use mask::Mask;
pub use registry::{by_name, fastest, lexicographic, registry};
pub(crate) use registry::{cells, fastest_classic, lexicographic_classic, with_classic};

use crate::grid::Grid;
use core::ops::{AddAssign, ControlFlow};

/// The cost of a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// The number of states examined, solutions included. The definition of a state differs from
    /// method to method; it is 0 if the givens clash.
    pub nodes: u64,
    /// The number of digits that were tried without being forced, as far as the method knows.
    pub guesses: u64,
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.guesses += other.guesses;
    }
}

/// A search method: the interface for authors of an engine, and the type of an engine that is chosen
/// at run time (`Box<dyn Method<N>>`). Its users call the functions of [`Engine`], which every `Method`
/// has.
///
/// An engine may keep buffers between searches, so it is `&mut`; a search never depends on the
/// searches before it.
pub trait Method<const N: usize>: Send {
    /// Passes every solution of `puzzle` to `visit`, in the engine's order, until it breaks.
    ///
    /// The givens break no rule: [`Method::allows`] has accepted them.
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics;

    /// Whether the givens of `puzzle` break no rule of this engine. A search that detects
    /// contradicting givens itself may return `true` for every puzzle.
    fn allows(&self, puzzle: &Grid<N>) -> bool {
        crate::rules::allows_classic(puzzle)
    }
}

/// Solves puzzles of `N`x`N` cells: the interface for users of an engine.
///
/// Every function checks the givens first: if they contradict each other there is no solution.
pub trait Engine<const N: usize>: Method<N> {
    /// Passes every solution of `puzzle` to `visit`, in the engine's order, until it breaks.
    fn for_each(
        &mut self,
        puzzle: &Grid<N>,
        mut visit: impl FnMut(&Grid<N>) -> ControlFlow<()>,
    ) -> Statistics {
        if self.allows(puzzle) {
            self.search(Checked(puzzle), &mut visit)
        } else {
            Statistics::default()
        }
    }

    /// The first solution in the engine's order, or `None` when there is none.
    fn first(&mut self, puzzle: &Grid<N>) -> Option<Grid<N>> {
        let mut found = None;
        self.for_each(puzzle, |solution| {
            found = Some(*solution);
            ControlFlow::Break(())
        });
        found
    }

    /// The number of solutions, counted up to `limit`.
    fn count(&mut self, puzzle: &Grid<N>, limit: u64) -> u64 {
        let mut count = 0;
        if limit > 0 {
            self.for_each(puzzle, |_| {
                count += 1;
                stop_if(count >= limit)
            });
        }
        count
    }

    /// Up to `limit` solutions in the engine's order.
    fn solutions(&mut self, puzzle: &Grid<N>, limit: usize) -> Vec<Grid<N>> {
        let mut found = Vec::new();
        if limit > 0 {
            self.for_each(puzzle, |solution| {
                found.push(*solution);
                stop_if(found.len() >= limit)
            });
        }
        found
    }
}

impl<const N: usize, M: Method<N> + ?Sized> Engine<N> for M {}

/// Forwards to an engine that is borrowed or boxed.
macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<const N: usize, M: Method<N> + ?Sized> Method<N> for $pointer {
            fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
                (**self).search(puzzle, visit)
            }

            fn allows(&self, puzzle: &Grid<N>) -> bool {
                (**self).allows(puzzle)
            }
        }
    )*};
}

forward!(&mut M, Box<M>);

/// A puzzle whose givens [`Method::allows`] has accepted. Only [`Engine`]'s methods make one, so a
/// search cannot be started on givens that contradict each other:
///
/// ```compile_fail
/// use sudoku::{Grid, engine::{Bitmask, Checked, Method}};
///
/// let twice = Grid::from_rows(&[[1, 1, 0, 0], [0; 4], [0; 4], [0; 4]]).unwrap();
/// Bitmask.search(Checked(&twice), &mut |_| std::ops::ControlFlow::Continue(()));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Checked<'a, const N: usize>(&'a Grid<N>);

impl<'a, const N: usize> Checked<'a, N> {
    /// The puzzle.
    pub fn grid(self) -> &'a Grid<N> {
        self.0
    }
}

/// Receives a solution in [`Method::search`]; decides whether the search goes on.
pub type Visitor<'a, const N: usize> = dyn FnMut(&Grid<N>) -> ControlFlow<()> + 'a;

/// The return value of a [`Visitor`]: `Break` if the search is to stop.
#[inline]
pub fn stop_if(is_done: bool) -> ControlFlow<()> {
    if is_done {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}
