//! A submission that is judged elsewhere: its compilation, its cases, and the threads that wait for them.

use super::super::lane::Lane;
use super::super::size::Mean;
use crate::work_protocol::Batch;
use judge_core::judging::{CaseEnd, PrepareResult};
use judge_core::results::CaseResult;
use judge_package::CaseId;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Instant;

pub struct Submission {
    /// The batch that workers receive, without cases.
    pub work: Batch,
    pub lane: Arc<Lane>,
    /// In judging order.
    pub cases: Vec<Case>,
    pub places: HashMap<CaseId, usize>,
    pub compilation: Compilation,
    pub mean: Mean,
    /// A thread waits for a case that is in no batch.
    pub is_short: bool,
    /// A first batch was planned for each seat; the results give the duration of a case.
    pub is_tried: bool,
    /// Results are passed on in the order of the cases, and none after the first case that is not
    /// accepted.
    pub stops_at_failure: bool,
    /// The place up to which they were passed on.
    pub passed_on: usize,
    /// The place of the first case that is known not to be accepted.
    pub failure: Option<usize>,
}

pub enum Compilation {
    /// A thread waits for it.
    Waiting(Sender<PrepareResult>),
    Done {
        at: Instant,
        seconds: f64,
    },
}

pub struct Case {
    pub id: CaseId,
    pub phase: Phase,
    pub waiter: Option<Sender<CaseEnd>>,
    /// It was cancelled between the scheduler's decision to run it and the call that asks for it.
    pub is_cancelled: bool,
    pub is_needed: bool,
    pub lost: u8,
}

pub enum Phase {
    /// In no batch.
    Open,
    /// In this batch.
    In(u64),
    Done(Box<CaseResult>),
}

impl Submission {
    /// Only the first result counts.
    pub fn compiled(&mut self, compiled: PrepareResult) {
        let done = Compilation::Done {
            at: Instant::now(),
            seconds: compiled.wall.as_secs_f64(),
        };
        if let Compilation::Waiting(waiter) = &self.compilation {
            // The receiver waits for it.
            let _ = waiter.send(compiled);
            self.compilation = done;
        }
    }

    /// Keeps the result of a case.
    pub fn finish(&mut self, place: usize, finished: CaseResult) {
        let is_failure = !finished.is_accepted();
        self.cases[place].phase = Phase::Done(Box::new(finished));
        if !self.stops_at_failure {
            self.cases[place].pass_on();
            return;
        }
        if is_failure && self.is_needed(place) {
            self.failure = Some(place);
        }
        while self.is_needed(self.passed_on)
            && self
                .cases
                .get_mut(self.passed_on)
                .is_some_and(Case::pass_on)
        {
            self.passed_on += 1;
        }
    }

    /// The places of needed cases in no batch, and whether a thread waits for their results.
    pub fn open_cases(&self) -> Vec<(usize, bool)> {
        let all = self.cases.iter().enumerate();
        all.filter(|(_, case)| matches!(case.phase, Phase::Open) && case.is_needed)
            .map(|(place, case)| (place, case.waiter.is_some()))
            .collect()
    }

    /// Whether the result of a case is wanted: no case before it is known to decide.
    pub fn is_needed(&self, place: usize) -> bool {
        self.failure.is_none_or(|failure| place <= failure)
    }

    /// The result of a case, if it may be passed on.
    pub fn result(&self, place: usize) -> Option<CaseEnd> {
        match &self.cases[place].phase {
            Phase::Done(finished) if !self.stops_at_failure || place < self.passed_on => {
                Some(result(finished))
            }
            _ => None,
        }
    }
}

impl Case {
    pub fn new(id: CaseId) -> Self {
        Case {
            id,
            phase: Phase::Open,
            waiter: None,
            is_cancelled: false,
            is_needed: true,
            lost: 0,
        }
    }

    pub fn is_in(&self, batch: u64) -> bool {
        matches!(self.phase, Phase::In(own) if own == batch)
    }

    /// Passes the result on to the thread that waits for it, if one does; returns whether there is a
    /// result.
    fn pass_on(&mut self) -> bool {
        let Phase::Done(finished) = &self.phase else {
            return false;
        };
        if let Some(waiter) = self.waiter.take() {
            // The receiver waits for it.
            let _ = waiter.send(result(finished));
        }
        true
    }
}

/// The result for the scheduler. A case near its limit was already judged alone by its worker.
fn result(finished: &CaseResult) -> CaseEnd {
    CaseEnd::Finished {
        result: finished.clone(),
        near_limit: false,
        fails_anyway: false,
        undisturbed: true,
    }
}
