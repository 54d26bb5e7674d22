//! From source code to programs, for the judging loop.

use super::{PlanSubmission, Prepared, Settings};
use crate::error::Failure;
use crate::language::{self, Built, Languages, Program, Request};
use crate::package::Package;
use crate::submission::Source;
use judge_sandbox::Fault;
use std::path::Path;
use std::sync::Arc;

/// The compilers and interpreters of this machine, and the programs built with them.
pub struct Toolchain(language::Toolchain);

impl Toolchain {
    /// The tools of this machine; they run in boxes of the mode that is set. `languages` is a
    /// table that goes before the judge's own.
    ///
    /// # Errors
    ///
    /// When the table of languages is broken, or there is no place for built programs.
    pub fn new(settings: &Settings, languages: Option<&Path>) -> Result<Self, Failure> {
        let languages = Languages::load(languages).map_err(|e| Failure::usage(e.to_string()))?;
        language::Toolchain::new(languages, settings.mode)
            .map(Toolchain)
            .map_err(|e| Failure::internal(format!("failed to open the cache of programs: {e}")))
    }

    /// Makes a program of a submission; also gives the language's name.
    ///
    /// # Errors
    ///
    /// When the sandbox or the cache fails.
    pub fn submission(
        &self,
        package: &Package,
        path: &Path,
        language: Option<&str>,
        entry_point: Option<&str>,
    ) -> Result<(Prepared, String), Fault> {
        let request = Request {
            language,
            entry_point,
            ..Request::submission(package, path)
        };
        let name = self.0.language_name(&request);
        let prepared = match self.0.build(&request)? {
            Built::Ready(program) => Prepared::Ready(Arc::new(program)),
            Built::CompileError(message) => Prepared::CompileError(message),
            Built::Skipped(missing) => Prepared::Skipped(missing),
        };
        Ok((prepared, name))
    }

    /// Makes a program of what a plan says: what is built already, or source code. Also gives the
    /// language's name, of source code.
    ///
    /// # Errors
    ///
    /// When the sandbox or the cache fails.
    pub fn prepare(
        &self,
        package: &Package,
        planned: &PlanSubmission,
    ) -> Result<(Prepared, Option<String>), Fault> {
        match (&planned.prepared, &planned.submission.source) {
            (Some(prepared), _) => Ok((prepared.clone(), None)),
            // The submission is the output itself: there is nothing to build or to run.
            (None, Source::Code { path, .. }) if package.kind.submit_answer => {
                let answers = Program::executable(path);
                Ok((Prepared::Ready(Arc::new(answers)), None))
            }
            (
                None,
                Source::Code {
                    path,
                    language,
                    entry_point,
                },
            ) => {
                let (language, entry) = (language.as_deref(), entry_point.as_deref());
                let (prepared, name) = self.submission(package, path, language, entry)?;
                Ok((prepared, Some(name)))
            }
            (None, _) => Ok((Prepared::Failed("it was not built".to_owned()), None)),
        }
    }

    /// Makes a program of something that helps to judge: a validator, a generator.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn helper(&self, package: &Package, path: &Path) -> Result<Program, String> {
        let mut request = Request::validator(package, path);
        if !path.starts_with(&package.root) {
            request.root = path.parent().unwrap_or(path);
        }
        match self.0.build(&request) {
            Ok(Built::Ready(program)) => Ok(program),
            Ok(Built::CompileError(message)) => {
                Err(format!("{} does not compile: {message}", path.display()))
            }
            Ok(Built::Skipped(missing)) => Err(format!("{} needs {missing}", path.display())),
            Err(fault) => Err(fault.to_string()),
        }
    }
}
