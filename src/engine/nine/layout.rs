//! Where the cells of a grid lie in nine vectors.

use super::known::{Cells, ones};
use super::simd::{LANES, Lanes, Registers};

/// The candidates of a grid. Vector `3 * band + column` holds, of each stack, the cells of that
/// band and that column of the stack: lane `4 * stack + row` is the cell in row `3 * band + row`
/// and column `3 * stack + column`, a set of candidates, bit `d` for digit `d + 1`.
pub(super) type State = [Lanes; 9];

impl Cells for State {
    const NONE: Self = [Lanes([0; LANES]); 9];

    #[inline(always)]
    fn get(&self, cell: usize) -> u16 {
        let place = usize::from(PLACE[cell]);
        self[place / LANES].0[place % LANES]
    }

    #[inline(always)]
    fn set(&mut self, cell: usize, candidates: u16) {
        let place = usize::from(PLACE[cell]);
        self[place / LANES].0[place % LANES] = candidates;
    }

    #[inline(always)]
    fn count(&self) -> u16 {
        let mut counts = [0; LANES];
        for vector in self {
            for (count, candidates) in counts.iter_mut().zip(vector.0) {
                *count += ones(candidates);
            }
        }
        counts.iter().sum()
    }
}

/// The candidates of a grid in the vectors of a machine.
pub(super) type Vectors<M> = [<M as Registers>::V; 9];

/// The vector and lane of every cell, as an index into the state seen as 144 lanes.
pub(super) const PLACE: [u8; 81] = {
    let mut places = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        let (row, column) = (cell / 9, cell % 9);
        let vector = row / 3 * 3 + column % 3;
        places[cell] = (vector * LANES + column / 3 * 4 + row % 3) as u8;
        cell += 1;
    }
    places
};

/// The cell of every lane, 0 for a spare one.
pub(super) const CELL: [u8; 9 * LANES] = {
    let mut cells = [0; 9 * LANES];
    let mut cell = 0;
    while cell < 81 {
        cells[PLACE[cell] as usize] = cell as u8;
        cell += 1;
    }
    cells
};
