//! The lanes: which puzzle each works on, and what is done when one comes to a stop.

use super::pass::{Scratch, pass, twins};
use super::{Answers, Puzzles};
use crate::engine::Statistics;
use crate::engine::nine::simd::{LANES, Lanes, Machine, Task};
use crate::engine::nine::{Values, wide};
use core::ops::ControlFlow;

/// The candidates of one grid, cell by cell, row by row; the last 15 of the 96 are not used.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Rows([u16; 96]);

impl Rows {
    const EMPTY: Rows = Rows([0; 96]);

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

/// The sum of all cells of a solved grid.
const SOLVED: u16 = 9 * 0x1ff;

/// So many lanes stop before they are seen to, unless no more are running: moving grids into and
/// out of the lanes costs nearly the same for one as for all.
const STOPPED: u32 = 4;

/// With fewer lanes than this at work, and no more puzzles, the rest is searched one by one.
const RUNNING: u32 = 7;

/// What a search needs besides its vectors; kept from call to call.
pub(super) struct Work {
    /// Of each lane the states that are left to look at.
    stacks: [Vec<Rows>; LANES],
    /// The same for a search that goes on by itself.
    wide: Vec<wide::State>,
}

impl Work {
    pub(super) fn new() -> Self {
        Work {
            stacks: Default::default(),
            wide: Vec::new(),
        }
    }
}

/// Solves puzzles in lanes, as a task for a machine.
pub(super) struct Run<'a, 'b> {
    pub(super) puzzles: Puzzles<'a>,
    pub(super) answers: &'a mut Answers<'b>,
    pub(super) limit: u64,
    pub(super) work: &'a mut Work,
}

/// Each bit is a lane.
type LaneSet = u32;

/// The first lane of a set that is not empty.
fn first(set: LaneSet) -> usize {
    set.trailing_zeros() as usize
}

impl Task for Run<'_, '_> {
    type Output = Statistics;

    #[inline(always)]
    fn run<M: Machine>(self, m: M) -> Statistics {
        let Run {
            puzzles,
            answers,
            limit,
            work,
        } = self;
        let alphabet = puzzles.alphabet();
        let mut statistics = Statistics::default();
        let mut cells = [m.splat(0); 81];
        let mut scratch = Scratch::new(m.splat(0));
        let mut grids = [Rows::EMPTY; LANES];
        // Of each lane the puzzle, and how many solutions it has shown so far.
        let mut puzzle_of = [0; LANES];
        let mut found = [0u64; LANES];
        let mut next = 0;

        // Every lane begins by taking a puzzle, as it does after the last one.
        let mut running: LaneSet = 0;
        let mut fresh: LaneSet = 0;
        let mut before = m.splat(0);
        for lane in 0..LANES.min(puzzles.len()) {
            grids[lane] = read(m, puzzles.get(lane), alphabet);
            puzzle_of[lane] = lane;
            work.stacks[lane].clear();
            running |= 1 << lane;
            next += 1;
        }
        fresh |= running;
        statistics.nodes += u64::from(running.count_ones());
        move_in(m, &grids, &mut cells);

        loop {
            let standing = pass(m, &mut cells, &mut scratch);
            let mut dead = standing.dead;
            if fresh != 0 {
                let wrong = LaneSet::from(m.top_bits(twins(m, &scratch))) & fresh;
                if wrong != 0 {
                    // Contradictory givens are not searched.
                    statistics.nodes -= u64::from(wrong.count_ones());
                    dead = m.or(dead, lane_mask(m, wrong));
                }
                fresh = 0;
            }
            let solved = m.equal(standing.sum, m.splat(SOLVED));
            let still = m.and(
                m.equal(before, standing.sum),
                m.equal(standing.sum, standing.after),
            );
            let still = m.or(solved, still);
            before = standing.after;
            let stopped = LaneSet::from(m.top_bits(m.or(dead, still))) & running;
            if stopped == 0 {
                continue;
            }
            let dead = LaneSet::from(m.top_bits(dead));
            let solved = LaneSet::from(m.top_bits(solved)) & !dead;
            if stopped.count_ones() < STOPPED && stopped != running && dead & stopped == 0 {
                continue;
            }

            move_out(m, &cells, &mut grids);
            let mut left = stopped;
            while left != 0 {
                let lane = first(left);
                left &= left - 1;
                let bit = 1 << lane;
                let stack = &mut work.stacks[lane];
                if (dead | solved) & bit == 0 {
                    statistics.guesses += 1;
                    statistics.nodes += 1;
                    let other = guess(m, &mut grids[lane]);
                    stack.push(other);
                    continue;
                }
                if solved & bit != 0 {
                    if found[lane] == 0 {
                        let answer = answers.solution(puzzle_of[lane]);
                        write(m, &grids[lane], alphabet, answer);
                    }
                    found[lane] += 1;
                    if found[lane] >= limit {
                        stack.clear();
                    }
                }
                if let Some(state) = stack.pop() {
                    statistics.nodes += 1;
                    grids[lane] = state;
                    continue;
                }
                answers.finish(puzzle_of[lane], found[lane]);
                if next < puzzles.len() {
                    statistics.nodes += 1;
                    grids[lane] = read(m, puzzles.get(next), alphabet);
                    puzzle_of[lane] = next;
                    found[lane] = 0;
                    next += 1;
                    fresh |= bit;
                } else {
                    running &= !bit;
                }
            }
            // A lane with a new state is not to be taken for one that stands still.
            before = m.without(before, lane_mask(m, stopped));
            if next == puzzles.len() && running.count_ones() < RUNNING {
                break;
            }
            move_in(m, &grids, &mut cells);
        }

        // A fresh lane's puzzle has not been looked at: it starts anew.
        while running != 0 {
            let lane = first(running);
            running &= running - 1;
            let (puzzle, mut found) = (puzzle_of[lane], found[lane]);
            work.wide.clear();
            statistics.nodes -= 1; // the search counts the state that it begins with
            if fresh >> lane & 1 != 0 {
                grids[lane] = read(m, puzzles.get(puzzle), alphabet);
                if wide::has_twins(m, &wide::gather(m, &grids[lane].0)) {
                    answers.finish(puzzle, 0);
                    continue;
                }
            }
            for state in &work.stacks[lane] {
                work.wide.push(wide::store(m, &wide::gather(m, &state.0)));
            }
            work.stacks[lane].clear();
            let mut visit = |solution: &Values| {
                if found == 0 {
                    *answers.solution(puzzle) = puzzles.write(solution);
                }
                found += 1;
                if found < limit {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            };
            let state = wide::gather(m, &grids[lane].0);
            wide::search(m, state, &mut work.wide, &mut visit, &mut statistics);
            answers.finish(puzzle, found);
        }
        statistics
    }
}

/// `!0` in the lanes of a set.
#[inline(always)]
fn lane_mask<M: Machine>(m: M, set: LaneSet) -> M::V {
    const BITS: Lanes = {
        let mut bits = [0; LANES];
        let mut lane = 0;
        while lane < LANES {
            bits[lane] = 1 << lane;
            lane += 1;
        }
        Lanes(bits)
    };
    let bits = m.load(&BITS.0);
    m.equal(m.and(m.splat(set as u16), bits), bits)
}

/// The grids of all lanes, side by side.
#[inline(always)]
fn move_out<M: Machine>(m: M, cells: &[M::V; 81], grids: &mut [Rows; LANES]) {
    for part in 0..5 {
        let mut square = [m.splat(0); LANES];
        square.copy_from_slice(&cells[16 * part..16 * part + 16]);
        let square = m.transpose(square);
        for lane in 0..LANES {
            grids[lane].set_part(part, &m.store(square[lane]));
        }
    }
    let last = m.store(cells[80]);
    for lane in 0..LANES {
        grids[lane].0[80] = last.0[lane];
    }
}

/// The inverse of [`move_out`].
#[inline(always)]
fn move_in<M: Machine>(m: M, grids: &[Rows; LANES], cells: &mut [M::V; 81]) {
    for part in 0..5 {
        let mut square = [m.splat(0); LANES];
        for lane in 0..LANES {
            square[lane] = m.load(grids[lane].part(part));
        }
        cells[16 * part..16 * part + 16].copy_from_slice(&m.transpose(square));
    }
    let mut last = Lanes([0; LANES]);
    for lane in 0..LANES {
        last.0[lane] = grids[lane].0[80];
    }
    cells[80] = m.load(&last.0);
}

/// The candidates of a puzzle before any rule is applied.
#[inline(always)]
fn read<M: Machine>(m: M, puzzle: &[u8; 81], [empty, zero]: [u8; 2]) -> Rows {
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
fn write<M: Machine>(m: M, rows: &Rows, [_, zero]: [u8; 2], solution: &mut Values) {
    for part in 0..5 {
        let digits = m.digits(m.load(rows.part(part)));
        for (byte, digit) in solution[16 * part..16 * part + 16].iter_mut().zip(digits) {
            *byte = digit.wrapping_add(zero);
        }
    }
    solution[80] = (rows.0[80].trailing_zeros() as u8 + 1).wrapping_add(zero);
}

/// Guesses as [`wide`] does: the grid keeps the guessed digit, the one handed back the others.
#[inline(always)]
fn guess<M: Machine>(m: M, rows: &mut Rows) -> Rows {
    let cell = wide::CELL[wide::choose(m, &wide::gather(m, &rows.0))] as usize;
    let mut other = *rows;
    let candidates = rows.0[cell];
    let low = candidates & candidates.wrapping_neg();
    rows.0[cell] = low;
    other.0[cell] = candidates & !low;
    other
}
