//! The kinds of failure of a command, each with its exit status.

use judge_package::PackageError;
use judge_sandbox::Fault;
use std::fmt;

/// The exit statuses of the command.
pub mod exit_status {
    /// Every submission got what was expected of it.
    pub const AS_EXPECTED: u8 = 0;
    /// A submission did not get what was expected of it.
    pub const NOT_AS_EXPECTED: u8 = 1;
    /// Wrong usage, or a broken package.
    pub const USAGE: u8 = 2;
    /// The judge itself failed.
    pub const JUDGE_ERROR: u8 = 3;
    /// Ctrl-C.
    pub const INTERRUPTED: u8 = 130;
}

/// The failure of a command.
#[derive(Debug)]
pub enum Failure {
    /// Wrong usage: what is wrong, and a remedy.
    Usage(String),
    /// Broken packages: all errors found.
    Package(Vec<PackageError>),
    /// The judge itself failed.
    Internal(String),
    /// Ctrl-C, without anything to report.
    Interrupted,
}

impl Failure {
    /// A usage failure.
    pub fn usage(message: impl Into<String>) -> Self {
        Failure::Usage(message.into())
    }

    /// An internal failure.
    pub fn internal(message: impl Into<String>) -> Self {
        Failure::Internal(message.into())
    }

    /// The exit status for it.
    pub fn exit_status(&self) -> u8 {
        match self {
            Failure::Usage(_) | Failure::Package(_) => exit_status::USAGE,
            Failure::Internal(_) => exit_status::JUDGE_ERROR,
            Failure::Interrupted => exit_status::INTERRUPTED,
        }
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

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(message) => write!(f, "error: {message}"),
            Failure::Package(errors) => {
                for (k, error) in errors.iter().enumerate() {
                    if k > 0 {
                        f.write_str("\n")?;
                    }
                    write!(f, "error: {error}")?;
                }
                Ok(())
            }
            Failure::Internal(message) => write!(f, "judge error: {message}"),
            Failure::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for Failure {}
