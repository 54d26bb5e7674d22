//! One grid in nine vectors: every rule applied to all 81 cells at once.

use super::branching::{PLACES, chosen, score};
use super::known::Plan;
use super::layout::{PLACE, State, Vectors};
use super::rules::{Outcome, has_twins, settle};
use super::simd::{LANES, Lanes, Machine, Processor, Task};
use super::{Bytes, values, values_mut};
use crate::engine::{Checked, Method, Statistics, Visitor};
use crate::grid::Grid;

/// Applies naked singles, hidden singles and locked candidates to the whole grid at once, in nine
/// vectors of sixteen cells, and guesses in a cell of two candidates.
///
/// The fastest engine for one 9x9 puzzle at a time. It runs in AVX2 registers where the processor
/// has them; elsewhere it gives the same results, but [`Bands`](super::Bands) is faster.
///
/// Source: this project; boxes as 4x4 squares of 16-bit sets in vectors are known from tdoku.
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

impl Wide {
    /// Like [`Method::search`]; a puzzle with a value above 9 has no solution.
    pub(super) fn search_values(
        &mut self,
        puzzle: &Bytes,
        visit: &mut Visitor<'_, 9>,
    ) -> Statistics {
        self.processor.run(Search {
            puzzle,
            stack: &mut self.stack,
            plan: &mut self.plan,
            visit,
        })
    }
}

impl Method<9> for Wide {
    fn search(&mut self, puzzle: Checked<'_, 9>, visit: &mut Visitor<'_, 9>) -> Statistics {
        self.search_values(values(puzzle.grid()), visit)
    }

    fn allows(&self, _: &Grid<9>) -> bool {
        true // the search finds the contradiction itself
    }
}

/// The state of a puzzle before any rule is applied.
#[inline(always)]
fn read<M: Machine>(m: M, puzzle: &Bytes) -> Vectors<M> {
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

/// The grid of a state in which every cell has one candidate.
#[inline(always)]
fn write<M: Machine>(m: M, state: &Vectors<M>) -> Grid<9> {
    let mut digits = [0; 9 * LANES];
    for (digits, &vector) in digits.chunks_exact_mut(LANES).zip(state) {
        digits.copy_from_slice(&m.digits(vector));
    }
    let mut grid = Grid::EMPTY;
    let values = values_mut(&mut grid);
    for cell in 0..81 {
        values[cell] = digits[PLACE[cell] as usize];
    }
    grid
}

/// The search, as a task for a machine.
struct Search<'a, 'v> {
    puzzle: &'a Bytes,
    /// The stack of unexplored states.
    stack: &'a mut Vec<State>,
    plan: &'a mut Plan<State>,
    visit: &'a mut Visitor<'v, 9>,
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
    visit: &mut Visitor<'_, 9>,
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

/// Guesses the lowest digit of a cell: the state keeps it, the returned state has the others.
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
