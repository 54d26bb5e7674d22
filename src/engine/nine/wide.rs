//! One grid in nine vectors: every rule applied to all 81 cells at once.

use super::branching::{PLACES, chosen, score};
use super::known::{Cells, Plan, ones};
use super::simd::{LANES, Lanes, Machine, Processor, Registers, Task, USED};
use super::{NineEngine, Values, ValuesVisitor};
use crate::engine::Statistics;

/// Applies naked singles, hidden singles and locked candidates to the whole grid at once, in nine
/// vectors of sixteen cells, and guesses in a cell of two candidates.
///
/// The fastest engine for one 9x9 puzzle at a time. It runs in AVX2 registers where the processor
/// has them; elsewhere it gives the same results, but [`Bands`](super::Bands) is faster.
///
/// Source: this project's own; boxes as 4x4 squares of 16-bit sets in vectors are known from tdoku.
#[derive(Clone, Debug)]
pub struct Wide {
    processor: Processor,
    stack: Vec<State>,
    plan: Plan<State>,
}

impl Default for Wide {
    fn default() -> Self {
        Self::new()
    }
}

impl Wide {
    /// The engine, in the widest registers that this processor has.
    pub fn new() -> Self {
        Self::on(Processor::detect())
    }

    /// The engine on the given processor.
    pub fn on(processor: Processor) -> Self {
        Wide {
            processor,
            stack: Vec::with_capacity(16),
            plan: Plan::new(),
        }
    }
}

impl NineEngine for Wide {
    fn search_values(&mut self, puzzle: &Values, visit: &mut ValuesVisitor<'_>) -> Statistics {
        self.processor.run(Search {
            puzzle,
            stack: &mut self.stack,
            plan: &mut self.plan,
            visit,
        })
    }
}

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

/// All nine candidates.
const ALL: u16 = 0x1ff;

/// The sum of all cells of a solved grid: every row holds every digit's bit once.
const SOLVED: u32 = 9 * ALL as u32;

/// How a state stands after no rule changes it any more.
enum Outcome {
    /// Some cell has no candidate, or some digit no place in a house.
    Dead,
    /// Every cell has one candidate and no rule is broken.
    Solved,
    /// A guess is needed. The sum of all cells.
    Open(u32),
}

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

/// The state of a puzzle before any rule is applied.
#[inline(always)]
fn read<M: Machine>(m: M, puzzle: &Values) -> Vectors<M> {
    let mut values = [0; 96];
    values[..81].copy_from_slice(puzzle);
    let mut cells = [0; 96];
    for (cells, values) in cells
        .chunks_exact_mut(LANES)
        .zip(values.chunks_exact(LANES))
    {
        let mut part = [0; LANES];
        part.copy_from_slice(values);
        cells.copy_from_slice(&m.store(m.candidates(&part)).0);
    }
    gather(m, &cells)
}

/// The state with these candidates, cell by cell, row by row; the last 15 are not used.
#[inline(always)]
pub(super) fn gather<M: Machine>(m: M, cells: &[u16; 96]) -> Vectors<M> {
    let mut vectors = [m.splat(0); 9];
    for band in 0..3 {
        match cells[27 * band..].first_chunk() {
            Some(cells) => vectors[3 * band..3 * band + 3].copy_from_slice(&m.spread(cells)),
            None => unreachable!("a band ends before the cells do"),
        }
    }
    vectors
}

/// The values of a state in which every cell has one candidate.
#[inline(always)]
fn write<M: Machine>(m: M, state: &Vectors<M>) -> Values {
    let mut digits = [0; 9 * LANES];
    for (digits, &vector) in digits.chunks_exact_mut(LANES).zip(state) {
        digits.copy_from_slice(&m.digits(vector));
    }
    let mut values = [0; 81];
    for cell in 0..81 {
        values[cell] = digits[PLACE[cell] as usize];
    }
    values
}

/// The search, as a task for a machine.
struct Search<'a, 'v> {
    puzzle: &'a Values,
    /// The states that are left to look at.
    stack: &'a mut Vec<State>,
    plan: &'a mut Plan<State>,
    visit: &'a mut ValuesVisitor<'v>,
}

impl Task for Search<'_, '_> {
    type Output = Statistics;

    #[inline(always)]
    fn run<M: Machine>(self, m: M) -> Statistics {
        let mut statistics = Statistics::default();
        let state = read(m, self.puzzle);
        if has_twins(m, &state) {
            return statistics;
        }
        self.stack.clear();
        self.plan.restart();
        search(m, state, self.stack, self.plan, self.visit, &mut statistics);
        statistics
    }
}

/// Searches below `state`, then below the states of `stack`, the last first, then what `plan` has left.
#[inline(always)]
pub(super) fn search<M: Machine>(
    m: M,
    mut state: Vectors<M>,
    stack: &mut Vec<State>,
    plan: &mut Plan<State>,
    visit: &mut ValuesVisitor<'_>,
    statistics: &mut Statistics,
) {
    loop {
        statistics.nodes += 1;
        match settle(m, &mut state) {
            Outcome::Open(sum) => {
                statistics.guesses += 1;
                if let Some(next) = plan.open(sum, || store(m, &state), stack) {
                    state = load(m, &next);
                    continue;
                }
                let other = guess(m, &mut state);
                stack.push(store(m, &other));
                continue;
            }
            Outcome::Solved => {
                if plan.is_new(|| store(m, &state), stack) && visit(&write(m, &state)).is_break() {
                    return;
                }
            }
            Outcome::Dead => {}
        }
        // Two loads: a state on the stack is not copied first.
        if plan.is_simple() {
            match stack.pop() {
                Some(next) => state = load(m, &next),
                None => return,
            }
        } else {
            match plan.pop(stack) {
                Some(next) => state = load(m, &next),
                None => return,
            }
        }
    }
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
        let (o, t) = once_twice(m, s[3 * i], s[3 * i + 1], s[3 * i + 2]);
        let (_, row) = once_twice(m, o, m.next_stack(o), m.last_stack(o));
        let (_, block) = once_twice(m, o, m.next_row(o), m.last_row(o));
        twins = m.or(m.or3(twins, t, row), block);
        let (o, t) = once_twice(m, s[i], s[3 + i], s[6 + i]);
        let (_, column) = once_twice(m, o, m.next_row(o), m.last_row(o));
        twins = m.or3(twins, t, column);
    }
    !m.is_zero(twins)
}

#[inline(always)]
fn load<M: Machine>(m: M, state: &State) -> Vectors<M> {
    let mut vectors = [m.splat(0); 9];
    for i in 0..9 {
        vectors[i] = m.load(&state[i].0);
    }
    vectors
}

#[inline(always)]
pub(super) fn store<M: Machine>(m: M, vectors: &Vectors<M>) -> State {
    let mut state = [Lanes([0; LANES]); 9];
    for i in 0..9 {
        state[i] = m.store(vectors[i]);
    }
    state
}

/// The bits that are in at least one of three vectors, and those in at least two.
#[inline(always)]
fn once_twice<M: Machine>(m: M, a: M::V, b: M::V, c: M::V) -> (M::V, M::V) {
    (m.or3(a, b, c), m.majority(a, b, c))
}

/// Applies the rules until none of them changes the state.
#[inline(always)]
fn settle<M: Machine>(m: M, cells: &mut Vectors<M>) -> Outcome {
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
            let (o, t) = once_twice(m, c[3 * b], c[3 * b + 1], c[3 * b + 2]);
            let (o1, o2) = (m.next_stack(o), m.last_stack(o));
            let (once, twice) = once_twice(m, o, o1, o2);
            let twice = m.or3(twice, t, m.or(m.next_stack(t), m.last_stack(t)));
            let row = m.without(once, twice);
            let claimed = m.without(o, m.or(o1, o2));
            everywhere = m.and(everywhere, once);
            let (o1, o2) = (m.next_row(o), m.last_row(o));
            let (once, twice) = once_twice(m, o, o1, o2);
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
                (o[3 * b + k], t[b]) = once_twice(m, x, m.next_row(x), m.last_row(x));
            }
            let (once, twice) = once_twice(m, o[k], o[3 + k], o[6 + k]);
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

/// Guesses the lowest digit of a cell: the state keeps it, the state handed back has the others.
#[inline(always)]
fn guess<M: Machine>(m: M, cells: &mut Vectors<M>) -> Vectors<M> {
    let zero = m.splat(0);
    let best = m.largest(score(m, cells));
    let place = m.splat(chosen(best, || store(m, cells)) as u16);
    let mut other = *cells;
    for i in 0..9 {
        let here = m.equal(m.load(&PLACES[i].0), place);
        let low = m.and(m.and(cells[i], m.sub(zero, cells[i])), here);
        other[i] = m.without(cells[i], low);
        cells[i] = m.or(m.without(cells[i], here), low);
    }
    other
}
