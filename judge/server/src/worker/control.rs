//! Control of running workers: draining, pausing, and their state.

use super::Context;
use super::pool::{Pool, Seat, Workers};
use crate::work_protocol::Doing;
use judge_core::parallel::unpoisoned;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Running workers. They may have stopped.
#[derive(Clone)]
pub struct Control(pub(super) Arc<Pool>);

impl Workers {
    /// A handle that controls the workers while they run.
    pub fn control(&self) -> Control {
        Control(self.pool.clone())
    }
}

impl Control {
    /// State that the workers share.
    pub(crate) fn context(&self) -> &Context {
        &self.0.context
    }

    /// Stops leasing new units; units in progress are finished.
    pub fn drain(&self) {
        self.0.draining.store(true, Ordering::SeqCst);
    }

    /// Pauses leasing while other programs use the machine; `reason` says why. `None` resumes.
    pub fn set_busy(&self, reason: Option<String>) {
        *unpoisoned(self.0.busy.lock()) = reason;
    }

    /// Why leasing is paused, if it is.
    pub fn resting(&self) -> Option<String> {
        let fails = || {
            let rests = self.0.backoff.is_active();
            rests.then(|| "this machine fails again and again; see the log".to_owned())
        };
        self.0.busy().or_else(fails)
    }

    /// Why judging stands still, if it does: the queue fails, or several units in a row failed.
    pub fn standstill(&self) -> Option<String> {
        let trouble = unpoisoned(self.0.trouble.lock()).clone();
        let queue_fails = self.0.queue_fails.load(Ordering::SeqCst);
        trouble.filter(|_| queue_fails || self.0.backoff.fails_again())
    }

    /// Whether they stop.
    pub fn is_stopping(&self) -> bool {
        self.0.is_stopping()
    }

    /// The units that the workers work on now.
    pub(crate) fn doing(&self) -> Vec<Doing> {
        let of = |seat: &Seat| {
            let current = seat.worker.current()?;
            Some(Doing {
                core: seat.worker.turn.core().number(),
                unit: current.lease.unit.id,
                since_ms: current.since_ms,
            })
        };
        self.0.seats().iter().filter_map(of).collect()
    }
}
