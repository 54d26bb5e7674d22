//! Method 8 of the array-methods article: candidates are counted in all four views.

use super::counted_cells::CountedCellsBoard;
use super::guess_on_copy::{Board, Contradiction, Pass, guess_on_copy};
use super::tables::{BOX, COLUMN, ROW, Tables, cell_at};
use crate::engine::{Checked, Method, Statistics, Visitor};
use crate::grid::{Cell, Digit};

/// Like [`CountedCells`], but also counts the places of each digit in each row, column and box, so
/// that singles in all four views are found by lookup.
///
/// Source: the array-methods article, method 8: "about the limit of what arrays can do".
/// Solutions come in the same order as method 6's.
///
/// [`CountedCells`]: super::CountedCells
#[derive(Clone, Copy, Default, Debug)]
pub struct CountedViews;

impl<const N: usize> Method<N> for CountedViews {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        guess_on_copy::<N, CountedViewsBoard<N>>(puzzle.grid(), visit)
    }
}

/// The state of [`CountedViews`]: that of method 7, where nothing fits a filled cell, and more counts.
#[derive(Clone, Copy, Debug)]
struct CountedViewsBoard<const N: usize> {
    cells: CountedCellsBoard<N>,
    /// `counts[kind][house][digit]`: how many cells of the house the digit fits.
    counts: [[[u8; N]; N]; 3],
}

impl<const N: usize> CountedViewsBoard<N> {
    /// Removes the candidate.
    fn remove(&mut self, cell: Cell<N>, digit: Digit<N>) {
        if self.cells.remove(cell, digit) {
            let digit = digit.index();
            self.counts[ROW][cell.row()][digit] -= 1;
            self.counts[COLUMN][cell.column()][digit] -= 1;
            self.counts[BOX][cell.box_index()][digit] -= 1;
        }
    }

    /// Fills every digit that has one place in a house of the kind `KIND`. Returns the number of cells.
    fn fill_hidden_singles<const KIND: usize>(&mut self) -> Result<usize, Contradiction> {
        let mut filled = 0;
        for house in 0..N {
            for digit in Digit::all() {
                if !self.cells.tables.held[KIND][house][digit.index()] {
                    let places = (0..N).map(|place| (cell_at::<N, KIND>(house, place), digit));
                    filled += self.fill_if_one(self.counts[KIND][house][digit.index()], places)?;
                }
            }
        }
        Ok(filled)
    }

    /// Fills the only candidate among these, if `count`, their number, is 1. Returns the number of
    /// cells filled, 0 or 1.
    fn fill_if_one(
        &mut self,
        count: u8,
        mut candidates: impl Iterator<Item = (Cell<N>, Digit<N>)>,
    ) -> Result<usize, Contradiction> {
        match count {
            0 => Err(Contradiction),
            1 => {
                let only = candidates.find(|&(cell, digit)| self.can_fill(cell, digit));
                let (cell, digit) = only.ok_or(Contradiction)?;
                self.fill(cell, digit);
                Ok(1)
            }
            _ => Ok(0),
        }
    }
}

impl<const N: usize> Board<N> for CountedViewsBoard<N> {
    const EMPTY: Self = CountedViewsBoard {
        cells: CountedCellsBoard::EMPTY,
        counts: [[[N as u8; N]; N]; 3],
    };

    fn tables(&self) -> &Tables<N> {
        &self.cells.tables
    }

    fn can_fill(&self, cell: Cell<N>, digit: Digit<N>) -> bool {
        self.cells.can_fill(cell, digit)
    }

    fn fill(&mut self, cell: Cell<N>, digit: Digit<N>) {
        self.cells.tables.fill(cell, digit);
        for place in 0..N {
            self.remove(Cell::at(place, cell.column()), digit);
        }
        for place in 0..N {
            self.remove(Cell::at(cell.row(), place), digit);
        }
        for place in 0..N {
            self.remove(Cell::in_box(cell.box_index(), place), digit);
        }
        // New in method 8: the digits that a filled cell had left no longer count in its houses.
        for other in Digit::all() {
            self.remove(cell, other);
        }
    }

    fn pass(&mut self) -> Result<Pass, Contradiction> {
        let mut pass = Pass::default();
        pass.filled += self.fill_hidden_singles::<ROW>()?;
        pass.filled += self.fill_hidden_singles::<COLUMN>()?;
        pass.filled += self.fill_hidden_singles::<BOX>()?;
        for cell in Cell::all() {
            if self.cells.tables.is_empty(cell) {
                let digits = Digit::all().map(|digit| (cell, digit));
                match self.fill_if_one(self.cells.count(cell), digits)? {
                    0 => pass.unsolved += 1,
                    one => pass.filled += one,
                }
            }
        }
        Ok(pass)
    }

    fn cell_to_guess(&self) -> Option<Cell<N>> {
        let cells = self.tables().empty_cells();
        cells.min_by_key(|&cell| self.cells.count(cell))
    }
}
