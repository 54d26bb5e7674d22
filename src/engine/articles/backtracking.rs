//! Method 1 of the array-methods article: plain backtracking.

use crate::engine::{Checked, Method, Statistics, Visitor};
use crate::grid::{Cell, Digit, Grid};
use crate::rules::box_shape;
use core::ops::ControlFlow;

/// Tries the digits 1 to `N` in every empty cell, row by row, scanning the cell's row, column and
/// box for each; keeps nothing but the grid.
///
/// Source: the array-methods article, method 1. Solutions come in lexicographic order.
#[derive(Clone, Copy, Default, Debug)]
pub struct Backtracking;

impl<const N: usize> Method<N> for Backtracking {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        fill_cell_by_cell(puzzle.grid(), can_fill, visit)
    }
}

fn can_fill<const N: usize>(grid: &Grid<N>, cell: Cell<N>, digit: Digit<N>) -> bool {
    let (rows, value) = (grid.rows(), digit.value());
    let (row, column) = (cell.row(), cell.column());
    let (height, width) = const { box_shape(N) };
    let (top, left) = (row / height * height, column / width * width);
    rows[row].iter().all(|&held| held != value)
        && rows.iter().all(|line| line[column] != value)
        && rows[top..top + height]
            .iter()
            .all(|line| line[left..left + width].iter().all(|&held| held != value))
}

/// Fills the empty cells row by row in every way that `can_fill` allows, smallest digit first.
pub(super) fn fill_cell_by_cell<const N: usize>(
    puzzle: &Grid<N>,
    can_fill: impl Fn(&Grid<N>, Cell<N>, Digit<N>) -> bool,
    visit: &mut Visitor<'_, N>,
) -> Statistics {
    let mut search = Search {
        grid: *puzzle,
        can_fill,
        statistics: Statistics::default(),
        visit,
    };
    let _ = search.fill_from(0);
    search.statistics
}

struct Search<'a, 'v, const N: usize, F> {
    grid: Grid<N>,
    can_fill: F,
    statistics: Statistics,
    visit: &'a mut Visitor<'v, N>,
}

impl<const N: usize, F: Fn(&Grid<N>, Cell<N>, Digit<N>) -> bool> Search<'_, '_, N, F> {
    /// Fills the cells from `index` on, in every way.
    fn fill_from(&mut self, index: usize) -> ControlFlow<()> {
        self.statistics.nodes += 1;
        if index == Cell::<N>::COUNT {
            return (self.visit)(&self.grid);
        }
        let cell = Cell::from_index(index);
        if self.grid.get(cell).is_some() {
            return self.fill_from(index + 1);
        }
        for digit in Digit::all() {
            if (self.can_fill)(&self.grid, cell, digit) {
                self.statistics.guesses += 1;
                self.grid.set(cell, Some(digit));
                self.fill_from(index + 1)?;
                self.grid.set(cell, None);
            }
        }
        ControlFlow::Continue(())
    }
}
