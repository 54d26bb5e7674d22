//! The submissions that workers judge for this process: the batch of each case, its worker, and the
//! thread that waits for the result.

mod state;
mod submission;

use self::state::{Planned, Submissions};
use self::submission::{Case, Compilation, Phase, Submission};
use super::lane::Lane;
use super::size::Mean;
use crate::queue::Unit;
use crate::work_protocol::{AttemptId, Batch, Report};
use judge_core::judging::{CaseEnd, PrepareResult};
use judge_core::parallel::unpoisoned;
use judge_core::results::SubmissionKey;
use judge_package::CaseId;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// A submission: the run of the scheduler, and the key in its plan.
pub type SubmissionInRun = (u64, SubmissionKey);

/// How often the cancel message of an unneeded batch is resent: messages can be lost.
const CANCEL_AGAIN: Duration = Duration::from_secs(1);

/// The submissions and their batches.
#[derive(Default)]
pub struct Table {
    state: Mutex<Submissions>,
    changed: Condvar,
}

/// A submission to add.
pub struct New {
    /// The batch that workers receive, without cases.
    pub work: Batch,
    pub lane: Arc<Lane>,
    /// The first case that is not accepted decides.
    pub stops_at_failure: bool,
}

/// The changes to make on NATS.
#[derive(Default, Debug)]
pub struct Step {
    /// Batches to enqueue, with their units.
    pub enqueue: Vec<(u64, Unit)>,
    /// Ids of units to remove.
    pub remove: Vec<String>,
    /// Messages to workers: name, attempt, cases.
    pub cancel: Vec<(String, AttemptId, Vec<usize>)>,
    /// Whether any submission is in progress.
    pub waits: bool,
    /// The table's change counter when this step was computed.
    pub changes: u64,
}

impl Table {
    /// Without submissions. The numbers of batches come after this one.
    pub fn new(last: u64) -> Self {
        Table {
            state: Mutex::new(Submissions {
                last,
                ..Submissions::default()
            }),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Submissions> {
        unpoisoned(self.state.lock())
    }

    /// Seconds that a case of the slowest submission of late to a package in a language took, if
    /// there was one.
    pub fn slowest_s(&self, tree: &str, language: &str) -> Option<f64> {
        self.lock().times.slowest_s(tree, Some(language))
    }

    /// Records the case times of a submission that was not judged in batches.
    pub fn add_times(&self, tree: &str, language: &str, cases: &[f64]) {
        let mut state = self.lock();
        let mut mean = Mean::default();
        for &seconds in cases {
            state.times.add(tree, Some(language), seconds);
            mean.add(seconds);
        }
        state.times.add_submission(tree, Some(language), &mean);
    }

    /// Waits for a change after this step, or until the time is over.
    pub fn wait(&self, changes: u64, most: Duration) {
        let is_same = |state: &mut Submissions| state.changes == changes;
        drop(self.changed.wait_timeout_while(self.lock(), most, is_same));
    }

    fn notify(&self, state: &mut Submissions) {
        state.changes += 1;
        self.changed.notify_all();
    }

    /// Adds a submission with its cases in judging order; the result of its compilation comes through
    /// the channel. `None` when judging was interrupted.
    pub fn add(
        &self,
        key: SubmissionInRun,
        new: New,
        cases: impl Iterator<Item = CaseId>,
        seats: usize,
    ) -> Option<Receiver<PrepareResult>> {
        let (sender, receiver) = channel();
        let cases: Vec<Case> = cases.map(Case::new).collect();
        let mut state = self.lock();
        if state.interrupted {
            return None;
        }
        let submission = Submission {
            work: new.work,
            lane: new.lane,
            places: (0..cases.len()).map(|k| (cases[k].id, k)).collect(),
            compilation: Compilation::Waiting(sender),
            mean: Mean::default(),
            is_short: false,
            is_tried: false,
            stops_at_failure: new.stops_at_failure,
            passed_on: 0,
            failure: None,
            cases,
        };
        state.submissions.insert(key, submission);
        state.plan_first(key, seats);
        self.notify(&mut state);
        Some(receiver)
    }

    /// Waits for the result of a case; `None` when judging was interrupted.
    pub fn result(&self, key: SubmissionInRun, case: CaseId) -> Option<CaseEnd> {
        let receiver = {
            let mut state = self.lock();
            let submission = state.submissions.get_mut(&key)?;
            let place = *submission.places.get(&case)?;
            if let Some(result) = submission.result(place) {
                return Some(result);
            }
            let is_needed = submission.is_needed(place);
            let own = &mut submission.cases[place];
            if std::mem::take(&mut own.is_cancelled) {
                return Some(CaseEnd::Cancelled);
            }
            let (sender, receiver) = channel();
            own.waiter = Some(sender);
            own.is_needed = is_needed;
            if is_needed && matches!(own.phase, Phase::Open) {
                submission.is_short = true;
                self.notify(&mut state);
            }
            receiver
        };
        // The sender is dropped when judging is interrupted.
        receiver.recv().ok()
    }

    /// Cancels a case. `asked`: a thread waits for its result or is about to.
    pub fn cancel(&self, key: SubmissionInRun, case: CaseId, asked: bool) {
        let mut state = self.lock();
        let Some(own) = state.case(key, case) else {
            return;
        };
        own.is_needed = false;
        match own.waiter.take() {
            // The receiver waits for it.
            Some(waiter) => drop(waiter.send(CaseEnd::Cancelled)),
            None => own.is_cancelled = asked,
        }
        if let Phase::In(batch) = own.phase {
            own.phase = Phase::Open;
            state.release(batch, &[case]);
            self.notify(&mut state);
        }
    }

    /// Forgets the submissions of a run of the scheduler.
    pub fn forget(&self, run: u64) {
        let mut state = self.lock();
        let Submissions {
            submissions, times, ..
        } = &mut *state;
        submissions.retain(|key, own| {
            let stays = key.0 != run;
            if !stays {
                let Batch { tree, language, .. } = &own.work;
                times.add_submission(tree, language.as_deref(), &own.mean);
            }
            stays
        });
        state.release_orphans();
        self.notify(&mut state);
    }

    /// Interrupts judging: ends all waits.
    pub fn interrupt(&self) {
        let mut state = self.lock();
        state.interrupted = true;
        // This also drops the senders on which other threads wait.
        state.submissions.clear();
        state.release_orphans();
        self.notify(&mut state);
    }

    /// Starts an attempt of a worker at a batch; `None`: none of its cases is needed any more.
    pub fn start(
        &self,
        batch: u64,
        worker: &str,
        judge_version: &str,
    ) -> Option<(Batch, AttemptId)> {
        let mut state = self.lock();
        let Submissions {
            batches,
            submissions,
            ..
        } = &mut *state;
        let planned = batches.get_mut(&batch)?;
        let submission = submissions.get(&planned.key);
        let Some(submission) = submission.filter(|_| planned.needless.is_none()) else {
            batches.remove(&batch);
            return None;
        };
        planned.attempt += 1;
        planned.worker = Some(worker.to_owned());
        planned.judge_version = Some(judge_version.to_owned());
        planned.cancel.clear();
        let is_open = |place: &&usize| submission.cases[**place].is_in(batch);
        let cases = planned.cases.iter().filter(is_open);
        let work = Batch {
            cases: cases.map(|place| submission.cases[*place].id.0).collect(),
            ..submission.work.clone()
        };
        Some((work, planned.target(batch)))
    }

    /// Keeps reports of a worker, unless they are those of an earlier attempt or another worker.
    pub fn take(&self, worker: &str, target: &AttemptId, reports: Vec<Report>) {
        let AttemptId::Batch(of) = target else {
            tracing::error!(worker, "results of a server are refused");
            return;
        };
        let mut state = self.lock();
        let planned = state.batches.get(&of.batch);
        let is_present = |planned: &Planned| {
            planned.attempt == of.attempt && planned.worker.as_deref() == Some(worker)
        };
        if !planned.is_some_and(is_present) {
            tracing::info!(worker, batch = of.batch, "late results are refused");
            return;
        }
        for report in reports {
            match report {
                Report::Compiled(compiled) => state.compiled(of.batch, compiled),
                Report::Case(case, result) => state.result(of.batch, worker, CaseId(case), *result),
                Report::Ended => state.ended(of.batch, worker),
                other => tracing::error!(worker, "a result is refused: {other:?}"),
            }
        }
        self.notify(&mut state);
    }

    /// No worker can judge a batch: its cases get JE with this reason.
    pub fn fail(&self, batch: u64, reason: &str) {
        let mut state = self.lock();
        if let Some(planned) = state.batches.remove(&batch) {
            state.fail(batch, &planned, reason);
        }
        self.notify(&mut state);
    }

    /// Plans batches for the cases whose results threads wait for. `seats`: number of units that the
    /// workers that may take the batches of a lane can work on at once.
    pub fn step(&self, seats: impl Fn(&Lane) -> usize) -> Step {
        let mut state = self.lock();
        let short = state.submissions.iter().filter(|(_, own)| own.is_short);
        let short: Vec<(SubmissionInRun, usize)> =
            short.map(|(key, own)| (*key, seats(&own.lane))).collect();
        for (key, seats) in short {
            state.plan_wanted(key, seats);
        }
        let mut step = Step {
            waits: !state.submissions.is_empty(),
            changes: state.changes,
            ..Step::default()
        };
        step.remove = std::mem::take(&mut state.dropped);
        for (&batch, planned) in &mut state.batches {
            if !planned.is_enqueued {
                step.enqueue.push((batch, planned.lane.unit(batch)));
            }
            let is_due = planned
                .needless
                .is_some_and(|at| at.elapsed() > CANCEL_AGAIN);
            let cases = match is_due {
                true => planned.ids.clone(),
                false => std::mem::take(&mut planned.cancel),
            };
            if let Some(worker) = planned.worker.as_ref().filter(|_| !cases.is_empty()) {
                planned.needless = planned.needless.map(|_| Instant::now());
                let cases = cases.into_iter().map(|case| case.0).collect();
                step.cancel
                    .push((worker.clone(), planned.target(batch), cases));
            }
        }
        step
    }

    /// Records that these batches are in the queue.
    pub fn set_enqueued(&self, batches: impl Iterator<Item = u64>) {
        let mut state = self.lock();
        for batch in batches {
            if let Some(planned) = state.batches.get_mut(&batch) {
                planned.is_enqueued = true;
            }
        }
    }

    /// Whether more results of a batch are expected.
    pub fn has(&self, batch: u64) -> bool {
        self.lock().batches.contains_key(&batch)
    }
}

#[cfg(test)]
mod tests;
