//! The tasks of the command, each for one puzzle.

use crate::{Form, Outcome};
use std::fmt::Write;
use sudoku::notation::Notation;
use sudoku::rate::Rater;
use sudoku::{Answer, Grid, Rules, Solver};

/// The state that a thread keeps from puzzle to puzzle.
pub struct Worker<const N: usize> {
    pub solver: Solver<N>,
    pub rater: Rater<N>,
}

impl<const N: usize> Worker<N> {
    pub fn new(rules: &Rules<N>) -> Self {
        Worker {
            solver: Solver::with_rules(rules),
            rater: Rater::new(rules),
        }
    }
}

/// The task to run for each puzzle.
pub enum Task {
    /// A solution, or one and how many there are.
    Solve { count: bool },
    /// All solutions.
    SolveAll,
    /// The number of solutions, up to a limit.
    Count(u64),
    /// Whether there is one solution.
    Check,
    /// How hard the puzzle is.
    Rate,
    /// The steps of a person's solution.
    Explain,
    /// Another notation.
    Convert(Form),
}

impl Task {
    /// Writes the result for a puzzle to `out`.
    ///
    /// # Panics
    ///
    /// For [`Task::SolveAll`]: the solutions of a puzzle can take more memory than there is, so each is sent alone.
    pub fn work<const N: usize>(
        &self,
        worker: &mut Worker<N>,
        puzzle: &Grid<N>,
        out: &mut String,
    ) -> Outcome {
        let mut outcome = Outcome::Good;
        match self {
            Task::SolveAll => unreachable!("solutions are sent one by one"),
            Task::Solve { count } => {
                let first = worker.solver.first(puzzle);
                let _ = write!(out, "{}", first.unwrap_or(Grid::EMPTY));
                if *count {
                    let _ = write!(out, "\t{}", worker.solver.count(puzzle, 2));
                }
                out.push('\n');
            }
            Task::Count(limit) => {
                let _ = writeln!(out, "{}", worker.solver.count(puzzle, *limit));
            }
            Task::Check => {
                let words;
                (words, outcome) = match worker.solver.solve(puzzle) {
                    Answer::None => ("none", Outcome::Bad),
                    Answer::Unique(_) => ("unique", Outcome::Good),
                    Answer::Several(..) => ("several", Outcome::Bad),
                };
                let _ = writeln!(out, "{puzzle}\t{words}");
            }
            Task::Rate => match worker.rater.rate(puzzle) {
                Some(rating) => {
                    let _ = writeln!(out, "{puzzle}\t{}\t{}", rating.technique, rating.guesses);
                }
                None => {
                    let _ = writeln!(out, "{puzzle}\tnot one solution\t");
                    outcome = Outcome::Bad;
                }
            },
            Task::Explain => outcome = explain(&mut worker.rater, puzzle, out),
            Task::Convert(Form::Pretty) => {
                let _ = writeln!(out, "{}", puzzle.pretty());
            }
            Task::Convert(form) => {
                let (notation, between) = match form {
                    Form::Line | Form::Pretty => (Notation::LINE, ""),
                    Form::Rows => (Notation::ROWS, "\n"),
                    Form::Dashes => (Notation::DASHED_ROWS, "\n"),
                    Form::Spaced => (Notation::SPACED, "\n"),
                    Form::Brackets => (Notation::BRACKETS, ""),
                };
                out.push_str(&notation.format(puzzle));
                out.push_str(between);
            }
        }
        outcome
    }
}

fn explain<const N: usize>(rater: &mut Rater<N>, puzzle: &Grid<N>, out: &mut String) -> Outcome {
    let _ = writeln!(out, "{}", puzzle.pretty());
    if rater.rate(puzzle).is_none() {
        let _ = writeln!(out, "the puzzle has no solution, or several\n");
        return Outcome::Bad;
    }
    let mut steps = rater.steps(puzzle);
    for number in 1.. {
        let Some(step) = steps.next() else { break };
        let _ = writeln!(out, "{number:>4}. {step}");
    }
    let _ = writeln!(out, "\n{}", steps.grid().pretty());
    if !steps.is_solved() {
        let _ = writeln!(out, "no technique leads on from here\n");
    }
    Outcome::Good
}
