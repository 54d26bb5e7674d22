//! A submission that is judged elsewhere: its compilation, its cases, and the threads that wait for them.

use super::super::lane::Lane;
use super::super::size::Mean;
use crate::worker::Batch;
use judge::event::CaseFinished;
use judge::judging::{CaseResult, CompiledElsewhere};
use judge::package::CaseId;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Instant;

/// A submission and its cases.
pub struct Submission {
    /// The package's id.
    pub package: String,
    /// What workers need, without cases.
    pub work: Batch,
    pub lane: Arc<Lane>,
    /// In judging order.
    pub cases: Vec<Case>,
    pub places: HashMap<CaseId, usize>,
    pub names: HashMap<String, usize>,
    pub compilation: Compilation,
    pub mean: Mean,
    /// Somebody waits for a case in no batch.
    pub is_short: bool,
}

pub enum Compilation {
    /// Somebody waits for it.
    Waiting(Sender<CompiledElsewhere>),
    Done {
        at: Instant,
        seconds: f64,
    },
}

pub struct Case {
    pub id: CaseId,
    pub name: String,
    pub phase: Phase,
    pub waiter: Option<Sender<CaseResult>>,
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
    Done(Box<CaseFinished>),
}

impl Submission {
    /// Only the first result counts.
    pub fn compiled(&mut self, compiled: CompiledElsewhere) {
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
}

impl Case {
    pub fn new(id: CaseId, name: String) -> Self {
        Case {
            id,
            name,
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

    pub fn finish(&mut self, finished: CaseFinished) {
        if let Some(waiter) = self.waiter.take() {
            // The receiver waits for it.
            let _ = waiter.send(result(&finished));
        }
        self.phase = Phase::Done(Box::new(finished));
    }
}

/// A worker judges alone what is near its limit.
pub fn result(finished: &CaseFinished) -> CaseResult {
    CaseResult::Finished {
        finished: finished.clone(),
        near_limit: false,
        undisturbed: true,
    }
}
