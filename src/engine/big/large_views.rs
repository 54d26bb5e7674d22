//! Bitmask views, singles and locked candidates, and guesses where searches have failed most.

use super::search::{Successor, search};
use super::views::Views;
use crate::engine::mask::Mask;
use crate::engine::{Checked, Method, Statistics, Visitor};
use crate::grid::Grid;
use crate::rules::expect_square;

/// See [`crate::engine::big`].
#[derive(Clone, Debug)]
pub struct LargeViews<const N: usize>(());

impl<const N: usize> LargeViews<N> {
    /// The engine.
    ///
    /// # Panics
    ///
    /// If `N` is not a square number.
    pub fn new() -> Self {
        expect_square::<N>();
        LargeViews(())
    }
}

impl<const N: usize> Default for LargeViews<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Method<N> for LargeViews<N> {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        search::<N, Nothing>(puzzle.grid(), visit)
    }
}

/// The search goes on to its end.
struct Nothing;

impl Successor for Nothing {
    fn patience(_: usize) -> u64 {
        u64::MAX
    }

    fn finish<const N: usize, M: Mask>(
        _: &Grid<N>,
        _: &Views<N, M>,
        _: &[Grid<N>],
        _: &mut Statistics,
        _: &mut Visitor<'_, N>,
    ) {
    }
}
