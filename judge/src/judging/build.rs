//! From source code to programs, for the judging loop.

use super::{PlanSubmission, Prepared, Settings};
use crate::checker::SourceCode;
use crate::error::Failure;
use crate::language::{self, Built, Languages, OtherStandards, Precompilation, Program, Request};
use crate::package::Package;
use crate::submission::Source;
use judge_sandbox::Fault;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The compilers and interpreters of this machine, and the programs built with them.
pub struct Toolchain {
    languages: language::Toolchain,
    /// Compile errors of submissions that were built beforehand, each with the language's name.
    refused: Mutex<HashMap<Asked, (String, String)>>,
    /// What is wrong with programs that help to judge, by package and path: many ask for them.
    bad_helpers: Mutex<HashMap<(PathBuf, PathBuf), BadHelper>>,
    /// What their authors should know of those that were built.
    notes: Mutex<BTreeMap<(PathBuf, PathBuf), String>>,
}

/// Why a program that helps to judge cannot be run here.
#[derive(Clone, Debug)]
pub struct BadHelper {
    path: PathBuf,
    /// Whether that is its own fault: it does not compile.
    pub is_broken: bool,
    /// What is wrong with it, without its name.
    pub what: String,
}

impl From<BadHelper> for String {
    fn from(bad: BadHelper) -> String {
        let colon = if bad.is_broken { "" } else { ":" };
        format!("{}{colon} {}", bad.path.display(), bad.what)
    }
}

/// A submission: its path, its language and its entry point as the package says them.
type Asked = (PathBuf, Option<String>, Option<String>);

fn asked(path: &Path, language: Option<&str>, entry_point: Option<&str>) -> Asked {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    (path.to_owned(), owned(language), owned(entry_point))
}

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
            .map(|languages| Toolchain {
                languages,
                refused: Mutex::default(),
                bad_helpers: Mutex::default(),
                notes: Mutex::default(),
            })
            .map_err(|e| Failure::internal(format!("failed to open the cache of programs: {e}")))
    }

    /// Checks the language that the user gives for his own submissions.
    ///
    /// # Errors
    ///
    /// When the table of languages has none of this code.
    pub fn check_language(&self, code: Option<&str>) -> Result<(), Failure> {
        let known = code.map_or(Ok(()), |code| self.languages.languages().check(code));
        known.map_err(|what| Failure::usage(format!("--language: {what}")))
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
        let request = submission(package, path, language, entry_point);
        let asked = asked(path, language, entry_point);
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((message, name)) = refused.get(&asked).cloned() {
            return Ok((Prepared::CompileError(message), name));
        }
        drop(refused);
        let name = self.languages.language_name(&request);
        let others = OtherStandards::of_submission(package, path);
        let prepared = match self.languages.build_or(&request, others)? {
            Built::Ready(program) if package.unbuffered => {
                Prepared::Ready(Arc::new(program.unbuffered()))
            }
            Built::Ready(program) => Prepared::Ready(Arc::new(program)),
            Built::CompileError(message) => Prepared::CompileError(message),
            Built::Stalled(message) => Prepared::Failed(message),
            Built::Skipped(missing) => Prepared::Skipped(missing),
        };
        Ok((prepared, name))
    }

    /// Compiles a submission whose program is wanted later. That it does not compile is found out
    /// once.
    ///
    /// # Errors
    ///
    /// When the sandbox or the cache fails.
    pub fn submission_ahead(
        &self,
        package: &Package,
        path: &Path,
        language: Option<&str>,
        entry_point: Option<&str>,
    ) -> Result<(), Fault> {
        let (prepared, name) = self.submission(package, path, language, entry_point)?;
        if let Prepared::CompileError(message) = prepared {
            let asked = asked(path, language, entry_point);
            let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
            refused.insert(asked, (message, name));
        }
        Ok(())
    }

    /// The header that would speed up building a helper, where neither is there yet.
    pub fn helper_header(&self, package: &Package, path: &Path) -> Option<Precompilation> {
        self.languages.missing_header(&helper(package, path))
    }

    /// The header that would speed up building a submission, where neither is there yet.
    pub fn missing_header(
        &self,
        package: &Package,
        path: &Path,
        language: Option<&str>,
        entry_point: Option<&str>,
    ) -> Option<Precompilation> {
        let request = submission(package, path, language, entry_point);
        self.languages.missing_header(&request)
    }

    /// Precompiles a header. That it cannot be done is no error.
    ///
    /// # Errors
    ///
    /// When it was interrupted.
    pub fn precompile(&self, header: &Precompilation) -> Result<(), Fault> {
        self.languages.precompile(header)
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

    /// A directory that depends on `parts` alone; `make` fills it where it is not there yet.
    ///
    /// # Errors
    ///
    /// What `make` says; an internal failure where the cache fails.
    pub fn keep(
        &self,
        parts: &[&[u8]],
        make: impl FnOnce(&Path) -> Result<(), Failure>,
    ) -> Result<PathBuf, Failure> {
        self.languages.keep(parts, make)
    }

    /// What a static validator is told of a submission.
    ///
    /// # Errors
    ///
    /// What keeps its language or its main file from being known.
    pub fn source_code(
        &self,
        package: &Package,
        path: &Path,
        language: Option<&str>,
        entry_point: Option<&str>,
    ) -> Result<SourceCode, String> {
        let request = Request {
            language,
            entry_point,
            ..Request::submission(package, path)
        };
        let described = self.languages.describe(&request)?;
        Ok(SourceCode {
            language: described.language,
            entry_point: described.entry_point,
            files: described.files,
        })
    }

    /// What the author of a package should know of programs that help to judge and were built: each
    /// one's path, and that it is compiled by an older standard.
    pub fn notes(&self, package: &Package) -> Vec<(PathBuf, String)> {
        let notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let own = notes.iter().filter(|((root, _), _)| *root == package.root);
        own.map(|((_, path), note)| (path.clone(), note.clone()))
            .collect()
    }

    /// Makes a program of something that helps to judge: a validator, a generator. What is wrong
    /// with its source is found out once.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn helper(&self, package: &Package, path: &Path) -> Result<Program, BadHelper> {
        let bad = || {
            let bad = self.bad_helpers.lock();
            bad.unwrap_or_else(PoisonError::into_inner)
        };
        let made = |is_broken, what| BadHelper {
            path: path.to_owned(),
            is_broken,
            what,
        };
        let key = (package.root.clone(), path.to_owned());
        if let Some(why) = bad().get(&key) {
            return Err(why.clone());
        }
        let request = helper(package, path);
        let why = match self.languages.build_or(&request, OtherStandards::Take) {
            Ok(Built::Ready(program)) => {
                if let Some(note) = &program.note {
                    let notes = self.notes.lock();
                    let mut notes = notes.unwrap_or_else(PoisonError::into_inner);
                    notes.insert(key, note.clone());
                }
                return Ok(program);
            }
            Ok(Built::CompileError(message)) => {
                let help = if message.contains("testlib.h: No such file") {
                    "\n  help: put testlib.h beside it, into /usr/local/include, or into \
                     ~/.local/share/judge/include"
                } else {
                    ""
                };
                made(true, format!("does not compile: {message}{help}"))
            }
            Ok(Built::Skipped(missing)) => made(false, missing),
            // These may go well another time.
            Ok(Built::Stalled(message)) => return Err(made(false, message)),
            Err(fault) => return Err(made(false, fault.to_string())),
        };
        bad().insert(key, why.clone());
        Err(why)
    }
}

/// What is to be built of a submission.
fn submission<'a>(
    package: &'a Package,
    path: &'a Path,
    language: Option<&'a str>,
    entry_point: Option<&'a str>,
) -> Request<'a> {
    Request {
        language,
        entry_point,
        ..Request::submission(package, path)
    }
}

/// What is to be built of something that helps to judge; it may lie outside the package.
fn helper<'a>(package: &'a Package, path: &'a Path) -> Request<'a> {
    let mut request = Request::validator(package, path);
    request.language = language::older(path);
    if !path.starts_with(&package.root) {
        request.root = path.parent().unwrap_or(path);
    }
    request
}
