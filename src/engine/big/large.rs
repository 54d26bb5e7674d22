//! The engine for any large grid.

use super::learning;
use super::search::{Successor, search};
use super::views::Views;
use crate::engine::mask::Mask;
use crate::engine::{Checked, Method, Statistics, Visitor};
use crate::grid::Grid;
use crate::rules::expect_square;

/// The engine for any large grid: searches like [`LargeViews`](super::LargeViews) until that has
/// failed often, then like [`Learning`](super::Learning).
#[derive(Clone, Debug)]
pub struct Large<const N: usize>(());

impl<const N: usize> Large<N> {
    /// The engine.
    ///
    /// # Panics
    ///
    /// If `N` is not a square number.
    pub fn new() -> Self {
        expect_square::<N>();
        Large(())
    }
}

impl<const N: usize> Default for Large<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Method<N> for Large<N> {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        search::<N, Learn>(puzzle.grid(), visit)
    }
}

/// Learning takes over.
struct Learn;

impl Successor for Learn {
    fn patience(side: usize) -> u64 {
        // From there on learning is quicker: measured.
        if side <= 16 { 2000 } else { 1000 }
    }

    fn finish<const N: usize, M: Mask>(
        puzzle: &Grid<N>,
        views: &Views<N, M>,
        found: &[Grid<N>],
        statistics: &mut Statistics,
        visit: &mut Visitor<'_, N>,
    ) {
        learning::finish(puzzle, views, found, statistics, visit);
    }
}
