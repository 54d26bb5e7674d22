//! Builds programs from source code for judging.

use super::{Plan, PlanEntry, PlanSubmission, Settings};
use crate::error::Failure;
use crate::language::{self, Languages, OtherStandards, Prepared, Program, Request};
use crate::parallel::unpoisoned;
use judge_package::{Package, PackageError};
use judge_sandbox::Fault;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The compilers and interpreters of this machine, and the programs built with them.
pub struct Toolchain {
    /// Builds programs in all languages.
    pub languages: language::Toolchain,
    /// Compile errors of submissions that were built in advance, with the language's name.
    refused: Mutex<HashMap<SubmissionKey, (String, String)>>,
    /// Errors of helper programs by package and path; cached because several modules ask for them.
    bad_helpers: Mutex<HashMap<(PathBuf, PathBuf), BadHelper>>,
    /// Notes for the authors of helper programs that were built.
    notes: Mutex<BTreeMap<(PathBuf, PathBuf), String>>,
}

/// Why a helper program of the package cannot run here.
#[derive(Clone, Debug)]
pub struct BadHelper {
    path: PathBuf,
    /// Whether the package is at fault: the program does not compile.
    pub is_broken: bool,
    /// Whether this machine failed, so that another attempt may succeed. A missing compiler stays
    /// missing.
    pub of_machine: bool,
    /// The message, without the program's name.
    pub what: String,
}

impl From<BadHelper> for PackageError {
    fn from(bad: BadHelper) -> PackageError {
        PackageError {
            is_of_machine: bad.of_machine,
            ..PackageError::new(bad.path, bad.what)
        }
    }
}

impl fmt::Display for BadHelper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colon = if self.is_broken { "" } else { ":" };
        write!(f, "{}{colon} {}", self.path.display(), self.what)
    }
}

impl std::error::Error for BadHelper {}

/// The package's directory, whose files and limits the build uses, and the submission's path,
/// language and entry point.
type SubmissionKey = (PathBuf, PathBuf, Option<String>, Option<String>);

fn submission_key(package: &Package, request: &Request<'_>) -> SubmissionKey {
    (
        package.root.clone(),
        request.path.to_owned(),
        request.language.map(str::to_owned),
        request.entry_point.map(str::to_owned),
    )
}

impl Toolchain {
    /// Finds the tools of this machine; compilers run in boxes of the configured mode. `languages`
    /// is a table that takes precedence over the built-in one.
    ///
    /// # Errors
    ///
    /// When the table of languages is invalid, or the cache cannot be created.
    pub fn new(settings: &Settings, languages: Option<&Path>) -> Result<Self, Failure> {
        let languages = Languages::load(languages)?;
        let mut languages = language::Toolchain::new(languages, settings.mode)?;
        languages.preprocessor = settings.preprocessor.clone();
        if let Some(bytes) = settings.program_bytes {
            languages.program_bytes = bytes;
        }
        Ok(Toolchain {
            languages,
            refused: Mutex::default(),
            bad_helpers: Mutex::default(),
            notes: Mutex::default(),
        })
    }

    /// Checks the language that the user gives for their own submissions.
    ///
    /// # Errors
    ///
    /// When the table of languages does not contain this code.
    pub fn check_language(&self, code: Option<&str>) -> Result<(), Failure> {
        let known = code.map_or(Ok(()), |code| self.languages.languages.check(code));
        known.map_err(|what| Failure::usage(format!("--language: {what}")))
    }

    /// Compiles a submission; also returns the language's name.
    pub fn submission(
        &self,
        package: &Package,
        request: &Request<'_>,
    ) -> Result<(Prepared, String), Fault> {
        keep_apart(package);
        let refused = unpoisoned(self.refused.lock());
        if let Some((message, name)) = refused.get(&submission_key(package, request)).cloned() {
            return Ok((Prepared::CompileError(message), name));
        }
        drop(refused);
        let name = self.languages.language_name(request);
        let others = OtherStandards::of_submission(package, request.path);
        let prepared = match self.languages.build_or(request, others)? {
            Prepared::Ready(program) if package.unbuffered => {
                Arc::unwrap_or_clone(program).unbuffered().into()
            }
            prepared => prepared,
        };
        Ok((prepared, name))
    }

    /// A warning for each submission in a language that its package does not allow.
    pub fn foreign_languages(&self, plan: &Plan) -> Vec<String> {
        let of_entry = |entry: &PlanEntry| {
            let package = &entry.package;
            let codes = package.languages.as_deref().unwrap_or_default();
            let submissions = entry.submissions.iter().map(|planned| &planned.submission);
            let foreign = submissions.filter_map(|submission| {
                let request = submission.source.request(package)?;
                (!self.languages.is_one_of(&request, codes)).then(|| {
                    let language = self.languages.language_name(&request);
                    let allowed = codes.join(", ");
                    format!(
                        "{}: {} is in {language}, but the package allows only {allowed}",
                        package.id, submission.name
                    )
                })
            });
            let is_limited = !codes.is_empty();
            foreign.filter(|_| is_limited).collect::<Vec<_>>()
        };
        plan.entries.iter().flat_map(of_entry).collect()
    }

    /// The program of a submission of a plan, if it is in the cache.
    pub fn built(&self, package: &Package, planned: &PlanSubmission) -> Option<Program> {
        keep_apart(package);
        let request = planned.submission.source.request(package)?;
        let program = self.languages.built(&request)?;
        Some(match package.unbuffered {
            true => program.unbuffered(),
            false => program,
        })
    }

    /// Compiles a submission in advance. A compile error is cached.
    pub fn submission_ahead(&self, package: &Package, request: &Request<'_>) -> Result<(), Fault> {
        let (prepared, name) = self.submission(package, request)?;
        if let Prepared::CompileError(message) = prepared {
            let mut refused = unpoisoned(self.refused.lock());
            refused.insert(submission_key(package, request), (message, name));
        }
        Ok(())
    }

    /// Prepares a submission of a plan: returns its program if it is built, else compiles it. Also
    /// returns the language's name of source code.
    pub fn prepare(
        &self,
        package: &Package,
        planned: &PlanSubmission,
    ) -> Result<(Prepared, Option<String>), Fault> {
        let request = planned.submission.source.request(package);
        match (&planned.prepared, request) {
            (Some(prepared), _) => Ok((prepared.clone(), None)),
            // The submission is the output itself: nothing is built or run.
            (None, Some(request)) if package.kind.submit_answer => {
                Ok((Program::executable(request.path).into(), None))
            }
            (None, Some(request)) => {
                let (prepared, name) = self.submission(package, &request)?;
                Ok((prepared, Some(name)))
            }
            (None, None) => Ok((Prepared::Failed("it was not built".to_owned()), None)),
        }
    }

    /// The program of a submission, or why there is none.
    ///
    /// # Errors
    ///
    /// When it cannot be built, or the sandbox or the cache fails.
    pub fn program(
        &self,
        package: &Package,
        planned: &PlanSubmission,
    ) -> Result<Arc<Program>, Failure> {
        let (prepared, _) = self.prepare(package, planned)?;
        let between = match prepared {
            Prepared::CompileError(_) => " does not compile:\n",
            _ => ": ",
        };
        let failed = |why| Failure::usage(format!("{}{between}{why}", planned.submission.name));
        prepared.program().cloned().map_err(failed)
    }

    /// Notes for the package's author about helper programs: the path of each one, and that it is
    /// compiled with an older standard.
    pub fn notes(&self, package: &Package) -> Vec<(PathBuf, String)> {
        let notes = unpoisoned(self.notes.lock());
        let own = notes.iter().filter(|((root, _), _)| *root == package.root);
        own.map(|((_, path), note)| (package.original(path).to_owned(), note.clone()))
            .collect()
    }

    /// Compiles a helper program of the package: a validator, a generator. A compile error is
    /// cached.
    pub fn helper(&self, package: &Package, path: &Path) -> Result<Program, BadHelper> {
        self.helper_started_by(package, path, None)
    }

    /// The same with the file to start, for a program of several files.
    pub fn helper_started_by(
        &self,
        package: &Package,
        path: &Path,
        entry_point: Option<&str>,
    ) -> Result<Program, BadHelper> {
        let bad = || unpoisoned(self.bad_helpers.lock());
        let made = |is_broken, what| BadHelper {
            path: package.original(path).to_owned(),
            is_broken,
            of_machine: false,
            what,
        };
        let of_machine = |what| BadHelper {
            of_machine: true,
            ..made(false, what)
        };
        let key = (package.root.clone(), path.to_owned());
        if let Some(why) = bad().get(&key) {
            return Err(why.clone());
        }
        let request = Request {
            entry_point,
            ..helper(package, path)
        };
        let why = match self.languages.build_or(&request, OtherStandards::Use) {
            Ok(Prepared::Ready(program)) => {
                if let Some(note) = &program.note {
                    unpoisoned(self.notes.lock()).insert(key, note.clone());
                }
                return Ok(Program {
                    source_dir: source_dir(package, path),
                    ..Arc::unwrap_or_clone(program)
                });
            }
            Ok(Prepared::CompileError(message)) => {
                let help = if message.contains("testlib.h: No such file") {
                    "\n  help: put testlib.h beside it, into /usr/local/include, or into \
                     ~/.local/share/judge/include"
                } else {
                    ""
                };
                made(true, format!("does not compile: {message}{help}"))
            }
            Ok(Prepared::Skipped(missing)) => made(false, missing),
            // These failures may be temporary, and are not cached.
            Ok(Prepared::Failed(message)) => return Err(of_machine(message)),
            Err(fault) => return Err(of_machine(fault.to_string())),
        };
        bad().insert(key, why.clone());
        Err(why)
    }
}

/// Lets no submission see the package because its interpreter is installed around it. The packages of
/// archives are in directories of the judge.
fn keep_apart(package: &Package) {
    let is_own = |dir: &&Path| {
        package
            .unpacked
            .iter()
            .any(|own| dir.starts_with(own.path()))
    };
    let places = package.directories().into_iter();
    language::keep_apart(places.filter(|dir| !is_own(dir)));
}

/// The directory of a helper's sources: relative to the package, or as given if it lies outside.
fn source_dir(package: &Package, path: &Path) -> PathBuf {
    let dir = match path.is_dir() {
        true => path,
        false => path.parent().unwrap_or(path),
    };
    dir.strip_prefix(&package.root).unwrap_or(dir).to_owned()
}

/// The build request of a helper; it may lie outside the package.
pub fn helper<'a>(package: &'a Package, path: &'a Path) -> Request<'a> {
    let mut request = Request::validator(package, path);
    request.language = language::older(path);
    if !path.starts_with(&package.root) {
        request.root = path.parent().unwrap_or(path);
    }
    request
}
