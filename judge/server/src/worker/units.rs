//! Units of work: one for each judging.

use crate::access;
use crate::queue::{Phase, Queue, QueueError, Unit};
use crate::store::{self, Judging, JudgingId, Priority, Store};

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
    }
}

/// The judging of a unit, if it is one of a judging.
pub fn judging_of(unit: &Unit) -> Option<JudgingId> {
    unit.payload.parse().ok().map(JudgingId)
}

/// Enqueues all judgings that are not done and that the queue does not have: those that came just
/// before the server was killed.
///
/// # Errors
///
/// When the store or the queue fails.
pub fn reconcile(store: &Store, queue: &dyn Queue) -> Result<(), QueueError> {
    let judgings = store.unfinished_judgings()?;
    let units: store::Result<Vec<Unit>> = judgings.iter().map(|j| unit_of(store, j)).collect();
    queue.enqueue(&units?)?;
    // A unit is parked before its judging ends: the server may have been killed between the two.
    for parked in queue.list(usize::MAX >> 1)? {
        let reason = parked.reason.unwrap_or_default();
        if let (Phase::Parked, Some(id)) = (parked.phase, judging_of(&parked.unit)) {
            store.give_up_judging(id, &reason)?;
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
