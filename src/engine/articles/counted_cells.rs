//! Method 7 of the array-methods article, complete in this file: the candidates of every cell are
//! stored and counted.

use crate::engine::{Checked, Method, Statistics, Visitor};
use crate::grid::{Cell, Digit, Grid};
use core::ops::ControlFlow;

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
        let mut board = Board {
            grid: Grid::EMPTY,
            rows: [[false; N]; N],
            columns: [[false; N]; N],
            boxes: [[false; N]; N],
            fits: [[[true; N]; N]; N],
            counts: [[N as u8; N]; N],
        };
        for (cell, digit) in puzzle.grid().givens() {
            board.fill(cell, digit);
        }
        let mut search = Search {
            boards: vec![board],
            statistics: Statistics::default(),
            visit,
        };
        let _ = search.solve(0);
        search.statistics
    }
}

/// The state that a guess copies.
#[derive(Clone, Copy)]
struct Board<const N: usize> {
    grid: Grid<N>,
    /// `rows[row][digit]`: whether the row holds the digit; likewise the columns and boxes.
    rows: [[bool; N]; N],
    columns: [[bool; N]; N],
    boxes: [[bool; N]; N],
    /// `fits[row][column][digit]`; of a filled cell, the value at the time it was filled.
    fits: [[[bool; N]; N]; N],
    /// `counts[row][column]`: how many digits fit.
    counts: [[u8; N]; N],
}

/// What a deduction ends with.
enum Outcome {
    /// An empty cell, or a digit of a house, has no candidate.
    Contradiction,
    Solved,
    /// Several candidates are left, and no single among them.
    Stuck,
}

/// An empty cell, or a digit of a house, has no candidate.
struct Contradiction;

impl<const N: usize> Board<N> {
    fn is_empty(&self, cell: Cell<N>) -> bool {
        self.grid.get(cell).is_none()
    }

    fn can_fill(&self, cell: Cell<N>, digit: Digit<N>) -> bool {
        self.fits[cell.row()][cell.column()][digit.index()]
    }

    fn fill(&mut self, cell: Cell<N>, digit: Digit<N>) {
        self.grid.set(cell, Some(digit));
        self.rows[cell.row()][digit.index()] = true;
        self.columns[cell.column()][digit.index()] = true;
        self.boxes[cell.box_index()][digit.index()] = true;
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

    /// Notes that the digit no longer fits the cell.
    fn remove(&mut self, cell: Cell<N>, digit: Digit<N>) {
        let (row, column) = (cell.row(), cell.column());
        let fits = &mut self.fits[row][column][digit.index()];
        if *fits {
            *fits = false;
            self.counts[row][column] -= 1;
        }
    }

    /// Repeats the passes over the four views until none fills a cell.
    fn deduce(&mut self) -> Outcome {
        loop {
            let (filled, open) = match self.fill_singles() {
                Ok(counts) => counts,
                Err(Contradiction) => return Outcome::Contradiction,
            };
            match (filled, open) {
                (0, 0) => return Outcome::Solved,
                (0, _) => return Outcome::Stuck,
                _ => {}
            }
        }
    }

    /// One pass over each of the four views: how many cells it filled, and how many cells it found
    /// with several candidates.
    fn fill_singles(&mut self) -> Result<(usize, usize), Contradiction> {
        let (mut filled, mut open) = (0, 0);
        for row in 0..N {
            for digit in Digit::all() {
                if !self.rows[row][digit.index()] {
                    filled += self.fill_only_cell(digit, |place| Cell::at(row, place))?;
                }
            }
        }
        for column in 0..N {
            for digit in Digit::all() {
                if !self.columns[column][digit.index()] {
                    filled += self.fill_only_cell(digit, |place| Cell::at(place, column))?;
                }
            }
        }
        for house in 0..N {
            for digit in Digit::all() {
                if !self.boxes[house][digit.index()] {
                    filled += self.fill_only_cell(digit, |place| Cell::in_box(house, place))?;
                }
            }
        }
        for cell in Cell::all() {
            if !self.is_empty(cell) {
                continue;
            }
            match self.counts[cell.row()][cell.column()] {
                0 => return Err(Contradiction),
                1 => {
                    let only = Digit::all().find(|&digit| self.can_fill(cell, digit));
                    self.fill(cell, only.ok_or(Contradiction)?);
                    filled += 1;
                }
                _ => open += 1,
            }
        }
        Ok((filled, open))
    }

    /// Fills the digit into the only empty cell of a house that can take it: how many cells that
    /// were, 0 or 1.
    fn fill_only_cell(
        &mut self,
        digit: Digit<N>,
        cell_at: impl Fn(usize) -> Cell<N>,
    ) -> Result<usize, Contradiction> {
        let mut only = None;
        for cell in (0..N).map(cell_at) {
            if self.is_empty(cell) && self.can_fill(cell, digit) && only.replace(cell).is_some() {
                return Ok(0);
            }
        }
        self.fill(only.ok_or(Contradiction)?, digit);
        Ok(1)
    }

    /// The first of the empty cells with the fewest candidates.
    fn cell_with_fewest(&self) -> Cell<N> {
        Cell::all()
            .filter(|&cell| self.is_empty(cell))
            .min_by_key(|cell| self.counts[cell.row()][cell.column()])
            .expect("a search that is stuck has an empty cell")
    }
}

struct Search<'a, 'v, const N: usize> {
    /// The boards from the first one to the current copy. On the heap: hundreds of nested copies
    /// of a 25x25 board do not fit a thread's stack.
    boards: Vec<Board<N>>,
    statistics: Statistics,
    visit: &'a mut Visitor<'v, N>,
}

impl<const N: usize> Search<'_, '_, N> {
    /// Solves the last board, which is at `depth`: deduces, then tries every digit of one cell,
    /// each on a copy.
    fn solve(&mut self, depth: usize) -> ControlFlow<()> {
        self.statistics.nodes += 1;
        match self.boards[depth].deduce() {
            Outcome::Contradiction => ControlFlow::Continue(()),
            Outcome::Solved => (self.visit)(&self.boards[depth].grid),
            Outcome::Stuck => {
                let cell = self.boards[depth].cell_with_fewest();
                for digit in Digit::all() {
                    if self.boards[depth].can_fill(cell, digit) {
                        self.statistics.guesses += 1;
                        self.boards.extend_from_within(depth..=depth);
                        self.boards[depth + 1].fill(cell, digit);
                        self.solve(depth + 1)?;
                        self.boards.truncate(depth + 1);
                    }
                }
                ControlFlow::Continue(())
            }
        }
    }
}
