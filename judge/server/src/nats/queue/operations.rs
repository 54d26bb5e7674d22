//! The operations of the queue.

use super::mirror::Mirror;
use super::record::{Phase, Record, Value};
use super::stream::{Addition, Put};
use super::{NatsQueue, PATIENCE};
use crate::nats::REQUEST;
use crate::queue::{self, Counts, Lease, Leases, Listed, Queue, Unit};
use crate::store::now_ms;
use std::collections::HashSet;
use std::time::Duration;

/// How many units are added at once.
const BATCH: usize = 256;

impl Queue for NatsQueue {
    fn enqueue(&self, units: &[Unit]) -> queue::Result<()> {
        let mut ids = HashSet::new();
        for batch in units.chunks(BATCH) {
            let additions: Vec<Addition> = {
                let mut state = self.shared.lock();
                let new = batch.iter().filter(|unit| ids.insert(unit.id.as_str()));
                new.map(|unit| {
                    let (rank, replaced) = state.mirror.place(unit);
                    Addition {
                        record: Record::new(unit, rank),
                        replaced,
                        name: Some(self.shared.new_name(&mut state)),
                    }
                })
                .collect()
            };
            self.persist(PATIENCE, || self.add(&additions))?;
        }
        Ok(())
    }

    fn retry(&self, id: &str) -> queue::Result<bool> {
        self.change_idle(id, "retry a unit", |record| {
            let again = Record {
                deliveries: 0,
                phase: Phase::Waiting,
                ..record
            };
            (record.phase == Phase::Parked).then_some(Value::Unit(again))
        })
    }

    fn remove(&self, id: &str) -> queue::Result<bool> {
        self.change_idle(id, "remove a unit", |record| {
            Some(Value::Finished {
                id: record.unit.id,
                token: String::new(),
            })
        })
    }

    fn list(&self, count: usize) -> queue::Result<Vec<Listed>> {
        let list = |mirror: &mut Mirror, now| mirror.list(count, now, now_ms());
        Ok(self.shared.look(list))
    }

    fn counts(&self) -> queue::Result<Counts> {
        Ok(self.shared.look(Mirror::counts))
    }
}

impl Leases for NatsQueue {
    fn lease(&self, worker: &str, duration: Duration) -> queue::Result<Option<Lease>> {
        loop {
            let (choice, token, now) = {
                let mut state = self.shared.lock();
                let now = state.clock.now();
                let Some(choice) = state.mirror.choose(now) else {
                    return Ok(None);
                };
                (choice, self.shared.new_token(&mut state), now)
            };
            let phase = Phase::Leased {
                worker: worker.to_owned(),
                for_ms: milliseconds(duration),
            };
            let record = Record {
                deliveries: choice.record.deliveries + 1,
                token: token.clone(),
                phase,
                ..choice.record
            };
            let lease = Lease {
                unit: record.unit.clone(),
                delivery: record.deliveries,
                token,
            };
            let value = Value::Unit(record);
            match self.put("lease a unit", &value, choice.revision) {
                Ok(Put::Stored(revision)) => {
                    self.note(revision, value, now);
                    return Ok(Some(lease));
                }
                Ok(Put::Conflict) => {
                    self.shared.lock().drop_token(&lease.token);
                    let refreshed = self.refresh(&lease.unit.id, choice.revision);
                    if let Err(error) = refreshed {
                        let mut state = self.shared.lock();
                        state.mirror.put_back(&lease.unit.id, choice.revision);
                        return Err(error.into());
                    }
                }
                Err(error) => {
                    let mut state = self.shared.lock();
                    state.give_up(&lease, choice.revision);
                    return Err(error.into());
                }
            }
        }
    }

    fn extend(&self, lease: &Lease, duration: Duration) -> queue::Result<bool> {
        let Lease { token, .. } = lease;
        self.change(lease, "extend a lease", REQUEST, |record| {
            let phase = match record.phase {
                Phase::Leased { worker, .. } => Phase::Leased {
                    worker,
                    for_ms: milliseconds(duration),
                },
                other => other,
            };
            Value::Unit(Record {
                token: token.clone(),
                phase,
                ..record
            })
        })
    }

    fn finish(&self, lease: &Lease) -> queue::Result<bool> {
        self.settle(lease, "finish a unit", |record| Value::Finished {
            id: record.unit.id,
            token: record.token,
        })
    }

    fn give_back(&self, lease: &Lease, wait: Duration) -> queue::Result<bool> {
        self.settle(lease, "give a unit back", |record| {
            Value::Unit(Record {
                deliveries: record.deliveries.saturating_sub(1),
                phase: Phase::Delayed(milliseconds(wait)),
                ..record
            })
        })
    }

    fn leave_to_others(&self, id: &str, duration: Duration) {
        self.shared
            .look(|mirror, now| mirror.leave_to_others(id, duration, now));
    }

    fn release(&self, lease: &Lease, reason: &str, wait: Duration) -> queue::Result<bool> {
        self.settle(lease, "release a unit", |record| {
            Value::Unit(Record {
                reason: Some(reason.to_owned()),
                phase: Phase::Delayed(milliseconds(wait)),
                ..record
            })
        })
    }

    fn park(&self, lease: &Lease, reason: &str) -> queue::Result<bool> {
        self.settle(lease, "park a unit", |record| {
            Value::Unit(Record {
                reason: Some(reason.to_owned()),
                phase: Phase::Parked,
                ..record
            })
        })
    }

    fn wait(&self, most: Duration) {
        self.shared.wait(most);
    }

    fn wake(&self) {
        self.shared.arrive(&mut self.shared.lock());
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
