//! The search shared by methods 3 and 5 to 8 of the array-methods article: deduce until stuck, then
//! guess on a copy.

use super::tables::Tables;
use crate::engine::{Statistics, Visitor};
use crate::grid::{Cell, Digit, Grid};
use core::ops::ControlFlow;

/// The state of a search, and how a method deduces and guesses in it.
pub trait Board<const N: usize>: Copy + Send {
    /// The state of an empty grid.
    const EMPTY: Self;

    /// The digits so far.
    fn tables(&self) -> &Tables<N>;

    /// Whether the digit still fits the empty cell.
    fn can_fill(&self, cell: Cell<N>, digit: Digit<N>) -> bool {
        self.tables().can_fill(cell, digit)
    }

    /// Puts a digit that fits into an empty cell.
    fn fill(&mut self, cell: Cell<N>, digit: Digit<N>);

    /// Makes one pass of deductions over each cell, or over each view.
    fn pass(&mut self) -> Result<Pass, Contradiction>;

    /// The empty cell to guess in: the first one, or the first of those with the fewest candidates.
    fn cell_to_guess(&self) -> Option<Cell<N>>;
}

/// How a deduction ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Some cell, or some digit of a house, has no candidate: there is no solution from here.
    Contradiction,
    /// Every cell is filled.
    Solved,
    /// Nothing more can be deduced.
    Stuck,
}

/// The result of one pass over the grid, or over one view of it.
#[derive(Clone, Copy, Default, Debug)]
pub struct Pass {
    /// The cells that were filled.
    pub filled: usize,
    /// The cells (or digits of houses) that had several candidates.
    pub unsolved: usize,
}

/// Some cell, or some digit of a house, has no candidate left.
#[derive(Clone, Copy, Debug)]
pub struct Contradiction;

/// Repeats a pass until it fills nothing. The last pass shows whether cells are left.
pub fn repeat(mut pass: impl FnMut() -> Result<Pass, Contradiction>) -> Outcome {
    loop {
        match pass() {
            Err(Contradiction) => return Outcome::Contradiction,
            Ok(Pass {
                filled: 0,
                unsolved,
            }) => {
                return if unsolved == 0 {
                    Outcome::Solved
                } else {
                    Outcome::Stuck
                };
            }
            Ok(_) => {}
        }
    }
}

/// Deduces until stuck, then tries every digit of one cell, each on a copy of the whole state.
pub fn guess_on_copy<const N: usize, B: Board<N>>(
    puzzle: &Grid<N>,
    visit: &mut Visitor<'_, N>,
) -> Statistics {
    let mut board = B::EMPTY;
    for (cell, digit) in puzzle.givens() {
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

struct Search<'a, 'v, const N: usize, B> {
    /// The boards from the first one to the current copy. On the heap: hundreds of nested copies
    /// of a 25x25 board do not fit a thread's stack.
    boards: Vec<B>,
    statistics: Statistics,
    visit: &'a mut Visitor<'v, N>,
}

impl<const N: usize, B: Board<N>> Search<'_, '_, N, B> {
    /// Solves the last board, which is at `depth`.
    fn solve(&mut self, depth: usize) -> ControlFlow<()> {
        self.statistics.nodes += 1;
        let board = &mut self.boards[depth];
        match repeat(|| board.pass()) {
            Outcome::Contradiction => ControlFlow::Continue(()),
            Outcome::Solved => (self.visit)(&board.tables().grid),
            Outcome::Stuck => {
                let cell = board.cell_to_guess();
                let cell = cell.expect("a search that is stuck has an empty cell");
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
