//! The first method of the NowCoder NC47 article: brute force.

use crate::engine::{Checked, Method, Statistics, Visitor};
use crate::grid::{Cell, Digit, Grid};
use core::ops::ControlFlow;

/// Tries the digits 1 to `N` in every empty cell, row by row, and tests each against the `k`-th
/// cell of its row, column and box together, for `k` from 1 to `N`.
///
/// Source: the NowCoder NC47 article, first method. The search is that of
/// [`Backtracking`](super::Backtracking); the one test in one loop is what differs. Solutions come
/// in lexicographic order.
#[derive(Clone, Default, Debug)]
pub struct BruteForce<const N: usize>(());

impl<const N: usize> BruteForce<N> {
    /// The engine; it has no state.
    pub fn new() -> Self {
        BruteForce(())
    }
}

impl<const N: usize> Method<N> for BruteForce<N> {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        let mut search = Search {
            grid: *puzzle.grid(),
            statistics: Statistics::default(),
            visit,
        };
        let _ = search.fill_from(0, 0);
        search.statistics
    }
}

struct Search<'a, 'v, const N: usize> {
    grid: Grid<N>,
    statistics: Statistics,
    visit: &'a mut Visitor<'v, N>,
}

impl<const N: usize> Search<'_, '_, N> {
    /// Fills the cells from this one on, in every way.
    fn fill_from(&mut self, row: usize, column: usize) -> ControlFlow<()> {
        if column == N {
            return self.fill_from(row + 1, 0);
        }
        self.statistics.nodes += 1;
        if row == N {
            return (self.visit)(&self.grid);
        }
        let cell = Cell::at(row, column);
        if self.grid.get(cell).is_some() {
            return self.fill_from(row, column + 1);
        }
        for digit in Digit::all() {
            if self.is_valid(cell, digit) {
                self.statistics.guesses += 1;
                self.grid.set(cell, Some(digit));
                self.fill_from(row, column + 1)?;
                self.grid.set(cell, None);
            }
        }
        ControlFlow::Continue(())
    }

    fn is_valid(&self, cell: Cell<N>, digit: Digit<N>) -> bool {
        (0..N).all(|k| {
            self.grid.get(Cell::at(cell.row(), k)) != Some(digit)
                && self.grid.get(Cell::at(k, cell.column())) != Some(digit)
                && self.grid.get(Cell::in_box(cell.box_index(), k)) != Some(digit)
        })
    }
}
