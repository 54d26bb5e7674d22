//! Units of work: one for each judging.

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

/// Enqueues all judgings that are not done and that the queue does not have: those that came just
/// before the server was killed.
///
/// # Errors
///
/// When the store or the queue fails.
pub fn reconcile(store: &Store, queue: &dyn Queue) -> Result<(), QueueError> {
    let judgings = store.unfinished_judgings()?;
    enqueue(store, queue, &judgings)?;
    give_up_parked(store, &queue.list(usize::MAX >> 1)?)
}

/// Enqueues judgings; those that the queue has are ignored.
///
/// # Errors
///
/// When the store or the queue fails.
pub fn enqueue(store: &Store, queue: &dyn Queue, judgings: &[Judging]) -> Result<(), QueueError> {
    let units: store::Result<Vec<Unit>> = judgings.iter().map(|j| unit_of(store, j)).collect();
    queue.enqueue(&units?)
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

/// The unit of a judging in the store.
fn unit_of(store: &Store, judging: &Judging) -> store::Result<Unit> {
    let submission = store.submission(judging.submission)?;
    let share = access::share(submission.team, submission.user, submission.contest);
    Ok(unit(judging.id, judging.priority, share))
}
