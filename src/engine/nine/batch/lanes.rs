//! The lanes: assigns puzzles to lanes, and handles lanes in which a pass changes nothing more.

use super::pass::{Scratch, pass, twins};
use super::transfer::{MAX_LANES, Rows, move_in, move_out, read, write};
use super::{Answers, Puzzles};
use crate::engine::nine::branching::{chosen, score};
use crate::engine::nine::known::{MIN_SUM, Plan};
use crate::engine::nine::simd::{self, LANES, Machine, Registers, Task};
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
        let mut lanes = LaneStates {
            alphabet: self.puzzles.alphabet(),
            run: self,
            grids: [Rows::EMPTY; MAX_LANES],
            puzzle_of: [0; MAX_LANES],
            found: [0; MAX_LANES],
            next: 0,
            running: 0,
            fresh: 0,
            unopened: 0,
            planned: 0,
            statistics: Statistics::default(),
        };
        lanes.begin(m);
        lanes.run_passes(m);
        lanes.search_rest(m);
        lanes.statistics
    }
}

/// The state of all lanes. Every lane begins with a puzzle, and takes the next one when it is finished.
struct LaneStates<'a, 'b> {
    run: Run<'a, 'b>,
    /// How an empty cell and the digit 0 are written.
    alphabet: [u8; 2],
    /// The grid of each lane, while it is not in the vectors.
    grids: [Rows; MAX_LANES],
    /// The puzzle of each lane.
    puzzle_of: [usize; MAX_LANES],
    /// The number of its solutions found so far.
    found: [u64; MAX_LANES],
    /// The first puzzle that no lane has begun.
    next: usize,
    /// The lanes that have a puzzle.
    running: LaneSet,
    /// The lanes whose puzzle no pass has examined.
    fresh: LaneSet,
    /// The lanes whose puzzle was never open: neither solved nor contradictory when a pass changed nothing more.
    unopened: LaneSet,
    /// The lanes whose plan has begun. The other plans belong to earlier puzzles.
    planned: LaneSet,
    statistics: Statistics,
}

impl LaneStates<'_, '_> {
    #[inline(always)]
    fn begin<M: Machine>(&mut self, m: M) {
        let lanes = LANES * M::Broad::GROUPS;
        for lane in 0..lanes.min(self.run.puzzles.len()) {
            self.run.work.stacks[lane].clear();
            self.load_next(m, lane);
            self.running |= 1 << lane;
        }
    }

    /// Gives a lane the next puzzle.
    #[inline(always)]
    fn load_next<M: Machine>(&mut self, m: M, lane: usize) {
        self.grids[lane] = read(m, self.run.puzzles.get(self.next), self.alphabet);
        self.puzzle_of[lane] = self.next;
        self.found[lane] = 0;
        self.next += 1;
        self.fresh |= 1 << lane;
        self.unopened |= 1 << lane;
        self.statistics.nodes += 1;
    }

    /// Runs passes over all lanes, until so few run that the rest is searched faster one by one.
    #[inline(always)]
    fn run_passes<M: Machine>(&mut self, m: M) {
        let b = m.broad();
        let mut cells = [b.splat(0); 81];
        for group in 0..M::Broad::GROUPS {
            move_in(m, &self.grids, b.groups(&mut cells), group);
        }
        let mut scratch = Scratch::new(b.splat(0));
        let large = b.splat(MIN_SUM);
        let mut before = b.splat(0);
        loop {
            let standing = pass(b, &mut cells, &mut scratch);
            let mut dead = standing.dead;
            if self.fresh != 0 {
                let wrong = b.top_bits(twins(b, &scratch)) & self.fresh;
                if wrong != 0 {
                    // Contradictory givens are not searched.
                    self.statistics.nodes -= u64::from(wrong.count_ones());
                    dead = b.or(dead, b.mask(wrong));
                }
                self.fresh = 0;
            }
            let still = b.equal(before, standing.sum);
            before = standing.sum;
            let still = b.or(standing.solved, still);
            let stopped = b.top_bits(b.or(dead, still)) & self.running;
            if stopped == 0 {
                continue;
            }
            let dead = b.top_bits(dead);
            let solved = b.top_bits(standing.solved) & !dead;
            let mut seen: LaneSet = 0;
            for group in 0..M::Broad::GROUPS {
                let all = (0xffff << (LANES * group)) & self.running;
                let stopped = stopped & all;
                if stopped != 0
                    && (stopped.count_ones() >= MIN_STOPPED
                        || stopped == all
                        || dead & stopped != 0)
                {
                    seen |= all;
                    move_out(m, b.groups(&mut cells), &mut self.grids, group);
                }
            }
            let stopped = stopped & seen;
            if stopped == 0 {
                continue;
            }
            let open = stopped & !dead & !solved;
            let is_large = b.top_bits(b.equal(b.min(standing.sum, large), large));
            let begun = open & self.unopened & is_large;
            self.unopened &= !open;
            let mut sums = [standing.sum];
            let planned = self.follow_plans(begun, open & self.planned, b.groups(&mut sums));
            self.guess(m, open & !planned);
            self.keep_solutions(m, stopped & solved);
            self.move_on(m, stopped & (dead | solved));
            // A lane with a new state must not count as unchanged.
            before = b.without(before, b.mask(stopped));
            let is_rest =
                self.next == self.run.puzzles.len() && self.running.count_ones() < MIN_RUNNING;
            for group in 0..M::Broad::GROUPS {
                let is_out = seen >> (LANES * group) & 0xffff != 0;
                if is_rest && !is_out {
                    move_out(m, b.groups(&mut cells), &mut self.grids, group);
                } else if !is_rest && is_out {
                    move_in(m, &self.grids, b.groups(&mut cells), group);
                }
            }
            if is_rest {
                return;
            }
        }
    }

    /// Begins the plans of some open lanes and continues those of others; `sums` are the sums of their candidates.
    /// Returns the lanes that have got a state from their plan.
    #[inline(always)]
    fn follow_plans(
        &mut self,
        begun: LaneSet,
        continued: LaneSet,
        sums: &[simd::Lanes],
    ) -> LaneSet {
        let mut planned = 0;
        for lane in (begun | continued).members() {
            let sum = u32::from(sums[lane / LANES].0[lane % LANES]);
            let work = &mut *self.run.work;
            let (plan, stack) = (&mut work.plans[lane], &mut work.stacks[lane]);
            if begun >> lane & 1 != 0 {
                plan.restart();
            }
            if let Some(grid) = plan.open(sum, || self.grids[lane], stack) {
                self.grids[lane] = grid;
                self.statistics.guesses += 1;
                self.statistics.nodes += 1;
                planned |= 1 << lane;
            }
            if !plan.is_simple() {
                self.planned |= 1 << lane;
            }
        }
        planned
    }

    /// Guesses a candidate in each of these lanes.
    #[inline(always)]
    fn guess<M: Machine>(&mut self, m: M, open: LaneSet) {
        let mut open = open.members();
        while let Some(first) = open.next() {
            if M::Broad::GROUPS == 2
                && let Some(second) = open.next()
            {
                let cells = choose_two(m, &self.grids[first], &self.grids[second]);
                self.guess_in(first, cells[0]);
                self.guess_in(second, cells[1]);
            } else {
                let cell = choose(m, &self.grids[first]);
                self.guess_in(first, cell);
            }
        }
    }

    #[inline(always)]
    fn guess_in(&mut self, lane: usize, cell: usize) {
        self.statistics.guesses += 1;
        self.statistics.nodes += 1;
        let other = self.grids[lane].guess(cell);
        self.run.work.stacks[lane].push(other);
    }

    /// Counts the solutions in these lanes. A lane that has enough drops its other states.
    #[inline(always)]
    fn keep_solutions<M: Machine>(&mut self, m: M, solved: LaneSet) {
        let work = &mut *self.run.work;
        for lane in solved.members() {
            if self.planned >> lane & 1 != 0
                && !work.plans[lane].is_new(|| self.grids[lane], &mut work.stacks[lane])
            {
                continue;
            }
            let place = self
                .run
                .answers
                .solution(self.puzzle_of[lane], self.found[lane]);
            if let Some(place) = place {
                write(m, &self.grids[lane], self.alphabet, place);
            }
            self.found[lane] += 1;
            if self.found[lane] >= self.run.limit {
                work.stacks[lane].clear();
                self.planned &= !(1 << lane);
            }
        }
    }

    /// Continues these lanes with their next state, or else with the next puzzle.
    #[inline(always)]
    fn move_on<M: Machine>(&mut self, m: M, ended: LaneSet) {
        for lane in ended.members() {
            let work = &mut *self.run.work;
            let stack = &mut work.stacks[lane];
            let popped = if self.planned >> lane & 1 == 0 {
                stack.pop().map(|state| self.grids[lane] = state)
            } else {
                let plan = &mut work.plans[lane];
                plan.pop(stack).map(|state| self.grids[lane] = state)
            };
            if popped.is_some() {
                self.statistics.nodes += 1;
                continue;
            }
            self.run
                .answers
                .finish(self.puzzle_of[lane], self.found[lane]);
            self.planned &= !(1 << lane);
            if self.next < self.run.puzzles.len() {
                self.load_next(m, lane);
            } else {
                self.running &= !(1 << lane);
            }
        }
    }

    /// Searches the rest of the running lanes one by one. All grids are outside the vectors.
    #[inline(always)]
    fn search_rest<M: Machine>(&mut self, m: M) {
        let Run {
            puzzles,
            answers,
            limit,
            work,
        } = &mut self.run;
        for lane in self.running.members() {
            let (puzzle, mut found) = (self.puzzle_of[lane], self.found[lane]);
            work.wide.clear();
            self.statistics.nodes -= 1; // the search counts the state that it begins with
            if self.fresh >> lane & 1 != 0 {
                // No pass has examined the puzzle: it starts from the beginning.
                self.grids[lane] = read(m, puzzles.get(puzzle), self.alphabet);
                if rules::has_twins(m, &wide::gather(m, &self.grids[lane].0)) {
                    answers.finish(puzzle, 0);
                    continue;
                }
            }
            let convert = |rows: &Rows| wide::store(m, &wide::gather(m, &rows.0));
            for state in &work.stacks[lane] {
                work.wide.push(convert(state));
            }
            work.stacks[lane].clear();
            if self.planned >> lane & 1 != 0 {
                work.plans[lane].copy_to(&mut work.wide_plan, convert);
            } else if self.unopened >> lane & 1 != 0 {
                work.wide_plan.restart();
            } else {
                work.wide_plan.give_up();
            }
            let mut visit = |solution: &Grid<9>| {
                if let Some(place) = answers.solution(puzzle, found) {
                    *place = puzzles.write(solution);
                }
                found += 1;
                stop_if(found >= *limit)
            };
            let state = wide::gather(m, &self.grids[lane].0);
            wide::search(
                m,
                state,
                &mut work.wide,
                &mut work.wide_plan,
                &mut visit,
                &mut self.statistics,
            );
            answers.finish(puzzle, found);
        }
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
