//! A JUnit report for continuous integration.

use super::text::Paint;
use super::{Report, diagnosis, lacking, totals};
use chrono::DateTime;
use judge_core::results::{
    CaseResult, Change, Finding, PackageResults, RunFinished, RunResults, SubmissionResults, codes,
};
use judge_core::untrusted::{Message, Name};
use judge_core::verdict::Verdict;
use judge_package::Severity;
use quick_junit::{
    NonSuccessKind, Report as Document, TestCase, TestCaseStatus, TestSuite, XmlString,
};
use std::io::{self, Write};
use std::time::Duration;

/// Columns of the details of a failed case.
const COLUMNS: usize = 100;
/// Failed cases of a submission with details.
const MAX_DETAILS: usize = 10;

/// Writes the document when the run is finished: a suite with the findings of
/// each package, and a suite per submission with its cases in the order of the plan.
pub struct JUnit<W> {
    out: W,
}

impl<W: Write> JUnit<W> {
    /// A report that writes to `out` at the end of the run.
    pub fn new(out: W) -> Self {
        JUnit { out }
    }
}

fn suites(results: &RunResults) -> Vec<TestSuite> {
    let mut suites = Vec::new();
    for id in results.ids() {
        let findings = || results.findings.iter().filter(|f| f.package == *id);
        if findings().next().is_some() {
            let name = format!("{id}/package");
            let mut suite = TestSuite::new(name.as_str());
            suite.add_test_cases(findings().map(|found| finding(found, &name)));
            suites.push(suite);
        }
        let packages = results.packages.iter();
        for package in packages.filter(|package| package.about.id == *id) {
            let finished = package.finished().map(|(of, _)| of);
            let all = finished.chain(package.unfinished());
            suites.extend(all.map(|of| suite(results, package, of)));
        }
    }
    suites
}

fn suite(results: &RunResults, package: &PackageResults, of: &SubmissionResults) -> TestSuite {
    let mut suite = TestSuite::new(format!("{}/{}", package.about.id, of.planned.name));
    if let Some(lacking) = lacking(&results.started) {
        suite.add_property(("sandbox", lacking.as_str()));
    }
    // Failing cases of a submission that is as expected are not failures.
    let as_expected = of.finished().is_some_and(|finished| finished.as_expected);
    let mut time = Duration::ZERO;
    let mut detailed = 0;
    for (name, case) in package.judged(of) {
        let mut test = test_case(name, case, as_expected, &suite.name);
        time += test.time.unwrap_or_default();
        if case.details.is_some() && !as_expected && detailed < MAX_DETAILS {
            detailed += 1;
            let command = totals::command_for(results, package, of, name);
            let plain = Paint { enabled: false };
            let text = diagnosis::block(name, case, &command, plain, COLUMNS);
            test.status.set_description(text.trim());
        }
        suite.add_test_case(test);
    }
    suite.set_time(time);
    let message = of.compiler_message().map(Message::shown);
    if let Some(status) = whole(of, message.as_deref()) {
        let mut test = TestCase::new("verdict", status);
        test.set_classname(suite.name.clone());
        suite.add_test_case(test);
    }
    if let Some(message) = message {
        suite.set_system_err(message);
    }
    suite
}

fn document(results: &RunResults, end: &RunFinished) -> Document {
    let mut document = Document::new("judge");
    document.set_time(seconds(end.wall_s));
    let mut suites = suites(results);
    let started = results
        .started
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
            false => totals::warnings(results, end, false).join("\n"),
        };
        let mut suite = TestSuite::new("judge");
        suite.add_test_case(TestCase::new("run", status(NonSuccessKind::Error, why)));
        document.add_test_suite(suite);
    }
    document
}

impl<W: Write> Report for JUnit<W> {
    fn change(&mut self, change: &Change, results: &RunResults) -> io::Result<()> {
        if let Change::RunFinished(end) = change {
            let text = document(results, end)
                .to_string()
                .map_err(io::Error::other)?;
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
fn whole(of: &SubmissionResults, message: Option<&str>) -> Option<TestCaseStatus> {
    let Some(finished) = of.finished() else {
        return Some(status(NonSuccessKind::Error, "interrupted"));
    };
    let Some(verdict) = finished.verdict else {
        let mut status = TestCaseStatus::skipped();
        status.set_message(message.unwrap_or("skipped"));
        return Some(status);
    };
    if finished.as_expected {
        return None;
    }
    let expected = codes(of.planned.wanted());
    let text = format!("{}, expected {expected}", verdict.code());
    let mut status = status(kind_of(verdict), text);
    status.set_type(verdict.code());
    let of_grading = finished.message.as_ref().map(Message::shown);
    if let Some(why) = of_grading.as_deref().or(message) {
        status.set_description(why);
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

fn finding(finding: &Finding, suite: &str) -> TestCase {
    let text = match &finding.remedy {
        Some(remedy) => format!("{}\nhelp: {remedy}", finding.message),
        None => finding.message.to_string(),
    };
    let position = totals::position(finding);
    let name = match position.as_str() {
        "" => "package",
        position => position,
    };
    let mut test = TestCase::new(name, TestCaseStatus::success());
    test.set_classname(suite);
    if finding.severity == Severity::Error {
        test.status = status(NonSuccessKind::Failure, text);
        test.status.set_type("error");
    } else {
        test.set_system_out(format!("warning: {text}"));
    }
    test
}

fn test_case(name: &Name, case: &CaseResult, as_expected: bool, suite: &str) -> TestCase {
    let mut test = TestCase::new(name.to_string(), TestCaseStatus::success());
    if !case.is_accepted() && !as_expected {
        let message = case.message.as_ref().map(Message::shown);
        let message = message.as_deref().unwrap_or(case.verdict.words());
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
