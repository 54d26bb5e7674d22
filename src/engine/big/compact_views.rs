//! The search on views in the least code, for programs whose size is limited.

use super::search::{Successor, search};
use super::views::Views;
use crate::engine::mask::Mask;
use crate::engine::{Engine, Statistics, Visitor};
use crate::grid::Grid;

/// [`LargeViews`](super::LargeViews) without the step that is for 16x16 alone: half the code.
#[derive(Clone, Debug, Default)]
pub struct CompactViews<const N: usize>(());

impl<const N: usize> CompactViews<N> {
    /// The engine.
    pub fn new() -> Self {
        CompactViews(())
    }
}

impl<const N: usize> Engine<N> for CompactViews<N> {
    fn search(&mut self, puzzle: &Grid<N>, visit: &mut Visitor<'_, N>) -> Statistics {
        search::<N, Nothing>(puzzle, visit)
    }
}

/// The search goes on to its end.
struct Nothing;

impl Successor for Nothing {
    const ROOT_IN_WORDS: bool = false;

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
