//! Runs of the scheduler whose cases are judged in batches.

use super::lane::Lane;
use super::planner::Batches;
use super::table::New;
use crate::work_protocol::{Batch, SentOverrides};
use judge_core::error::Reason;
use judge_core::judging::{
    CaseEnd, Clock, Elsewhere, PrepareResult, Prepared, Runs, Settings, SubmissionRef,
};
use judge_core::results::SubmissionKey;
use judge_package::{CaseId, TestCase};
use std::fmt;
use std::sync::Arc;

/// Makes the batch of a submission that workers receive, without limits and cases; an error fails its
/// compilation.
pub type WorkOf = dyn Fn(SubmissionRef<'_>) -> Result<Batch, Reason> + Send + Sync;

/// Judges cases in batches that wait in a lane.
#[derive(Clone)]
pub struct InBatches {
    pub batches: Arc<Batches>,
    pub lane: Arc<Lane>,
    pub work: Arc<WorkOf>,
}

impl fmt::Debug for InBatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("InBatches").field(&self.lane).finish()
    }
}

impl Elsewhere for InBatches {
    fn begin(&self, settings: &Settings) -> Box<dyn Runs> {
        Box::new(Run {
            place: self.clone(),
            number: self.batches.new_run(),
            stops_at_failure: settings.fail_fast,
            overrides: SentOverrides {
                time_s: settings.overrides.time.map(|time| time.as_secs_f64()),
                memory: settings.overrides.memory,
            },
            instructions_per_second: match settings.clock {
                Clock::Cpu => None,
                Clock::Instructions { per_second } => Some(per_second),
            },
            keeps_outputs: settings.keeps_outputs,
        })
    }
}

/// A run of the scheduler. Dropping it cancels its batches.
struct Run {
    place: InBatches,
    number: u64,
    stops_at_failure: bool,
    overrides: SentOverrides,
    instructions_per_second: Option<f64>,
    keeps_outputs: bool,
}

impl Drop for Run {
    fn drop(&mut self) {
        self.place.batches.table.forget(self.number);
    }
}

impl Runs for Run {
    fn prepare(&self, at: SubmissionRef<'_>) -> Option<PrepareResult> {
        let InBatches {
            batches,
            lane,
            work,
        } = &self.place;
        let work = match work(at) {
            Ok(work) => work,
            Err(why) => {
                return Some(PrepareResult::without_compiler(Prepared::Failed(
                    why.into(),
                )));
            }
        };
        let key = (self.number, at.key);
        let entry = at.entry();
        let cases = entry.cases.iter().map(|case| case.id);
        let seats = batches.seats(lane.machine_class.as_deref());
        let new = New {
            work: Batch {
                time_limit_s: at.time_limit.as_secs_f64(),
                overrides: self.overrides,
                instructions_per_second: self.instructions_per_second,
                keeps_outputs: self.keeps_outputs,
                ..work
            },
            lane: lane.clone(),
            stops_at_failure: self.stops_at_failure,
        };
        let compiled = batches.table.add(key, new, cases, seats)?;
        // The sender is dropped when judging is interrupted.
        compiled.recv().ok()
    }

    fn run(&self, at: SubmissionRef<'_>, case: &TestCase) -> Option<CaseEnd> {
        let key = (self.number, at.key);
        self.place.batches.table.result(key, case.id)
    }

    fn cancel(&self, of: SubmissionKey, case: CaseId, asked: bool) {
        let key = (self.number, of);
        self.place.batches.table.cancel(key, case, asked);
    }
}
