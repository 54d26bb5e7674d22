//! The units of a server: one for each judging, and one for each step of verifying an upload. Enqueuing them, starting
//! attempts at them, and keeping their results.

mod attempts;
mod embedded;

pub(crate) use attempts::work_of;
pub use attempts::{give_up, is_done, record, start_attempt};
pub use embedded::{DEFAULT_CLASS, Embedded};

use crate::access;
use crate::queue::{self, Listed, Phase, Priority, QueueError, Unit};
use crate::store::{self, Judging, JudgingId, SqliteQueue, Store, UnitId, UploadId};

pub fn unit_id(judging: JudgingId) -> String {
    UnitId::Judging(judging).to_string()
}

/// The unit of a judging, for its fair share of the queue.
pub fn unit(judging: JudgingId, priority: Priority, share: String) -> Unit {
    Unit {
        id: unit_id(judging),
        priority,
        share,
        machine_class: None,
    }
}

/// Enqueues all work that the queue does not have, and ends the judgings of parked units: a server may be killed
/// before it enqueues a submission, or between parking a unit and ending its judging.
pub fn reconcile(store: &Store, queue: &SqliteQueue) -> Result<(), QueueError> {
    enqueue_missing(store, queue)?;
    let not_waiting = queue.list(0)?.into_iter();
    for Listed { unit, reason, .. } in not_waiting.filter(|own| own.phase == Phase::Parked) {
        if let Ok(UnitId::Judging(id)) = unit.id.parse() {
            store.give_up_judging(id, reason.as_deref().unwrap_or_default())?;
        }
    }
    Ok(())
}

/// Enqueues the judgings that are not done and the steps of verification without a report that the queue does not
/// have.
pub fn enqueue_missing(store: &Store, queue: &SqliteQueue) -> Result<(), QueueError> {
    enqueue(store, queue, &store.judgings_without_unit()?)?;
    queue.enqueue(&unverified_units(store)?)
}

/// Enqueues judgings; those that the queue has are ignored.
pub fn enqueue(store: &Store, queue: &SqliteQueue, judgings: &[Judging]) -> Result<(), QueueError> {
    let units: store::Result<Vec<Unit>> = judgings.iter().map(|j| unit_of(store, j)).collect();
    queue.enqueue(&units?)
}

fn unit_of(store: &Store, judging: &Judging) -> store::Result<Unit> {
    let submission = store.submission(judging.submission)?;
    let share = access::share(submission.team, submission.user, submission.contest);
    Ok(unit(judging.id, judging.priority, share))
}

/// The units of an upload, in order.
pub fn verification_units(upload: UploadId, steps: usize) -> Vec<Unit> {
    (0..steps).map(|step| step_unit(upload, step)).collect()
}

/// The unit of a step, of the least urgent class, so that a contest waits for one step at most.
fn step_unit(upload: UploadId, step: usize) -> Unit {
    Unit {
        id: UnitId::Step(upload, step).to_string(),
        priority: Priority::Rejudge,
        share: format!("upload {upload}"),
        machine_class: None,
    }
}

/// The units of an upload that the judge failed on too often, with their steps.
pub fn parked_steps(queue: &SqliteQueue, upload: UploadId) -> queue::Result<Vec<(usize, Listed)>> {
    let parked = queue.list(0)?.into_iter();
    let parked = parked.filter(|listed| listed.phase == Phase::Parked);
    let steps = parked.filter_map(|listed| match listed.unit.id.parse() {
        Ok(UnitId::Step(own, step)) if own == upload => Some((step, listed)),
        _ => None,
    });
    Ok(steps.collect())
}

/// The units of all steps without a report.
fn unverified_units(store: &Store) -> store::Result<Vec<Unit>> {
    let steps = store.unverified_steps()?;
    Ok(steps
        .into_iter()
        .map(|(id, step)| step_unit(id, step))
        .collect())
}
