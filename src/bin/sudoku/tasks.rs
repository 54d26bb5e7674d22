//! What is done with each puzzle.

use crate::{Form, Outcome};
use std::fmt::Write;
use sudoku::notation::Notation;
use sudoku::rate::Rater;
use sudoku::{Answer, Grid, Rules, Solver};

/// What a thread keeps from puzzle to puzzle.
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

/// Something to do with a puzzle of any side.
pub trait Task: Sync {
    /// Writes what comes of a puzzle to `out`.
    fn work<const N: usize>(
        &self,
        worker: &mut Worker<N>,
        puzzle: &Grid<N>,
        out: &mut String,
    ) -> Outcome;
}

/// A solution, or all, or one and how many there are.
pub struct Solve {
    pub all: bool,
    pub count: bool,
}

impl Task for Solve {
    fn work<const N: usize>(
        &self,
        worker: &mut Worker<N>,
        puzzle: &Grid<N>,
        out: &mut String,
    ) -> Outcome {
        if self.all {
            for solution in worker.solver.solutions(puzzle) {
                let _ = writeln!(out, "{solution}");
            }
            return Outcome::Good;
        }
        let first = worker.solver.first(puzzle);
        let _ = write!(out, "{}", first.unwrap_or(Grid::EMPTY));
        if self.count {
            let _ = write!(out, "\t{}", worker.solver.count(puzzle, 2));
        }
        out.push('\n');
        Outcome::Good
    }
}

/// The number of solutions, up to a limit.
pub struct Count(pub u64);

impl Task for Count {
    fn work<const N: usize>(
        &self,
        worker: &mut Worker<N>,
        puzzle: &Grid<N>,
        out: &mut String,
    ) -> Outcome {
        let _ = writeln!(out, "{}", worker.solver.count(puzzle, self.0));
        Outcome::Good
    }
}

/// Whether there is one solution.
pub struct Check;

impl Task for Check {
    fn work<const N: usize>(
        &self,
        worker: &mut Worker<N>,
        puzzle: &Grid<N>,
        out: &mut String,
    ) -> Outcome {
        let (words, outcome) = match worker.solver.solve(puzzle) {
            Answer::None => ("none", Outcome::Bad),
            Answer::Unique(_) => ("unique", Outcome::Good),
            Answer::Several(..) => ("several", Outcome::Bad),
        };
        let _ = writeln!(out, "{puzzle}\t{words}");
        outcome
    }
}

/// How hard a puzzle is.
pub struct Rate;

impl Task for Rate {
    fn work<const N: usize>(
        &self,
        worker: &mut Worker<N>,
        puzzle: &Grid<N>,
        out: &mut String,
    ) -> Outcome {
        match worker.rater.rate(puzzle) {
            Some(rating) => {
                let _ = writeln!(out, "{puzzle}\t{}\t{}", rating.technique, rating.guesses);
                Outcome::Good
            }
            None => {
                let _ = writeln!(out, "{puzzle}\tnot one solution\t");
                Outcome::Bad
            }
        }
    }
}

/// The steps of a person's solution.
pub struct Explain;

impl Task for Explain {
    fn work<const N: usize>(
        &self,
        worker: &mut Worker<N>,
        puzzle: &Grid<N>,
        out: &mut String,
    ) -> Outcome {
        let _ = writeln!(out, "{}", puzzle.pretty());
        if worker.rater.rate(puzzle).is_none() {
            let _ = writeln!(out, "the puzzle has no solution, or several\n");
            return Outcome::Bad;
        }
        let mut steps = worker.rater.steps(puzzle);
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
}

/// Another notation.
pub struct Convert(pub Form);

impl Task for Convert {
    fn work<const N: usize>(
        &self,
        _: &mut Worker<N>,
        puzzle: &Grid<N>,
        out: &mut String,
    ) -> Outcome {
        let notation = match self.0 {
            Form::Line => Notation::LINE,
            Form::Rows => Notation::ROWS,
            Form::Dashes => Notation::DASHED_ROWS,
            Form::Spaced => Notation::SPACED,
            Form::Brackets => Notation::BRACKETS,
            Form::Pretty => {
                let _ = writeln!(out, "{}", puzzle.pretty());
                return Outcome::Good;
            }
        };
        out.push_str(&notation.format(puzzle));
        if !matches!(self.0, Form::Line | Form::Brackets) {
            out.push('\n');
        }
        Outcome::Good
    }
}
