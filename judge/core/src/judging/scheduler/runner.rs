//! Input and output types of the scheduler, and the trait that its workers implement.

use super::super::grading::{Graded, Outcomes};
use super::super::{Plan, PlanEntry, PlanSubmission, Prepared};
use crate::results::{CaseKey, CaseResult, Compilation, SubmissionKey};
use crate::submission::Submission;
use judge_sandbox::Canceller;
use std::sync::Arc;
use std::time::Duration;

/// Does the work of one worker. The real implementation runs programs in boxes, the tests' one runs
/// nothing.
pub trait Runner: Send {
    /// Called first, on the worker's own thread.
    fn start(&mut self) {}

    /// Compiles a submission; `None` when judging was interrupted.
    fn prepare(&mut self, at: SubmissionRef<'_>) -> Option<PrepareResult>;

    /// Runs a case, an index of the plan's entry; `None` when judging was interrupted.
    fn run(
        &mut self,
        at: SubmissionRef<'_>,
        program: &Prepared,
        case: usize,
        how: RunMode<'_>,
    ) -> Option<CaseEnd>;

    /// Grades the outcomes of all cases; `None` when judging was interrupted.
    fn grade(&mut self, at: SubmissionRef<'_>, outcomes: &Outcomes<'_>) -> Option<Graded>;
}

/// How a case is run.
#[derive(Clone, Copy, Debug)]
pub enum RunMode<'a> {
    /// In parallel with other work. The canceller, if any, ends the run once the case is
    /// irrelevant.
    Parallel(Option<&'a Canceller>),
    /// A second run, with nothing else running: the first one ended near its limit.
    Alone,
}

/// A submission of the plan.
#[derive(Clone, Copy, Debug)]
pub struct SubmissionRef<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Its key in the plan, and in the results.
    pub key: SubmissionKey,
    /// CPU-time limit of this submission.
    pub time_limit: Duration,
}

impl<'a> SubmissionRef<'a> {
    /// Its package, with the cases.
    pub fn entry(self) -> &'a PlanEntry {
        &self.plan.entries[self.key.package]
    }

    /// The key of a case with this index.
    pub fn case(self, case: usize) -> CaseKey {
        CaseKey { of: self.key, case }
    }

    /// The submission, with its program if that exists already.
    pub fn planned(self) -> &'a PlanSubmission {
        &self.entry().submissions[self.key.submission]
    }

    /// The submission.
    pub fn submission(self) -> &'a Submission {
        &self.planned().submission
    }
}

/// Result of a compilation.
#[derive(Debug)]
pub struct PrepareResult {
    /// The program, or why there is none.
    pub prepared: Prepared,
    /// The language, if there was something to compile.
    pub language: Option<String>,
    /// Duration of the compilation.
    pub wall: Duration,
    /// The hash of the package, if another machine compiled it.
    pub package_hash: Option<String>,
}

impl PrepareResult {
    /// The result if there was nothing to compile.
    pub fn without_compiler(prepared: Prepared) -> Self {
        PrepareResult {
            prepared,
            language: None,
            wall: Duration::ZERO,
            package_hash: None,
        }
    }
}

/// How one run of a case ended.
#[derive(Clone, PartialEq, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "returned once per case, never stored"
)]
pub enum CaseEnd {
    /// It was cancelled.
    Cancelled,
    /// It has a verdict.
    Finished {
        /// Its result.
        result: CaseResult,
        /// Whether the run is so near its time limit that the machine's load may decide.
        near_limit: bool,
        /// Whether the program ended by itself and would fail without its time limit, too.
        fails_anyway: bool,
        /// Nothing else ran at the same time, although it could have.
        undisturbed: bool,
    },
}

/// Totals of a run of the judge.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Summary {
    /// Number of submissions that were judged to the end.
    pub submissions: usize,
    /// Number of cases that were judged.
    pub cases: usize,
    /// Whether no submission contradicts its expectation, as far as it was judged.
    pub as_expected: bool,
    /// Whether a submission got JE because this machine failed.
    pub judge_error: bool,
    /// Whether a submission got JE because of a defect of its package.
    pub package_error: bool,
    /// Whether it was interrupted.
    pub interrupted: bool,
    /// Number of cores that other programs kept busy, if that can have disturbed the measurements.
    pub busy: Option<f64>,
}

impl Summary {
    /// The summary of an empty selection.
    pub fn nothing() -> Self {
        Summary {
            as_expected: true,
            ..Summary::default()
        }
    }

    /// Adds `more` to this summary.
    pub fn and(self, more: Summary) -> Self {
        Summary {
            submissions: self.submissions + more.submissions,
            cases: self.cases + more.cases,
            as_expected: self.as_expected && more.as_expected,
            judge_error: self.judge_error || more.judge_error,
            package_error: self.package_error || more.package_error,
            interrupted: self.interrupted || more.interrupted,
            busy: self.busy.or(more.busy),
        }
    }
}

/// The submissions of the plan to judge.
pub type Selection = Vec<Selected>;

/// A submission of the plan to judge.
#[derive(Clone, Debug)]
pub struct Selected {
    /// Its key in the plan, and in the results.
    pub key: SubmissionKey,
    /// Its CPU-time limit.
    pub time_limit: Duration,
    /// Its earlier results, if it was run before and need not run again.
    pub known: Option<Known>,
    /// Every case runs, whether or not it can change the verdict.
    pub thorough: bool,
}

/// Earlier results of a submission.
#[derive(Clone, Default, Debug)]
pub struct Known {
    /// The result of compiling it, if there was something to compile.
    pub compiled: Option<Arc<Compilation>>,
    /// The results of its cases, in the order of the plan's entry.
    pub results: Vec<Arc<CaseResult>>,
}

impl Selected {
    /// A submission without earlier results.
    pub fn new(key: SubmissionKey, time_limit: Duration) -> Self {
        Selected {
            key,
            time_limit,
            known: None,
            thorough: false,
        }
    }
}
