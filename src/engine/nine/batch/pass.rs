//! One pass of the rules over the grids of all lanes at once.

use crate::engine::nine::rules::once_twice;
use crate::engine::nine::simd::Registers;
use core::sync::atomic::{Ordering, compiler_fence};

/// All nine candidates.
const ALL: u16 = 0x1ff;

/// Intermediate results of a pass for its later steps. A *mini* is three cells of a line in one
/// box; those of
/// rows are numbered `3 * row + stack`, those of columns `9 * band + column`.
pub(super) struct Scratch<V> {
    /// The digit of each cell of one candidate, nothing for the others.
    singles: [V; 81],
    /// The digits that `singles` has in each mini of a row and in each column.
    minis: [V; 27],
    columns: [V; 9],
    /// The digits with one place in each row, box and column.
    hidden_rows: [V; 9],
    hidden_boxes: [V; 9],
    hidden_columns: [V; 9],
    /// The digits that are locked out of each mini.
    locked_rows: [V; 27],
    locked_columns: [V; 27],
}

impl<V: Copy> Scratch<V> {
    pub(super) fn new(zero: V) -> Self {
        Scratch {
            singles: [zero; 81],
            minis: [zero; 27],
            columns: [zero; 9],
            hidden_rows: [zero; 9],
            hidden_boxes: [zero; 9],
            hidden_columns: [zero; 9],
            locked_rows: [zero; 27],
            locked_columns: [zero; 27],
        }
    }
}

/// The status of each grid after a pass.
pub(super) struct Standing<V> {
    /// `!0` where a cell had no candidate, or a digit no place in some house, after the first step.
    pub(super) dead: V,
    /// `!0` where every digit had one place in each row after the first step. A grid in which this
    /// is so and that is not dead is solved: its nine digits fill the nine cells of each row.
    pub(super) solved: V,
    /// The sum of all cells after the second step. Candidates only ever go, so it is the same after
    /// two passes when nothing has changed.
    pub(super) sum: V,
}

/// An optimisation barrier between the steps of a pass, each of which writes its results to memory.
/// Interleaved, they would keep more vectors alive than there are registers.
#[inline(always)]
fn fence() {
    compiler_fence(Ordering::SeqCst);
}

/// Three minis side by side: the digits with a place there, and with one place only.
///
/// `o` and `t` are the digits with at least one and at least two places in each mini; those that
/// are in one mini only take the place of `o`.
#[inline(always)]
fn join<M: Registers>(m: M, o: &mut [M::V; 3], t: [M::V; 3]) -> (M::V, M::V) {
    let (once, several) = once_twice(m, *o);
    for mini in o.iter_mut() {
        *mini = m.without(*mini, several);
    }
    let twice = m.or(several, m.or3(t[0], t[1], t[2]));
    (once, m.without(once, twice))
}

/// Applies naked singles, then hidden singles and locked candidates, once to every cell.
#[inline(always)]
pub(super) fn pass<M: Registers>(
    m: M,
    cells: &mut [M::V; 81],
    z: &mut Scratch<M::V>,
) -> Standing<M::V> {
    find_singles(m, cells, z);
    fence();
    let (mut least, mut everywhere) = (m.splat(!0), m.splat(ALL));
    for band in 0..3 {
        take_singles(m, cells, z, band, &mut least);
        fence();
        look_at_rows(m, cells, z, band, &mut everywhere);
        fence();
    }
    for stack in 0..3 {
        look_at_columns(m, cells, z, stack, &mut everywhere);
        fence();
    }
    let all = m.splat(ALL);
    let missing = m.without(m.splat(!0), m.equal(everywhere, all));
    let dead = m.or(missing, m.equal(least, m.splat(0)));
    let mut once = all;
    for row in 0..9 {
        once = m.and(once, z.hidden_rows[row]);
    }
    let solved = m.equal(once, all);
    let mut sum = m.splat(0);
    for row in 0..9 {
        place(m, cells, z, row, &mut sum);
        fence();
    }
    Standing { dead, solved, sum }
}

/// Finds the cells with one candidate.
#[inline(always)]
fn find_singles<M: Registers>(m: M, cells: &[M::V; 81], z: &mut Scratch<M::V>) {
    let (zero, ones) = (m.splat(0), m.splat(!0));
    for row in 0..9 {
        for stack in 0..3 {
            let mut s = [zero; 3];
            for k in 0..3 {
                let cell = 9 * row + 3 * stack + k;
                let v = cells[cell];
                s[k] = m.if_apart(v, m.add(v, ones));
                z.singles[cell] = s[k];
            }
            z.minis[3 * row + stack] = m.or3(s[0], s[1], s[2]);
        }
    }
    fence();
    for column in 0..9 {
        let mut all = z.singles[column];
        for row in 1..9 {
            all = m.or(all, z.singles[9 * row + column]);
        }
        z.columns[column] = all;
    }
}

/// Takes the digits of single cells from the other cells of their houses, in one band.
#[inline(always)]
fn take_singles<M: Registers>(
    m: M,
    cells: &mut [M::V; 81],
    z: &Scratch<M::V>,
    band: usize,
    least: &mut M::V,
) {
    let minis = &z.minis[9 * band..9 * band + 9];
    let mut boxes = [m.splat(0); 3];
    for stack in 0..3 {
        boxes[stack] = m.or3(minis[stack], minis[3 + stack], minis[6 + stack]);
    }
    for r in 0..3 {
        let row = m.or3(minis[3 * r], minis[3 * r + 1], minis[3 * r + 2]);
        for stack in 0..3 {
            let gone = m.or(row, boxes[stack]);
            for k in 0..3 {
                let cell = 27 * band + 9 * r + 3 * stack + k;
                let gone = m.or(gone, z.columns[3 * stack + k]);
                let left = m.or(m.without(cells[cell], gone), z.singles[cell]);
                *least = m.min(*least, left);
                cells[cell] = left;
            }
        }
    }
}

/// Finds the hidden singles of the rows and boxes of a band, and what its rows and boxes lock.
#[inline(always)]
fn look_at_rows<M: Registers>(
    m: M,
    cells: &[M::V; 81],
    z: &mut Scratch<M::V>,
    band: usize,
    everywhere: &mut M::V,
) {
    let zero = m.splat(0);
    // By row and stack.
    let (mut o, mut t) = ([[zero; 3]; 3], [[zero; 3]; 3]);
    let mut claimed = [[zero; 3]; 3];
    for r in 0..3 {
        for stack in 0..3 {
            let cell = 27 * band + 9 * r + 3 * stack;
            let v = [cells[cell], cells[cell + 1], cells[cell + 2]];
            (o[r][stack], t[r][stack]) = once_twice(m, v);
        }
        claimed[r] = o[r];
        let (once, hidden) = join(m, &mut claimed[r], t[r]);
        *everywhere = m.and(*everywhere, once);
        z.hidden_rows[3 * band + r] = hidden;
    }
    let mut pointed = [[zero; 3]; 3]; // by stack and row
    for stack in 0..3 {
        pointed[stack] = [o[0][stack], o[1][stack], o[2][stack]];
        let twice = [t[0][stack], t[1][stack], t[2][stack]];
        let (once, hidden) = join(m, &mut pointed[stack], twice);
        *everywhere = m.and(*everywhere, once);
        z.hidden_boxes[3 * band + stack] = hidden;
    }
    for r in 0..3 {
        for stack in 0..3 {
            z.locked_rows[9 * band + 3 * r + stack] = m.or(
                m.or(pointed[(stack + 1) % 3][r], pointed[(stack + 2) % 3][r]),
                m.or(claimed[(r + 1) % 3][stack], claimed[(r + 2) % 3][stack]),
            );
        }
    }
}

/// Finds the hidden singles of the columns of a stack, and what its columns and boxes lock.
#[inline(always)]
fn look_at_columns<M: Registers>(
    m: M,
    cells: &[M::V; 81],
    z: &mut Scratch<M::V>,
    stack: usize,
    everywhere: &mut M::V,
) {
    let zero = m.splat(0);
    let mut claimed = [[zero; 3]; 3]; // by column and band
    let mut pointed = [[zero; 3]; 3]; // by band and column
    for k in 0..3 {
        let mut t = [zero; 3];
        for band in 0..3 {
            let cell = 27 * band + 3 * stack + k;
            let v = [cells[cell], cells[cell + 9], cells[cell + 18]];
            (claimed[k][band], t[band]) = once_twice(m, v);
            pointed[band][k] = claimed[k][band];
        }
        let (once, hidden) = join(m, &mut claimed[k], t);
        *everywhere = m.and(*everywhere, once);
        z.hidden_columns[3 * stack + k] = hidden;
    }
    for band in 0..3 {
        let (_, several) = once_twice(m, pointed[band]);
        for k in 0..3 {
            pointed[band][k] = m.without(pointed[band][k], several);
        }
    }
    for band in 0..3 {
        for k in 0..3 {
            z.locked_columns[9 * band + 3 * stack + k] = m.or(
                m.or(pointed[(band + 1) % 3][k], pointed[(band + 2) % 3][k]),
                m.or(claimed[(k + 1) % 3][band], claimed[(k + 2) % 3][band]),
            );
        }
    }
}

/// Applies the deductions to a row.
#[inline(always)]
fn place<M: Registers>(
    m: M,
    cells: &mut [M::V; 81],
    z: &Scratch<M::V>,
    row: usize,
    sum: &mut M::V,
) {
    let band = row / 3;
    for stack in 0..3 {
        let hidden = m.or(z.hidden_rows[row], z.hidden_boxes[3 * band + stack]);
        let locked = z.locked_rows[3 * row + stack];
        for k in 0..3 {
            let (cell, column) = (9 * row + 3 * stack + k, 3 * stack + k);
            let gone = m.or(locked, z.locked_columns[9 * band + column]);
            let left = m.without(cells[cell], gone);
            let left = m.narrow(left, m.or(hidden, z.hidden_columns[column]));
            *sum = m.add(*sum, left);
            cells[cell] = left;
        }
    }
}

/// `!0` for each grid in which two cells of a house are decided for the same digit, seen from the
/// singles that the last pass found.
#[inline(always)]
pub(super) fn twins<M: Registers>(m: M, z: &Scratch<M::V>) -> M::V {
    let mut apart = m.splat(!0);
    for house in 0..9 {
        let (top, left) = (house / 3 * 3, house % 3 * 3);
        let (mut row, mut column, mut block) = ([m.splat(0); 2], [m.splat(0); 2], [m.splat(0); 2]);
        for i in 0..9 {
            let places = [
                9 * house + i,
                9 * i + house,
                9 * (top + i / 3) + left + i % 3,
            ];
            for (seen, place) in [&mut row, &mut column, &mut block].into_iter().zip(places) {
                let digit = z.singles[place];
                // Bits of different digits add up as they join; the same bit twice carries.
                *seen = [m.or(seen[0], digit), m.add(seen[1], digit)];
            }
        }
        for seen in [row, column, block] {
            apart = m.and(apart, m.equal(seen[0], seen[1]));
        }
    }
    m.without(m.splat(!0), apart)
}
