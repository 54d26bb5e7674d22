//! Methods 5 and 6 of the array-methods article: singles in four views, then a guess.

use super::guess_on_copy::{Board, Contradiction, Pass, guess_on_copy};
use super::naked_singles::fill_naked_singles;
use super::tables::{BOX, COLUMN, ROW, Tables, cell_at};
use crate::engine::{Checked, Method, Statistics, Visitor};
use crate::grid::{Cell, Digit};

/// Fills what only one digit fits (cell view) and what only one cell of a row, column or box can
/// take (the other three views) until there is none, then guesses in the first empty cell, each
/// digit on a copy.
///
/// Source: the array-methods article, method 5. It adds three views to [`NakedSingles`]: fewer
/// guesses, more expensive passes. Solutions come in lexicographic order.
///
/// [`NakedSingles`]: super::NakedSingles
#[derive(Clone, Copy, Default, Debug)]
pub struct FourViews;

impl<const N: usize> Method<N> for FourViews {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        guess_on_copy::<N, FourViewsBoard<N, false>>(puzzle.grid(), visit)
    }
}

/// Like [`FourViews`], but guesses in the cell that the fewest digits fit, the first of several.
///
/// Source: the array-methods article, method 6. The article looks for less than a minimum that
/// starts at `N`, and so misses a cell that all `N` digits fit; here it starts above `N`.
#[derive(Clone, Copy, Default, Debug)]
pub struct FourViewsFewest;

impl<const N: usize> Method<N> for FourViewsFewest {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        guess_on_copy::<N, FourViewsBoard<N, true>>(puzzle.grid(), visit)
    }
}

/// The state of [`FourViews`] and [`FourViewsFewest`]: the tables.
#[derive(Clone, Copy, Debug)]
struct FourViewsBoard<const N: usize, const FEWEST: bool>(Tables<N>);

impl<const N: usize, const FEWEST: bool> Board<N> for FourViewsBoard<N, FEWEST> {
    const EMPTY: Self = FourViewsBoard(Tables::EMPTY);

    fn tables(&self) -> &Tables<N> {
        &self.0
    }

    fn fill(&mut self, cell: Cell<N>, digit: Digit<N>) {
        self.0.fill(cell, digit);
    }

    fn pass(&mut self) -> Result<Pass, Contradiction> {
        let hidden = fill_hidden_singles(self)?;
        let mut pass = fill_naked_singles(&mut self.0, |_, _| {})?;
        pass.filled += hidden;
        Ok(pass)
    }

    fn cell_to_guess(&self) -> Option<Cell<N>> {
        let mut cells = self.0.empty_cells();
        if FEWEST {
            let fits = |cell, digit: &Digit<N>| self.0.can_fill(cell, *digit);
            cells.min_by_key(|&cell| Digit::all().filter(|digit| fits(cell, digit)).count())
        } else {
            cells.next()
        }
    }
}

/// One pass over each of the row, column and box views: fills every digit that its house lacks and
/// that only one empty cell of the house can take. Returns how many cells it filled.
// Inlined into the search it would have too few registers: 8 % more instructions.
#[inline(never)]
pub(super) fn fill_hidden_singles<const N: usize, B: Board<N>>(
    board: &mut B,
) -> Result<usize, Contradiction> {
    let rows = fill_hidden_singles_of::<N, ROW, B>(board)?;
    let columns = fill_hidden_singles_of::<N, COLUMN, B>(board)?;
    let boxes = fill_hidden_singles_of::<N, BOX, B>(board)?;
    Ok(rows + columns + boxes)
}

/// The same for the houses of the kind `KIND`.
fn fill_hidden_singles_of<const N: usize, const KIND: usize, B: Board<N>>(
    board: &mut B,
) -> Result<usize, Contradiction> {
    let mut filled = 0;
    for house in 0..N {
        for digit in Digit::all() {
            if !board.tables().held[KIND][house][digit.index()] {
                filled += fill_only_cell(board, digit, |place| cell_at::<N, KIND>(house, place))?;
            }
        }
    }
    Ok(filled)
}

/// Fills the digit into the only empty cell of a house that can take it; returns 0 where there are
/// several, else 1.
fn fill_only_cell<const N: usize, B: Board<N>>(
    board: &mut B,
    digit: Digit<N>,
    cell_at: impl Fn(usize) -> Cell<N>,
) -> Result<usize, Contradiction> {
    let mut only = None;
    for cell in (0..N).map(cell_at) {
        let can_take = board.tables().is_empty(cell) && board.can_fill(cell, digit);
        if can_take && only.replace(cell).is_some() {
            return Ok(0);
        }
    }
    board.fill(only.ok_or(Contradiction)?, digit);
    Ok(1)
}
