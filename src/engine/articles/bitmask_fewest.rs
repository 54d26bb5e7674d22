//! The method of the Luogu P1784 article: bit sets of free digits, fewest candidates first.

use crate::engine::mask::Mask;
use crate::engine::{Checked, Method, Statistics, Visitor};
use crate::grid::{Cell, Digit, Grid};
use core::ops::ControlFlow;

/// Keeps the digits that each row, column and box still lacks as bits of one integer, and fills
/// the empty cell that the fewest digits fit, smallest digit first; deduces nothing.
///
/// Source: the Luogu P1784 article. It looks the sizes of the sets up in a table of `2^N` entries;
/// here they are counted, because that works for every side. It adds to
/// [`Bitmask`](super::Bitmask) the choice of the cell, and that a cell without a candidate ends
/// the scan.
#[derive(Clone, Copy, Default, Debug)]
pub struct BitmaskFewest;

impl<const N: usize> Method<N> for BitmaskFewest {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        let mut search = Search {
            grid: *puzzle.grid(),
            rows: [Bits::first(N); N],
            columns: [Bits::first(N); N],
            boxes: [Bits::first(N); N],
            statistics: Statistics::default(),
            visit,
        };
        for (cell, digit) in puzzle.grid().givens() {
            search.flip(cell, digit);
        }
        let _ = search.fill(Cell::<N>::COUNT - puzzle.grid().count_givens());
        search.statistics
    }
}

/// Wide enough for every side; the article has `int`.
type Bits = u64;

struct Search<'a, 'v, const N: usize> {
    grid: Grid<N>,
    /// The digits that each row, column and box lacks.
    rows: [Bits; N],
    columns: [Bits; N],
    boxes: [Bits; N],
    statistics: Statistics,
    visit: &'a mut Visitor<'v, N>,
}

impl<const N: usize> Search<'_, '_, N> {
    /// Fills the `empty` cells that are left, in every way.
    fn fill(&mut self, empty: usize) -> ControlFlow<()> {
        self.statistics.nodes += 1;
        if empty == 0 {
            return (self.visit)(&self.grid);
        }
        let (cell, candidates) = match self.cell_with_fewest() {
            Some(found) => found,
            None => return ControlFlow::Continue(()),
        };
        for digit in candidates.members().map(Digit::from_index) {
            if candidates.has_several() {
                self.statistics.guesses += 1;
            }
            self.grid.set(cell, Some(digit));
            self.flip(cell, digit);
            self.fill(empty - 1)?;
            self.grid.set(cell, None);
            self.flip(cell, digit);
        }
        ControlFlow::Continue(())
    }

    /// The first of the empty cells with the fewest candidates, and these; `None` as soon as a
    /// cell has none.
    fn cell_with_fewest(&self) -> Option<(Cell<N>, Bits)> {
        let mut best = None;
        let mut fewest = N as u32 + 1;
        for row in 0..N {
            for column in 0..N {
                let cell = Cell::at(row, column);
                if self.grid.get(cell).is_some() {
                    continue;
                }
                let candidates = self.candidates(cell);
                if candidates.is_empty() {
                    return None;
                }
                if candidates.len() < fewest {
                    fewest = candidates.len();
                    best = Some((cell, candidates));
                }
            }
        }
        best
    }

    fn candidates(&self, cell: Cell<N>) -> Bits {
        self.rows[cell.row()] & self.columns[cell.column()] & self.boxes[cell.box_index()]
    }

    /// Toggles the digit in the sets of the cell's houses.
    fn flip(&mut self, cell: Cell<N>, digit: Digit<N>) {
        let bit = Bits::single(digit.index());
        self.rows[cell.row()] ^= bit;
        self.columns[cell.column()] ^= bit;
        self.boxes[cell.box_index()] ^= bit;
    }
}
