//! The second method of the NowCoder NC47 article: bit sets and a list of the empty cells.

use crate::engine::mask::Mask;
use crate::engine::{Checked, Method, Statistics, Visitor};
use crate::grid::{Cell, Digit, Grid};
use core::ops::ControlFlow;

/// Keeps the digits that each row, column and box holds as bits of one integer, and fills the
/// empty cells, listed beforehand, in their order, smallest digit first.
///
/// Source: the NowCoder NC47 article, second method. It adds to [`BruteForce`](super::BruteForce)
/// that the candidates of a cell are one expression, and that filled cells are not visited.
/// Solutions come in lexicographic order.
#[derive(Clone, Copy, Default, Debug)]
pub struct Bitmask;

impl<const N: usize> Method<N> for Bitmask {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        let mut search = Search {
            grid: *puzzle.grid(),
            empty: Vec::new(),
            rows: [0; N],
            columns: [0; N],
            boxes: [0; N],
            statistics: Statistics::default(),
            visit,
        };
        for cell in Cell::all() {
            match puzzle.grid().get(cell) {
                Some(digit) => search.flip(cell, digit),
                None => search.empty.push(cell),
            }
        }
        let _ = search.fill_from(0);
        search.statistics
    }
}

/// Wide enough for every side; the article has `int`.
type Bits = u64;

struct Search<'a, 'v, const N: usize> {
    grid: Grid<N>,
    /// The cells to fill, row by row.
    empty: Vec<Cell<N>>,
    /// The digits that each row, column and box holds.
    rows: [Bits; N],
    columns: [Bits; N],
    boxes: [Bits; N],
    statistics: Statistics,
    visit: &'a mut Visitor<'v, N>,
}

impl<const N: usize> Search<'_, '_, N> {
    /// Fills the empty cells from this one on, in every way.
    fn fill_from(&mut self, position: usize) -> ControlFlow<()> {
        self.statistics.nodes += 1;
        let cell = match self.empty.get(position) {
            Some(&cell) => cell,
            None => return (self.visit)(&self.grid),
        };
        let held =
            self.rows[cell.row()] | self.columns[cell.column()] | self.boxes[cell.box_index()];
        for digit in (Bits::first(N) & !held).members().map(Digit::from_index) {
            self.statistics.guesses += 1;
            self.flip(cell, digit);
            self.grid.set(cell, Some(digit));
            self.fill_from(position + 1)?;
            self.flip(cell, digit);
        }
        // The article does not remove the last digit. It is never read before the cell is filled
        // again, so this grid, too, may hold digits beyond the position.
        ControlFlow::Continue(())
    }

    /// Toggles the digit in the sets of the cell's houses.
    fn flip(&mut self, cell: Cell<N>, digit: Digit<N>) {
        let bit = Bits::single(digit.index());
        self.rows[cell.row()] ^= bit;
        self.columns[cell.column()] ^= bit;
        self.boxes[cell.box_index()] ^= bit;
    }
}
