//! A run of the scheduler whose cases are judged in batches.

use super::lane::Lane;
use super::planner::Batches;
use super::table::New;
use crate::worker::Batch;
use judge::judging::{CaseResult, PrepareResult, Prepared, Runs, Settings, SubmissionRef};
use judge_package::{CaseId, TestCase};
use std::sync::Arc;

/// Makes the batch of a submission that workers receive, without cases; an error fails its compilation.
pub type WorkOf = dyn Fn(SubmissionRef<'_>) -> Result<Batch, String> + Send + Sync;

/// A run of the scheduler. Dropping it cancels its batches.
pub struct Run {
    batches: Arc<Batches>,
    number: u64,
    lane: Arc<Lane>,
    stops_at_failure: bool,
    work: Box<WorkOf>,
}

impl Run {
    /// A run with these settings, whose batches wait in this lane.
    pub fn new(
        batches: Arc<Batches>,
        lane: Arc<Lane>,
        settings: &Settings,
        work: Box<WorkOf>,
    ) -> Self {
        Run {
            number: batches.new_run(),
            batches,
            lane,
            stops_at_failure: settings.fail_fast,
            work,
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.batches.table.forget(self.number);
    }
}

impl Runs for Run {
    fn prepare(&self, at: SubmissionRef<'_>) -> Option<PrepareResult> {
        let work = match (self.work)(at) {
            Ok(work) => work,
            Err(why) => return Some(PrepareResult::without_compiler(Prepared::Failed(why))),
        };
        let key = (self.number, at.entry, at.submission);
        let entry = at.entry();
        let cases = entry.cases.iter().map(|case| (case.id, case.name.clone()));
        let seats = self.batches.seats(self.lane.machine_class.as_deref());
        let Batches { table, .. } = self.batches.as_ref();
        let package = &entry.package.id;
        let new = New {
            package,
            work,
            lane: self.lane.clone(),
            stops_at_failure: self.stops_at_failure,
        };
        let compiled = table.add(key, new, cases, seats)?;
        // The sender is dropped when judging is interrupted.
        compiled.recv().ok()
    }

    fn run(&self, at: SubmissionRef<'_>, case: &TestCase) -> Option<CaseResult> {
        let key = (self.number, at.entry, at.submission);
        self.batches.table.result(key, case.id)
    }

    fn cancel(&self, entry: usize, submission: usize, case: CaseId, asked: bool) {
        let key = (self.number, entry, submission);
        self.batches.table.cancel(key, case, asked);
    }
}
