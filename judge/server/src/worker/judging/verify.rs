//! Verifies an uploaded package step by step: first its files and data, then each of its submissions.

use super::super::Context;
use super::super::progress::{Progress, longest_silence};
use super::on_core::{self, OnCore};
use super::reporting::JudgeErrors;
use crate::store::{StepReport, VerifiedSubmission};
use crate::work_protocol::{Outcome, Report, Verify};
use judge_core::error::{Failure, Reason};
use judge_core::judging::{self, Extent, Host, Plan, PlanEntry, Settings};
use judge_core::results::{Change, SubmissionResult, codes, expected_verdicts};
use judge_core::submission::Submission;
use judge_core::untrusted::Message;
use judge_core::verdict::Verdict;
use judge_package::{Finding, Package, Severity, lint};
use std::sync::Arc;

/// Runs a step and reports what it found. Only defects of the package are reported: a failure of this
/// machine would be a permanent finding about the package.
/// An error says why the judge failed, or why the report cannot be kept; another attempt may succeed.
pub fn verify_step(worker: OnCore<'_>, work: &Verify) -> Result<Outcome, Reason> {
    let OnCore {
        context,
        progress,
        attempt,
        ..
    } = worker;
    let settings = Settings {
        extent: Extent::Decisive,
        ..context.settings()
    };
    let host = Host {
        seat: Some(context.seat(worker.turn)),
        ..Host::default()
    };
    let verified = worker.alone(|| {
        let package = attempt.package(&work.tree, &context.settings(), &context.toolchain);
        let package = match package {
            Ok(package) => package,
            Err(failure) => return Ok(Err(failure)),
        };
        progress.expect(longest_silence(&package.limits));
        let Some(k) = work.step.checked_sub(1) else {
            worker.check_languages(&package, &[])?;
            return Ok(check(context, &package, &settings, &host));
        };
        let plan = match plan(&package, k) {
            Ok(plan) => plan,
            Err(failure) => return Ok(Err(failure)),
        };
        worker.check_languages(&package, &plan.entries[0].submissions)?;
        Ok(submission(context, progress, &plan, &settings, &host))
    });
    let verified = match verified {
        Ok(verified) => verified,
        Err(outcome) => return Ok(outcome),
    };
    attempt.reports().keep(Report::Step(report(verified)?))?;
    Ok(Outcome::Done)
}

/// The report of a step; a failure that is a defect of the package is its only finding.
fn report(verified: Result<StepReport, Failure>) -> Result<StepReport, Reason> {
    let failure = match verified {
        Ok(report) => return Ok(report),
        Err(failure) => failure,
    };
    match on_core::failed(&failure)? {
        Outcome::Hopeless(defect) => Ok(StepReport {
            findings: vec![("error".to_owned(), defect.into())],
            submission: None,
        }),
        _ => Err(failure.into()),
    }
}

/// Files against the format, data against the validators.
fn check(
    context: &Context,
    package: &Package,
    settings: &Settings,
    host: &Host,
) -> Result<StepReport, Failure> {
    let mut findings = lint(package);
    // The jury's page shows the findings of a package at every upload: those that take long are for its
    // author.
    let depth = judging::Depth::Quick;
    let data = judging::check_data(package, settings, host, &context.toolchain, depth)?;
    findings.extend(data.into_iter().flat_map(|data| data.findings));
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

/// The plan that judges submission `k` of the package.
fn plan(package: &Package, k: usize) -> Result<Plan, Failure> {
    let mut all = Submission::of_package(package, |_| true);
    if k >= all.len() {
        let what = format!(
            "this judge finds no submission number {} in the package",
            k + 1
        );
        return Err(Failure::Internal(what));
    }
    let cases = package.judged_cases().into_iter().cloned().collect();
    let entry = PlanEntry::new(package.clone(), cases, [all.swap_remove(k)]);
    Ok(Plan {
        entries: vec![entry],
    })
}

/// Judges a submission of the package, against the verdict that the package expects.
fn submission(
    context: &Context,
    progress: &Progress,
    plan: &Plan,
    settings: &Settings,
    host: &Host,
) -> Result<StepReport, Failure> {
    let mut verified = Verified::default();
    let mut on_changes = |changes: Vec<Change>| {
        for change in changes {
            progress.touch();
            verified.on(change);
        }
    };
    judging::run(plan, settings, host, &context.toolchain, &mut on_changes)?;
    Ok(StepReport {
        findings: Vec::new(),
        submission: Some(verified.conclude(&plan.entries[0].submissions[0].submission)?),
    })
}

/// The results of judging a submission that matter for its verification.
#[derive(Default)]
struct Verified {
    finished: Option<Arc<SubmissionResult>>,
    /// The message of the compiler.
    compiler: Option<String>,
    judge_errors: JudgeErrors,
}

impl Verified {
    fn on(&mut self, change: Change) {
        self.judge_errors.notice(&change);
        match change {
            Change::Compiled(_, compiled) => {
                self.compiler = compiled.message.clone().map(Message::into_raw);
            }
            Change::SubmissionFinished(_, finished) => self.finished = Some(finished),
            _ => {}
        }
    }

    /// The verdict. JE is one only if the package is its cause.
    fn conclude(self, submission: &Submission) -> Result<VerifiedSubmission, Failure> {
        let finished = self.finished;
        let finished =
            finished.ok_or_else(|| Failure::internal("judging ended without a verdict"))?;
        if finished.verdict == Some(Verdict::JudgeError)
            && let Outcome::Failed(reason) = self.judge_errors.outcome(&finished)
        {
            return Err(Failure::internal(reason));
        }
        let of_compiler = self.compiler.filter(|_| finished.max_cpu_s.is_none());
        Ok(VerifiedSubmission {
            name: submission.name.clone(),
            verdict: finished.verdict,
            expected: expected_verdicts(&submission.expected).map(codes),
            as_expected: finished.as_expected,
            max_cpu_s: finished.max_cpu_s,
            time_limit_s: finished.time_limit_s,
            message: finished
                .message
                .clone()
                .map(Message::into_raw)
                .or(of_compiler),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::results::{CaseKey, CaseResult, SubmissionKey};
    use judge_core::submission::Source;
    use judge_package::PackageError;

    #[test]
    fn only_defects_of_the_package_become_findings() {
        let broken = PackageError::new("echo", "no cases");
        for defect in [Failure::usage("the generator fails"), Failure::from(broken)] {
            let text = defect.to_string();
            let found = report(Err(defect)).expect("a finding");
            assert_eq!(found.findings, [("error".to_owned(), text)]);
        }
        for failure in [
            Failure::internal("no space left on device"),
            Failure::Interrupted,
        ] {
            let text = Reason::new(&failure);
            assert_eq!(report(Err(failure)), Err(text));
        }
    }

    fn submission() -> Submission {
        Submission {
            name: "s".to_owned(),
            source: Source::Executable("/s".into()),
            rules: Vec::new(),
            expected: judge_package::Expectation::accepted(),
            time_limit: None,
        }
    }

    #[test]
    fn a_judge_error_is_a_verdict_unless_the_machine_failed() {
        let conclude = |of_case: bool, of_grading: Option<bool>| {
            let mut verified = Verified::default();
            let case = CaseResult {
                message: Some("the case".into()),
                machine_failed: of_case,
                ..CaseResult::new(Verdict::JudgeError)
            };
            verified.on(Change::CaseFinished(CaseKey::default(), Arc::new(case)));
            let finished = SubmissionResult {
                verdict: Some(Verdict::JudgeError),
                message: of_grading.map(|_| "grading".into()),
                machine_failed: of_grading == Some(true),
                ..SubmissionResult::default()
            };
            verified.on(Change::SubmissionFinished(
                SubmissionKey::default(),
                Arc::new(finished),
            ));
            let verified = verified.conclude(&submission());
            let verified = verified.map_err(|failure| failure.to_string());
            verified.map(|own| own.verdict)
        };
        let kept = Ok(Some(Verdict::JudgeError));
        assert_eq!(conclude(false, None), kept);
        assert_eq!(conclude(false, Some(false)), kept);
        assert_eq!(
            conclude(true, None),
            Err("judge error: the case".to_owned())
        );
        let grading = Err("judge error: grading".to_owned());
        assert_eq!(conclude(false, Some(true)), grading);
    }

    #[test]
    fn a_submission_that_the_judge_could_not_compile_has_no_verdict() {
        let mut verified = Verified::default();
        let finished = SubmissionResult {
            verdict: Some(Verdict::JudgeError),
            ..SubmissionResult::default()
        };
        verified.on(Change::SubmissionFinished(
            SubmissionKey::default(),
            Arc::new(finished),
        ));
        assert!(verified.conclude(&submission()).is_err());
    }
}
