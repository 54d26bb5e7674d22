//! Errors of the bundler: what, where, and a remedy.

use std::fmt;
use std::path::{Path, PathBuf};

/// Why a crate cannot be bundled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BundleError {
    /// The file that causes the error.
    pub file: PathBuf,
    /// The line, from 1; 0 for the whole file.
    pub line: usize,
    /// The column, from 1; 0 for the whole line.
    pub column: usize,
    pub what: String,
    /// How to fix it.
    pub remedy: String,
}

impl BundleError {
    /// An error about a file as a whole.
    pub fn file(file: &Path, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        BundleError::at(file, 0, 0, what, remedy)
    }

    /// An error at a line and a column, both from 1.
    pub fn at(
        file: &Path,
        line: usize,
        column: usize,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        BundleError {
            file: file.to_owned(),
            line,
            column,
            what: what.into(),
            remedy: remedy.into(),
        }
    }
}

impl fmt::Display for BundleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        if self.line > 0 && self.column > 0 {
            write!(f, ":{}", self.column)?;
        }
        write!(f, ": {}", self.what)?;
        if !self.remedy.is_empty() {
            write!(f, "\n  help: {}", self.remedy)?;
        }
        Ok(())
    }
}

impl std::error::Error for BundleError {}
