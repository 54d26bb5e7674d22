//! From source code to programs, for the judging loop.

use super::{Prepared, Settings};
use crate::error::Failure;
use crate::language::{self, Built, Languages, Program, Request};
use crate::package::Package;
use judge_sandbox::Fault;
use std::path::Path;
use std::sync::Arc;

/// Compilers and interpreters.
pub struct Toolchain(language::Toolchain);

impl Toolchain {
    /// The tools of this machine, compiling with as much isolation as the settings say.
    ///
    /// # Errors
    ///
    /// When the user's table of languages cannot be read, or nothing can be written.
    pub fn new(settings: &Settings) -> Result<Self, Failure> {
        let languages = Languages::load(None).map_err(|e| Failure::usage(e.to_string()))?;
        let toolchain = language::Toolchain::new(languages, settings.mode)
            .map_err(|e| Failure::internal(format!("failed to make a place for programs: {e}")))?;
        Ok(Toolchain(toolchain))
    }

    /// Makes a program of a submission; also gives the language's name.
    pub fn submission(
        &self,
        package: &Package,
        path: &Path,
        language: Option<&str>,
        entry_point: Option<&str>,
    ) -> (Prepared, String) {
        let request = Request {
            language,
            entry_point,
            ..Request::submission(package, path)
        };
        let name = self.0.language_name(&request);
        let prepared = match self.0.build(&request) {
            Ok(Built::Ready(program)) => Prepared::Ready(Arc::new(program)),
            Ok(Built::CompileError(message)) => Prepared::CompileError(message),
            Ok(Built::Skipped(why)) => Prepared::Skipped(why),
            Err(fault) => Prepared::Skipped(format!("the judge failed to compile it: {fault}")),
        };
        (prepared, name)
    }

    /// Makes a program of a validator.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn validator(&self, package: &Package, path: &Path) -> Result<Program, String> {
        let named = |what: String| format!("{}: {what}", path.display());
        match self.0.build_validator(path, package) {
            Ok(Built::Ready(program)) => Ok(program),
            Ok(Built::CompileError(message)) => {
                Err(named(format!("it does not compile: {message}")))
            }
            Ok(Built::Skipped(why)) => Err(named(why)),
            Err(fault) => Err(named(Fault::to_string(&fault))),
        }
    }
}
