//! `judge verify`.

use super::args::VerifyArgs;
use super::interrupt::watch_for_interrupt;
use super::judge_and_report::{Checked, Extra, judge_and_report};
use super::only_here::has_sources;
use super::output;
use super::run::settings;
use super::select;
use judge_core::error::Failure;
use judge_core::judging::{
    self, Depth, Elsewhere, Extent, Host, Plan, PlanEntry, Settings, Toolchain,
};
use judge_core::results;
use judge_core::submission::{Submission, Workspace};
use judge_core::untrusted::{Message, Name};
use judge_package::{Finding, Package, PackageError, lint};
use judge_report::Style;
use std::sync::Arc;

/// Checks packages: files against the format, data against validators, submissions against their
/// expected verdicts.
pub fn verify(args: &VerifyArgs) -> Result<u8, Failure> {
    verify_on(args, None)
}

/// Checks packages as [`verify`] does, and judges their submissions here or elsewhere.
pub fn verify_on(args: &VerifyArgs, elsewhere: Option<Arc<dyn Elsewhere>>) -> Result<u8, Failure> {
    let (here, workspace) = Workspace::here()?;
    let workspace = workspace.as_ref();
    let mut settings = Settings {
        extent: match args.all_cases {
            true => Extent::Everything,
            false => Extent::Decisive,
        },
        fail_fast: args.judging.fail_fast,
        shows_images: args.judging.shows_images(),
        ..settings(&args.judging.running)?
    };
    // The verdicts of a package are the same for every user.
    settings.preprocessor.system_include.clear();
    let host = Host {
        elsewhere,
        ..Host::default()
    };
    let toolchain = Toolchain::new(&settings, args.judging.running.languages.as_deref())?;
    toolchain.check_language(args.judging.running.language.as_deref())?;
    let mut chosen = Vec::new();
    let packages = select::packages(&args.packages, &here, workspace)?;
    for mut package in packages {
        judging::generate_data(&mut package, &settings, &toolchain)?;
        let cases = select::cases(&package, &args.judging)?;
        let named = &args.judging.running.submissions;
        let submissions = if named.is_empty() {
            select::language_has_program(&args.judging.running)?;
            Submission::of_package(&package, |_| true)
        } else {
            select::submissions(&package, named, &args.judging.running, false, workspace)?
        };
        if host.is_elsewhere() {
            has_sources(&package, &submissions)?;
        }
        chosen.push(PlanEntry::new(package, cases, submissions));
    }
    let mut plan = select::plan(chosen, workspace, args.judging.format)?;
    watch_for_interrupt()?;
    let depth = match args.quick {
        true => Depth::Quick,
        false => Depth::Full,
    };
    let progress = output::progress(&args.judging, 0, "compiling and checking the packages");
    let findings = check(&mut plan, &settings, &host, &toolchain, depth)?;
    drop(progress);
    judge_and_report(
        &plan,
        &args.judging,
        match args.judging.verbose {
            true => Style::VerboseMatrix,
            false => Style::Matrix,
        },
        &settings,
        &toolchain,
        Extra {
            host,
            checked: Some(Checked { findings, depth }),
            ..Extra::default()
        },
    )
}

/// Checks files, data and programs of the packages, until Ctrl-C. Removes the submissions of a package whose
/// programs do not work: every verdict would be a judge error.
fn check(
    plan: &mut Plan,
    settings: &Settings,
    host: &Host,
    toolchain: &Toolchain,
    depth: Depth,
) -> Result<Vec<results::Finding>, Failure> {
    let mut findings = Vec::new();
    let built = judging::prebuild(plan, settings, host, toolchain);
    for entry in plan.entries.iter_mut().filter(|_| built) {
        let package = &entry.package;
        let located = |finding| result_of(package, finding);
        findings.extend(lint(package).into_iter().map(located));
        if entry.submissions.is_empty() {
            let nothing = PackageError::new(&package.root, "has no submission to judge")
                .remedy("name a program: `judge verify PACKAGE -s PROGRAM`");
            findings.push(located(Finding::error(nothing)));
        }
        let checked = judging::check_data(package, settings, host, toolchain, depth)
            .map_err(|fault| Failure::internal(fault.to_string()))?;
        let Some(checked) = checked else {
            break;
        };
        findings.extend(checked.findings.into_iter().map(located));
        let broken = judging::broken_programs(package, settings, host, toolchain);
        if checked.validator_hangs || !broken.is_empty() {
            entry.submissions.clear();
        }
    }
    Ok(findings)
}

/// The finding with a path inside the package.
fn result_of(package: &Package, finding: Finding) -> results::Finding {
    let error = finding.error;
    let path = error
        .path
        .strip_prefix(&package.root)
        .unwrap_or(&error.path);
    results::Finding {
        package: Name::from(&package.id),
        severity: finding.severity,
        path: Name::from(path.display().to_string()),
        line: error.position.map(|(line, _)| line),
        column: error.position.map(|(_, column)| column),
        message: Message::from(error.what),
        remedy: error.remedy.map(Message::from),
    }
}
