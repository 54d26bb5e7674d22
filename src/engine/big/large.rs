//! The engine for large grids and its strategies.

use super::learning;
use super::search::{Plan, search};
use super::views::Views;
use crate::engine::mask::Mask;
use crate::engine::{Checked, Method, Statistics, Visitor};
use crate::grid::Grid;
use crate::rules::expect_square;
use core::marker::PhantomData;

/// An engine for large grids: searches on bit sets in four views, or learns clauses from
/// contradictions, or does both in this order.
///
/// ```
/// use sudoku::Grid;
/// use sudoku::engine::{Engine, big::{Large, ViewsThenLearning}};
///
/// let mut engine = Large::new(ViewsThenLearning);
/// assert!(engine.first(&Grid::<16>::EMPTY).is_some());
/// ```
#[derive(Clone, Debug)]
pub struct Large<const N: usize, S>(PhantomData<S>);

impl<const N: usize, S: Strategy> Large<N, S> {
    /// The engine with this strategy; it keeps nothing between searches.
    ///
    /// # Panics
    ///
    /// If `N` is not a square number.
    pub fn new(_: S) -> Self {
        expect_square::<N>();
        Large(PhantomData)
    }
}

impl<const N: usize, S: Strategy> Method<N> for Large<N, S> {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        search::<N, S>(puzzle.grid(), visit)
    }
}

/// When a [`Large`] engine changes from the search on views to learning: [`ViewsOnly`],
/// [`LearningOnly`] or [`ViewsThenLearning`].
///
/// A type rather than a value, so that a program that only uses views does not contain the code of
/// the other search.
pub trait Strategy: Plan + Send {}

impl<P: Plan + Send> Strategy for P {}

/// Never learns: the smallest program, and the fastest on most 16x16 puzzles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ViewsOnly;

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

/// Learns from the first contradiction on.
///
/// Sources: GRASP (Marques-Silva and Sakallah, 1996) for learning; Chaff (Moskewicz et al., DAC
/// 2001) for watched literals and activities; Glucose (Audemard and Simon, IJCAI 2009) for what is
/// forgotten and when to restart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LearningOnly;

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

/// Learns after the search on views has failed often: the fastest on large grids in general.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ViewsThenLearning;

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
