//! Engines: ways to solve a puzzle, behind one trait, listed in one [`registry`](registry()).
//!
//! Whoever only wants a puzzle solved calls [`crate::solve`]. Whoever wants a certain method, or
//! rules of their own, asks the registry:
//!
//! ```
//! use sudoku::{Grid, Rules, engine};
//!
//! let rules = Rules::diagonal();
//! let mut engine = engine::by_name::<4>("default").unwrap().engine(&rules)?;
//! assert_eq!(engine.count(&Grid::EMPTY, 1000), 48);
//! # Ok::<(), engine::Unsupported>(())
//! ```
//!
//! A new engine is one file here, one entry in `registry.rs` and one line in
//! `tests/conformance.rs`. One that is the fastest for some side also takes its place in
//! [`fastest`].

mod articles;
mod backtracking;
pub mod big;
mod bitmask;
mod bitmask_fewest;
mod brute_force;
mod counted;
mod dancing_links;
mod four_views;
mod guess_on_copy;
mod lookup_backtracking;
mod mask;
mod naked_singles;
pub mod nine;
mod registry;
mod tables;
mod views;

pub use backtracking::Backtracking;
pub use bitmask::Bitmask;
pub use bitmask_fewest::BitmaskFewest;
pub use brute_force::BruteForce;
pub use counted::{CountedCells, CountedViews};
pub use dancing_links::DancingLinks;
pub use four_views::{FourViews, FourViewsFewest};
pub use lookup_backtracking::LookupBacktracking;
pub use naked_singles::{NakedSingles, NakedSinglesUndo};
pub use registry::{Entry, Support, Unsupported, by_name, fastest, lexicographic, registry};
pub use views::{Order, Views};

use crate::grid::Grid;
use core::ops::ControlFlow;

/// What a search cost.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// States of the search that were looked at, the solutions among them. What a state is differs
    /// from method to method; none is looked at where the givens clash.
    pub nodes: u64,
    /// Digits that were tried without being forced, as far as the method could tell.
    pub guesses: u64,
}

/// A way to solve puzzles of `N`x`N` cells.
///
/// An engine may keep buffers between searches, so it is `&mut`; a search never depends on the
/// searches before it.
pub trait Engine<const N: usize> {
    /// Hands every solution of `puzzle` to `visit`, in the engine's order, until it breaks.
    ///
    /// This is the one method an engine writes. It may rely on `puzzle` breaking no rule: the
    /// provided methods check that first.
    fn search(&mut self, puzzle: &Grid<N>, visit: &mut Visitor<'_, N>) -> Statistics;

    /// The rules that this engine was made for; the givens are checked against them.
    fn allows(&self, puzzle: &Grid<N>) -> bool {
        crate::rules::allows_classic(puzzle)
    }

    /// Hands every solution of `puzzle` to `visit` until it breaks. Givens that contradict each
    /// other have none.
    fn for_each(&mut self, puzzle: &Grid<N>, visit: &mut Visitor<'_, N>) -> Statistics {
        if self.allows(puzzle) {
            self.search(puzzle, visit)
        } else {
            Statistics::default()
        }
    }

    /// The first solution in the engine's order, or `None` when there is none.
    fn first(&mut self, puzzle: &Grid<N>) -> Option<Grid<N>> {
        let mut found = None;
        self.for_each(puzzle, &mut |solution| {
            found = Some(*solution);
            ControlFlow::Break(())
        });
        found
    }

    /// How many solutions there are, counted up to `limit`.
    fn count(&mut self, puzzle: &Grid<N>, limit: u64) -> u64 {
        let mut count = 0;
        if limit > 0 {
            self.for_each(puzzle, &mut |_| {
                count += 1;
                if count < limit {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            });
        }
        count
    }

    /// Up to `limit` solutions in the engine's order.
    fn solutions(&mut self, puzzle: &Grid<N>, limit: usize) -> Vec<Grid<N>> {
        let mut found = Vec::new();
        if limit > 0 {
            self.for_each(puzzle, &mut |solution| {
                found.push(*solution);
                if found.len() < limit {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            });
        }
        found
    }
}

/// Takes a solution; says whether the search goes on.
pub type Visitor<'a, const N: usize> = dyn FnMut(&Grid<N>) -> ControlFlow<()> + 'a;
