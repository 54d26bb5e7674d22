//! Methods 3 and 4 of the array-methods article: naked singles, then a guess.

use super::guess_on_copy::{Board, Contradiction, Outcome, Pass, guess_on_copy, repeat};
use super::tables::{Found, Tables};
use crate::engine::{Checked, Method, Statistics, Visitor};
use crate::grid::{Cell, Digit};
use core::ops::ControlFlow;

/// Fills the cells that only one digit fits until there is none, then guesses in the first empty
/// cell, each digit on a copy of the grid and its tables.
///
/// Source: the array-methods article, method 3. It adds to [`LookupBacktracking`] the deduction
/// that a person makes first. Solutions come in lexicographic order: every cell before
/// that of a guess is certain.
///
/// [`LookupBacktracking`]: super::LookupBacktracking
#[derive(Clone, Copy, Default, Debug)]
pub struct NakedSingles;

impl<const N: usize> Method<N> for NakedSingles {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        guess_on_copy::<N, NakedSinglesBoard<N>>(puzzle.grid(), visit)
    }
}

/// The state of [`NakedSingles`]: the tables.
#[derive(Clone, Copy, Debug)]
struct NakedSinglesBoard<const N: usize>(Tables<N>);

impl<const N: usize> Board<N> for NakedSinglesBoard<N> {
    const EMPTY: Self = NakedSinglesBoard(Tables::EMPTY);

    fn tables(&self) -> &Tables<N> {
        &self.0
    }

    fn fill(&mut self, cell: Cell<N>, digit: Digit<N>) {
        self.0.fill(cell, digit);
    }

    fn pass(&mut self) -> Result<Pass, Contradiction> {
        fill_naked_singles(&mut self.0, |_, _| {})
    }

    fn cell_to_guess(&self) -> Option<Cell<N>> {
        self.0.empty_cells().next()
    }
}

/// Makes one pass over the empty cells, row by row, and fills those that only one digit fits. Each
/// filled cell counts immediately for the cells after it.
pub(super) fn fill_naked_singles<const N: usize>(
    tables: &mut Tables<N>,
    mut filled: impl FnMut(Cell<N>, Digit<N>),
) -> Result<Pass, Contradiction> {
    let mut pass = Pass::default();
    for row in 0..N {
        for column in 0..N {
            let cell = Cell::at(row, column);
            if !tables.is_empty(cell) {
                continue;
            }
            match tables.fitting(cell) {
                Found::Nothing => return Err(Contradiction),
                Found::One(digit) => {
                    tables.fill(cell, digit);
                    filled(cell, digit);
                    pass.filled += 1;
                }
                Found::Several => pass.unsolved += 1,
            }
        }
    }
    Ok(pass)
}

/// Like [`NakedSingles`], with one grid instead of copies: the cells filled after a guess are recorded on
/// a stack, and erased if the guess was wrong.
///
/// Source: the array-methods article, method 4. It saves memory, not time. Solutions come in
/// lexicographic order.
#[derive(Clone, Copy, Default, Debug)]
pub struct NakedSinglesUndo;

impl<const N: usize> Method<N> for NakedSinglesUndo {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        let mut search = Search {
            tables: Tables::new(puzzle.grid()),
            filled: Vec::new(),
            statistics: Statistics::default(),
            visit,
        };
        let _ = search.solve();
        search.statistics
    }
}

struct Search<'a, 'v, const N: usize> {
    tables: Tables<N>,
    /// The deductions, in order. The article keeps one stack per guess and none before the
    /// first; one stack with a mark per guess is the same.
    filled: Vec<(Cell<N>, Digit<N>)>,
    statistics: Statistics,
    visit: &'a mut Visitor<'v, N>,
}

impl<const N: usize> Search<'_, '_, N> {
    /// Solves from the current grid on, and leaves the grid as it was.
    fn solve(&mut self) -> ControlFlow<()> {
        let mark = self.filled.len();
        self.deduce_and_guess()?;
        for (cell, digit) in self.filled.drain(mark..) {
            self.tables.erase(cell, digit);
        }
        ControlFlow::Continue(())
    }

    fn deduce_and_guess(&mut self) -> ControlFlow<()> {
        self.statistics.nodes += 1;
        let (tables, filled) = (&mut self.tables, &mut self.filled);
        match repeat(|| fill_naked_singles(tables, |cell, digit| filled.push((cell, digit)))) {
            Outcome::Contradiction => ControlFlow::Continue(()),
            Outcome::Solved => (self.visit)(&self.tables.grid),
            Outcome::Stuck => {
                let cell = self.tables.empty_cells().next();
                let cell = cell.expect("a search that is stuck has an empty cell");
                for digit in Digit::all() {
                    if self.tables.can_fill(cell, digit) {
                        self.statistics.guesses += 1;
                        self.tables.fill(cell, digit);
                        self.solve()?;
                        self.tables.erase(cell, digit);
                    }
                }
                ControlFlow::Continue(())
            }
        }
    }
}
