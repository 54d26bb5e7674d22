//! The competition of a unit for the workers of a class of machines: the units that are as urgent.

use super::Mirror;
use crate::queue::Unit;
use std::time::Duration;

/// A unit, and the number of other units that are at least as urgent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Competition {
    /// The unit.
    pub(crate) unit: Unit,
    /// Number of those that wait for a worker of the class.
    pub(crate) waiting: usize,
}

impl Mirror {
    /// The unit with this id, and what it competes with for workers of this class; `None`: it is not
    /// in the queue. Counts at most `most` units that wait.
    pub fn competition(
        &mut self,
        id: &str,
        machine_class: &str,
        most: usize,
        now: Duration,
    ) -> Option<Competition> {
        self.tick(now);
        let own = &self.slots.get(id)?.entry.as_ref()?.record;
        let urgent = own.unit.priority;
        let waiting = |class: &Option<String>| {
            let ready = self.ready.get(class).into_iter().flatten();
            let ready = ready.take_while(|(priority, ..)| *priority <= urgent);
            ready
                .filter(|(.., other)| **other != *id)
                .take(most)
                .count()
        };
        Some(Competition {
            unit: own.unit.clone(),
            waiting: most.min(waiting(&None) + waiting(&Some(machine_class.to_owned()))),
        })
    }
}
