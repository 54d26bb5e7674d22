//! Moves grids into the lanes and out of them.

use crate::engine::nine::Bytes;
use crate::engine::nine::known::{Cells, ones};
use crate::engine::nine::simd::{LANES, Lanes, Machine, Registers};

/// The candidates of one grid, cell by cell, row by row; the last 15 of the 96 are not used.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Rows(pub(super) [u16; 96]);

impl Rows {
    pub(super) const EMPTY: Rows = Rows([0; 96]);

    /// Guesses as [`wide`](crate::engine::nine::wide) does: the grid keeps the lowest digit of the
    /// cell, the one handed back has the others.
    #[inline(always)]
    pub(super) fn guess(&mut self, cell: usize) -> Rows {
        let mut other = *self;
        let candidates = self.0[cell];
        let low = candidates & candidates.wrapping_neg();
        self.0[cell] = low;
        other.0[cell] = candidates & !low;
        other
    }

    /// Sixteen cells.
    #[inline(always)]
    fn part(&self, part: usize) -> &[u16; LANES] {
        match self.0[16 * part..].first_chunk() {
            Some(part) => part,
            None => unreachable!("a part below 6"),
        }
    }

    #[inline(always)]
    fn set_part(&mut self, part: usize, lanes: &Lanes) {
        self.0[16 * part..16 * part + 16].copy_from_slice(&lanes.0);
    }
}

impl Cells for Rows {
    const NONE: Self = Rows::EMPTY;

    #[inline(always)]
    fn get(&self, cell: usize) -> u16 {
        self.0[cell]
    }

    #[inline(always)]
    fn set(&mut self, cell: usize, candidates: u16) {
        self.0[cell] = candidates;
    }

    #[inline(always)]
    fn count(&self) -> u16 {
        self.0[..81]
            .iter()
            .map(|&candidates| ones(candidates))
            .sum()
    }
}

/// The maximum number of lanes of a machine.
pub(super) const MAX_LANES: usize = 2 * LANES;

/// The grids of all lanes of a group, side by side; `cells` are the groups of all vectors.
#[inline(always)]
pub(super) fn move_out<M: Machine>(
    m: M,
    cells: &[Lanes],
    grids: &mut [Rows; MAX_LANES],
    group: usize,
) {
    let groups = M::Broad::GROUPS;
    let grids = &mut grids[LANES * group..][..LANES];
    for part in 0..5 {
        let mut square = [m.splat(0); LANES];
        for i in 0..LANES {
            square[i] = m.load(&cells[groups * (16 * part + i) + group].0);
        }
        let square = m.transpose(square);
        for lane in 0..LANES {
            grids[lane].set_part(part, &m.store(square[lane]));
        }
    }
    let last = &cells[groups * 80 + group];
    for lane in 0..LANES {
        grids[lane].0[80] = last.0[lane];
    }
}

/// The inverse of [`move_out`].
#[inline(always)]
pub(super) fn move_in<M: Machine>(
    m: M,
    grids: &[Rows; MAX_LANES],
    cells: &mut [Lanes],
    group: usize,
) {
    let groups = M::Broad::GROUPS;
    let grids = &grids[LANES * group..][..LANES];
    for part in 0..5 {
        let mut square = [m.splat(0); LANES];
        for lane in 0..LANES {
            square[lane] = m.load(grids[lane].part(part));
        }
        let square = m.transpose(square);
        for i in 0..LANES {
            cells[groups * (16 * part + i) + group] = m.store(square[i]);
        }
    }
    for lane in 0..LANES {
        cells[groups * 80 + group].0[lane] = grids[lane].0[80];
    }
}

/// The candidates of a puzzle before any rule is applied.
#[inline(always)]
pub(super) fn read<M: Machine>(m: M, puzzle: &Bytes, [empty, zero]: [u8; 2]) -> Rows {
    let value = |byte: u8| {
        if byte == empty {
            0
        } else {
            byte.wrapping_sub(zero)
        }
    };
    let mut rows = Rows::EMPTY;
    for part in 0..5 {
        let mut values = [0; LANES];
        for (value_of, &byte) in values.iter_mut().zip(&puzzle[16 * part..16 * part + 16]) {
            *value_of = value(byte);
        }
        rows.set_part(part, &m.store(m.candidates(&values)));
    }
    let mut last = [0; LANES];
    last[0] = value(puzzle[80]);
    rows.set_part(5, &m.store(m.candidates(&last)));
    rows
}

/// Writes the digits of a solved grid.
#[inline(always)]
pub(super) fn write<M: Machine>(m: M, rows: &Rows, [_, zero]: [u8; 2], solution: &mut Bytes) {
    for part in 0..5 {
        let digits = m.digits(m.load(rows.part(part)));
        for (byte, digit) in solution[16 * part..16 * part + 16].iter_mut().zip(digits) {
            *byte = digit.wrapping_add(zero);
        }
    }
    solution[80] = (rows.0[80].trailing_zeros() as u8 + 1).wrapping_add(zero);
}
