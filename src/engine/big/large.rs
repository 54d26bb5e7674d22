//! The engines for large grids.

use super::learning;
use super::search::{Plan, search};
use super::views::Views;
use crate::engine::mask::Mask;
use crate::engine::{Checked, Method, Statistics, Visitor};
use crate::grid::Grid;
use crate::rules::expect_square;

/// Searches on bit sets in four views, and learns clauses from contradictions after that search has
/// failed often: the fastest on large grids in general.
///
/// ```
/// use sudoku::Grid;
/// use sudoku::engine::{Engine, big::Large};
///
/// assert!(Large.first(&Grid::<16>::EMPTY).is_some());
/// ```
///
/// # Panics
///
/// A search, if `N` is not a square number.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Large;

/// [`Large`] without learning: the smallest program, and the fastest on most 16x16 puzzles.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LargeViews;

/// [`Large`] learning from the first contradiction on.
///
/// Sources: GRASP (Marques-Silva and Sakallah, 1996) for learning; Chaff (Moskewicz et al., DAC
/// 2001) for watched literals and activities; Glucose (Audemard and Simon, IJCAI 2009) for what is
/// forgotten and when to restart.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Learning;

/// Makes a type an engine that searches by a plan. The plan is a type, so that a program which only
/// uses views does not contain the code of the other search.
macro_rules! engine {
    ($engine:ty, $plan:ty) => {
        impl<const N: usize> Method<N> for $engine {
            fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
                expect_square::<N>();
                search::<N, $plan>(puzzle.grid(), visit)
            }
        }
    };
}

engine!(Large, ViewsThenLearning);
engine!(LargeViews, ViewsOnly);
engine!(Learning, LearningOnly);

struct ViewsOnly;

impl Plan for ViewsOnly {
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

struct LearningOnly;

impl Plan for LearningOnly {
    fn patience(_: usize) -> u64 {
        0
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

struct ViewsThenLearning;

impl Plan for ViewsThenLearning {
    fn patience(side: usize) -> u64 {
        // Measured: the smallest numbers that do not make easier puzzles slower.
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
