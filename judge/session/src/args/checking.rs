//! Options that replace how outputs are compared.

use super::parse::parse_tolerance;
use crate::output::say;
use clap::Args;
use judge_core::error::Failure;
use judge_package::{Package, SETTINGS_FILE};
use std::path::PathBuf;

/// Arguments shared by `run`, `watch` and `stress`.
#[derive(Args, Clone, Default, Debug)]
pub struct CheckingArgs {
    /// Use this checker instead of the package's: a program or source file that is called like
    /// testlib's and oj's, `CHECKER INPUT OUTPUT ANSWER`, and exits with 0 if the output is right,
    /// 1 if it is wrong.
    #[arg(long, value_name = "CHECKER")]
    pub checker: Option<PathBuf>,

    /// Let this interactor talk to the program, in a folder of your own: a program or source file that is
    /// called like testlib's, `INTERACTOR INPUT OUTPUT ANSWER`, reads what the program writes, writes what
    /// it reads, and exits with 0 if it is right, 1 if it is wrong.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["checker", "tolerance"])]
    pub interactor: Option<PathBuf>,

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
    /// Fails if the package's outputs cannot be compared in this way.
    pub fn apply(&self, package: &mut Package) -> Result<(), Failure> {
        if let Some(checker) = &self.checker {
            package.override_checker(checker)?;
        }
        if let Some(interactor) = &self.interactor {
            package.override_interactor(interactor)?;
        }
        if let Some(tolerance) = self.tolerance {
            if tolerance >= 1.0 {
                say(&format!(
                    "warning: --tolerance {tolerance:e} accepts numbers that are off by {tolerance}: \
                     1e-6 was probably meant"
                ));
            }
            package.override_tolerance(tolerance)?;
        }
        let has_program = package.validation.programs().next().is_some();
        if package.kind.interactive && package.policy.runs_without_answer && !has_program {
            return Err(Failure::usage(format!(
                "{}: the problem is interactive, and its interactor is missing",
                package.id
            ))
            .help(format!(
                "write one that is called as INTERACTOR INPUT OUTPUT ANSWER, and name it by `interactor:` in \
                 {SETTINGS_FILE} or by --interactor"
            )));
        }
        Ok(())
    }

    /// The options as words of a command line.
    pub fn options(&self) -> impl Iterator<Item = (&'static str, String)> {
        let checker = self.checker.as_ref();
        let checker = checker.map(|path| ("--checker", path.display().to_string()));
        let tolerance = self.tolerance;
        let tolerance = tolerance.map(|error| ("--tolerance", format!("{error:e}")));
        let interactor = self.interactor.as_ref();
        let interactor = interactor.map(|path| ("--interactor", path.display().to_string()));
        checker.into_iter().chain(interactor).chain(tolerance)
    }
}
