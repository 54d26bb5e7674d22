//! What the pool is asked, what it asks of its workers, and what it says.

use super::super::grading::{Graded, Outcomes};
use super::super::{Plan, Prepared};
use crate::event::{CaseFinished, Event};
use crate::package::TestCase;
use judge_sandbox::Canceller;
use std::time::Duration;

/// What a worker does with a submission. One per worker; the real one owns boxes.
pub trait Runner: Send {
    /// Comes first, on the worker's own thread.
    fn start(&mut self) {}

    /// Gets a program out of a submission; `None` when judging was interrupted.
    fn prepare(&mut self, at: SubmissionRef<'_>) -> Option<PrepareResult>;

    /// Runs a case; `None` when judging was interrupted.
    fn run(
        &mut self,
        at: SubmissionRef<'_>,
        program: &Prepared,
        case: &TestCase,
        how: RunMode<'_>,
    ) -> Option<CaseResult>;

    /// Joins the outcomes of all cases; `None` when judging was interrupted.
    fn grade(&mut self, at: SubmissionRef<'_>, outcomes: &Outcomes<'_>) -> Option<Graded>;
}

/// How a case is run.
#[derive(Clone, Copy, Debug)]
pub enum RunMode<'a> {
    /// Beside others. Where there is a canceller, it ends the run once the case cannot matter.
    Parallel(Option<&'a Canceller>),
    /// Again: it came out near its limit, and nothing runs beside it now.
    Alone,
}

/// A submission of the plan.
#[derive(Clone, Copy, Debug)]
pub struct SubmissionRef<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Which entry.
    pub entry: usize,
    /// Which submission of it.
    pub submission: usize,
    /// The CPU-time limit of this submission.
    pub time_limit: Duration,
}

/// A compilation, told.
#[derive(Debug)]
pub struct PrepareResult {
    /// What became of it.
    pub prepared: Prepared,
    /// The language, when there was something to compile.
    pub language: Option<String>,
    /// How long it took.
    pub wall: Duration,
}

/// What a run of a case came to.
#[derive(Clone, Debug)]
pub struct CaseResult {
    /// The figures and the verdict.
    pub finished: CaseFinished,
    /// Whether the case should be run again alone: the machine's load may have decided.
    pub near_limit: bool,
    /// Whether the run was ended on request: it shows nothing then.
    pub cancelled: bool,
}

/// What a whole run came to.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Summary {
    /// How many submissions came to their end.
    pub submissions: usize,
    /// How many cases were judged.
    pub cases: usize,
    /// Whether all submissions got what was expected, as far as they were judged.
    pub as_expected: bool,
    /// Whether some case could not be judged.
    pub judge_error: bool,
    /// Whether it was interrupted.
    pub interrupted: bool,
    /// How many cores other programs kept busy, where that was enough to disturb.
    pub busy: Option<f64>,
}

impl Summary {
    /// Nothing judged yet.
    pub fn nothing() -> Self {
        Summary {
            as_expected: true,
            ..Summary::default()
        }
    }

    /// This and `more` together.
    pub fn and(self, more: Summary) -> Self {
        Summary {
            submissions: self.submissions + more.submissions,
            cases: self.cases + more.cases,
            as_expected: self.as_expected && more.as_expected,
            judge_error: self.judge_error || more.judge_error,
            interrupted: self.interrupted || more.interrupted,
            busy: self.busy.or(more.busy),
        }
    }
}

/// The submissions of the plan to judge now.
pub type Selection = Vec<Selected>;

/// A submission of the plan to judge now.
#[derive(Clone, Debug)]
pub struct Selected {
    /// Which entry.
    pub entry: usize,
    /// Which submission of it.
    pub submission: usize,
    /// Its CPU-time limit.
    pub time_limit: Duration,
    /// Where it was run before, and need not run again: what was found then.
    pub known: Option<Known>,
}

/// What was told of a submission when it was run before.
#[derive(Clone, Default, Debug)]
pub struct Known {
    /// Of its compilation.
    pub compiled: Option<Event>,
    /// Of its cases.
    pub results: Vec<CaseFinished>,
}

impl Selected {
    /// A submission that has not run yet.
    pub fn new(entry: usize, submission: usize, time_limit: Duration) -> Self {
        Selected {
            entry,
            submission,
            time_limit,
            known: None,
        }
    }
}
