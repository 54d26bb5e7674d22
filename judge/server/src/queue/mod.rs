//! The queue of work: at least once, by priority, in fair shares.
//!
//! The trait assumes no database beside it: a unit may be delivered twice, and its worker may hold a
//! lease that somebody else has by now. That is sound because results are idempotent: the store
//! accepts them by compare-and-set on the attempt ([`crate::store::Store::record`]). What is to be
//! judged is in the store; the queue says only in which order, and by whom now. `tests/server/queue/`
//! has the suite that every implementation passes.

use crate::words::words;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// After this many deliveries that failed, a unit is parked.
pub(crate) const MAX_DELIVERIES: u32 = 4;

words! {
    /// Classes of the queue, most urgent first.
    Priority {
        /// Submissions of a running contest.
        Contest = "contest",
        /// Practice.
        Practice = "practice",
        /// Submissions of the jury.
        Jury = "jury",
        /// Rejudgings.
        Rejudge = "rejudge",
    }
}

/// A unit of work to enqueue.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unit {
    /// Its identity: a unit whose id the queue has is not enqueued again.
    pub id: String,
    /// Its class; a more urgent one goes first.
    pub priority: Priority,
    /// The team or user that it is judged for: within a class, all shares get the same.
    pub share: String,
    /// The text that the worker receives.
    pub payload: String,
    /// The class of machines whose workers may lease it; `None`: any. A queue of one machine ignores it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine_class: Option<String>,
}

/// A unit that a worker holds until the lease expires.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lease {
    /// The leased unit.
    pub unit: Unit,
    /// Identifies the lease.
    pub(crate) token: String,
    /// How often the unit was delivered, from 1; deliveries that were given back do not count.
    pub delivery: u32,
}

/// Progress of a unit in the queue.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It waits for a worker.
    Waiting,
    /// It waits until this time (milliseconds since 1970), after a failure.
    Delayed(i64),
    /// This worker has it.
    Leased(String),
    /// It failed too often, and waits for the jury.
    Parked,
}

/// A unit as the jury sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The unit.
    pub unit: Unit,
    /// Its progress.
    pub phase: Phase,
    /// How often it was delivered.
    pub deliveries: u32,
    /// Why it was released or parked.
    pub reason: Option<String>,
    /// Since when it has been in this phase: milliseconds since 1970.
    pub(crate) since_ms: i64,
}

/// Numbers of units.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Waiting or delayed.
    pub waiting: usize,
    /// Number of units that workers have.
    pub leased: usize,
    /// Number of units that failed for good.
    pub parked: usize,
}

/// Waiting units of a class of the queue.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Backlog {
    /// Number of units.
    pub units: usize,
    /// Since when the oldest waits: milliseconds since 1970.
    pub since_ms: Option<i64>,
}

impl Backlog {
    /// Adds units, the oldest of which has waited since then.
    pub(crate) fn add(&mut self, units: usize, since_ms: i64) {
        self.units += units;
        self.since_ms = Some(self.since_ms.map_or(since_ms, |own| own.min(since_ms)));
    }
}

/// The queue failed.
#[derive(Debug)]
pub struct QueueError(pub(crate) String);

impl fmt::Display for QueueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the queue failed: {}", self.0)
    }
}

impl std::error::Error for QueueError {}

impl From<QueueError> for String {
    fn from(error: QueueError) -> Self {
        error.to_string()
    }
}

/// The result of an operation of the queue.
pub(crate) type Result<T> = std::result::Result<T, QueueError>;

/// A queue, as the coordinator of the work sees it. All operations block; they may be called from any
/// thread. All fail when the queue cannot be reached.
pub trait Queue: Send + Sync {
    /// Adds units; those whose id the queue has are ignored.
    ///
    /// # Errors
    ///
    /// When the queue cannot be reached; then some of them may have been added.
    fn enqueue(&self, units: &[Unit]) -> Result<()>;

    /// Lets a parked unit wait again, as if it had never been delivered; returns whether it was parked.
    fn retry(&self, id: &str) -> Result<bool>;

    /// Removes a unit that is not leased; returns whether there was one.
    fn remove(&self, id: &str) -> Result<bool>;

    /// At most `count` units: leased ones, then waiting ones in their order, then parked ones.
    fn list(&self, count: usize) -> Result<Vec<Listed>>;

    /// Numbers of units.
    fn counts(&self) -> Result<Counts> {
        let mut counts = Counts::default();
        for listed in self.list(usize::MAX >> 1)? {
            match listed.phase {
                Phase::Waiting | Phase::Delayed(_) => counts.waiting += 1,
                Phase::Leased(_) => counts.leased += 1,
                Phase::Parked => counts.parked += 1,
            }
        }
        Ok(counts)
    }

    /// Units that wait or are delayed, for each class of [`Priority::ALL`].
    fn backlog(&self) -> Result<Vec<Backlog>> {
        let mut backlog = vec![Backlog::default(); Priority::ALL.len()];
        for listed in self.list(usize::MAX >> 1)? {
            if matches!(listed.phase, Phase::Waiting | Phase::Delayed(_)) {
                backlog[listed.unit.priority as usize].add(1, listed.since_ms);
            }
        }
        Ok(backlog)
    }
}

/// A queue, as its workers see it. Operations that take a lease return whether it is still held, and do
/// nothing otherwise. They fail like those of [`Queue`].
pub trait Leases: Queue {
    /// Takes the next unit for a worker: the most urgent class first, then fair shares, then the
    /// order of arrival. A unit whose lease expired is taken like a waiting one. Does not wait.
    fn lease(&self, worker: &str, duration: Duration) -> Result<Option<Lease>>;

    /// Extends a lease to `duration` from now: the worker is alive.
    fn extend(&self, lease: &Lease, duration: Duration) -> Result<bool>;

    /// The unit is done and leaves the queue.
    fn finish(&self, lease: &Lease) -> Result<bool>;

    /// The unit was not tried, because the worker stops or could not start it: it waits again, at
    /// least this long, and the delivery does not count.
    fn give_back(&self, lease: &Lease, wait: Duration) -> Result<bool>;

    /// The workers of this process do not lease this unit for this long, because it failed here and other
    /// machines may be able to do it. A queue without other machines ignores it.
    fn leave_to_others(&self, _id: &str, _duration: Duration) {}

    /// The unit failed: it waits again, at least this long.
    fn release(&self, lease: &Lease, reason: &str, wait: Duration) -> Result<bool>;

    /// The unit is not delivered any more until [`Queue::retry`].
    fn park(&self, lease: &Lease, reason: &str) -> Result<bool>;

    /// Blocks until a unit may have arrived, or the time is over.
    fn wait(&self, most: Duration);

    /// Ends all calls of [`Leases::wait`] now, so that workers notice that they are to stop.
    fn wake(&self);
}
