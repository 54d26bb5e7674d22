//! A JUnit report, for continuous integration.

use super::{Report, lacking};
use crate::event::{CaseFinished, Event};
use crate::verdict::Verdict;
use quick_junit::{NonSuccessKind, Report as Document, TestCase, TestCaseStatus, TestSuite};
use std::io::{self, Write};
use std::time::Duration;

/// Collects the cases and writes the document when the run is finished: a suite per submission
/// of a package, a test case per test case.
pub struct JUnit<W> {
    out: W,
    cases: Vec<CaseFinished>,
    suites: Vec<TestSuite>,
    /// What the sandbox lacks.
    lacking: Option<String>,
}

impl<W: Write> JUnit<W> {
    /// A report that writes to `out` at the end of the run.
    pub fn new(out: W) -> Self {
        JUnit {
            out,
            cases: Vec::new(),
            suites: Vec::new(),
            lacking: None,
        }
    }
}

impl<W: Write> Report for JUnit<W> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::RunStarted { sandbox, .. } => self.lacking = lacking(sandbox),
            Event::CaseFinished(case) => self.cases.push(case.clone()),
            Event::SubmissionFinished(finished) => {
                let mut suite =
                    TestSuite::new(format!("{}/{}", finished.package, finished.submission));
                let (own, rest): (Vec<_>, Vec<_>) =
                    std::mem::take(&mut self.cases).into_iter().partition(|c| {
                        c.package == finished.package && c.submission == finished.submission
                    });
                self.cases = rest;
                if let Some(lacking) = &self.lacking {
                    suite.add_property(("sandbox", lacking.as_str()));
                }
                for case in &own {
                    // What is expected to fail is no failure: then only the whole is judged.
                    suite.add_test_case(test_case(case, finished.as_expected));
                }
                if !finished.as_expected {
                    let got = finished.verdict.map_or("skipped", Verdict::code);
                    let expected = finished.expected.as_deref().unwrap_or("AC");
                    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                    status.set_message(format!("{got}, expected {expected}"));
                    suite.add_test_case(TestCase::new("verdict", status));
                }
                self.suites.push(suite);
            }
            Event::RunFinished { .. } => {
                let mut document = Document::new("judge");
                document.add_test_suites(std::mem::take(&mut self.suites));
                document
                    .serialize(&mut self.out)
                    .map_err(io::Error::other)?;
                self.out.flush()?;
            }
            _ => {}
        }
        Ok(())
    }
}

fn test_case(case: &CaseFinished, as_expected: bool) -> TestCase {
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
        status.set_message(
            case.message
                .clone()
                .unwrap_or_else(|| case.verdict.to_string()),
        );
        status
    };
    let mut test = TestCase::new(case.case.clone(), status);
    if let Some(wall) = case.wall_s {
        test.set_time(Duration::try_from_secs_f64(wall).unwrap_or_default());
    }
    test
}
