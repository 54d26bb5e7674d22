//! The data that the array methods keep, from the second on: the grid and what its houses hold.

use crate::grid::{Cell, Digit, Grid};

/// A grid and three tables that say which digits each row, column and box holds, so that one
/// lookup in each decides whether a digit fits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tables<const N: usize> {
    pub(super) grid: Grid<N>,
    /// `rows[row][digit]`: whether the row holds the digit; likewise the columns and boxes.
    pub(super) rows: [[bool; N]; N],
    pub(super) columns: [[bool; N]; N],
    pub(super) boxes: [[bool; N]; N],
}

impl<const N: usize> Tables<N> {
    pub(super) const EMPTY: Self = Tables {
        grid: Grid::EMPTY,
        rows: [[false; N]; N],
        columns: [[false; N]; N],
        boxes: [[false; N]; N],
    };

    pub(super) fn new(puzzle: &Grid<N>) -> Self {
        let mut tables = Self::EMPTY;
        for (cell, digit) in puzzle.givens() {
            tables.fill(cell, digit);
        }
        tables
    }

    pub(super) fn is_empty(&self, cell: Cell<N>) -> bool {
        self.grid.get(cell).is_none()
    }

    /// Whether no house of the cell holds the digit yet.
    pub(super) fn can_fill(&self, cell: Cell<N>, digit: Digit<N>) -> bool {
        let digit = digit.index();
        !self.rows[cell.row()][digit]
            && !self.columns[cell.column()][digit]
            && !self.boxes[cell.box_index()][digit]
    }

    pub(super) fn fill(&mut self, cell: Cell<N>, digit: Digit<N>) {
        self.mark(cell, digit, true);
        self.grid.set(cell, Some(digit));
    }

    /// Undoes [`Tables::fill`].
    pub(super) fn erase(&mut self, cell: Cell<N>, digit: Digit<N>) {
        self.mark(cell, digit, false);
        self.grid.set(cell, None);
    }

    fn mark(&mut self, cell: Cell<N>, digit: Digit<N>, held: bool) {
        let digit = digit.index();
        self.rows[cell.row()][digit] = held;
        self.columns[cell.column()][digit] = held;
        self.boxes[cell.box_index()][digit] = held;
    }
}

/// How many there are, as far as a deduction needs to know.
pub(super) enum Found<T> {
    Nothing,
    One(T),
    Several,
}

impl<T> Found<T> {
    /// Looks no further than the second item.
    pub(super) fn among(mut items: impl Iterator<Item = T>) -> Self {
        match items.next() {
            None => Found::Nothing,
            Some(first) => match items.next() {
                None => Found::One(first),
                Some(_) => Found::Several,
            },
        }
    }
}

/// The digits that fit an empty cell, as far as a deduction needs to know.
pub(super) fn fitting<const N: usize>(tables: &Tables<N>, cell: Cell<N>) -> Found<Digit<N>> {
    // Indices, not `can_fill`: the compiler sees that they stay within the three rows.
    let row = &tables.rows[cell.row()];
    let column = &tables.columns[cell.column()];
    let house = &tables.boxes[cell.box_index()];
    let fits = |&digit: &usize| !row[digit] && !column[digit] && !house[digit];
    Found::among((0..N).filter(fits).map(Digit::from_index))
}
