//! The interface between the queue for workers of other machines and the coordinator that it belongs to.

use super::protocol::{Object, Order};
use crate::queue::Lease;
use crate::store::Starter;
use crate::work_protocol::{Fleet, Results};
use judge_core::error::Reason;

/// How the start of an attempt ended.
pub enum Started {
    /// The worker has this to do.
    Order(Box<Order>),
    /// Nothing to do: the unit is done or dropped.
    Closed,
    /// Nothing to do for this worker: the coordinator divides the judging into batches, which are units of their own.
    Divided,
    /// The unit can never be started.
    Hopeless(Reason),
    /// The coordinator failed.
    Failed(Reason),
}

/// A coordinator, as its queue and the reader of results call it. Implemented by a server with its store, and by a
/// command with its table.
pub trait Handler: Send + Sync + 'static {
    /// Starts an attempt at a leased unit, unless there is nothing to do.
    fn start(&self, by: &Starter<'_>, lease: &Lease) -> Started;

    /// Whether the results of this unit are there, or not needed.
    fn is_done(&self, unit: &str) -> Result<bool, Reason>;

    /// The unit was parked for this reason.
    fn give_up(&self, unit: &str, reason: &str) -> Result<(), Reason>;

    /// The workers that are known.
    fn fleet(&self) -> &Fleet;

    /// Puts an object into the object store, unless it is there.
    fn put(&self, object: &Object) -> Result<(), Reason>;

    /// Keeps results, each with its worker. Those of an earlier attempt and of another worker are
    /// refused. Fails when they cannot be kept now.
    fn take(&self, results: Vec<(String, Results)>) -> Result<(), Reason>;

    /// Whether no more results are needed.
    fn is_over(&self) -> bool {
        false
    }
}
