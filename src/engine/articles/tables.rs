//! The data of the array methods from the second on: the grid and the digits that its houses hold.

use crate::grid::{Cell, Digit, Grid};

/// The three kinds of houses, as indices of [`Tables::held`].
pub(super) const ROW: usize = 0;
pub(super) const COLUMN: usize = 1;
pub(super) const BOX: usize = 2;

/// The cell at a place of a house of the kind `KIND`.
pub(super) fn cell_at<const N: usize, const KIND: usize>(house: usize, place: usize) -> Cell<N> {
    match KIND {
        ROW => Cell::at(house, place),
        COLUMN => Cell::at(place, house),
        _ => Cell::in_box(house, place),
    }
}

/// A grid and three tables that say which digits each row, column and box holds, so that one
/// lookup in each decides whether a digit fits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tables<const N: usize> {
    pub(super) grid: Grid<N>,
    /// `held[kind][house][digit]`: whether the house holds the digit.
    pub(super) held: [[[bool; N]; N]; 3],
}

impl<const N: usize> Tables<N> {
    pub(super) const EMPTY: Self = Tables {
        grid: Grid::EMPTY,
        held: [[[false; N]; N]; 3],
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

    /// The empty cells, row by row.
    pub(super) fn empty_cells(&self) -> impl Iterator<Item = Cell<N>> + '_ {
        let cells = (0..N).flat_map(|row| (0..N).map(move |column| Cell::at(row, column)));
        cells.filter(|&cell| self.is_empty(cell))
    }

    /// Whether no house of the cell holds the digit yet.
    pub(super) fn can_fill(&self, cell: Cell<N>, digit: Digit<N>) -> bool {
        let digit = digit.index();
        !self.held[ROW][cell.row()][digit]
            && !self.held[COLUMN][cell.column()][digit]
            && !self.held[BOX][cell.box_index()][digit]
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

    fn mark(&mut self, cell: Cell<N>, digit: Digit<N>, is_held: bool) {
        let digit = digit.index();
        self.held[ROW][cell.row()][digit] = is_held;
        self.held[COLUMN][cell.column()][digit] = is_held;
        self.held[BOX][cell.box_index()][digit] = is_held;
    }

    /// The digits that fit an empty cell: none, one or several.
    pub(super) fn fitting(&self, cell: Cell<N>) -> Found<Digit<N>> {
        // Indices, not `can_fill`: the compiler sees that they stay within the three rows.
        let row = &self.held[ROW][cell.row()];
        let column = &self.held[COLUMN][cell.column()];
        let house = &self.held[BOX][cell.box_index()];
        let fits = |&digit: &usize| !row[digit] && !column[digit] && !house[digit];
        Found::among((0..N).filter(fits).map(Digit::from_index))
    }
}

/// The items found: none, one or several.
pub(super) enum Found<T> {
    Nothing,
    One(T),
    Several,
}

impl<T> Found<T> {
    /// Examines at most two items.
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
