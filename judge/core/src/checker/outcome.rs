//! Results of checkers.

use crate::language::Program;
use judge_sandbox::{Fault, Limit};
use std::fmt;
use std::io;
use std::path::PathBuf;

/// The result of checking an output.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Outcome {
    /// Accepted or rejected.
    pub judgement: Judgement,
    /// The points, if the checker gives any.
    pub score: Option<Score>,
    /// Message for the judges: what is wrong, in a few lines.
    pub message: Option<String>,
    /// Message of the validator for the team.
    pub team_message: Option<String>,
    /// The first difference of output and answer, if the checker reports it.
    pub difference: Option<Difference>,
    /// Multi-pass: the input of the next pass. The file is kept until the pass after it was
    /// checked.
    pub next_pass: Option<PathBuf>,
}

/// Whether an output is right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Judgement {
    /// Right; with a [`Score`], partially.
    #[default]
    Accepted,
    /// Wrong.
    Rejected,
    /// A presentation error, if the checker distinguishes it.
    PresentationError,
}

/// Points given by a checker.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Score {
    /// This number of points.
    Points(f64),
    /// This share of the case's points, 0 to 1.
    Multiplier(f64),
}

/// The first difference of output and answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// The line of the output, from 1.
    pub line: u64,
    /// The byte in that line, from 1.
    pub column: u64,
    /// The cell, if output and answer are grids there.
    pub cell: Option<Cell>,
    /// The answer's text, cut and escaped for printing.
    pub expected: String,
    /// The output's text, cut and escaped for printing.
    pub found: String,
    /// A note: how far off a number is, a byte order mark, ...
    pub note: Option<String>,
    /// The token in the output's line, from 1.
    pub token: u64,
    /// Offset of the difference in the output, in bytes.
    pub offset: u64,
    /// The line of the answer, from 1.
    pub answer_line: u64,
    /// Offset of the difference in the answer, in bytes.
    pub answer_offset: u64,
    /// Whether output and answer differ only in white space.
    pub only_white_space: bool,
    /// Whether the tokens are almost the same number, but are compared as text.
    pub near_numbers: bool,
}

/// A cell of a grid; all counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Which grid, if the output contains several.
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
    /// Accepted, without a message.
    pub fn accepted() -> Self {
        Outcome::default()
    }

    /// Rejected, with a message.
    pub fn rejected(message: impl Into<String>) -> Self {
        Outcome {
            judgement: Judgement::Rejected,
            message: Some(message.into()),
            ..Outcome::accepted()
        }
    }

    /// Rejected, with the first difference.
    pub fn differs(difference: Difference) -> Self {
        Outcome {
            message: Some(difference.to_string()),
            difference: Some(difference),
            ..Outcome::rejected("")
        }
    }

    /// Accepted with this share of the points, from 0 to 1; rejected if it is 0.
    pub(super) fn of_share(share: f64, message: Option<String>) -> Self {
        let accepted = share > 0.0;
        Outcome {
            judgement: match accepted {
                true => Judgement::Accepted,
                false => Judgement::Rejected,
            },
            score: (accepted && share < 1.0).then_some(Score::Multiplier(share)),
            message,
            ..Outcome::default()
        }
    }

    /// Whether the output is accepted, with or without points.
    pub fn is_accepted(&self) -> bool {
        self.judgement == Judgement::Accepted
    }
}

/// A failure of the judge or the package while checking; the verdict is JE.
#[derive(thiserror::Error, Debug)]
pub enum CheckFault {
    /// The output or the answer cannot be read.
    #[error("failed to read {what}: {source}")]
    Io {
        /// A path, or `the output`.
        what: String,
        /// The cause.
        source: io::Error,
    },
    /// The sandbox failed.
    #[error("{0}")]
    Sandbox(#[from] Fault),
    /// The validator violated its protocol: it crashed, took too long, or exited with an undefined
    /// code.
    #[error("{what}{}{said}", if .said.is_empty() { "" } else { "; it said: " })]
    Validator {
        /// The event, and the rule that it violates.
        what: String,
        /// The start of its standard error and message files.
        said: String,
        /// Whether it did not end in time.
        timed_out: bool,
    },
    /// The case lacks what the checker needs, or has invalid arguments for it: what is wrong, with a
    /// remedy.
    #[error("{0}")]
    Case(String),
}

impl From<judge_tempdir::Error> for CheckFault {
    fn from(error: judge_tempdir::Error) -> Self {
        CheckFault::Sandbox(error.into())
    }
}

impl CheckFault {
    /// Converts the error of an operation on `what`.
    pub(crate) fn io<'w>(what: impl fmt::Display + 'w) -> impl Fn(io::Error) -> Self + 'w {
        move |source| CheckFault::Io {
            what: what.to_string(),
            source,
        }
    }

    /// The fault with the messages of `program`, the validator, as its author knows its files.
    pub(crate) fn with_own_names(self, program: &Program) -> Self {
        match self {
            CheckFault::Validator {
                what,
                said,
                timed_out,
            } => CheckFault::Validator {
                what,
                said: program.with_own_names(said),
                timed_out,
            },
            fault => fault,
        }
    }

    /// The fault of a validator that was stopped because of this limit.
    pub(super) fn stopped_by(self, limit: Limit) -> Self {
        match self {
            CheckFault::Validator { what, said, .. } => CheckFault::Validator {
                what,
                said,
                timed_out: matches!(limit, Limit::Cpu | Limit::Wall | Limit::Idle),
            },
            fault => fault,
        }
    }

    /// Whether the validator did not end in time; another run would take as long.
    pub fn is_timeout(&self) -> bool {
        matches!(
            self,
            CheckFault::Validator {
                timed_out: true,
                ..
            }
        )
    }

    /// Whether this machine failed, and not the package: another attempt may succeed.
    pub fn is_of_machine(&self) -> bool {
        matches!(self, CheckFault::Io { .. } | CheckFault::Sandbox(_))
    }
}
