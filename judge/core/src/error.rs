//! The kinds of failure of a command, each with its exit status.

use judge_package::PackageError;
use judge_sandbox::Fault;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Deref;

/// The exit statuses of the command.
pub mod exit_status {
    /// Every submission got what was expected of it.
    pub const AS_EXPECTED: u8 = 0;
    /// A submission did not get what was expected of it.
    pub const NOT_AS_EXPECTED: u8 = 1;
    /// Wrong usage, or a broken package: also if a submission gets JE because of the package.
    pub const USAGE: u8 = 2;
    /// The judge or its machine failed.
    pub const JUDGE_ERROR: u8 = 3;
    /// Ctrl-C.
    pub const INTERRUPTED: u8 = 130;

    /// The status of a command that found what it expects, or did not.
    pub const fn of(as_expected: bool) -> u8 {
        if as_expected {
            AS_EXPECTED
        } else {
            NOT_AS_EXPECTED
        }
    }
}

/// Why something failed or was refused: a text for a report, a log or a stored record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reason(String);

impl Reason {
    /// This text.
    pub fn new(text: impl fmt::Display) -> Self {
        Reason(text.to_string())
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Deref for Reason {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<Reason> for String {
    fn from(reason: Reason) -> Self {
        reason.0
    }
}

// `Reason` is no `Error` itself, so that this does not overlap with `From<Reason> for Reason`.
impl<E: std::error::Error> From<E> for Reason {
    fn from(error: E) -> Self {
        Reason::new(error)
    }
}

/// The failure of a command.
#[derive(thiserror::Error, Debug)]
pub enum Failure {
    /// Wrong usage.
    #[error("error: {0}")]
    Usage(Usage),
    /// Packages that cannot be read: all errors found.
    #[error("{}", lines(.0))]
    Package(Vec<PackageError>),
    /// The judge or its machine failed.
    #[error("judge error: {0}")]
    Internal(String),
    /// Ctrl-C, without anything to report.
    #[error("interrupted")]
    Interrupted,
}

/// A mistake of the user.
#[derive(Debug)]
pub struct Usage {
    /// The mistake, and its place.
    pub what: String,
    /// How to repair it.
    pub remedy: Option<String>,
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        let remedy = self.remedy.as_deref();
        remedy.map_or(Ok(()), |remedy| write!(f, "\n  help: {remedy}"))
    }
}

impl Failure {
    /// A usage failure: the mistake, and its place.
    pub fn usage(what: impl Into<String>) -> Self {
        let what = what.into();
        Failure::Usage(Usage { what, remedy: None })
    }

    /// Adds the remedy to a usage failure.
    #[must_use]
    pub fn help(mut self, remedy: impl Into<String>) -> Self {
        if let Failure::Usage(usage) = &mut self {
            usage.remedy = Some(remedy.into());
        }
        self
    }

    /// An internal failure.
    pub fn internal(message: impl Into<String>) -> Self {
        Failure::Internal(message.into())
    }

    /// The exit status for it.
    pub fn exit_status(&self) -> u8 {
        match self {
            Failure::Package(errors) if errors.iter().any(|error| error.is_of_machine) => {
                exit_status::JUDGE_ERROR
            }
            Failure::Usage(_) | Failure::Package(_) => exit_status::USAGE,
            Failure::Internal(_) => exit_status::JUDGE_ERROR,
            Failure::Interrupted => exit_status::INTERRUPTED,
        }
    }
}

impl From<Reason> for Failure {
    fn from(reason: Reason) -> Self {
        Failure::usage(reason)
    }
}

impl From<PackageError> for Failure {
    fn from(error: PackageError) -> Self {
        Failure::Package(vec![error])
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        if fault.interrupted {
            Failure::Interrupted
        } else {
            Failure::Internal(fault.to_string())
        }
    }
}

impl From<judge_tempdir::Error> for Failure {
    fn from(error: judge_tempdir::Error) -> Self {
        Fault::from(error).into()
    }
}

fn lines(errors: &[PackageError]) -> String {
    let lines: Vec<String> = errors
        .iter()
        .map(|error| match error.is_of_machine {
            true => format!("judge error: {error}"),
            false => format!("error: {error}"),
        })
        .collect();
    lines.join("\n")
}
