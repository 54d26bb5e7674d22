//! Submissions: programs to judge, their origin and their expected verdicts.

mod cargo;
mod workspace;

pub use cargo::{CargoBuild, Targets, build, build_debug, members};
pub use workspace::{BinNotes, ProblemCrate, Workspace};

use crate::error::Failure;
use crate::language::{self, Request};
use crate::verdict::Verdict;
use judge_package::units::duration;
use judge_package::{Expectation, Package, Rule, is_native};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A program to judge.
#[derive(Clone, PartialEq, Debug)]
pub struct Submission {
    /// The name in reports.
    pub name: String,
    /// The origin of the program.
    pub source: Source,
    /// The expectation as reports show it.
    pub expected: Expectation,
    /// All rules that it must satisfy.
    pub rules: Vec<Rule>,
    /// A CPU-time limit that overrides the package's.
    pub time_limit: Option<Duration>,
}

/// The origin of a submission's program.
#[derive(Clone, PartialEq, Debug)]
pub enum Source {
    /// An executable file.
    Executable(PathBuf),
    /// A binary target of a crate of the workspace.
    CargoBinary {
        /// The cargo package.
        package: String,
        /// The target.
        target: String,
    },
    /// Source code: a file or a directory.
    Code {
        /// Where it is.
        path: PathBuf,
        /// The language's code, if given.
        language: Option<String>,
        /// The file or class to start, if given.
        entry_point: Option<String>,
    },
}

impl Source {
    /// The file or directory of source code; `None` for a program that is built already.
    pub fn code(&self) -> Option<&Path> {
        match self {
            Source::Code { path, .. } => Some(path),
            Source::Executable(_) | Source::CargoBinary { .. } => None,
        }
    }

    /// The request to build source code over a package; `None` for a program that is built already.
    pub fn request<'a>(&'a self, package: &'a Package) -> Option<Request<'a>> {
        match self {
            Source::Code {
                path,
                language,
                entry_point,
            } => Some(Request {
                language: language.as_deref(),
                entry_point: entry_point.as_deref(),
                ..Request::submission(package, path)
            }),
            Source::Executable(_) | Source::CargoBinary { .. } => None,
        }
    }
}

impl Submission {
    /// A submission with one rule, about all cases.
    pub fn new(name: String, source: Source, expected: Expectation) -> Self {
        Submission {
            name,
            source,
            rules: vec![Rule {
                expected: expected.clone(),
                ..Rule::default()
            }],
            expected,
            time_limit: None,
        }
    }

    /// The submission at a path given by the user, optionally with its language. A symbolic link is
    /// followed.
    ///
    /// # Errors
    ///
    /// If `path` does not exist or cannot be read.
    pub fn at(path: &Path, language: Option<&str>) -> Result<Self, Failure> {
        let unreadable = |e: std::io::Error| {
            let what = format!("failed to read submission {}: {e}", path.display());
            match e.kind() {
                std::io::ErrorKind::PermissionDenied => {
                    Failure::usage(what).help("make it readable: `chmod u+r`")
                }
                _ => Failure::usage(what).help("`-s` takes the path of a program: -s sol.cpp"),
            }
        };
        let resolved = path.canonicalize().map_err(unreadable)?;
        match resolved.is_dir() {
            true => std::fs::read_dir(&resolved).map(drop),
            false => std::fs::File::open(&resolved).map(drop),
        }
        .map_err(unreadable)?;
        // A script with `#!` is source code: its language determines how it is run.
        let source = if is_native(&resolved) {
            Source::Executable(resolved)
        } else {
            Source::Code {
                path: resolved,
                language: language.map(str::to_owned),
                entry_point: None,
            }
        };
        let name = path.display().to_string();
        Ok(Submission::new(name, source, Expectation::accepted()))
    }

    /// The package's own submissions whose names `select` accepts.
    pub fn of_package(package: &Package, select: impl Fn(&str) -> bool) -> Vec<Self> {
        package
            .submissions
            .iter()
            .filter(|packaged| select(&packaged.name))
            .map(|packaged| Submission {
                name: packaged.name.clone(),
                source: Source::Code {
                    path: packaged.path.clone(),
                    language: packaged
                        .language
                        .clone()
                        .or_else(|| language::older(&packaged.path).map(str::to_owned)),
                    entry_point: packaged.entry_point.clone(),
                },
                expected: packaged.expected.clone(),
                rules: packaged.rules.clone(),
                time_limit: None,
            })
            .collect()
    }

    /// The binary targets of a workspace crate: the main one, or `all` of them.
    ///
    /// # Errors
    ///
    /// If the manifest gives a binary an invalid verdict or time limit.
    pub fn of_crate(problem: &ProblemCrate, all: bool) -> Result<Vec<Self>, Failure> {
        let mut targets = vec![problem.main.clone()];
        if all {
            targets.extend(problem.method_targets()?);
        }
        targets
            .into_iter()
            .map(|target| {
                let notes = problem.bins.get(&target).cloned().unwrap_or_default();
                let expected = expectation(&notes, problem, &target)?;
                let time_limit = time_limit(&notes, problem, &target)?;
                let source = Source::CargoBinary {
                    package: problem.name.clone(),
                    target: target.clone(),
                };
                Ok(Submission {
                    time_limit,
                    ..Submission::new(target, source, expected)
                })
            })
            .collect()
    }
}

fn time_limit(
    notes: &BinNotes,
    problem: &ProblemCrate,
    target: &str,
) -> Result<Option<Duration>, Failure> {
    let Some(seconds) = notes.time_limit else {
        return Ok(None);
    };
    let limit = duration(seconds).ok_or_else(|| {
        Failure::usage(format!(
            "{}: package.metadata.judge.bins.{target}.time_limit: {seconds} seconds is not a valid limit",
            problem.dir.join("Cargo.toml").display()
        ))
    })?;
    Ok(Some(limit))
}

fn expectation(
    notes: &BinNotes,
    problem: &ProblemCrate,
    target: &str,
) -> Result<Expectation, Failure> {
    let Some(codes) = &notes.expected else {
        return Ok(Expectation::accepted());
    };
    let verdicts: Vec<Verdict> = codes
        .iter()
        .map(|code| {
            Verdict::from_code(code).ok_or_else(|| {
                Failure::usage(format!(
                    "{}: package.metadata.judge.bins.{target}.expected: {code:?} is not a verdict; \
                     use AC, WA, PE, TLE, MLE, OLE or RTE",
                    problem.dir.join("Cargo.toml").display()
                ))
            })
        })
        .collect::<Result<_, _>>()?;
    let mut permitted = verdicts.clone();
    if !permitted.contains(&Verdict::Accepted) {
        permitted.push(Verdict::Accepted);
    }
    Ok(Expectation {
        permitted,
        required: verdicts,
        ..Expectation::default()
    })
}

/// The absolute path of a file or directory given by the user. The parent directory is
/// canonicalised, so that paths can be compared reliably. The last component is not: whether it may
/// be a symbolic link depends on the use.
///
/// # Errors
///
/// If the parent directory does not exist.
pub fn resolve(path: &Path) -> Result<PathBuf, Failure> {
    let resolved = match (path.parent(), path.file_name()) {
        (Some(above), Some(name)) => {
            let above = if above.as_os_str().is_empty() {
                Path::new(".")
            } else {
                above
            };
            above.canonicalize().map(|above| above.join(name))
        }
        // `.`, `..` and `/`.
        _ => path.canonicalize(),
    };
    resolved.map_err(|e| {
        let what = format!("{}: {e}", path.display());
        Failure::usage(what).help("check the path; it begins in the current directory")
    })
}
