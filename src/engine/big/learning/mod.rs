//! A search that learns a clause from every contradiction (CDCL), on bitmask propagation's rules.
//!
//! The candidates that the root's propagation leaves become variables of exactly-one sets
//! ([`problem`]); the sets propagate by counting ([`assignment`]), without a clause being written
//! out. Only learned clauses are stored ([`clauses`]). The rest is standard for SAT solvers:
//! first unique implication points, activities ([`heap`]), restarts, forgetting.

mod analysis;
mod assignment;
mod clauses;
mod heap;
pub mod problem;
mod scratch;
mod solver;

use super::views::Views;
use crate::engine::mask::Mask;
use crate::engine::{Statistics, Visitor};
use crate::grid::{Cell, Digit, Grid};
use core::ops::ControlFlow;
use problem::{Candidate, Literal, Problem};
use solver::Solver;

/// Passes every solution of `puzzle` below `views` to `visit` until it breaks, except those already
/// `found`. `views` must be fully propagated.
pub(super) fn finish<const N: usize, M: Mask>(
    puzzle: &Grid<N>,
    views: &Views<N, M>,
    found: &[Grid<N>],
    statistics: &mut Statistics,
    visit: &mut Visitor<'_, N>,
) {
    let problem = Problem::new(views);
    let holds = |solution: &Grid<N>, candidate: &Candidate| {
        let digit = solution.get(Cell::from_index(candidate.cell as usize));
        digit.map(Digit::index) == Some(usize::from(candidate.digit))
    };
    let blocks = found.iter().map(|found| {
        let candidates = problem.candidates.iter().enumerate();
        let held = candidates.filter(|(_, candidate)| holds(found, candidate));
        held.map(|(variable, _)| Literal::is_true(variable).negated())
            .collect()
    });
    let blocks: Vec<Vec<Literal>> = blocks.collect();
    let base = views.solution(puzzle);
    search(
        problem,
        &blocks,
        FIRST_TURN,
        statistics,
        &mut |candidates| {
            let mut solution = base;
            for candidate in candidates {
                let digit = Digit::from_index(usize::from(candidate.digit));
                solution.set(Cell::from_index(candidate.cell as usize), Some(digit));
            }
            visit(&solution)
        },
    );
}

/// See [`search`]: many large grids have several solutions, or are solved sooner by finding theirs.
const FIRST_TURN: u64 = 2000;

/// Receives the true candidates of a solution; decides whether the search goes on.
type Receive<'a> = dyn FnMut(&[Candidate]) -> ControlFlow<()> + 'a;

/// Passes the true candidates of every solution of `problem` that satisfies the clauses to `visit`
/// until it breaks. The first `first_turn` conflicts come from decisions to be true (see [`Schedule`]).
pub(crate) fn search(
    problem: Problem,
    clauses: &[Vec<Literal>],
    first_turn: u64,
    statistics: &mut Statistics,
    visit: &mut Receive<'_>,
) {
    let mut solver = Solver::new(problem);
    // A clause of one literal assigns it, which those added later could not take into account.
    let (short, long): (Vec<_>, Vec<_>) = clauses.iter().partition(|clause| clause.len() < 2);
    for clause in long.into_iter().chain(short) {
        if !solver.add(clause) {
            return;
        }
    }
    let mut schedule = Schedule::new(first_turn);
    let mut held = Vec::new();
    loop {
        statistics.nodes += 1;
        if let Err(conflict) = solver.propagate() {
            match solver.learn(conflict) {
                Some(glue) => schedule.learned(glue, &mut solver),
                None => return,
            }
        } else if schedule.restart() {
            solver.back_to(0);
        } else if let Some(literal) = solver.choose() {
            statistics.guesses += 1;
            solver.decide(literal);
        } else {
            held.clear();
            let candidates = solver.problem.candidates.iter().enumerate();
            let candidates = candidates.filter(|(variable, _)| solver.is_true(*variable));
            held.extend(candidates.map(|(_, candidate)| *candidate));
            if visit(&held).is_break() || !solver.block() {
                return;
            }
        }
    }
}

/// The schedule of restarts, of forgetting, and of changes of the phase policy.
struct Schedule {
    conflicts: u64,
    /// Means of the learned clauses' glue, over the last few and over the last thousands.
    glue_now: f64,
    glue_long: f64,
    since_restart: u64,
    forget_at: u64,
    forgotten: u64,
    /// Deciding candidates to be true proves most; phase saving finds solutions if there are many.
    /// The two alternate, each period longer than the last.
    turn: u64,
    turn_ends: u64,
}

impl Schedule {
    fn new(first_turn: u64) -> Self {
        Schedule {
            conflicts: 0,
            glue_now: 0.0,
            glue_long: 0.0,
            since_restart: 0,
            forget_at: 2000,
            forgotten: 0,
            turn: first_turn,
            turn_ends: first_turn,
        }
    }

    fn learned(&mut self, glue: u32, solver: &mut Solver) {
        self.conflicts += 1;
        self.since_restart += 1;
        let least = 1.0 / self.conflicts as f64;
        self.glue_now += (f64::from(glue) - self.glue_now) * least.max(1.0 / 32.0);
        self.glue_long += (f64::from(glue) - self.glue_long) * least.max(1.0 / 8192.0);
        if self.conflicts >= self.forget_at {
            self.forgotten += 1;
            self.forget_at = self.conflicts + 4000 + 300 * self.forgotten;
            solver.forget();
        }
        if self.conflicts >= self.turn_ends {
            solver.remember = !solver.remember;
            if !solver.remember {
                self.turn *= 2;
            }
            self.turn_ends += self.turn;
        }
    }

    /// Whether clauses have become so much worse that it is better to restart.
    fn restart(&mut self) -> bool {
        let restart = self.since_restart > 20 && self.glue_now > 1.2 * self.glue_long;
        if restart {
            self.since_restart = 0;
        }
        restart
    }
}
