//! A JUnit report for continuous integration.

use super::package_summary::{CaseSummary, End, FindingSummary, PackageSummary, RunSummary};
use super::text::{Paint, words};
use super::{Report, diagnosis};
use crate::event::{Event, SubmissionFinished};
use crate::verdict::Verdict;
use chrono::DateTime;
use quick_junit::{NonSuccessKind, Report as Document, TestCase, TestCaseStatus, TestSuite};
use quick_xml::events::{BytesStart, Event as Node};
use quick_xml::{Reader, Writer};
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

    fn document(&self, end: &End) -> Document {
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
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(match end.interrupted {
                true => "interrupted".to_owned(),
                false => end.warnings.join("\n"),
            });
            let mut suite = TestSuite::new("judge");
            suite.add_test_case(TestCase::new("run", status));
            document.add_test_suite(suite);
        }
        document
    }
}

impl<W: Write> Report for JUnit<W> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.summary.add(event);
        if let (Event::RunFinished { .. }, Some(end)) = (event, &self.summary.end) {
            let document = self.document(end);
            let text = document.to_string().map_err(io::Error::other)?;
            write_valid(&text, &mut self.out)?;
            self.out.flush()?;
        }
        Ok(())
    }
}

/// Writes a document without the attribute `skipped` of its root, which quick-junit adds and the
/// schema has only for suites.
fn write_valid(document: &str, out: &mut impl Write) -> io::Result<()> {
    let mut reader = Reader::from_str(document);
    let mut writer = Writer::new(out);
    loop {
        match reader.read_event().map_err(io::Error::other)? {
            Node::Start(root) if root.name().as_ref() == b"testsuites" => {
                let attributes = root.attributes().flatten();
                let kept = attributes.filter(|attribute| attribute.key.as_ref() != b"skipped");
                let root = BytesStart::new("testsuites").with_attributes(kept);
                writer.write_event(Node::Start(root))?;
            }
            Node::Eof => return Ok(()),
            node => writer.write_event(node)?,
        }
    }
}

/// The status of a submission as a whole; `None` if it is as expected.
fn whole(
    finished: Option<&SubmissionFinished>,
    message: Option<&String>,
) -> Option<TestCaseStatus> {
    let Some(finished) = finished else {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message("interrupted");
        return Some(status);
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
    let mut status = TestCaseStatus::non_success(match verdict {
        Verdict::JudgeError => NonSuccessKind::Error,
        _ => NonSuccessKind::Failure,
    });
    status.set_type(verdict.code());
    status.set_message(format!(
        "{verdict_code}, expected {expected}",
        verdict_code = verdict.code()
    ));
    if let Some(why) = finished.message.as_ref().or(message) {
        status.set_description(why.as_str());
    }
    Some(status)
}

fn finding(finding: &FindingSummary, suite: &str) -> TestCase {
    let text = match &finding.remedy {
        Some(remedy) => format!("{}\nhelp: {remedy}", finding.message),
        None => finding.message.clone(),
    };
    let mut status = TestCaseStatus::success();
    if finding.is_error {
        status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_type("error");
        status.set_message(text.as_str());
    }
    let name = match finding.place.as_str() {
        "" => "package",
        place => place,
    };
    let mut test = TestCase::new(name, status);
    test.set_classname(suite);
    if !finding.is_error {
        test.set_system_out(format!("warning: {text}"));
    }
    test
}

fn test_case(name: &str, case: &CaseSummary, as_expected: bool, suite: &str) -> TestCase {
    let status = if case.verdict == Verdict::Accepted || as_expected {
        TestCaseStatus::success()
    } else {
        let kind = if case.verdict == Verdict::JudgeError {
            NonSuccessKind::Error
        } else {
            NonSuccessKind::Failure
        };
        let mut status = TestCaseStatus::non_success(kind);
        status.set_type(case.verdict.code());
        let message = case.message.as_deref().unwrap_or(words(case.verdict));
        status.set_message(message.lines().next().unwrap_or_default());
        status.set_description(message);
        status
    };
    let mut test = TestCase::new(name, status);
    test.set_classname(suite);
    test.set_time(seconds(case.wall_s.unwrap_or_default()));
    test
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
