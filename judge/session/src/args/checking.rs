//! Options that replace how outputs are compared.

use super::parse::parse_tolerance;
use clap::Args;
use judge_core::error::Failure;
use judge_package::Package;
use std::path::PathBuf;

/// Arguments shared by `run`, `watch` and `stress`.
#[derive(Args, Clone, Default, Debug)]
pub struct CheckingArgs {
    /// Use this checker instead of the package's: a program or source file that is called like
    /// testlib's and oj's, `CHECKER INPUT OUTPUT ANSWER`, and exits with 0 if the output is right,
    /// 1 if it is wrong.
    #[arg(long, value_name = "CHECKER")]
    pub checker: Option<PathBuf>,

    /// Accept numbers whose absolute or relative error is at most this, such as 1e-6, where outputs
    /// are compared with the answers token by token.
    #[arg(
        long,
        value_name = "ERROR",
        value_parser = parse_tolerance,
        allow_hyphen_values = true,
        conflicts_with = "checker"
    )]
    pub tolerance: Option<f64>,
}

impl CheckingArgs {
    /// Applies them to a package.
    ///
    /// # Errors
    ///
    /// If the package's outputs cannot be compared in this way.
    pub fn apply(&self, package: &mut Package) -> Result<(), Failure> {
        if let Some(checker) = &self.checker {
            package.override_checker(checker)?;
        }
        if let Some(tolerance) = self.tolerance {
            package.override_tolerance(tolerance)?;
        }
        Ok(())
    }

    /// The options as words of a command line.
    pub fn options(&self) -> impl Iterator<Item = (&'static str, String)> {
        let checker = self.checker.as_ref();
        let checker = checker.map(|path| ("--checker", path.display().to_string()));
        let tolerance = self.tolerance;
        let tolerance = tolerance.map(|error| ("--tolerance", format!("{error:e}")));
        checker.into_iter().chain(tolerance)
    }
}
