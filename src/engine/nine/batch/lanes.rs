//! The lanes: assigns puzzles to lanes, and handles lanes in which a pass changes nothing more.

use super::pass::{Scratch, pass, twins};
use super::transfer::{MAX_LANES, Rows, move_in, move_out, read, write};
use super::{Answers, Puzzles};
use crate::engine::nine::branching::{chosen, score};
use crate::engine::nine::known::{MIN_SUM, Plan};
use crate::engine::nine::simd::{LANES, Machine, Registers, Task};
use crate::engine::nine::{layout, rules, wide};
use crate::engine::{Mask, Statistics, stop_if};
use crate::grid::Grid;

/// The minimum number of stopped lanes that are handled together, unless no lane is running: moving
/// grids into and out of the lanes costs nearly the same for one as for all.
const MIN_STOPPED: u32 = 4;

/// If fewer lanes than this are running and no puzzles are left, their grids are searched one by one.
const MIN_RUNNING: u32 = 7;

/// The memory of a search besides its vectors; kept from call to call.
pub(super) struct Work {
    /// The stack of unexplored states of each lane.
    stacks: [Vec<Rows>; MAX_LANES],
    /// The progress of each lane's puzzle.
    plans: Vec<Plan<Rows>>,
    /// The stack of a search outside the lanes.
    wide: Vec<layout::State>,
    wide_plan: Plan<layout::State>,
}

impl Work {
    pub(super) fn new() -> Self {
        Work {
            stacks: Default::default(),
            plans: (0..MAX_LANES).map(|_| Plan::new()).collect(),
            wide_plan: Plan::new(),
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
        let b = m.broad();
        let lanes = LANES * M::Broad::GROUPS;
        let mut cells = [b.splat(0); 81];
        let mut scratch = Scratch::new(b.splat(0));
        let mut grids = [Rows::EMPTY; MAX_LANES];
        // The puzzle of each lane, and the number of its solutions found so far.
        let mut puzzle_of = [0; MAX_LANES];
        let mut found = [0u64; MAX_LANES];
        let mut next = 0;

        // Every lane begins with a puzzle, and takes the next one when it is finished.
        let mut running: LaneSet = 0;
        let mut fresh: LaneSet = 0;
        // The lanes whose puzzle was never open, and those whose plan has begun: that of another lane
        // is not looked at.
        let mut unopened: LaneSet = 0;
        let mut planned: LaneSet = 0;
        let large = b.splat(MIN_SUM);
        let mut before = b.splat(0);
        for lane in 0..lanes.min(puzzles.len()) {
            grids[lane] = read(m, puzzles.get(lane), alphabet);
            puzzle_of[lane] = lane;
            work.stacks[lane].clear();
            running |= 1 << lane;
            next += 1;
        }
        fresh |= running;
        unopened |= running;
        statistics.nodes += u64::from(running.count_ones());
        for group in 0..M::Broad::GROUPS {
            move_in(m, &grids, b.groups(&mut cells), group);
        }

        let seen = loop {
            let standing = pass(b, &mut cells, &mut scratch);
            let mut dead = standing.dead;
            if fresh != 0 {
                let wrong = b.top_bits(twins(b, &scratch)) & fresh;
                if wrong != 0 {
                    // Contradictory givens are not searched.
                    statistics.nodes -= u64::from(wrong.count_ones());
                    dead = b.or(dead, b.mask(wrong));
                }
                fresh = 0;
            }
            let still = b.equal(before, standing.sum);
            before = standing.sum;
            let still = b.or(standing.solved, still);
            let stopped = b.top_bits(b.or(dead, still)) & running;
            if stopped == 0 {
                continue;
            }
            let dead = b.top_bits(dead);
            let solved = b.top_bits(standing.solved) & !dead;
            let mut seen: LaneSet = 0;
            for group in 0..M::Broad::GROUPS {
                let all = (0xffff << (LANES * group)) & running;
                let stopped = stopped & all;
                if stopped != 0
                    && (stopped.count_ones() >= MIN_STOPPED
                        || stopped == all
                        || dead & stopped != 0)
                {
                    seen |= all;
                    move_out(m, b.groups(&mut cells), &mut grids, group);
                }
            }
            let stopped = stopped & seen;
            if stopped == 0 {
                continue;
            }
            let mut open = stopped & !dead & !solved;
            let is_large = b.top_bits(b.equal(b.min(standing.sum, large), large));
            let begun = open & unopened & is_large;
            unopened &= !open;
            if (begun | open & planned) != 0 {
                let mut sums = [standing.sum];
                let sums = b.groups(&mut sums);
                for lane in (begun | open & planned).members() {
                    let sum = u32::from(sums[lane / LANES].0[lane % LANES]);
                    let (plan, stack) = (&mut work.plans[lane], &mut work.stacks[lane]);
                    if begun >> lane & 1 != 0 {
                        plan.restart();
                    }
                    if let Some(grid) = plan.open(sum, || grids[lane], stack) {
                        grids[lane] = grid;
                        statistics.guesses += 1;
                        statistics.nodes += 1;
                        open &= !(1 << lane);
                    }
                    if !plan.is_simple() {
                        planned |= 1 << lane;
                    }
                }
            }
            let mut open = open.members();
            let mut guess = |lane: usize, grid: &mut Rows, cell| {
                statistics.guesses += 1;
                statistics.nodes += 1;
                work.stacks[lane].push(grid.guess(cell));
            };
            while let Some(first) = open.next() {
                if M::Broad::GROUPS == 2
                    && let Some(second) = open.next()
                {
                    let cells = choose_two(m, &grids[first], &grids[second]);
                    guess(first, &mut grids[first], cells[0]);
                    guess(second, &mut grids[second], cells[1]);
                } else {
                    let cell = choose(m, &grids[first]);
                    guess(first, &mut grids[first], cell);
                }
            }
            for lane in (stopped & solved).members() {
                if planned >> lane & 1 != 0
                    && !work.plans[lane].is_new(|| grids[lane], &mut work.stacks[lane])
                {
                    continue;
                }
                if let Some(place) = answers.solution(puzzle_of[lane], found[lane]) {
                    write(m, &grids[lane], alphabet, place);
                }
                found[lane] += 1;
                if found[lane] >= limit {
                    work.stacks[lane].clear();
                    planned &= !(1 << lane);
                }
            }
            for lane in (stopped & (dead | solved)).members() {
                let stack = &mut work.stacks[lane];
                let popped = if planned >> lane & 1 == 0 {
                    stack.pop().map(|state| grids[lane] = state)
                } else {
                    let plan = &mut work.plans[lane];
                    plan.pop(stack).map(|state| grids[lane] = state)
                };
                if popped.is_some() {
                    statistics.nodes += 1;
                    continue;
                }
                answers.finish(puzzle_of[lane], found[lane]);
                planned &= !(1 << lane);
                if next < puzzles.len() {
                    statistics.nodes += 1;
                    grids[lane] = read(m, puzzles.get(next), alphabet);
                    puzzle_of[lane] = next;
                    unopened |= 1 << lane;
                    found[lane] = 0;
                    next += 1;
                    fresh |= 1 << lane;
                } else {
                    running &= !(1 << lane);
                }
            }
            // A lane with a new state must not count as unchanged.
            before = b.without(before, b.mask(stopped));
            if next == puzzles.len() && running.count_ones() < MIN_RUNNING {
                break seen;
            }
            for group in 0..M::Broad::GROUPS {
                if seen >> (LANES * group) & 0xffff != 0 {
                    move_in(m, &grids, b.groups(&mut cells), group);
                }
            }
        };
        for group in 0..M::Broad::GROUPS {
            if seen >> (LANES * group) & 0xffff == 0 {
                move_out(m, b.groups(&mut cells), &mut grids, group);
            }
        }

        // The puzzle of a fresh lane has not been examined: it starts from the beginning.
        for lane in running.members() {
            let (puzzle, mut found) = (puzzle_of[lane], found[lane]);
            work.wide.clear();
            statistics.nodes -= 1; // the search counts the state that it begins with
            if fresh >> lane & 1 != 0 {
                grids[lane] = read(m, puzzles.get(puzzle), alphabet);
                if rules::has_twins(m, &wide::gather(m, &grids[lane].0)) {
                    answers.finish(puzzle, 0);
                    continue;
                }
            }
            let convert = |rows: &Rows| wide::store(m, &wide::gather(m, &rows.0));
            for state in &work.stacks[lane] {
                work.wide.push(convert(state));
            }
            work.stacks[lane].clear();
            if planned >> lane & 1 != 0 {
                work.plans[lane].copy_to(&mut work.wide_plan, convert);
            } else if unopened >> lane & 1 != 0 {
                work.wide_plan.restart();
            } else {
                work.wide_plan.give_up();
            }
            let mut visit = |solution: &Grid<9>| {
                if let Some(place) = answers.solution(puzzle, found) {
                    *place = puzzles.write(solution);
                }
                found += 1;
                stop_if(found >= limit)
            };
            let state = wide::gather(m, &grids[lane].0);
            wide::search(
                m,
                state,
                &mut work.wide,
                &mut work.wide_plan,
                &mut visit,
                &mut statistics,
            );
            answers.finish(puzzle, found);
        }
        statistics
    }
}

/// The cell that [`wide`] would guess in.
#[inline(always)]
fn choose<M: Machine>(m: M, grid: &Rows) -> usize {
    let state = wide::gather(m, &grid.0);
    let best = m.largest(score(m, &state));
    layout::CELL[chosen(best, || wide::store(m, &state))] as usize
}

/// The same for two grids at once, where the machine has registers for two.
#[inline(always)]
fn choose_two<M: Machine>(m: M, first: &Rows, second: &Rows) -> [usize; 2] {
    let b = m.broad();
    let states = [wide::gather(m, &first.0), wide::gather(m, &second.0)];
    let mut both = [b.splat(0); 9];
    for i in 0..9 {
        both[i] = m.join(states[0][i], states[1][i]);
    }
    let mut scores = [score(b, &both)];
    let mut cells = [0; 2];
    for (i, score) in b.groups(&mut scores).iter().enumerate() {
        let best = m.largest(m.load(&score.0));
        cells[i] = layout::CELL[chosen(best, || wide::store(m, &states[i]))] as usize;
    }
    cells
}
