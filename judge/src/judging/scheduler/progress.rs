//! The progress of a submission in the schedule.

use super::protocol::{Facts, Result};
use std::collections::VecDeque;

/// Phase of a case.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Phase {
    Waiting,
    Running,
    /// It ran, and waits for its second run, alone.
    AwaitsRerun(Result),
    Decided(Result),
    /// It is skipped unless the submission fails its expectation without it. The result is that of
    /// a first run that was to be repeated alone.
    Postponed(Option<Result>),
    Dropped,
}

/// Progress of a submission.
pub struct Progress {
    pub facts: Facts,
    pub phases: Vec<Phase>,
    pub waiting: VecDeque<usize>,
    /// Cases that can no longer change the verdict.
    pub irrelevant: Vec<bool>,
    /// Number of cases that are neither decided, dropped nor postponed.
    pub open: usize,
    pub failed: bool,
    /// A run alone exceeded the time limit as well.
    pub slow: bool,
    pub done: bool,
}

impl Progress {
    pub fn new(facts: Facts) -> Self {
        Progress {
            phases: vec![Phase::Waiting; facts.cases],
            waiting: VecDeque::new(),
            irrelevant: vec![false; facts.cases],
            open: facts.cases,
            failed: false,
            slow: false,
            done: false,
            facts,
        }
    }
}
