//! A search that learns a clause from every contradiction (CDCL), on bitmask propagation's rules.
//!
//! The candidates that the root's propagation leaves become variables of exactly-one sets
//! ([`problem`]); the sets propagate by counting ([`assignment`]), without a clause being written
//! out. Only what is learned is kept as clauses ([`clauses`]). The rest is what SAT solvers do:
//! first unique implication points, activities ([`heap`]), restarts and forgetting ([`schedule`]).

mod analysis;
mod assignment;
mod clauses;
mod heap;
mod problem;
mod schedule;
mod solver;

use super::views::{Agenda, Views};
use crate::engine::mask::Mask;
use crate::engine::{Engine, Statistics, Visitor};
use crate::grid::{Cell, Digit, Grid};
use problem::{Literal, Problem};
use schedule::Schedule;
use solver::Solver;

/// An engine that learns a clause from every contradiction, for the hardest large grids.
///
/// Sources: GRASP (Marques-Silva and Sakallah, 1996) for learning; Chaff (Moskewicz et al., DAC
/// 2001) for watched literals and activities; Glucose (Audemard and Simon, IJCAI 2009) for what is
/// forgotten and when to restart.
#[derive(Clone, Debug, Default)]
pub struct Learning<const N: usize>(());

impl<const N: usize> Learning<N> {
    /// The engine; it keeps nothing between searches.
    pub fn new() -> Self {
        Learning(())
    }
}

impl<const N: usize> Engine<N> for Learning<N> {
    fn search(&mut self, puzzle: &Grid<N>, visit: &mut Visitor<'_, N>) -> Statistics {
        if N <= 16 {
            search::<N, u16>(puzzle, visit)
        } else if N <= 32 {
            search::<N, u32>(puzzle, visit)
        } else {
            search::<N, u64>(puzzle, visit)
        }
    }
}

fn search<const N: usize, M: Mask>(puzzle: &Grid<N>, visit: &mut Visitor<'_, N>) -> Statistics {
    let mut views: Views<N, M> = Views::empty();
    let mut agenda = Agenda::default();
    let mut statistics = Statistics::default();
    let root = views
        .load(puzzle, &mut agenda)
        .and_then(|()| views.propagate(&mut agenda));
    statistics.nodes += 1;
    if root.is_ok() {
        finish(puzzle, &views, &[], &mut statistics, visit);
    }
    statistics
}

/// Hands every solution that `views` leaves of `puzzle` to `visit` until it breaks, but for those
/// already `found`. In `views` everything that follows must have been placed.
pub(super) fn finish<const N: usize, M: Mask>(
    puzzle: &Grid<N>,
    views: &Views<N, M>,
    found: &[Grid<N>],
    statistics: &mut Statistics,
    visit: &mut Visitor<'_, N>,
) {
    let mut solver = Solver::new(Problem::new(views));
    let base = views.solution(puzzle);
    for solution in found {
        let block: Vec<Literal> = solver
            .problem
            .candidates
            .iter()
            .enumerate()
            .filter(|(_, candidate)| {
                let cell = Cell::from_index(
                    usize::from(candidate.row) * N + usize::from(candidate.column),
                );
                solution.get(cell).map(Digit::index) == Some(usize::from(candidate.digit))
            })
            .map(|(variable, _)| Literal::is_true(variable).negated())
            .collect();
        if !solver.add(&block) {
            return;
        }
    }
    let mut schedule = Schedule::new();
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
            let mut solution = base;
            for (variable, candidate) in solver.problem.candidates.iter().enumerate() {
                if solver.is_true(variable) {
                    let cell = usize::from(candidate.row) * N + usize::from(candidate.column);
                    let digit = Digit::from_index(usize::from(candidate.digit));
                    solution.set(Cell::from_index(cell), Some(digit));
                }
            }
            if visit(&solution).is_break() || !solver.block() {
                return;
            }
        }
    }
}
