//! The first method of the NowCoder NC47 article: brute force.

use super::backtracking::fill_cell_by_cell;
use crate::engine::{Checked, Method, Statistics, Visitor};
use crate::grid::{Cell, Digit, Grid};

/// Tries the digits 1 to `N` in every empty cell, row by row, and tests each against the `k`-th
/// cell of its row, column and box together, for `k` from 1 to `N`.
///
/// Source: the NowCoder NC47 article, first method. The search is that of
/// [`Backtracking`](super::Backtracking); the one test in one loop is what differs. Solutions come
/// in lexicographic order.
#[derive(Clone, Copy, Default, Debug)]
pub struct BruteForce;

impl<const N: usize> Method<N> for BruteForce {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        fill_cell_by_cell(puzzle.grid(), is_valid, visit)
    }
}

fn is_valid<const N: usize>(grid: &Grid<N>, cell: Cell<N>, digit: Digit<N>) -> bool {
    (0..N).all(|k| {
        grid.get(Cell::at(cell.row(), k)) != Some(digit)
            && grid.get(Cell::at(k, cell.column())) != Some(digit)
            && grid.get(Cell::in_box(cell.box_index(), k)) != Some(digit)
    })
}
