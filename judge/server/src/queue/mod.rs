//! The queue of work: at least once, by priority, in fair shares.
//!
//! There is one implementation, a table of the store ([`crate::store::SqliteQueue`]). Workers of the server's
//! process call it; workers of other machines lease, extend and settle through it by messages (`crate::nats`).
//!
//! A unit may be delivered twice, and its worker may hold a lease that expired. That is sound because results are
//! idempotent: the store accepts them by compare-and-set on the attempt ([`crate::store::Store::record`]).
//! `tests/server/queue/` has a suite that the queue passes in both ways.

use crate::word_enums::word_enums;
use judge_core::error::{Failure, Reason};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// After this many deliveries that failed, a unit is parked.
pub(crate) const MAX_DELIVERIES: u32 = 4;

/// Why a unit is parked that was delivered more often.
pub(crate) fn delivered_too_often() -> Reason {
    Reason::new(format!(
        "the judge was stopped {MAX_DELIVERIES} times while it judged this submission"
    ))
}

word_enums! {
    /// Classes of the queue, most urgent first.
    Priority {
        /// Submissions of a running contest.
        Contest = "contest",
        Practice = "practice",
        /// Submissions of the jury.
        Jury = "jury",
        Rejudge = "rejudge",
    }
}

/// A unit of work to enqueue.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unit {
    /// Its identity, which says what its work is; a unit whose id the queue has is not enqueued again.
    pub id: String,
    /// Its class; a more urgent one goes first.
    pub priority: Priority,
    /// The team or user that it is judged for: within a class, all shares get the same.
    pub share: String,
    /// The class of machines whose workers may lease it; `None`: any. Workers of the server's process ignore it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine_class: Option<String>,
}

/// A unit that a worker holds until the lease expires.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lease {
    pub unit: Unit,
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
    pub unit: Unit,
    pub phase: Phase,
    /// How often it was delivered.
    pub deliveries: u32,
    /// Why it was released or parked.
    pub reason: Option<String>,
    /// Since when it has been in this phase: milliseconds since 1970.
    pub(crate) since_ms: i64,
}

/// A unit and its place in the order of the queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    pub listed: Listed,
    /// Number of units before it that wait or are delayed.
    pub before: usize,
    /// Number of units that workers have.
    pub leased: usize,
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
    pub units: usize,
    /// Since when the oldest waits: milliseconds since 1970.
    pub since_ms: Option<i64>,
}

/// The queue failed.
#[derive(thiserror::Error, Debug)]
#[error("the queue failed: {0}")]
pub struct QueueError(pub(crate) Reason);

impl From<QueueError> for Failure {
    fn from(error: QueueError) -> Self {
        Failure::usage(error.to_string())
    }
}

pub(crate) type Result<T> = std::result::Result<T, QueueError>;

/// The units that a worker may lease.
#[derive(Clone, Copy, Default, Debug)]
pub struct Eligible<'e> {
    /// Units for this class of machines or for any; `None`: all units.
    pub machine_class: Option<&'e str>,
    /// Ids of units that are left to other workers.
    pub except: &'e [String],
}

/// The end of a lease.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Settlement {
    /// The unit is done and leaves the queue.
    Finished,
    /// The unit was not tried, because the worker stops or could not start it: it waits again, and the delivery
    /// does not count.
    GivenBack(Wait),
    /// The unit failed for this reason: it waits again.
    Released(String, Wait),
    /// The unit is not delivered any more until `SqliteQueue::retry`, for this reason.
    Parked(String),
}

/// The time for which a unit waits before it is leased again.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Wait {
    /// Before any worker leases it.
    pub time: Duration,
    /// Before workers of this machine lease it: other machines may be able to judge it. Without other machines it has no
    /// effect.
    pub here: Duration,
}

impl From<Duration> for Wait {
    fn from(time: Duration) -> Self {
        Wait {
            time,
            here: Duration::ZERO,
        }
    }
}

/// A queue, as its workers see it. Operations that take a lease return whether it is still held, and do
/// nothing otherwise. They fail when the queue cannot be reached.
pub trait Leases: Send + Sync {
    /// Takes the next unit for a worker: the most urgent class first, then fair shares, then the
    /// order of arrival. A unit whose lease expired is taken like a waiting one. Does not wait.
    fn lease(&self, worker: &str, duration: Duration) -> Result<Option<Lease>>;

    /// Extends a lease to `duration` from now: the worker is alive.
    fn extend(&self, lease: &Lease, duration: Duration) -> Result<bool>;

    fn settle(&self, lease: &Lease, settlement: &Settlement) -> Result<bool>;

    /// Blocks until a unit may have arrived, or the time is over.
    fn wait(&self, most: Duration);

    /// Ends all calls of [`Leases::wait`] now, so that workers notice that they are to stop.
    fn wake(&self);

    /// Settles as [`Settlement::Finished`].
    fn finish(&self, lease: &Lease) -> Result<bool> {
        self.settle(lease, &Settlement::Finished)
    }

    /// Settles as [`Settlement::GivenBack`].
    fn give_back(&self, lease: &Lease, wait: Duration) -> Result<bool> {
        self.settle(lease, &Settlement::GivenBack(wait.into()))
    }

    /// Settles as [`Settlement::Released`].
    fn release(&self, lease: &Lease, reason: &str, wait: Duration) -> Result<bool> {
        self.settle(lease, &Settlement::Released(reason.to_owned(), wait.into()))
    }

    /// Settles as [`Settlement::Parked`].
    fn park(&self, lease: &Lease, reason: &str) -> Result<bool> {
        self.settle(lease, &Settlement::Parked(reason.to_owned()))
    }
}
