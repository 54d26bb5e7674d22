//! Submissions: what is judged, where it comes from, and what is expected of it.

mod cargo;
mod workspace;

pub use cargo::{CargoBuild, Targets, build};
pub use workspace::{BinNotes, ProblemCrate, Workspace};

use crate::error::Failure;
use crate::language;
use crate::package::input::units::duration;
use crate::package::{Expectation, Package, Rule};
use crate::verdict::Verdict;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A program to judge.
#[derive(Clone, PartialEq, Debug)]
pub struct Submission {
    /// What reports call it.
    pub name: String,
    /// Where it comes from.
    pub source: Source,
    /// What is expected of it, for people.
    pub expected: Expectation,
    /// Each single demand on it.
    pub rules: Vec<Rule>,
    /// A CPU-time limit of its own, instead of the package's.
    pub time_limit: Option<Duration>,
}

/// Where a submission comes from.
#[derive(Clone, PartialEq, Debug)]
pub enum Source {
    /// A file that can be executed as it is.
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
        /// The language, where it is said.
        language: Option<String>,
        /// The file or class to start, where it is said.
        entry_point: Option<String>,
    },
}

impl Submission {
    /// The submission at a path that the user gave, in a language that he may have said.
    ///
    /// # Errors
    ///
    /// When there is nothing at `path`.
    pub fn at(path: &Path, language: Option<&str>) -> Result<Self, Failure> {
        std::fs::metadata(path).map_err(|e| {
            Failure::usage(format!("failed to read submission {}: {e}", path.display()))
        })?;
        // A script with `#!` is source code: its language decides how it runs.
        let resolved = resolve(path)?;
        let source = if language::is_native(&resolved) && !resolved.is_symlink() {
            Source::Executable(resolved)
        } else {
            Source::Code {
                path: resolved,
                language: language.map(str::to_owned),
                entry_point: None,
            }
        };
        Ok(Submission {
            name: path.display().to_string(),
            source,
            expected: Expectation::accepted(),
            rules: vec![Rule {
                expected: Expectation::accepted(),
                ..Rule::default()
            }],
            time_limit: None,
        })
    }

    /// The submissions that the package brings along, as `select` picks them by name.
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
    /// When the manifest says of a binary what is no verdict.
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
                Ok(Submission {
                    rules: vec![Rule {
                        expected: expected.clone(),
                        ..Rule::default()
                    }],
                    expected,
                    time_limit,
                    name: target.clone(),
                    source: Source::CargoBinary {
                        package: problem.name.clone(),
                        target,
                    },
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
            "{}: package.metadata.judge.bins.{target}.time_limit: {seconds} seconds can be no limit",
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
                    "{}: package.metadata.judge.bins.{target}.expected: {code:?} is no verdict; \
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

/// The absolute path of a file or directory that the user names: the directories above it are
/// resolved, so that a later comparison of paths is not deceived by `..` or a symbolic link. The
/// last component stays: whether it may be a link depends on what it is for.
///
/// # Errors
///
/// When the directory above does not exist.
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
    resolved.map_err(|e| Failure::usage(format!("failed to resolve {}: {e}", path.display())))
}
