//! Everything that has to be compiled, compiled beforehand on all cores.
//!
//! None of it is timed. What is timed afterwards runs beside no compiler, and nobody waits for a
//! validator that is compiled alone.

use super::build::Toolchain;
use super::{Plan, Settings};
use crate::package::{InputValidatorKind, Package, Validator};
use crate::submission::Source;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A program to build.
enum Item<'a> {
    Helper(&'a Package, &'a Path),
    Submission {
        package: &'a Package,
        path: &'a PathBuf,
        language: Option<&'a str>,
        entry_point: Option<&'a str>,
    },
}

/// Builds the helpers and the submissions of a plan into the cache, from which they are taken
/// when they are needed; what cannot be built is told then. `false` when it was interrupted.
pub fn build(plan: &Plan, settings: &Settings, toolchain: &Toolchain) -> bool {
    // Validators first: they are wanted first.
    let items: Vec<Item<'_>> = plan
        .entries
        .iter()
        .flat_map(|entry| helpers(&entry.package))
        .chain(plan.entries.iter().flat_map(|entry| {
            let package = &entry.package;
            let built_already =
                |s: &&super::PlanSubmission| s.prepared.is_some() || package.kind.submit_answer;
            entry
                .submissions
                .iter()
                .filter(move |s| !built_already(s))
                .filter_map(move |s| match &s.submission.source {
                    Source::Code {
                        path,
                        language,
                        entry_point,
                    } => Some(Item::Submission {
                        package,
                        path,
                        language: language.as_deref(),
                        entry_point: entry_point.as_deref(),
                    }),
                    _ => None,
                })
        }))
        .collect();
    let next = AtomicUsize::new(0);
    let interrupted = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..settings.jobs.min(items.len()) {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if interrupted.load(Ordering::Relaxed) {
                        break;
                    }
                    if let Item::Submission {
                        package,
                        path,
                        language,
                        entry_point,
                    } = item
                    {
                        let built =
                            toolchain.submission_ahead(package, path, *language, *entry_point);
                        if built.is_err_and(|fault| fault.interrupted) {
                            interrupted.store(true, Ordering::Relaxed);
                        }
                    } else if let Item::Helper(package, path) = item {
                        // Told by whoever asks for the validator.
                        let _ = toolchain.helper(package, path);
                    }
                }
            });
        }
    });
    !interrupted.into_inner()
}

fn helpers(package: &Package) -> Vec<Item<'_>> {
    let output = std::iter::once(&package.validator)
        .chain(&package.more_validators)
        .filter_map(|validator| match validator {
            Validator::Program { path, .. } => Some(path),
            _ => None,
        });
    let input = package
        .input_validators
        .iter()
        .filter(|validator| {
            matches!(
                validator.kind,
                InputValidatorKind::Program | InputValidatorKind::Testlib
            )
        })
        .map(|validator| &validator.path);
    output
        .chain(input)
        .chain(&package.static_validator)
        .chain(&package.grader)
        .map(|path| Item::Helper(package, path))
        .collect()
}
