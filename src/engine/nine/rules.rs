//! The rules, applied to one grid in nine vectors.

use super::layout::Vectors;
use super::simd::{Machine, Registers, USED};

/// All nine candidates.
const ALL: u16 = 0x1ff;

/// The sum of all cells of a solved grid: every row holds every digit's bit once.
const SOLVED: u32 = 9 * ALL as u32;

/// The status of a state that no rule changes any more.
pub(super) enum Outcome {
    /// Some cell has no candidate, or some digit no place in a house.
    Dead,
    /// Every cell has one candidate and no rule is broken.
    Solved,
    /// A guess is needed. Contains the sum of the sets of candidates of all cells.
    Open(u32),
}

/// The digits of the cells that have one candidate, nothing in the others.
#[inline(always)]
fn singles<M: Machine>(m: M, c: &Vectors<M>) -> Vectors<M> {
    let ones = m.splat(!0);
    let mut s = [ones; 9];
    for i in 0..9 {
        s[i] = m.if_apart(c[i], m.add(c[i], ones));
    }
    s
}

/// Whether two cells of a house are decided for the same digit.
#[inline(always)]
pub(super) fn has_twins<M: Machine>(m: M, c: &Vectors<M>) -> bool {
    let s = singles(m, c);
    let mut twins = m.splat(0);
    for i in 0..3 {
        let (o, t) = once_twice(m, [s[3 * i], s[3 * i + 1], s[3 * i + 2]]);
        let (_, row) = once_twice(m, [o, m.next_stack(o), m.last_stack(o)]);
        let (_, block) = once_twice(m, [o, m.next_row(o), m.last_row(o)]);
        twins = m.or(m.or3(twins, t, row), block);
        let (o, t) = once_twice(m, [s[i], s[3 + i], s[6 + i]]);
        let (_, column) = once_twice(m, [o, m.next_row(o), m.last_row(o)]);
        twins = m.or3(twins, t, column);
    }
    !m.is_zero(twins)
}

/// The bits that are in at least one of three vectors, and those in at least two.
#[inline(always)]
pub(super) fn once_twice<M: Registers>(m: M, [a, b, c]: [M::V; 3]) -> (M::V, M::V) {
    (m.or3(a, b, c), m.majority(a, b, c))
}

/// Applies the rules until none of them changes the state.
#[inline(always)]
pub(super) fn settle<M: Machine>(m: M, cells: &mut Vectors<M>) -> Outcome {
    let zero = m.splat(0);
    let ones = m.splat(!0);
    let used = m.load(&USED.0);
    let mut before = 0;
    loop {
        let mut c = *cells;
        // The digits of cells with one candidate leave the other cells of their houses.
        let s = singles(m, &c);
        let mut sum = zero;
        let mut least = ones;
        let mut lines = [zero; 3];
        for b in 0..3 {
            let mini = m.or3(s[3 * b], s[3 * b + 1], s[3 * b + 2]);
            let row = m.or(m.next_stack(mini), m.last_stack(mini));
            let block = m.or(m.next_row(mini), m.last_row(mini));
            lines[b] = m.or3(mini, row, block);
        }
        for k in 0..3 {
            let mini = m.or3(s[k], s[3 + k], s[6 + k]);
            let column = m.or3(mini, m.next_row(mini), m.last_row(mini));
            for b in 0..3 {
                let gone = m.or(lines[b], column);
                let left = m.or(m.without(c[3 * b + k], gone), s[3 * b + k]);
                sum = m.add(sum, left);
                least = m.min(least, left);
                c[3 * b + k] = left;
            }
        }

        // Digits with one place in a house, and digits that a box and a line lock.
        let mut everywhere = ones;
        let mut hidden = [zero; 3];
        let mut locked = [zero; 3];
        for b in 0..3 {
            let (o, t) = once_twice(m, [c[3 * b], c[3 * b + 1], c[3 * b + 2]]);
            let (o1, o2) = (m.next_stack(o), m.last_stack(o));
            let (once, twice) = once_twice(m, [o, o1, o2]);
            let twice = m.or3(twice, t, m.or(m.next_stack(t), m.last_stack(t)));
            let row = m.without(once, twice);
            let claimed = m.without(o, m.or(o1, o2));
            everywhere = m.and(everywhere, once);
            let (o1, o2) = (m.next_row(o), m.last_row(o));
            let (once, twice) = once_twice(m, [o, o1, o2]);
            let twice = m.or3(twice, t, m.or(m.next_row(t), m.last_row(t)));
            let block = m.without(once, twice);
            let pointed = m.without(o, m.or(o1, o2));
            everywhere = m.and(everywhere, once);
            hidden[b] = m.or(row, block);
            locked[b] = m.or(
                m.or(m.next_row(claimed), m.last_row(claimed)),
                m.or(m.next_stack(pointed), m.last_stack(pointed)),
            );
        }
        // The same for columns, where the three cells of a box lie in one vector.
        let mut o = [zero; 9];
        let mut hidden_columns = [zero; 3];
        let mut claimed = [zero; 9];
        for k in 0..3 {
            let mut t = [zero; 3];
            for b in 0..3 {
                let x = c[3 * b + k];
                (o[3 * b + k], t[b]) = once_twice(m, [x, m.next_row(x), m.last_row(x)]);
            }
            let (once, twice) = once_twice(m, [o[k], o[3 + k], o[6 + k]]);
            let twice = m.or(twice, m.or3(t[0], t[1], t[2]));
            hidden_columns[k] = m.without(once, twice);
            everywhere = m.and(everywhere, once);
            claimed[k] = m.without(o[k], m.or(o[3 + k], o[6 + k]));
            claimed[3 + k] = m.without(o[3 + k], m.or(o[k], o[6 + k]));
            claimed[6 + k] = m.without(o[6 + k], m.or(o[k], o[3 + k]));
        }
        let mut pointed = [zero; 9];
        for b in 0..3 {
            for k in 0..3 {
                let others = m.or(o[3 * b + (k + 1) % 3], o[3 * b + (k + 2) % 3]);
                pointed[3 * b + k] = m.without(o[3 * b + k], others);
            }
        }

        let missing = m.without(m.splat(ALL), everywhere);
        let dead = m.or(missing, m.equal(least, zero));
        if !m.is_zero(m.and(dead, used)) {
            return Outcome::Dead;
        }
        // Where every house has every digit and the sum is the least that this allows, each has
        // every digit once.
        // Candidates only ever go, so the sum falls when any cell changes.
        let sum = m.total(sum);
        if sum == before || sum == SOLVED {
            *cells = c;
            return if sum == SOLVED {
                Outcome::Solved
            } else {
                Outcome::Open(sum)
            };
        }
        before = sum;

        for b in 0..3 {
            for k in 0..3 {
                let column = m.or(
                    m.or(pointed[(3 * b + 3 + k) % 9], pointed[(3 * b + 6 + k) % 9]),
                    m.or(claimed[3 * b + (k + 1) % 3], claimed[3 * b + (k + 2) % 3]),
                );
                let left = m.without(c[3 * b + k], m.or(locked[b], column));
                c[3 * b + k] = m.narrow(left, m.or(hidden[b], hidden_columns[k]));
            }
        }
        *cells = c;
    }
}
