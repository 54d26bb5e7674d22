//! A search that learns a clause from every contradiction.

mod clauses;
mod heap;
mod problem;
mod solver;

use super::views::{Agenda, Views};
use crate::engine::mask::Mask;
use crate::engine::{Engine, Statistics, Visitor};
use crate::grid::{Cell, Digit, Grid};
use problem::Problem;
use solver::Solver;

/// See [`crate::engine::big`].
#[derive(Clone, Debug, Default)]
pub struct Learning<const N: usize>(());

impl<const N: usize> Learning<N> {
    /// The engine.
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
    let mut statistics = Statistics {
        nodes: 1,
        guesses: 0,
    };
    if views
        .load(puzzle, &mut agenda)
        .and_then(|()| views.propagate(&mut agenda))
        .is_err()
    {
        return statistics;
    }
    let mut solver = Solver::new(Problem::new(&views));
    let base = views.solution_so_far();
    run(&mut solver, &base, &mut statistics, visit);
    statistics
}

fn run<const N: usize, M: Mask>(
    solver: &mut Solver<N, M>,
    base: &Grid<N>,
    statistics: &mut Statistics,
    visit: &mut Visitor<'_, N>,
) {
    let (mut fast, mut slow) = (0.0f64, 0.0f64);
    let mut since_restart = 0;
    let mut next_forget = 2000;
    let mut forgets = 0;
    loop {
        statistics.nodes += 1;
        if let Err(conflict) = solver.propagate() {
            if !solver.learn(conflict) {
                return;
            }
            let glue = f64::from(solver.last_glue);
            let n = solver.conflicts as f64;
            fast += (glue - fast) * (1.0 / 32.0f64).max(1.0 / n);
            slow += (glue - slow) * (1.0 / 8192.0f64).max(1.0 / n);
            since_restart += 1;
            if solver.conflicts >= next_forget {
                forgets += 1;
                next_forget = solver.conflicts + 2000 + 300 * forgets;
                solver.forget();
            }
            continue;
        }
        if since_restart > 10 && fast > 1.1 * slow {
            since_restart = 0;
            solver.back_to(0);
            continue;
        }
        match solver.choose() {
            Some(literal) => {
                statistics.guesses += 1;
                solver.decide(literal);
            }
            None => {
                let mut solution = *base;
                for (variable, candidate) in solver.problem.candidates.iter().enumerate() {
                    if solver.value(problem::Literal::is_true(variable as u32)) > 0 {
                        solution.set(
                            Cell::from_index(
                                usize::from(candidate.row) * N + usize::from(candidate.column),
                            ),
                            Some(Digit::from_index(usize::from(candidate.digit))),
                        );
                    }
                }
                if visit(&solution).is_break() || !solver.block() {
                    return;
                }
            }
        }
    }
}
