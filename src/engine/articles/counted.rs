//! Methods 7 and 8 of the array-methods article: candidates are counted, not looked for.

use super::four_views::{cell_with_fewest, fill_hidden_singles};
use super::guess_on_copy::{Board, Contradiction, Outcome, Pass, guess_on_copy, repeat};
use super::tables::Tables;
use crate::engine::{Checked, Method, Statistics, Visitor};
use crate::grid::{Cell, Digit, Grid};

/// Deduces and guesses like [`FourViewsFewest`], but keeps for each cell which digits fit it and
/// how many, so that naked singles and the cell to guess in are read off.
///
/// Source: the array-methods article, method 7. Filling a cell gets dearer (all its peers change),
/// looking for a naked single gets cheaper. Solutions come in the same order as method 6's.
///
/// [`FourViewsFewest`]: super::FourViewsFewest
#[derive(Clone, Default, Debug)]
pub struct CountedCells<const N: usize>(());

impl<const N: usize> CountedCells<N> {
    /// The engine; it has no state between searches.
    pub fn new() -> Self {
        CountedCells(())
    }
}

impl<const N: usize> Method<N> for CountedCells<N> {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        guess_on_copy::<N, CountedCellsBoard<N>>(puzzle.grid(), visit)
    }
}

/// Like [`CountedCells`], and counts the places of each digit in each row, column and box too, so
/// that all four views are read off.
///
/// Source: the array-methods article, method 8: "about the limit of what arrays can do".
/// Solutions come in the same order as method 6's.
#[derive(Clone, Default, Debug)]
pub struct CountedViews<const N: usize>(());

impl<const N: usize> CountedViews<N> {
    /// The engine; it has no state between searches.
    pub fn new() -> Self {
        CountedViews(())
    }
}

impl<const N: usize> Method<N> for CountedViews<N> {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        guess_on_copy::<N, CountedViewsBoard<N>>(puzzle.grid(), visit)
    }
}

/// The state of [`CountedCells`].
#[derive(Clone, Copy, Debug)]
struct CountedCellsBoard<const N: usize> {
    tables: Tables<N>,
    /// `fits[row][column][digit]`; of a filled cell, the value at the time it was filled.
    fits: [[[bool; N]; N]; N],
    /// `cells[row][column]`: how many digits fit.
    cells: [[u8; N]; N],
}

impl<const N: usize> CountedCellsBoard<N> {
    /// Notes that the digit no longer fits the cell.
    fn remove(&mut self, cell: Cell<N>, digit: Digit<N>) {
        let (row, column) = (cell.row(), cell.column());
        let fits = &mut self.fits[row][column][digit.index()];
        if *fits {
            *fits = false;
            self.cells[row][column] -= 1;
        }
    }

    fn fill_naked_singles(&mut self) -> Result<Pass, Contradiction> {
        let mut pass = Pass::default();
        for cell in Cell::all() {
            if !self.tables.is_empty(cell) {
                continue;
            }
            match self.cells[cell.row()][cell.column()] {
                0 => return Err(Contradiction),
                1 => {
                    if let Some(digit) = Digit::all().find(|&digit| self.can_fill(cell, digit)) {
                        self.fill(cell, digit);
                        pass.filled += 1;
                    }
                }
                _ => pass.unsolved += 1,
            }
        }
        Ok(pass)
    }
}

impl<const N: usize> Board<N> for CountedCellsBoard<N> {
    fn new(puzzle: &Grid<N>) -> Self {
        let mut board = CountedCellsBoard {
            tables: Tables::EMPTY,
            fits: [[[true; N]; N]; N],
            cells: [[N as u8; N]; N],
        };
        for (cell, digit) in puzzle.givens() {
            board.fill(cell, digit);
        }
        board
    }

    fn grid(&self) -> &Grid<N> {
        &self.tables.grid
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

    fn deduce(&mut self) -> Outcome {
        repeat(|| {
            let mut filled = fill_hidden_singles(self, |board| &board.tables)?;
            let cells = self.fill_naked_singles()?;
            filled += cells.filled;
            Ok(Pass { filled, ..cells })
        })
    }

    fn cell_to_guess(&self) -> Cell<N> {
        cell_with_fewest(&self.tables, |cell| {
            usize::from(self.cells[cell.row()][cell.column()])
        })
    }
}

/// The state of [`CountedViews`].
#[derive(Clone, Copy, Debug)]
struct CountedViewsBoard<const N: usize> {
    tables: Tables<N>,
    /// `fits[row][column][digit]`; nothing fits a filled cell.
    fits: [[[bool; N]; N]; N],
    /// `cells[row][column]`: how many digits fit.
    cells: [[u8; N]; N],
    /// `rows[row][digit]`: how many cells of the row the digit fits; likewise the other houses.
    rows: [[u8; N]; N],
    columns: [[u8; N]; N],
    boxes: [[u8; N]; N],
}

impl<const N: usize> CountedViewsBoard<N> {
    /// Notes that the digit no longer fits the cell.
    fn remove(&mut self, cell: Cell<N>, digit: Digit<N>) {
        let (row, column, digit) = (cell.row(), cell.column(), digit.index());
        let fits = &mut self.fits[row][column][digit];
        if *fits {
            *fits = false;
            self.cells[row][column] -= 1;
            self.rows[row][digit] -= 1;
            self.columns[column][digit] -= 1;
            self.boxes[cell.box_index()][digit] -= 1;
        }
    }

    /// One pass over all four views.
    fn fill_singles(&mut self) -> Result<Pass, Contradiction> {
        let mut pass = Pass::default();
        for row in 0..N {
            for digit in Digit::all() {
                if !self.tables.rows[row][digit.index()] {
                    let count = self.rows[row][digit.index()];
                    pass.filled +=
                        self.fill_if_one(count, (0..N).map(|place| (Cell::at(row, place), digit)))?;
                }
            }
        }
        for column in 0..N {
            for digit in Digit::all() {
                if !self.tables.columns[column][digit.index()] {
                    let count = self.columns[column][digit.index()];
                    pass.filled += self
                        .fill_if_one(count, (0..N).map(|place| (Cell::at(place, column), digit)))?;
                }
            }
        }
        for house in 0..N {
            for digit in Digit::all() {
                if !self.tables.boxes[house][digit.index()] {
                    let count = self.boxes[house][digit.index()];
                    pass.filled += self.fill_if_one(
                        count,
                        (0..N).map(|place| (Cell::in_box(house, place), digit)),
                    )?;
                }
            }
        }
        for cell in Cell::all() {
            if self.tables.is_empty(cell) {
                let count = self.cells[cell.row()][cell.column()];
                let filled = self.fill_if_one(count, Digit::all().map(|digit| (cell, digit)))?;
                pass.filled += filled;
                pass.unsolved += 1 - filled;
            }
        }
        Ok(pass)
    }

    /// Fills the only candidate among these, of which `count` are left; returns 0 where there are
    /// several, else 1.
    fn fill_if_one(
        &mut self,
        count: u8,
        mut candidates: impl Iterator<Item = (Cell<N>, Digit<N>)>,
    ) -> Result<usize, Contradiction> {
        match count {
            0 => Err(Contradiction),
            1 => match candidates.find(|&(cell, digit)| self.can_fill(cell, digit)) {
                Some((cell, digit)) => {
                    self.fill(cell, digit);
                    Ok(1)
                }
                None => Err(Contradiction),
            },
            _ => Ok(0),
        }
    }
}

impl<const N: usize> Board<N> for CountedViewsBoard<N> {
    fn new(puzzle: &Grid<N>) -> Self {
        let mut board = CountedViewsBoard {
            tables: Tables::EMPTY,
            fits: [[[true; N]; N]; N],
            cells: [[N as u8; N]; N],
            rows: [[N as u8; N]; N],
            columns: [[N as u8; N]; N],
            boxes: [[N as u8; N]; N],
        };
        for (cell, digit) in puzzle.givens() {
            board.fill(cell, digit);
        }
        board
    }

    fn grid(&self) -> &Grid<N> {
        &self.tables.grid
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
        // New in method 8: the digits that a filled cell had left count in its houses no more.
        for other in Digit::all() {
            self.remove(cell, other);
        }
    }

    fn deduce(&mut self) -> Outcome {
        repeat(|| self.fill_singles())
    }

    fn cell_to_guess(&self) -> Cell<N> {
        cell_with_fewest(&self.tables, |cell| {
            usize::from(self.cells[cell.row()][cell.column()])
        })
    }
}
