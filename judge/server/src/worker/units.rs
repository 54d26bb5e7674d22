//! Units of work: one for each judging.

use super::verify::unverified_units;
use crate::access;
use crate::queue::{Listed, Phase, Priority, Queue, QueueError, Unit};
use crate::store::{self, Judging, JudgingId, Store};

/// The id of the unit of a judging.
pub fn unit_id(judging: JudgingId) -> String {
    format!("judging-{judging}")
}

/// The unit of a judging, for its fair share of the queue.
pub fn unit(judging: JudgingId, priority: Priority, share: String) -> Unit {
    Unit {
        id: unit_id(judging),
        priority,
        share,
        payload: judging.to_string(),
        machine_class: None,
    }
}

/// The judging of a unit's payload, if it is one of a judging.
pub fn judging_of(payload: &str) -> Option<JudgingId> {
    payload.parse().ok().map(JudgingId)
}

/// The judging that a unit with this id judges, or a part of it.
pub fn judging_of_unit(id: &str) -> Option<JudgingId> {
    let rest = id.strip_prefix("judging-")?;
    judging_of(rest.split('-').next()?)
}

/// Enqueues all work that the queue does not have, and ends the judgings of parked units.
///
/// # Errors
///
/// When the store or the queue fails.
pub fn reconcile(store: &Store, queue: &dyn Queue) -> Result<(), QueueError> {
    enqueue_all(store, queue)?;
    give_up_parked(store, &queue.list(usize::MAX >> 1)?)
}

/// Enqueues all judgings that are not done and all steps of verification without a report that the
/// queue does not have: those that came just before the server was killed, or while the queue failed.
///
/// # Errors
///
/// When the store or the queue fails.
pub fn enqueue_all(store: &Store, queue: &dyn Queue) -> Result<(), QueueError> {
    let mut units = units_of(store, &store.unfinished_judgings()?)?;
    units.extend(unverified_units(store)?);
    queue.enqueue(&units)
}

/// Enqueues judgings; those that the queue has are ignored.
///
/// # Errors
///
/// When the store or the queue fails.
pub fn enqueue(store: &Store, queue: &dyn Queue, judgings: &[Judging]) -> Result<(), QueueError> {
    queue.enqueue(&units_of(store, judgings)?)
}

/// Ends the judgings of parked units: a unit is parked before its judging ends, and its worker may be
/// killed between the two.
///
/// # Errors
///
/// When the store fails.
pub fn give_up_parked(store: &Store, units: &[Listed]) -> Result<(), QueueError> {
    for unit in units {
        let reason = unit.reason.as_deref().unwrap_or_default();
        if let (Phase::Parked, Some(id)) = (&unit.phase, judging_of(&unit.unit.payload)) {
            store.give_up_judging(id, reason)?;
        }
    }
    Ok(())
}

/// The units of judgings in the store.
fn units_of(store: &Store, judgings: &[Judging]) -> store::Result<Vec<Unit>> {
    judgings.iter().map(|j| unit_of(store, j)).collect()
}

/// The unit of a judging in the store.
fn unit_of(store: &Store, judging: &Judging) -> store::Result<Unit> {
    let submission = store.submission(judging.submission)?;
    let share = access::share(submission.team, submission.user, submission.contest);
    Ok(unit(judging.id, judging.priority, share))
}
