//! A JUnit report for continuous integration.

use super::package_summary::{CaseSummary, PackageSummary};
use super::run_summary::{FindingSummary, RunSummary};
use super::text::{Paint, words};
use super::{Report, diagnosis};
use crate::event::{Event, RunFinished, SubmissionFinished};
use crate::verdict::Verdict;
use chrono::DateTime;
use quick_junit::{
    NonSuccessKind, Report as Document, TestCase, TestCaseStatus, TestSuite, XmlString,
};
use std::io::{self, Write};
use std::time::Duration;

/// Columns of the details of a failed case.
const COLUMNS: usize = 100;

/// Collects events and writes the document when the run is finished: a suite with the findings of
/// each package, and a suite per submission with its cases in the order of the plan.
pub struct JUnit<W> {
    out: W,
    summary: RunSummary,
}

impl<W: Write> JUnit<W> {
    /// A report that writes to `out` at the end of the run.
    pub fn new(out: W) -> Self {
        JUnit {
            out,
            summary: RunSummary::default(),
        }
    }

    fn suites(&self) -> Vec<TestSuite> {
        let mut suites = Vec::new();
        for id in self.summary.ids() {
            let findings = || self.summary.findings.iter().filter(|f| f.package == id);
            if findings().next().is_some() {
                let name = format!("{id}/package");
                let mut suite = TestSuite::new(name.as_str());
                suite.add_test_cases(findings().map(|found| finding(found, &name)));
                suites.push(suite);
            }
            let Some(package) = self.summary.package(id) else {
                continue;
            };
            let finished = package.finished.iter();
            suites.extend(finished.map(|f| self.suite(package, &f.submission, Some(f))));
            let unfinished = package.unfinished();
            suites.extend(unfinished.map(|name| self.suite(package, name, None)));
        }
        suites
    }

    /// The suite of a submission; `finished` is `None` if it was interrupted.
    fn suite(
        &self,
        package: &PackageSummary,
        submission: &str,
        finished: Option<&SubmissionFinished>,
    ) -> TestSuite {
        let mut suite = TestSuite::new(format!("{}/{submission}", package.id));
        if let Some(lacking) = &self.summary.lacking {
            suite.add_property(("sandbox", lacking.as_str()));
        }
        // Failing cases of a submission that is as expected are not failures.
        let as_expected = finished.is_some_and(|finished| finished.as_expected);
        let mut time = Duration::ZERO;
        for (name, case) in package.judged(submission) {
            let mut test = test_case(name, case, as_expected, &suite.name);
            time += test.time.unwrap_or_default();
            if case.details.is_some() && !as_expected {
                let command = self.summary.command_for(package, submission, name);
                let plain = Paint { enabled: false };
                let text = diagnosis::block(name, case, &command, plain, COLUMNS);
                test.status.set_description(text.trim());
            }
            suite.add_test_case(test);
        }
        suite.set_time(time);
        let message = package.messages.get(submission);
        if let Some(status) = whole(finished, message) {
            let mut test = TestCase::new("verdict", status);
            test.set_classname(suite.name.clone());
            suite.add_test_case(test);
        }
        if let Some(message) = message {
            suite.set_system_err(message.as_str());
        }
        suite
    }

    fn document(&self, end: &RunFinished) -> Document {
        let mut document = Document::new("judge");
        document.set_time(seconds(end.wall_s));
        let mut suites = self.suites();
        let started = self
            .summary
            .started_s
            .map(|seconds| (seconds * 1000.0) as i64);
        if let Some(started) = started.and_then(DateTime::from_timestamp_millis) {
            for suite in &mut suites {
                suite.set_timestamp(started);
            }
        }
        document.add_test_suites(suites);
        let is_clean = document.failures + document.errors == 0;
        if !end.as_expected && is_clean {
            // A consumer that counts failures must not take this run for a success.
            let why = match end.interrupted {
                true => "interrupted".to_owned(),
                false => end.warnings.join("\n"),
            };
            let mut suite = TestSuite::new("judge");
            suite.add_test_case(TestCase::new("run", status(NonSuccessKind::Error, why)));
            document.add_test_suite(suite);
        }
        document
    }
}

impl<W: Write> Report for JUnit<W> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.summary.add(event);
        if let (Event::RunFinished { .. }, Some(end)) = (event, &self.summary.end) {
            let text = self.document(end).to_string().map_err(io::Error::other)?;
            self.out.write_all(valid(&text).as_bytes())?;
            self.out.flush()?;
        }
        Ok(())
    }
}

/// The document without the attribute `skipped` of its root, which quick-junit adds and the schema
/// has only for suites.
fn valid(document: &str) -> String {
    let of_root = document.split_once(" skipped=\"");
    let rest = of_root.and_then(|(_, rest)| rest.split_once('"'));
    match (of_root, rest) {
        (Some((before, _)), Some((_, after))) => format!("{before}{after}"),
        _ => document.to_owned(),
    }
}

/// The status of a submission as a whole; `None` if it is as expected.
fn whole(
    finished: Option<&SubmissionFinished>,
    message: Option<&String>,
) -> Option<TestCaseStatus> {
    let Some(finished) = finished else {
        return Some(status(NonSuccessKind::Error, "interrupted"));
    };
    let Some(verdict) = finished.verdict else {
        let mut status = TestCaseStatus::skipped();
        status.set_message(message.map_or("skipped", String::as_str));
        return Some(status);
    };
    if finished.as_expected {
        return None;
    }
    let expected = finished.expected.as_deref().unwrap_or("AC");
    let text = format!("{}, expected {expected}", verdict.code());
    let mut status = status(kind_of(verdict), text);
    status.set_type(verdict.code());
    if let Some(why) = finished.message.as_ref().or(message) {
        status.set_description(why.as_str());
    }
    Some(status)
}

fn status(kind: NonSuccessKind, message: impl Into<XmlString>) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(message);
    status
}

fn kind_of(verdict: Verdict) -> NonSuccessKind {
    match verdict {
        Verdict::JudgeError => NonSuccessKind::Error,
        _ => NonSuccessKind::Failure,
    }
}

fn finding(finding: &FindingSummary, suite: &str) -> TestCase {
    let text = match &finding.remedy {
        Some(remedy) => format!("{}\nhelp: {remedy}", finding.message),
        None => finding.message.clone(),
    };
    let name = match finding.place.as_str() {
        "" => "package",
        place => place,
    };
    let mut test = TestCase::new(name, TestCaseStatus::success());
    test.set_classname(suite);
    if finding.is_error {
        test.status = status(NonSuccessKind::Failure, text);
        test.status.set_type("error");
    } else {
        test.set_system_out(format!("warning: {text}"));
    }
    test
}

fn test_case(name: &str, case: &CaseSummary, as_expected: bool, suite: &str) -> TestCase {
    let mut test = TestCase::new(name, TestCaseStatus::success());
    if !case.is_accepted() && !as_expected {
        let message = case.message.as_deref().unwrap_or(words(case.verdict));
        let first = message.lines().next().unwrap_or_default();
        test.status = status(kind_of(case.verdict), first);
        test.status.set_type(case.verdict.code());
        test.status.set_description(message);
    }
    test.set_classname(suite);
    test.set_time(seconds(case.wall_s.unwrap_or_default()));
    test
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
