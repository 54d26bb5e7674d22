//! Chooses the cell to guess in, for one grid or two at once.

use super::layout::{PLACE, State};
use super::simd::{LANES, Lanes, Registers};

/// A score for each lane of the cells of open grids (see [`State`]); [`chosen`] picks the cell to
/// guess in.
///
/// The cell is one of two candidates, the one whose digits occur in most cells that it sees, where
/// a cell of two, three or four candidates counts 4, 2 or 1: any guess decides or nearly decides
/// those cells.
#[inline(always)]
pub(super) fn score<R: Registers>(r: R, cells: &[R::V; 9]) -> R::V {
    let (zero, ones) = (r.splat(0), r.splat(!0));
    let mut pairs = [zero; 9];
    let mut weights = [zero; 9];
    for i in 0..9 {
        let rest1 = r.and(cells[i], r.add(cells[i], ones));
        let rest2 = r.and(rest1, r.add(rest1, ones));
        let rest3 = r.and(rest2, r.add(rest2, ones));
        let rest4 = r.and(rest3, r.add(rest3, ones));
        // 0 where there is no further candidate, else 1.
        let [more1, more2, more3, more4] =
            [rest1, rest2, rest3, rest4].map(|rest| r.min(rest, r.splat(1)));
        pairs[i] = r.sub(more1, more2);
        // Decided cells weigh 4 too, but no cell that they see has their digit, so their weight is
        // never used.
        let less = r.add(r.add(more2, more2), r.add(more3, more4));
        weights[i] = r.sub(r.splat(4), less);
    }
    let mut sums = [[zero; 2]; 9];
    add_sums::<R, 0>(r, cells, &weights, &mut sums);
    add_sums::<R, 3>(r, cells, &weights, &mut sums);
    add_sums::<R, 6>(r, cells, &weights, &mut sums);
    let mut best = zero;
    for i in 0..9 {
        let [outer, middle] = sums[i];
        let first = r.and(outer, r.splat((1 << 10) - 1));
        let last = r.shift_right::<10>(outer);
        let score = r.add(r.add(first, last), r.shift_right::<5>(middle));
        // The number of the lane, from the end, makes every score different from every other.
        let tie = r.sub(r.splat(255), r.repeat(&PLACES[i]));
        let score = r.add(r.shift_left::<8>(score), tie);
        best = r.max(best, r.multiply(pairs[i], score));
    }
    best
}

/// Adds, to the sums of every cell, the weights of the cells that it sees that have a candidate in
/// common with it, for each of the three digits from `FIRST` on.
///
/// A lane has a field of five bits for each of the digits. An overflow corrupts the adjacent
/// field; that makes a guess worse, never wrong. In the sums the middle field is alone and the
/// outer ones have a gap between them, so that the sums of a cell of two digits fit.
#[inline(always)]
fn add_sums<R: Registers, const FIRST: i32>(
    r: R,
    cells: &[R::V; 9],
    weights: &[R::V; 9],
    sums: &mut [[R::V; 2]; 9],
) {
    let zero = r.splat(0);
    let fields = r.splat(1 | 1 << 5 | 1 << 10);
    let mut has = [zero; 9];
    let mut w = [zero; 9];
    // The sums over the rows of a box in one column.
    let mut columns = [zero; 9];
    for i in 0..9 {
        let digits = r.and(r.shift_right::<FIRST>(cells[i]), r.splat(7));
        has[i] = r.and(r.multiply(digits, r.splat(1 | 1 << 4 | 1 << 8)), fields);
        w[i] = r.multiply(has[i], weights[i]);
        columns[i] = r.add(w[i], r.add(r.next_row(w[i]), r.last_row(w[i])));
    }
    for b in 0..3 {
        let mini = r.add(r.add(w[3 * b], w[3 * b + 1]), w[3 * b + 2]);
        let row = r.add(r.next_stack(mini), r.last_stack(mini));
        let block = r.add(
            r.add(columns[3 * b], columns[3 * b + 1]),
            columns[3 * b + 2],
        );
        let lines = r.add(row, block);
        for k in 0..3 {
            let i = 3 * b + k;
            let column = r.add(columns[(i + 3) % 9], columns[(i + 6) % 9]);
            let own = r.multiply(has[i], r.splat(31));
            let seen = r.and(r.add(lines, column), own);
            let [outer, middle] = sums[i];
            sums[i] = [
                r.add(outer, r.and(seen, r.splat(31 | 31 << 10))),
                r.add(middle, r.and(seen, r.splat(31 << 5))),
            ];
        }
    }
}

/// The number of the lane that a guess is to be made in: of the largest `score`, or, where it is 0
/// since there is no cell of two candidates, of the first smallest cell.
#[inline(always)]
pub(super) fn chosen(score: u16, state: impl FnOnce() -> State) -> usize {
    match score {
        0 => smallest(&state()),
        score => 255 - (score & 255) as usize,
    }
}

/// The number of every lane of the state.
pub(super) const PLACES: State = {
    let mut numbers = [Lanes([0; LANES]); 9];
    let mut place = 0;
    while place < 9 * LANES {
        numbers[place / LANES].0[place % LANES] = place as u16;
        place += 1;
    }
    numbers
};

/// The number of the lane of the first cell with the fewest candidates above one.
#[inline(never)]
fn smallest(state: &State) -> usize {
    let (mut best, mut size) = (0, u32::MAX);
    for &place in &PLACE {
        let place = place as usize;
        let candidates = state[place / LANES].0[place % LANES].count_ones();
        if candidates > 1 && candidates < size {
            best = place;
            size = candidates;
        }
    }
    best
}
