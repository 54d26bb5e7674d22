//! Methods 5 and 6 of the array-methods article: singles in four views, then a guess.

use super::guess_on_copy::{
    Board, Contradiction, Outcome, Pass, first_empty, guess_on_copy, repeat,
};
use super::naked_singles::fill_naked_singles;
use super::tables::{Found, Tables};
use crate::engine::{Checked, Method, Statistics, Visitor};
use crate::grid::{Cell, Digit, Grid};

/// Fills what only one digit fits (cell view) and what only one cell of a row, column or box can
/// take (the other three views) until there is none, then guesses in the first empty cell, each
/// digit on a copy.
///
/// Source: the array-methods article, method 5. It adds three views to [`NakedSingles`]: fewer
/// guesses, dearer passes. Solutions come in lexicographic order.
///
/// [`NakedSingles`]: super::NakedSingles
#[derive(Clone, Default, Debug)]
pub struct FourViews<const N: usize>(());

impl<const N: usize> FourViews<N> {
    /// The engine; it has no state between searches.
    pub fn new() -> Self {
        FourViews(())
    }
}

impl<const N: usize> Method<N> for FourViews<N> {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        guess_on_copy::<N, FourViewsBoard<N, false>>(puzzle.grid(), visit)
    }
}

/// Like [`FourViews`], but guesses in the cell that the fewest digits fit, the first of several.
///
/// Source: the array-methods article, method 6. The article looks for less than a minimum that
/// starts at `N`, and so misses a cell that all `N` digits fit; here it starts above `N`.
#[derive(Clone, Default, Debug)]
pub struct FourViewsFewest<const N: usize>(());

impl<const N: usize> FourViewsFewest<N> {
    /// The engine; it has no state between searches.
    pub fn new() -> Self {
        FourViewsFewest(())
    }
}

impl<const N: usize> Method<N> for FourViewsFewest<N> {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        guess_on_copy::<N, FourViewsBoard<N, true>>(puzzle.grid(), visit)
    }
}

/// The state of [`FourViews`] and [`FourViewsFewest`]: the tables.
#[derive(Clone, Copy, Debug)]
struct FourViewsBoard<const N: usize, const FEWEST: bool>(Tables<N>);

impl<const N: usize, const FEWEST: bool> Board<N> for FourViewsBoard<N, FEWEST> {
    fn new(puzzle: &Grid<N>) -> Self {
        FourViewsBoard(Tables::new(puzzle))
    }

    fn grid(&self) -> &Grid<N> {
        &self.0.grid
    }

    fn can_fill(&self, cell: Cell<N>, digit: Digit<N>) -> bool {
        self.0.can_fill(cell, digit)
    }

    fn fill(&mut self, cell: Cell<N>, digit: Digit<N>) {
        self.0.fill(cell, digit);
    }

    fn deduce(&mut self) -> Outcome {
        repeat(|| {
            let mut filled = fill_hidden_singles(&mut self.0)?;
            let cells = fill_naked_singles(&mut self.0, |_, _| {})?;
            filled += cells.filled;
            Ok(Pass { filled, ..cells })
        })
    }

    fn cell_to_guess(&self) -> Cell<N> {
        if FEWEST {
            let fitting = |&cell: &Cell<N>| {
                Digit::all()
                    .filter(|&digit| self.0.can_fill(cell, digit))
                    .count()
            };
            cell_with_fewest(&self.0, fitting)
        } else {
            first_empty(&self.0.grid)
        }
    }
}

/// The first of the empty cells with the fewest candidates, by the given count.
fn cell_with_fewest<const N: usize>(
    tables: &Tables<N>,
    candidates: impl FnMut(&Cell<N>) -> usize,
) -> Cell<N> {
    Cell::all()
        .filter(|&cell| tables.is_empty(cell))
        .min_by_key(candidates)
        .expect("a search that is stuck has an empty cell")
}

/// One pass over each of the row, column and box views: fills every digit that its house lacks and
/// that only one empty cell of the house can take. Returns how many cells it filled.
fn fill_hidden_singles<const N: usize>(tables: &mut Tables<N>) -> Result<usize, Contradiction> {
    let mut filled = 0;
    for row in 0..N {
        for digit in Digit::all() {
            if !tables.rows[row][digit.index()] {
                filled += fill_only_cell(tables, digit, |place| Cell::at(row, place))?;
            }
        }
    }
    for column in 0..N {
        for digit in Digit::all() {
            if !tables.columns[column][digit.index()] {
                filled += fill_only_cell(tables, digit, |place| Cell::at(place, column))?;
            }
        }
    }
    for house in 0..N {
        for digit in Digit::all() {
            if !tables.boxes[house][digit.index()] {
                filled += fill_only_cell(tables, digit, |place| Cell::in_box(house, place))?;
            }
        }
    }
    Ok(filled)
}

/// Fills the digit into the only empty cell of a house that can take it; returns 0 where there are
/// several, else 1.
fn fill_only_cell<const N: usize>(
    tables: &mut Tables<N>,
    digit: Digit<N>,
    cell_at: impl Fn(usize) -> Cell<N>,
) -> Result<usize, Contradiction> {
    let can_take = |&cell: &Cell<N>| tables.is_empty(cell) && tables.can_fill(cell, digit);
    match Found::among((0..N).map(cell_at).filter(can_take)) {
        Found::Nothing => Err(Contradiction),
        Found::One(cell) => {
            tables.fill(cell, digit);
            Ok(1)
        }
        Found::Several => Ok(0),
    }
}
