//! Errors and findings about packages: where, what, and how to fix it.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Remedy for a full disk.
pub const MAKE_ROOM: &str = "make room on its disk";

/// An error that prevents a package from being judged.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PackageError {
    /// The affected file or directory.
    pub path: PathBuf,
    /// Line and column, counted from 1, where they are known.
    pub position: Option<(usize, usize)>,
    /// The message: one lower-case fragment.
    pub what: String,
    /// How to fix it, if known.
    pub remedy: Option<String>,
    /// Whether this machine is at fault, and not the package.
    pub is_of_machine: bool,
    /// Further errors of the same package.
    pub others: Box<[PackageError]>,
}

impl PackageError {
    /// An error about a whole file or directory.
    pub fn new(path: impl Into<PathBuf>, what: impl Into<String>) -> Self {
        PackageError {
            path: path.into(),
            position: None,
            what: what.into(),
            remedy: None,
            is_of_machine: false,
            others: Box::default(),
        }
    }

    /// The error of an operation on a file, such as "write". If its disk is full, this machine is at fault.
    pub fn of_file(path: impl Into<PathBuf>, operation: &str, error: &io::Error) -> Self {
        let failed = PackageError::new(path, format!("failed to {operation}: {error}"));
        match judge_os::is_disk_full(error) {
            true => PackageError {
                is_of_machine: true,
                ..failed.remedy(MAKE_ROOM)
            },
            false => failed,
        }
    }

    /// The error for a failure `why` in the system's directory for temporary files.
    pub fn no_temporary_files(why: impl fmt::Display) -> Self {
        let what = format!("no temporary files can be written there (TMPDIR): {why}");
        PackageError {
            is_of_machine: true,
            ..PackageError::new(std::env::temp_dir(), what)
        }
        .remedy("set TMPDIR to a directory with room")
    }

    /// The same error at a place in the file; both counted from 1.
    pub fn at(mut self, line: usize, column: usize) -> Self {
        self.position = Some((line, column));
        self
    }

    /// The same error with advice.
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }
}

impl fmt::Display for PackageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", judge_os::plain_path(&self.path).display())?;
        if let Some((line, column)) = self.position {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.what)?;
        if let Some(remedy) = &self.remedy {
            write!(f, "\n  help: {remedy}")?;
        }
        let mut others = self.others.iter();
        others.try_for_each(|other| write!(f, "\nerror: {other}"))
    }
}

impl std::error::Error for PackageError {}

/// How bad a [`Finding`] is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The package works, but its author should look at it.
    Warning,
    /// The format forbids it.
    Error,
}

/// A defect of a package that can still be judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// Where, what, and how to fix it.
    pub error: PackageError,
    /// Whether every run warns of it: what is judged may not be what the user expects.
    pub concerns_runs: bool,
    /// Whether it concerns a program that does not check outputs. It is removed if the user names a
    /// checker or an interactor.
    pub concerns_checker: bool,
}

impl Finding {
    /// Something the format forbids.
    pub fn error(error: PackageError) -> Self {
        Finding {
            severity: Severity::Error,
            error,
            concerns_runs: false,
            concerns_checker: false,
        }
    }

    /// Something that looks wrong.
    pub fn warning(error: PackageError) -> Self {
        Finding {
            severity: Severity::Warning,
            error,
            concerns_runs: false,
            concerns_checker: false,
        }
    }

    /// The same finding; with `concerns_runs`, every run shows it as a warning.
    pub fn of_runs_if(self, concerns_runs: bool) -> Self {
        Finding {
            concerns_runs,
            ..self
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{severity}: {}", self.error)
    }
}
