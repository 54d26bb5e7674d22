//! Method 7 of the array-methods article: the candidates of every cell are stored and counted.

use super::four_views::fill_hidden_singles;
use super::guess_on_copy::{Board, Contradiction, Pass, guess_on_copy};
use super::tables::Tables;
use crate::engine::{Checked, Method, Statistics, Visitor};
use crate::grid::{Cell, Digit};

/// Deduces and guesses like [`FourViewsFewest`], but keeps for each cell which digits fit it and
/// how many, so that naked singles and the cell to guess in are found by lookup.
///
/// Source: the array-methods article, method 7. Filling a cell becomes more expensive (all its peers
/// change), looking for a naked single cheaper. Solutions come in the same order as method 6's.
///
/// [`FourViewsFewest`]: super::FourViewsFewest
#[derive(Clone, Copy, Default, Debug)]
pub struct CountedCells;

impl<const N: usize> Method<N> for CountedCells {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        guess_on_copy::<N, CountedCellsBoard<N>>(puzzle.grid(), visit)
    }
}

/// The state of [`CountedCells`].
#[derive(Clone, Copy, Debug)]
pub(super) struct CountedCellsBoard<const N: usize> {
    pub(super) tables: Tables<N>,
    /// `fits[row][column][digit]`; of a filled cell, the value at the time it was filled.
    fits: [[[bool; N]; N]; N],
    /// `counts[row][column]`: how many digits fit.
    counts: [[u8; N]; N],
}

impl<const N: usize> CountedCellsBoard<N> {
    /// Removes the candidate. Returns whether it was one.
    pub(super) fn remove(&mut self, cell: Cell<N>, digit: Digit<N>) -> bool {
        let (row, column) = (cell.row(), cell.column());
        let fits = &mut self.fits[row][column][digit.index()];
        let did_fit = *fits;
        if did_fit {
            *fits = false;
            self.counts[row][column] -= 1;
        }
        did_fit
    }

    /// The number of digits that fit the cell.
    pub(super) fn count(&self, cell: Cell<N>) -> u8 {
        self.counts[cell.row()][cell.column()]
    }
}

impl<const N: usize> Board<N> for CountedCellsBoard<N> {
    const EMPTY: Self = CountedCellsBoard {
        tables: Tables::EMPTY,
        fits: [[[true; N]; N]; N],
        counts: [[N as u8; N]; N],
    };

    fn tables(&self) -> &Tables<N> {
        &self.tables
    }

    fn can_fill(&self, cell: Cell<N>, digit: Digit<N>) -> bool {
        self.fits[cell.row()][cell.column()][digit.index()]
    }

    fn fill(&mut self, cell: Cell<N>, digit: Digit<N>) {
        self.tables.fill(cell, digit);
        for place in 0..N {
            self.remove(Cell::at(place, cell.column()), digit);
        }
        for place in 0..N {
            self.remove(Cell::at(cell.row(), place), digit);
        }
        for place in 0..N {
            self.remove(Cell::in_box(cell.box_index(), place), digit);
        }
    }

    fn pass(&mut self) -> Result<Pass, Contradiction> {
        let mut pass = Pass {
            filled: fill_hidden_singles(self)?,
            unsolved: 0,
        };
        for cell in Cell::all() {
            if !self.tables.is_empty(cell) {
                continue;
            }
            match self.count(cell) {
                0 => return Err(Contradiction),
                1 => {
                    let only = Digit::all().find(|&digit| self.can_fill(cell, digit));
                    self.fill(cell, only.ok_or(Contradiction)?);
                    pass.filled += 1;
                }
                _ => pass.unsolved += 1,
            }
        }
        Ok(pass)
    }

    fn cell_to_guess(&self) -> Option<Cell<N>> {
        self.tables
            .empty_cells()
            .min_by_key(|&cell| self.count(cell))
    }
}
