//! Judging on other machines: compilations and cases run there, grading and reports stay here.

use crate::judging::grading::{Graded, Outcomes};
use crate::judging::sandbox_runner::{SandboxRunner, Shared};
use crate::judging::scheduler::{
    CaseEnd, PrepareResult, RunMode, Runner, Selection, SubmissionRef,
};
use crate::judging::{Plan, Prepared, Settings};
use crate::results::SubmissionKey;
use judge_package::{CaseId, TestCase};
use std::fmt;

/// Threads that wait for results from elsewhere.
const MAX_THREADS: usize = 512;

/// Other machines that judge.
pub trait Elsewhere: Send + Sync + fmt::Debug {
    /// Begins to judge submissions of a plan with these settings. Dropping the result cancels what is
    /// still under way.
    fn begin(&self, settings: &Settings) -> Box<dyn Runs>;
}

/// Submissions that other machines judge. All methods except [`Runs::cancel`] block; many threads
/// call them.
pub trait Runs: Send + Sync {
    /// Has a submission compiled; `None` when judging was interrupted.
    fn prepare(&self, at: SubmissionRef<'_>) -> Option<PrepareResult>;

    /// Has a case of a prepared submission judged; `None` when judging was interrupted.
    fn run(&self, at: SubmissionRef<'_>, case: &TestCase) -> Option<CaseEnd>;

    /// Cancels a case; [`Runs::run`] may be called for it again. `asked`: [`Runs::run`] was called for
    /// it, or is about to be, and returns [`CaseEnd::Cancelled`] unless it has a result.
    fn cancel(&self, of: SubmissionKey, case: CaseId, asked: bool);
}

/// Waits for what runs elsewhere; grades here.
pub struct ElsewhereRunner<'a> {
    runs: &'a dyn Runs,
    shared: &'a Shared<'a>,
    /// Created by the first grading.
    grader: Option<SandboxRunner<'a>>,
}

/// The runners for a selection: one for each piece of work, within bounds.
pub fn runners<'a>(
    runs: &'a dyn Runs,
    shared: &'a Shared<'a>,
    plan: &Plan,
    selection: &Selection,
) -> Vec<ElsewhereRunner<'a>> {
    let work = |entry: usize| 1 + plan.entries[entry].cases.len();
    let all: usize = selection
        .iter()
        .map(|selected| work(selected.key.package))
        .sum();
    (0..all.min(MAX_THREADS))
        .map(|_| ElsewhereRunner {
            runs,
            shared,
            grader: None,
        })
        .collect()
}

impl Runner for ElsewhereRunner<'_> {
    fn prepare(&mut self, at: SubmissionRef<'_>) -> Option<PrepareResult> {
        self.runs.prepare(at)
    }

    fn run(
        &mut self,
        at: SubmissionRef<'_>,
        _: &Prepared,
        case: usize,
        _: RunMode<'_>,
    ) -> Option<CaseEnd> {
        self.runs.run(at, &at.entry().cases[case])
    }

    fn grade(&mut self, at: SubmissionRef<'_>, outcomes: &Outcomes<'_>) -> Option<Graded> {
        let new = || SandboxRunner::new(self.shared, None);
        self.grader.get_or_insert_with(new).grade(at, outcomes)
    }
}
