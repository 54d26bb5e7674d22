//! Minimal 9x9 puzzles, many at a time.

use crate::engine::nine::Batch;
use crate::grid::{Cell, Grid};

/// The number of puzzles that are made minimal together.
pub(super) const BATCH: usize = 512;

/// Removes from each grid the givens that its solution does not need, cell by cell in its order.
pub(super) fn minimize_together(
    batch: &mut Batch,
    grids: &[(Grid<9>, Vec<usize>)],
) -> Vec<Grid<9>> {
    let mut puzzles: Vec<Grid<9>> = grids.iter().map(|(grid, _)| *grid).collect();
    let (mut doubtful, mut fewer) = (Vec::new(), Vec::new());
    let mut counts = vec![0; grids.len()];
    for step in 0..81 {
        doubtful.clear();
        fewer.clear();
        for (index, (puzzle, (grid, order))) in puzzles.iter_mut().zip(grids).enumerate() {
            let cell = order[step];
            puzzle.set(Cell::from_index(cell), None);
            if !sees_all_others(puzzle.values(), cell, grid.values()[cell]) {
                doubtful.push(index);
                fewer.push(*puzzle);
            }
        }
        batch.count(&fewer, &mut counts, 2);
        for (&index, &count) in doubtful.iter().zip(&counts) {
            if count > 1 {
                let (grid, order) = &grids[index];
                let cell = Cell::from_index(order[step]);
                puzzles[index].set(cell, grid.get(cell));
            }
        }
    }
    puzzles
}

/// Whether the cell's houses hold all digits but this one, so that it can be no other.
fn sees_all_others(puzzle: &[u8], cell: usize, digit: u8) -> bool {
    let (row, column) = (cell / 9, cell % 9);
    let corner = row / 3 * 27 + column / 3 * 3;
    let mut seen = 1u16 << digit;
    for i in 0..9 {
        seen |= 1 << puzzle[9 * row + i];
        seen |= 1 << puzzle[9 * i + column];
        seen |= 1 << puzzle[corner + i / 3 * 9 + i % 3];
    }
    seen | 1 == 0x3ff
}
