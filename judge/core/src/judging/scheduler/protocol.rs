//! Inputs and outputs of the state machine: work, results, events; the progress of a submission.
//! Submissions and cases are indices.

use std::collections::VecDeque;
use std::ops::Range;

/// A case of a submission: an index into the selection, and an index into the plan entry.
pub type CaseAt = (usize, usize);

/// A piece of work. Submissions are indices into the selection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// Compile a submission.
    Prepare(usize),
    /// Run a case of a submission; `alone`: a second run, with nothing else running.
    Case { at: CaseAt, alone: bool },
    /// Grade the results of a submission.
    Grade(usize),
}

impl Work {
    /// Whether nothing else may run at the same time.
    pub fn runs_alone(self) -> bool {
        match self {
            Work::Case { alone, .. } => alone,
            Work::Prepare(_) | Work::Grade(_) => false,
        }
    }

    /// Whether this is a run of a case of the submission.
    pub fn is_case_of(self, k: usize) -> bool {
        matches!(self, Work::Case { at, .. } if at.0 == k)
    }
}

/// An event that the state machine reacts to.
#[derive(Clone, Copy, Debug)]
pub enum Input {
    /// The workers are ready.
    Start,
    /// A submission was compiled; `ready` means that there is a program to run.
    Prepared { submission: usize, ready: bool },
    /// A run of a case ended, with this result unless it was cancelled.
    Ran(CaseAt, Option<CaseDecision>),
    /// The results of a submission were graded.
    Graded {
        submission: usize,
        as_expected: bool,
    },
    /// This work was interrupted; no more work is started.
    Stopped(Work),
}

/// The properties of a result that matter to the schedule.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CaseDecision {
    pub accepted: bool,
    /// It exceeded the time limit, and less time could change that into an accepted result. Any
    /// other result stays: a second run would only give chance a second try.
    pub by_time: bool,
    /// The load of the machine may be why it exceeded the time limit.
    pub doubtful: bool,
    /// It exceeded the time limit by computing.
    pub too_slow: bool,
    /// The checker gave points.
    pub scored: bool,
    /// Nothing else ran at the same time, so that a run alone could not differ.
    pub undisturbed: bool,
}

/// An event to report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notice {
    /// A case begins.
    Started(CaseAt),
    /// The result of the case is that of its last run, or that of the equal case `like`.
    Decided { at: CaseAt, like: Option<usize> },
    /// A submission and all before it are finished.
    Finished(usize),
}

/// The reaction to an input.
#[derive(Default, Debug)]
pub struct Step {
    /// Work to hand out.
    pub work: Vec<Work>,
    /// Events to report, in this order.
    pub notices: Vec<Notice>,
    /// Runs to cancel.
    pub cancel: Vec<CaseAt>,
    /// Cases that need not run any more and were not handed out.
    pub unneeded: Vec<CaseAt>,
}

/// Cases that run only if others are accepted, which come before them.
#[derive(Clone, Debug)]
pub struct Requirement {
    pub dependents: Range<usize>,
    pub required: Range<usize>,
}

/// Facts about a submission that are known before it is judged.
#[derive(Clone, Default, Debug)]
pub struct Facts {
    pub cases: usize,
    /// It was run before: only its results have to be graded.
    pub is_known: bool,
    /// It is started before others.
    pub starts_first: bool,
    /// It is expected to fail, and the cases after the failure need not run.
    pub ends_early: bool,
    /// Every case runs, whether or not it can change the verdict.
    pub thorough: bool,
    /// A time-limit failure does not contradict its expectation.
    pub may_be_slow: bool,
    pub requirements: Vec<Requirement>,
}

/// Settings of the schedule.
#[derive(Clone, Copy, Default, Debug)]
pub struct Rules {
    /// Maximum number of pieces of work at once.
    pub workers: usize,
    /// Whether a run that the load of the machine may have made too slow is repeated alone.
    pub repeats: bool,
    /// Whether a submission ends at its first failure.
    pub fail_fast: bool,
    /// Whether cases run elsewhere. Many are handed out at once then, so with `fail_fast` those
    /// after a failure are cancelled.
    pub elsewhere: bool,
}

/// Relations between the cases of a submission.
pub trait Cases {
    /// The cases of the submission that can no longer change its verdict once `failed` has failed.
    fn irrelevant_after(&self, failed: CaseAt) -> Vec<usize>;

    /// The cases equal to this one, each with whether it gives the same points.
    fn equal_to(&self, at: CaseAt) -> Box<dyn Iterator<Item = (usize, bool)> + '_>;
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Phase {
    Waiting,
    Running,
    /// It ran, and waits for its second run, alone.
    AwaitsRerun(CaseDecision),
    Decided(CaseDecision),
    /// It is skipped unless the submission fails its expectation without it. The result is that of
    /// a first run that was to be repeated alone.
    Postponed(Option<CaseDecision>),
    Dropped,
}

pub struct Progress {
    pub facts: Facts,
    pub phases: Vec<Phase>,
    pub waiting: VecDeque<usize>,
    /// Cases that can no longer change the verdict.
    pub irrelevant: Vec<bool>,
    /// For each case that does not run because a required one failed: that one.
    pub barred_by: Vec<Option<usize>>,
    /// Number of cases that are neither decided, dropped nor postponed.
    pub open: usize,
    pub failed: bool,
    /// Whether a case exceeded the time limit again when it ran alone.
    pub slow: bool,
    pub done: bool,
}

impl Progress {
    pub fn new(facts: Facts) -> Self {
        Progress {
            phases: vec![Phase::Waiting; facts.cases],
            waiting: VecDeque::new(),
            irrelevant: vec![false; facts.cases],
            barred_by: vec![None; facts.cases],
            open: facts.cases,
            failed: false,
            slow: false,
            done: false,
            facts,
        }
    }

    /// The place in `waiting` of the first case whose required cases are decided.
    pub fn next_waiting(&self) -> Option<usize> {
        let is_undecided = |case: usize| {
            matches!(
                self.phases[case],
                Phase::Waiting | Phase::Running | Phase::AwaitsRerun(_)
            )
        };
        let unmet = |requirement: &&Requirement| requirement.required.clone().any(is_undecided);
        let unmet: Vec<&Requirement> = self.facts.requirements.iter().filter(unmet).collect();
        let waits = |case: &usize| unmet.iter().any(|one| one.dependents.contains(case));
        self.waiting.iter().position(|case| !waits(case))
    }
}
