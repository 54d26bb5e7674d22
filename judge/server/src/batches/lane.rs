//! The place of a submission's batches in the queue.

use crate::queue::{Priority, Unit};
use crate::store::{JudgingId, UnitId};

/// The class, share and machines of the batches of a submission.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lane {
    /// The judging that they are a part of; `None`: of a command.
    pub judging: Option<JudgingId>,
    /// Their class.
    pub priority: Priority,
    /// The team or user that they are judged for.
    pub share: String,
    /// The class of machines that judges them; `None`: any.
    pub machine_class: Option<String>,
}

impl Lane {
    pub fn unit(&self, batch: u64) -> Unit {
        Unit {
            id: self.unit_id(batch),
            priority: self.priority,
            share: self.share.clone(),
            machine_class: self.machine_class.clone(),
        }
    }

    pub fn unit_id(&self, batch: u64) -> String {
        UnitId::Batch(self.judging, batch).to_string()
    }
}
