//! Verifies an uploaded package step by step: first its files and data, then each of its submissions.
//! A step is a unit of the least urgent class, so that a contest waits for one submission at most.

use super::messages::{Report, Verify};
use super::on_core::OnCore;
use super::progress::{Progress, longest_silence};
use super::{Context, Outcome};
use crate::queue::{Priority, Unit};
use crate::store::{self, StepReport, Store, UploadId, VerifiedSubmission};
use judge::event::Event;
use judge::judging::{self, Extent, Plan, PlanEntry, Settings};
use judge::submission::Submission;
use judge_package::{Finding, Package, Severity, lint};

/// The units of an upload, in order.
pub fn verification_units(upload: UploadId, steps: usize) -> Vec<Unit> {
    (0..steps).map(|step| unit(upload, step)).collect()
}

/// The unit of a step.
fn unit(upload: UploadId, step: usize) -> Unit {
    Unit {
        id: format!("verify-{upload}-{step}"),
        priority: Priority::Rejudge,
        share: format!("upload {upload}"),
        payload: format!("verify {upload} {step}"),
        machine_class: None,
    }
}

/// The units of all steps without a report.
///
/// # Errors
///
/// When the store fails.
pub fn unverified_units(store: &Store) -> store::Result<Vec<Unit>> {
    let steps = store.unverified_steps()?;
    Ok(steps.into_iter().map(|(id, step)| unit(id, step)).collect())
}

/// The upload and the step of a unit's payload.
pub fn step_of(payload: &str) -> Option<(UploadId, usize)> {
    let (upload, step) = payload.strip_prefix("verify ")?.split_once(' ')?;
    Some((upload.parse().ok()?, step.parse().ok()?))
}

/// Runs a step and reports what it found.
///
/// # Errors
///
/// When the report cannot be kept.
pub fn verify_step(worker: OnCore<'_>, work: &Verify) -> Result<Outcome, String> {
    let OnCore {
        context,
        progress,
        attempt,
        ..
    } = worker;
    let settings = Settings {
        extent: Extent::Decisive,
        ..context.settings_on(worker.turn)
    };
    let report = worker.alone(|| {
        let package = attempt.package(&work.tree, &context.settings(), &context.toolchain);
        Ok(package.and_then(|package| {
            progress.expect(longest_silence(&package.limits));
            match work.step.checked_sub(1) {
                None => check(context, &package, &settings),
                Some(k) => submission(context, progress, &package, k, &settings),
            }
        }))
    });
    let report = match report {
        Ok(report) => report,
        Err(outcome) => return Ok(outcome),
    };
    let report = report.unwrap_or_else(|what| StepReport {
        findings: vec![("error".to_owned(), what)],
        submission: None,
    });
    attempt.reports().keep(Report::Step(report))?;
    Ok(Outcome::Done)
}

/// Files against the format, data against the validators.
fn check(context: &Context, package: &Package, settings: &Settings) -> Result<StepReport, String> {
    let mut findings = lint(package);
    let data = judging::check_data(package, settings, &context.toolchain);
    findings.extend(data.map_err(|fault| fault.to_string())?.unwrap_or_default());
    Ok(StepReport {
        findings: findings
            .into_iter()
            .map(|own| shown(package, own))
            .collect(),
        submission: None,
    })
}

/// The severity and the text of a finding, with a path inside the package.
fn shown(package: &Package, finding: Finding) -> (String, String) {
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut error = finding.error;
    if let Ok(inside) = error.path.strip_prefix(&package.root) {
        error.path = inside.to_owned();
    }
    (severity.to_owned(), error.to_string())
}

/// Judges a submission of the package, against the verdict that the package expects.
fn submission(
    context: &Context,
    progress: &Progress,
    package: &Package,
    k: usize,
    settings: &Settings,
) -> Result<StepReport, String> {
    let mut all = Submission::of_package(package, |_| true);
    if k >= all.len() {
        return Err(format!("the package has no submission number {}", k + 1));
    }
    let cases = package.judged_cases().into_iter().cloned().collect();
    let entry = PlanEntry::new(package.clone(), cases, [all.swap_remove(k)]);
    let plan = Plan {
        entries: vec![entry],
    };
    let mut verified = None;
    let mut compiler = None;
    let mut on_event = |event: Event| {
        progress.touch();
        match event {
            Event::CompileFinished { message, .. } => compiler = message,
            Event::SubmissionFinished(own) => {
                verified = Some(VerifiedSubmission {
                    name: own.submission,
                    verdict: own.verdict.map(|verdict| verdict.code().to_owned()),
                    expected: own.expected,
                    as_expected: own.as_expected,
                    max_cpu_s: own.max_cpu_s,
                    time_limit_s: own.time_limit_s,
                    message: own.message,
                });
            }
            _ => {}
        }
    };
    judging::run(&plan, settings, &context.toolchain, &mut on_event).map_err(|e| e.to_string())?;
    let mut verified = verified.ok_or("judging ended without a verdict")?;
    verified.message = verified
        .message
        .or(compiler.filter(|_| verified.max_cpu_s.is_none()));
    Ok(StepReport {
        findings: Vec::new(),
        submission: Some(verified),
    })
}
