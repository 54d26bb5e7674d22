//! The part of a shared queue that belongs to one coordinator: its name begins the ids, shares and
//! payloads of its units.

use super::{Competition, Connection, NatsQueue};
use crate::queue::{Counts, Lease, Listed, Phase, Queue, QueueError, Result, Unit};
use std::sync::Arc;
use std::time::Duration;

/// The units of one coordinator.
pub struct OwnUnits {
    queue: Arc<NatsQueue>,
    connection: Arc<Connection>,
    /// The coordinator's name.
    name: String,
    /// The class of machines that all of its units need, if any.
    machine_class: Option<String>,
}

impl OwnUnits {
    /// The units of the coordinator with this name. If a class of machines is given, only workers of that
    /// class lease them.
    pub fn new(
        queue: Arc<NatsQueue>,
        connection: Arc<Connection>,
        name: &str,
        machine_class: Option<&str>,
    ) -> Self {
        OwnUnits {
            queue,
            connection,
            name: name.to_owned(),
            machine_class: machine_class.map(str::to_owned),
        }
    }

    fn outer(&self, text: &str) -> String {
        format!("{} {text}", self.name)
    }

    fn outer_unit(&self, unit: &Unit) -> Unit {
        Unit {
            id: self.outer(&unit.id),
            priority: unit.priority,
            share: self.outer(&unit.share),
            payload: self.outer(&unit.payload),
            machine_class: self
                .machine_class
                .clone()
                .or_else(|| unit.machine_class.clone()),
        }
    }

    /// The unit as its coordinator knows it; `None`: it belongs to another.
    fn inner_unit(&self, unit: &Unit) -> Option<Unit> {
        let inner = |text: &str| {
            let rest = text.strip_prefix(&self.name)?.strip_prefix(' ')?;
            Some(rest.to_owned())
        };
        Some(Unit {
            id: inner(&unit.id)?,
            priority: unit.priority,
            share: inner(&unit.share)?,
            payload: inner(&unit.payload)?,
            machine_class: unit.machine_class.clone(),
        })
    }

    fn outer_lease(&self, lease: &Lease) -> Lease {
        Lease {
            unit: self.outer_unit(&lease.unit),
            ..lease.clone()
        }
    }

    /// The unit with this id, and what it competes with for workers of this class. Counts at most
    /// `most` units that wait.
    pub fn competition(&self, id: &str, machine_class: &str, most: usize) -> Option<Competition> {
        let found = self
            .queue
            .competition(&self.outer(id), machine_class, most)?;
        let unit = self.inner_unit(&found.unit)?;
        Some(Competition { unit, ..found })
    }

    fn own(&self) -> Result<Vec<Listed>> {
        let all = self.queue.list(usize::MAX >> 1)?;
        let own = |listed: Listed| {
            let unit = self.inner_unit(&listed.unit)?;
            Some(Listed { unit, ..listed })
        };
        Ok(all.into_iter().filter_map(own).collect())
    }
}

impl Queue for OwnUnits {
    /// Fails at once without a connection: who submits does not wait for it, and the server enqueues
    /// what is missing when it is established again.
    fn enqueue(&self, units: &[Unit]) -> Result<()> {
        if !self.connection.session().borrow().connected {
            let what = format!("NATS at {}: not connected", self.connection.url());
            return Err(QueueError(what));
        }
        let units: Vec<Unit> = units.iter().map(|unit| self.outer_unit(unit)).collect();
        self.queue.enqueue(&units)
    }

    /// Takes the next unit if it is an own one; a server's own workers use the shared queue.
    fn lease(&self, worker: &str, duration: Duration) -> Result<Option<Lease>> {
        let Some(lease) = self.queue.lease(worker, duration)? else {
            return Ok(None);
        };
        match self.inner_unit(&lease.unit) {
            Some(unit) => Ok(Some(Lease { unit, ..lease })),
            None => {
                self.queue.give_back(&lease, Duration::ZERO)?;
                Ok(None)
            }
        }
    }

    fn extend(&self, lease: &Lease, duration: Duration) -> Result<bool> {
        self.queue.extend(&self.outer_lease(lease), duration)
    }

    fn finish(&self, lease: &Lease) -> Result<bool> {
        self.queue.finish(&self.outer_lease(lease))
    }

    fn give_back(&self, lease: &Lease, wait: Duration) -> Result<bool> {
        self.queue.give_back(&self.outer_lease(lease), wait)
    }

    fn release(&self, lease: &Lease, reason: &str, wait: Duration) -> Result<bool> {
        self.queue.release(&self.outer_lease(lease), reason, wait)
    }

    fn park(&self, lease: &Lease, reason: &str) -> Result<bool> {
        self.queue.park(&self.outer_lease(lease), reason)
    }

    fn retry(&self, id: &str) -> Result<bool> {
        self.queue.retry(&self.outer(id))
    }

    fn remove(&self, id: &str) -> Result<bool> {
        self.queue.remove(&self.outer(id))
    }

    fn list(&self, count: usize) -> Result<Vec<Listed>> {
        let mut own = self.own()?;
        own.truncate(count);
        Ok(own)
    }

    fn counts(&self) -> Result<Counts> {
        let mut counts = Counts::default();
        for listed in self.own()? {
            match listed.phase {
                Phase::Waiting | Phase::Delayed(_) => counts.waiting += 1,
                Phase::Leased(_) => counts.leased += 1,
                Phase::Parked => counts.parked += 1,
            }
        }
        Ok(counts)
    }

    fn wait(&self, most: Duration) {
        self.queue.wait(most);
    }

    fn wake(&self) {
        self.queue.wake();
    }
}
