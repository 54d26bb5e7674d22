//! The place of a submission's batches in the queue.

use crate::queue::{Priority, Unit};

/// Prefix of the payload of a batch's unit.
const BATCH: &str = "batch-";

/// The class, share and machines of the batches of a submission.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lane {
    /// Prefix of the ids of their units.
    pub prefix: String,
    /// Their class.
    pub priority: Priority,
    /// The team or user that they are judged for.
    pub share: String,
    /// The class of machines that judges them; `None`: any.
    pub machine_class: Option<String>,
}

impl Lane {
    /// The unit of a batch.
    pub fn unit(&self, batch: u64) -> Unit {
        Unit {
            id: self.unit_id(batch),
            priority: self.priority,
            share: self.share.clone(),
            payload: format!("{BATCH}{batch}"),
            machine_class: self.machine_class.clone(),
        }
    }

    /// The id of the unit of a batch.
    pub fn unit_id(&self, batch: u64) -> String {
        format!("{}{BATCH}{batch}", self.prefix)
    }
}

/// The batch of a unit with this payload, if it is one of a batch.
pub fn batch_of(payload: &str) -> Option<u64> {
    payload.strip_prefix(BATCH)?.parse().ok()
}
