//! From source code to programs, for the judging loop.

use super::Prepared;
use crate::language::Program;
use crate::package::Package;
use std::path::Path;

/// Compilers and interpreters. For now there are none: source code is skipped, and said to be.
#[derive(Debug, Default)]
pub struct Toolchain;

impl Toolchain {
    /// The tools of this machine.
    ///
    /// # Errors
    ///
    /// When the table of languages cannot be read.
    pub fn new(_settings: &super::Settings) -> Result<Self, crate::error::Failure> {
        Ok(Toolchain)
    }

    /// Makes a program of a submission; also gives the language's name.
    pub fn submission(
        &self,
        _package: &Package,
        _path: &Path,
        _language: Option<&str>,
        _entry_point: Option<&str>,
    ) -> (Prepared, String) {
        let why = "source code cannot be compiled yet: give an executable";
        (Prepared::Skipped(why.to_owned()), String::new())
    }

    /// Makes a program of a validator.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn validator(&self, _package: &Package, path: &Path) -> Result<Program, String> {
        Err(format!(
            "{}: validators cannot be compiled yet",
            path.display()
        ))
    }
}
