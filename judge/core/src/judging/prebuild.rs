//! Compiles all programs of a plan in advance, on all cores.
//!
//! Compilations are not timed, and timed runs then have no compiler running next to them. Building
//! in parallel also avoids waiting for a validator that is compiled alone.

use super::toolchain::{self, BadHelper, Toolchain};
use super::{Host, Plan, PlanSubmission, Settings};
use crate::language::{Precompilation, Request};
use crate::parallel;
use judge_package::{Generation, Group, InputValidatorKind, Package, PackageError};
use judge_sandbox::Fault;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Something to build.
enum Item<'a> {
    Header(Precompilation),
    Helper(&'a Package, &'a Path),
    Submission(&'a Package, Request<'a>),
}

/// Builds the helpers of a plan into the cache, and the submissions unless they run elsewhere. Errors
/// are reported later, when the program is used. Returns `false` when it was interrupted.
pub fn prebuild(plan: &Plan, settings: &Settings, host: &Host, toolchain: &Toolchain) -> bool {
    // Validators first: they are used first.
    let packages = plan.entries.iter().map(|entry| &entry.package);
    let mut items: Vec<Item<'_>> = packages
        .flat_map(|package| helpers(package).map(move |path| Item::Helper(package, path)))
        .collect();
    for entry in plan.entries.iter().filter(|_| !host.is_elsewhere()) {
        let package = &entry.package;
        let submissions = entry.submissions.iter();
        let submissions = submissions.filter(|own| is_to_build(package, own));
        let requests = submissions.filter_map(|s| s.submission.source.request(package));
        items.extend(requests.map(|request| Item::Submission(package, request)));
    }
    let items = with_headers(items, settings.jobs, toolchain);
    let build = |(): &mut (), item: &Item<'_>| match item.build(toolchain) {
        Err(fault) if fault.interrupted => Err(fault),
        _ => Ok(()),
    };
    parallel::each(settings.jobs, &items, |_| Ok(()), build, |_, ()| {}).is_ok()
}

/// Number of programs per worker with the same first header from which precompiling it pays. With
/// g++ 12, precompiling `bits/stdc++.h` takes as long as four and a half programs save on one core;
/// other cores compile programs without it meanwhile.
const PROGRAMS_PER_HEADER: usize = 4;

/// Adds the headers that pay off, and sorts: headers, programs that need none, programs that need
/// one.
fn with_headers<'a>(items: Vec<Item<'a>>, jobs: usize, toolchain: &Toolchain) -> Vec<Item<'a>> {
    let mut headers: Vec<(Precompilation, usize)> = Vec::new();
    let (mut first, mut last) = (Vec::new(), Vec::new());
    for item in items {
        let Some(wanted) = item.missing_header(toolchain) else {
            first.push(item);
            continue;
        };
        last.push(item);
        match headers.iter_mut().find(|(header, _)| *header == wanted) {
            Some((_, count)) => *count += 1,
            None => headers.push((wanted, 1)),
        }
    }
    let enough = (PROGRAMS_PER_HEADER * jobs).max(5);
    let paying = headers.into_iter().filter(|(_, count)| *count >= enough);
    let headers = paying.map(|(header, _)| Item::Header(header));
    headers.chain(first).chain(last).collect()
}

impl Item<'_> {
    fn missing_header(&self, toolchain: &Toolchain) -> Option<Precompilation> {
        match self {
            Item::Header(_) => None,
            Item::Helper(package, path) => toolchain
                .languages
                .missing_header(&toolchain::helper(package, path)),
            Item::Submission(_, request) => toolchain.languages.missing_header(request),
        }
    }

    fn build(&self, toolchain: &Toolchain) -> Result<(), Fault> {
        match self {
            Item::Header(header) => toolchain.languages.precompile(header),
            Item::Helper(package, path) => {
                // Reported when the validator is used.
                let _ = toolchain.helper(package, path);
                Ok(())
            }
            Item::Submission(package, request) => toolchain.submission_ahead(package, request),
        }
    }
}

/// The errors of the package's programs without which none of its submissions can be judged here: one does
/// not compile, or its language is not installed. A failure of the machine may be temporary and is left
/// to judging.
pub fn broken_programs(
    package: &Package,
    settings: &Settings,
    host: &Host,
    toolchain: &Toolchain,
) -> Vec<PackageError> {
    let is_here = !host.is_elsewhere();
    let has_static_case = package.judged_cases().iter().any(|case| case.is_static);
    let validators = package.validation.programs().filter(|_| is_here);
    let static_validator = package.static_validator.as_ref();
    let grader = package
        .grader
        .as_ref()
        .filter(|_| uses_grader(&package.data));
    let programs: Vec<&PathBuf> = validators
        .chain(static_validator.filter(|_| is_here && has_static_case))
        .chain(grader)
        .collect();
    let mut errors = Vec::new();
    let build = |(): &mut (), path: &&PathBuf| Ok::<_, ()>(toolchain.helper(package, path).err());
    let done = |_: &&PathBuf, bad: Option<BadHelper>| {
        errors.extend(bad.filter(|bad| !bad.of_machine).map(PackageError::from));
    };
    // `build` never fails.
    let _ = parallel::each(settings.jobs, &programs, |_| Ok(()), build, done);
    errors
}

fn uses_grader(group: &Group) -> bool {
    group.custom_grader_flags.is_some() || group.groups.iter().any(uses_grader)
}

/// Codes of the languages in which programs of the package or these submissions are written and whose
/// tools are not installed on this machine.
pub fn missing_languages(
    package: &Package,
    submissions: &[PlanSubmission],
    toolchain: &Toolchain,
) -> Vec<String> {
    let helpers = helpers(package).map(|path| toolchain::helper(package, path));
    let submissions = submissions.iter().filter(|own| is_to_build(package, own));
    let submissions = submissions.filter_map(|own| own.submission.source.request(package));
    missing(helpers.chain(submissions), toolchain)
}

/// Codes of the languages in which the programs are written that generate the test data, and whose tools
/// are not installed on this machine.
pub fn missing_of_generators(package: &Package, toolchain: &Toolchain) -> Vec<String> {
    let programs = package.generation.iter().flat_map(Generation::programs);
    missing(
        programs.map(|path| toolchain::helper(package, path)),
        toolchain,
    )
}

fn missing<'a>(requests: impl Iterator<Item = Request<'a>>, toolchain: &Toolchain) -> Vec<String> {
    let codes = requests.filter_map(|request| toolchain.languages.missing(&request));
    let codes: BTreeSet<&str> = codes.collect();
    codes.into_iter().map(str::to_owned).collect()
}

/// Whether the submission is built here.
fn is_to_build(package: &Package, planned: &PlanSubmission) -> bool {
    planned.prepared.is_none() && !package.kind.submit_answer
}

/// The paths of the validators, graders and visualizers of a package.
fn helpers(package: &Package) -> impl Iterator<Item = &Path> {
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
    package
        .validation
        .programs()
        .chain(input)
        .chain(&package.static_validator)
        .chain(&package.grader)
        .chain(&package.input_visualizer)
        .chain(&package.output_visualizer)
        .map(PathBuf::as_path)
}
