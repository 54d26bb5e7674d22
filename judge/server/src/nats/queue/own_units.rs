//! The part of a shared queue that belongs to one coordinator: its name begins the ids, shares and
//! payloads of its units.

use super::{Competition, NatsQueue};
use crate::queue::{Listed, Queue, Result, Unit};
use std::sync::Arc;

/// The units of one coordinator.
pub struct OwnUnits {
    queue: Arc<NatsQueue>,
    /// The coordinator's name.
    name: String,
    /// The class of machines that all of its units need, if any.
    machine_class: Option<String>,
}

impl OwnUnits {
    /// The units of the coordinator with this name. If a class of machines is given, only workers of that
    /// class lease them.
    pub fn new(queue: Arc<NatsQueue>, name: &str, machine_class: Option<&str>) -> Self {
        OwnUnits {
            queue,
            name: name.to_owned(),
            machine_class: machine_class.map(str::to_owned),
        }
    }

    fn outer(&self, text: &str) -> String {
        format!("{} {text}", self.name)
    }

    fn outer_unit(&self, unit: &Unit) -> Unit {
        let own_class = || unit.machine_class.clone();
        Unit {
            id: self.outer(&unit.id),
            priority: unit.priority,
            share: self.outer(&unit.share),
            payload: self.outer(&unit.payload),
            machine_class: self.machine_class.clone().or_else(own_class),
        }
    }

    /// The unit as its coordinator knows it; `None`: it belongs to another.
    fn inner_unit(&self, unit: Unit) -> Option<Unit> {
        let inner = |text: &str| {
            let rest = text.strip_prefix(&self.name)?.strip_prefix(' ')?;
            Some(rest.to_owned())
        };
        Some(Unit {
            id: inner(&unit.id)?,
            share: inner(&unit.share)?,
            payload: inner(&unit.payload)?,
            ..unit
        })
    }

    /// The unit with this id, and what it competes with for workers of this class. Counts at most
    /// `most` units that wait.
    pub fn competition(&self, id: &str, machine_class: &str, most: usize) -> Option<Competition> {
        let id = self.outer(id);
        let Competition { unit, waiting } = self.queue.competition(&id, machine_class, most)?;
        let unit = self.inner_unit(unit)?;
        Some(Competition { unit, waiting })
    }
}

impl Queue for OwnUnits {
    /// Fails immediately without a connection, so that a submission does not block; the server enqueues
    /// missing units after it reconnects.
    fn enqueue(&self, units: &[Unit]) -> Result<()> {
        let connection = &self.queue.connection;
        if !connection.session().borrow().connected {
            return Err(connection.error("not connected").into());
        }
        let units: Vec<Unit> = units.iter().map(|unit| self.outer_unit(unit)).collect();
        self.queue.enqueue(&units)
    }

    fn retry(&self, id: &str) -> Result<bool> {
        self.queue.retry(&self.outer(id))
    }

    fn remove(&self, id: &str) -> Result<bool> {
        self.queue.remove(&self.outer(id))
    }

    fn list(&self, count: usize) -> Result<Vec<Listed>> {
        let own = |listed: Listed| {
            let unit = self.inner_unit(listed.unit)?;
            Some(Listed { unit, ..listed })
        };
        let all = self.queue.list(usize::MAX >> 1)?.into_iter();
        Ok(all.filter_map(own).take(count).collect())
    }
}
