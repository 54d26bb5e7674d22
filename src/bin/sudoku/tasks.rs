//! The tasks of the command, each for one puzzle.

use crate::{Form, Outcome};
use std::fmt::Write;
use std::sync::mpsc::SyncSender;
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

/// The results of a thread on their way to the output.
pub struct Results<'r> {
    /// Results that are sent at the end.
    text: String,
    sender: &'r SyncSender<String>,
    /// Whether the receiver is gone, because the output failed.
    pub is_closed: bool,
}

impl<'r> Results<'r> {
    pub fn new(sender: &'r SyncSender<String>) -> Self {
        Results {
            text: String::new(),
            sender,
            is_closed: false,
        }
    }

    /// Sends a result at once; returns false if the receiver is gone.
    fn send(&mut self, text: String) -> bool {
        self.is_closed = self.sender.send(text).is_err();
        !self.is_closed
    }

    /// Sends what was not sent at once.
    pub fn finish(self) {
        if !self.text.is_empty() {
            // An error means that the output failed, which is reported elsewhere.
            let _ = self.sender.send(self.text);
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
    /// Passes on the result for a puzzle.
    pub fn work<const N: usize>(
        &self,
        worker: &mut Worker<N>,
        puzzle: &Grid<N>,
        results: &mut Results<'_>,
    ) -> Outcome {
        let out = &mut results.text;
        let mut outcome = Outcome::Good;
        match self {
            Task::SolveAll => {
                // A puzzle can have more solutions than memory holds.
                let mut solutions = worker.solver.solutions(puzzle);
                solutions.all(|solution| results.send(format!("{solution}\n")));
            }
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
