//! What a checker says.

use judge_sandbox::Fault;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// What a checker says of an output.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// Right or not.
    pub judgement: Judgement,
    /// The points, where the checker gives any.
    pub score: Option<Score>,
    /// For the judges: what is wrong, in one line or a few.
    pub message: Option<String>,
    /// For the team, where the validator wrote something for them.
    pub team_message: Option<String>,
    /// Where output and answer differ first, where the checker can tell.
    pub difference: Option<Difference>,
    /// Multi-pass: the input of the next pass. It stays until the next pass but one is checked.
    pub next_pass: Option<PathBuf>,
}

/// Right or not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Judgement {
    /// Right (with a [`Score`]: as far as that goes).
    Accepted,
    /// Wrong.
    Rejected,
    /// Wrong in its form only, where the checker tells that apart.
    PresentationError,
}

/// Points that a checker gives.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Score {
    /// That many points.
    Points(f64),
    /// That share of the case's points, 0 to 1.
    Multiplier(f64),
}

/// Where output and answer differ first.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// The line of the output, from 1.
    pub line: u64,
    /// The byte in that line, from 1.
    pub column: u64,
    /// The cell, where output and answer are grids there.
    pub cell: Option<Cell>,
    /// What the answer has, cut and escaped, ready to print.
    pub expected: String,
    /// What the output has, cut and escaped, ready to print.
    pub found: String,
    /// More to say: how far off a number is, a byte order mark, ...
    pub note: Option<String>,
}

/// A cell of a grid; all counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Which grid, where the output holds several.
    pub grid: Option<u64>,
    /// The row.
    pub row: u64,
    /// The column.
    pub column: u64,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(grid) = self.grid {
            write!(f, "grid {grid}, ")?;
        }
        write!(f, "row {}, column {}", self.row, self.column)
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)?;
        if let Some(cell) = self.cell {
            write!(f, " ({cell})")?;
        }
        write!(f, ": expected {}, found {}", self.expected, self.found)?;
        if let Some(note) = &self.note {
            write!(f, "; {note}")?;
        }
        Ok(())
    }
}

impl Outcome {
    /// Right, with nothing more to say.
    pub fn accepted() -> Self {
        Outcome {
            judgement: Judgement::Accepted,
            score: None,
            message: None,
            team_message: None,
            difference: None,
            next_pass: None,
        }
    }

    /// Wrong, and why.
    pub fn rejected(message: impl Into<String>) -> Self {
        Outcome {
            judgement: Judgement::Rejected,
            message: Some(message.into()),
            ..Outcome::accepted()
        }
    }

    /// Wrong, and where.
    pub fn differs(difference: Difference) -> Self {
        Outcome {
            message: Some(difference.to_string()),
            difference: Some(difference),
            ..Outcome::rejected("")
        }
    }

    /// Whether it is right (whatever the score).
    pub fn is_accepted(&self) -> bool {
        self.judgement == Judgement::Accepted
    }
}

/// The judge or the package failed while checking, not the submission: a judge error.
#[derive(Debug)]
pub enum CheckFault {
    /// The output or the answer cannot be read.
    Io {
        /// What was read: a path, or `the output`.
        what: String,
        /// What the system said.
        source: io::Error,
    },
    /// The sandbox failed.
    Sandbox(Fault),
    /// The validator program did what a validator must not: crash, take too long, exit with a
    /// code that means nothing.
    Validator {
        /// What it did, and what that means.
        what: String,
        /// What it wrote to standard error and its message files, cut.
        said: String,
    },
    /// The case lacks what the checker needs, or gives it arguments it does not know.
    Case {
        /// What is wrong and how to mend it.
        what: String,
    },
}

impl fmt::Display for CheckFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckFault::Io { what, source } => write!(f, "failed to read {what}: {source}"),
            CheckFault::Sandbox(fault) => write!(f, "{fault}"),
            CheckFault::Validator { what, said } if said.is_empty() => f.write_str(what),
            CheckFault::Validator { what, said } => write!(f, "{what}; it said: {said}"),
            CheckFault::Case { what } => f.write_str(what),
        }
    }
}

impl std::error::Error for CheckFault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CheckFault::Io { source, .. } => Some(source),
            CheckFault::Sandbox(fault) => Some(fault),
            CheckFault::Validator { .. } | CheckFault::Case { .. } => None,
        }
    }
}

impl From<Fault> for CheckFault {
    fn from(fault: Fault) -> Self {
        CheckFault::Sandbox(fault)
    }
}
