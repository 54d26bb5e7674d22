//! Method 2 of the array-methods article: backtracking with tables.

use super::tables::Tables;
use crate::engine::{Checked, Method, Statistics, Visitor};
use crate::grid::{Cell, Digit};
use core::ops::ControlFlow;

/// Tries the digits cell by cell like [`Backtracking`](super::Backtracking), but looks up in tables
/// which digits each row, column and box holds instead of scanning them.
///
/// Source: the array-methods article, method 2. It adds three tables, kept up to date by every
/// step: the classic exchange of space for time. Solutions come in lexicographic order.
#[derive(Clone, Copy, Default, Debug)]
pub struct LookupBacktracking;

impl<const N: usize> Method<N> for LookupBacktracking {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        let mut search = Search {
            tables: Tables::new(puzzle.grid()),
            statistics: Statistics::default(),
            visit,
        };
        let _ = search.fill_from(0);
        search.statistics
    }
}

struct Search<'a, 'v, const N: usize> {
    tables: Tables<N>,
    statistics: Statistics,
    visit: &'a mut Visitor<'v, N>,
}

impl<const N: usize> Search<'_, '_, N> {
    /// Fills the cells from `index` on, in every way.
    fn fill_from(&mut self, index: usize) -> ControlFlow<()> {
        self.statistics.nodes += 1;
        if index == Cell::<N>::COUNT {
            return (self.visit)(&self.tables.grid);
        }
        let cell = Cell::from_index(index);
        if !self.tables.is_empty(cell) {
            return self.fill_from(index + 1);
        }
        for digit in Digit::all() {
            if self.tables.can_fill(cell, digit) {
                self.statistics.guesses += 1;
                self.tables.fill(cell, digit);
                self.fill_from(index + 1)?;
                self.tables.erase(cell, digit);
            }
        }
        ControlFlow::Continue(())
    }
}
