//! The queue on NATS JetStream, for any number of processes on any machines.
//!
//! A stream with file storage keeps one message for each unit, its last; the message's sequence
//! number is the unit's revision. Each process follows the stream, mirrors the units in memory and
//! chooses the next one there. Every change (lease, extension, result) is published on the condition
//! that the unit still has the revision that the process saw. So of two processes one succeeds, and
//! a process whose mirror is late is refused.
//!
//! A lease is over when a process saw no new revision of the unit for the lease's time, by the clock
//! of [`shared::Stopwatch`], which stands still without a connection; machines share no clock. A unit
//! that is finished is replaced by a message that says so, which is deleted half a minute later.

mod follow;
mod mirror;
mod record;
mod shared;
mod shares;
mod stream;

use super::{Connection, REQUEST, Result as NatsResult};
use crate::queue::{self, Counts, Lease, Listed, Queue, QueueError, Unit};
use crate::store::now_ms;
use futures_util::future::join_all;
use mirror::Presence;
use record::{Phase, Record, Value};
use shared::Shared;
use std::collections::HashSet;
use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};
use stream::{Failure, Known, Put, Units};
use tokio::task::JoinHandle;

/// Bound on reading the stream when the queue is opened.
const OPEN: Duration = Duration::from_secs(120);
/// How long changes are tried again without a connection: the work on the unit is done already.
const PATIENCE: Duration = Duration::from_secs(20);
/// Pause between two attempts.
const RETRY: Duration = Duration::from_millis(50);
/// How many units are added at once.
const BATCH: usize = 256;

/// The queue of all processes that use one prefix of names.
pub struct NatsQueue {
    connection: Arc<Connection>,
    units: Units,
    shared: Arc<Shared>,
    follower: JoinHandle<()>,
}

impl From<super::Error> for QueueError {
    fn from(error: super::Error) -> Self {
        QueueError(error.to_string())
    }
}

impl NatsQueue {
    /// Opens the queue for a server: creates its stream if needed, with this number of replicas (1,
    /// or 3 in a cluster), and deletes from it what is finished. Blocks until the units are read.
    ///
    /// # Errors
    ///
    /// When JetStream fails, or the user may not use the stream.
    pub fn create(
        connection: Arc<Connection>,
        prefix: &str,
        replicas: usize,
    ) -> queue::Result<Self> {
        let units = Units::new(connection.jetstream(), connection.client(), prefix);
        let what = format!("create the stream {}", units.name());
        connection.request(&what, units.create(replicas))?;
        Self::open(connection, units, true)
    }

    /// Opens the queue of a server for a worker. Blocks until the units are read.
    ///
    /// # Errors
    ///
    /// When there is no such queue, JetStream fails, or the user may not use the stream.
    pub fn join(connection: Arc<Connection>, prefix: &str) -> queue::Result<Self> {
        let units = Units::new(connection.jetstream(), connection.client(), prefix);
        let what = format!("find the stream {}", units.name());
        if !connection.request(&what, units.exists())? {
            let none = format_args!(
                "no stream {}\n  help: start the server first, with the same prefix",
                units.name()
            );
            return Err(connection.error(none).into());
        }
        Self::open(connection, units, false)
    }

    fn open(connection: Arc<Connection>, units: Units, deletes: bool) -> queue::Result<Self> {
        let random = getrandom::u64().map_err(|e| connection.error(e))?;
        let process = format!("{random:016x}-");
        let shared = Arc::new(Shared::new(process));
        let follow = follow::follow(shared.clone(), units.clone(), connection.session(), deletes);
        let queue = NatsQueue {
            follower: connection.runtime().spawn(follow),
            connection,
            units,
            shared,
        };
        match queue.shared.wait_complete(OPEN) {
            true => Ok(queue),
            false => {
                let late = format_args!(
                    "failed to read the stream {} in {} s",
                    queue.units.name(),
                    OPEN.as_secs()
                );
                Err(queue.connection.error(late).into())
            }
        }
    }

    /// Changes a unit, unless the mirror is older than the connection: the server may have lost the
    /// end of the stream, and given a revision a second time.
    fn put(&self, what: &str, value: &Value, expected: u64) -> NatsResult<Put> {
        let number = self.connection.session().borrow().number;
        if self.shared.lock().session != Some(number) {
            let early = format_args!("failed to {what}: the queue is being read again");
            return Err(self.connection.error(early));
        }
        self.connection
            .request(what, self.units.put(value, expected))
    }

    /// Takes note of a change that this process made, or began, at `now`.
    fn note(&self, revision: u64, value: Value, now: Duration) {
        let known = Known {
            revision,
            value,
            at_ms: now_ms(),
        };
        self.shared.note_in(&mut self.shared.lock(), [known], now);
    }

    /// Asks the stream for a unit that had this revision; returns what it is now.
    fn refresh(&self, id: &str, revision: u64) -> NatsResult<Option<Value>> {
        let last = self
            .connection
            .request("read a unit", self.units.last(id))?;
        let value = last.as_ref().map(|known| known.value.clone());
        let mut state = self.shared.lock();
        if last.as_ref().is_none_or(|known| known.revision != revision) {
            state.mirror.correct(id, revision);
        }
        let now = state.clock.now();
        self.shared.note_in(&mut state, last, now);
        Ok(value)
    }

    /// Runs a request again while it fails and there is time.
    fn persist<T>(&self, most: Duration, request: impl Fn() -> NatsResult<T>) -> NatsResult<T> {
        let until = Instant::now() + most;
        loop {
            let error = match request() {
                Ok(value) => return Ok(value),
                Err(error) => error,
            };
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(error);
            }
            std::thread::sleep(RETRY.min(left));
            self.connection.wait_connected(left);
        }
    }

    /// Changes a unit while the lease is held; returns whether it was.
    fn change(
        &self,
        lease: &Lease,
        what: &str,
        most: Duration,
        change: impl Fn(Record) -> Value,
    ) -> queue::Result<bool> {
        let id = &lease.unit.id;
        // A request without an answer may have had its effect.
        let mut is_uncertain = false;
        let until = Instant::now() + most;
        loop {
            let (held, now) = {
                let mut state = self.shared.lock();
                let now = state.clock.now();
                (state.mirror.leased(id, &lease.token, now), now)
            };
            let Some(held) = held else {
                let done = is_uncertain && self.was_settled(lease, until)?;
                return Ok(done);
            };
            let value = change(held.record);
            match self.put(what, &value, held.revision) {
                Ok(Put::Stored(revision)) => {
                    self.note(revision, value, now);
                    return Ok(true);
                }
                Ok(Put::Conflict) => {
                    let left = until.saturating_duration_since(Instant::now());
                    self.persist(left, || self.refresh(id, held.revision))?;
                }
                Err(error) => {
                    let left = until.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return Err(error.into());
                    }
                    is_uncertain = true;
                    std::thread::sleep(RETRY.min(left));
                    self.connection.wait_connected(left);
                }
            }
        }
    }

    /// Whether the last change of the unit was made with this lease, and ended it.
    fn was_settled(&self, lease: &Lease, until: Instant) -> NatsResult<bool> {
        let left = until.saturating_duration_since(Instant::now());
        let last = self.persist(left, || self.refresh(&lease.unit.id, 0))?;
        Ok(match last {
            Some(Value::Unit(record)) => {
                record.token == lease.token && !record.is_leased_by(&lease.token)
            }
            Some(Value::Finished { token, .. }) => token == lease.token,
            None => false,
        })
    }

    /// Ends a lease by a change of the unit; returns whether it was held.
    fn settle(
        &self,
        lease: &Lease,
        what: &str,
        change: impl Fn(Record) -> Value,
    ) -> queue::Result<bool> {
        let settled = self.change(lease, what, PATIENCE, change);
        self.shared.lock().drop_token(&lease.token);
        settled
    }

    /// Changes a unit that is not leased; returns whether there was one.
    fn change_idle(
        &self,
        id: &str,
        what: &str,
        change: impl Fn(Record) -> Option<Value>,
    ) -> queue::Result<bool> {
        loop {
            let (idle, now) = {
                let mut state = self.shared.lock();
                let now = state.clock.now();
                (state.mirror.idle(id, now), now)
            };
            let Some(idle) = idle else { return Ok(false) };
            let Some(value) = change(idle.record) else {
                return Ok(false);
            };
            match self.put(what, &value, idle.revision)? {
                Put::Stored(revision) => {
                    self.note(revision, value, now);
                    return Ok(true);
                }
                Put::Conflict => drop(self.refresh(id, idle.revision)?),
            }
        }
    }

    /// Adds units that this process assigned to their places.
    fn add(&self, values: &[(Value, u64)]) -> NatsResult<()> {
        let add = values
            .iter()
            .map(|(value, last)| self.units.add(value, *last));
        let added = self
            .connection
            .request_within(PATIENCE, "add units", all(add))?;
        self.shared.note(added);
        Ok(())
    }
}

/// All results, or the first failure.
async fn all<T>(
    requests: impl Iterator<Item = impl Future<Output = Result<T, Failure>>>,
) -> Result<Vec<T>, Failure> {
    join_all(requests).await.into_iter().collect()
}

impl Drop for NatsQueue {
    fn drop(&mut self) {
        self.follower.abort();
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

impl Queue for NatsQueue {
    fn enqueue(&self, units: &[Unit]) -> queue::Result<()> {
        let mut ids = HashSet::new();
        for batch in units.chunks(BATCH) {
            let values: Vec<(Value, u64)> = {
                let mut state = self.shared.lock();
                let new = batch.iter().filter(|unit| ids.insert(unit.id.as_str()));
                new.map(|unit| {
                    // Even a unit that the mirror has may be finished by now.
                    let (rank, last) = match state.mirror.presence(&unit.id) {
                        Presence::Queued(rank) => (rank, 0),
                        Presence::Unknown => (state.mirror.assign(unit.priority, &unit.share), 0),
                        Presence::Finished(revision) => {
                            (state.mirror.assign(unit.priority, &unit.share), revision)
                        }
                    };
                    (Value::Unit(Record::new(unit, rank)), last)
                })
                .collect()
            };
            self.persist(PATIENCE, || self.add(&values))?;
        }
        Ok(())
    }

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
                unit: record.unit(),
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
            id: record.id,
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
                id: record.id,
                token: String::new(),
            })
        })
    }

    fn list(&self, count: usize) -> queue::Result<Vec<Listed>> {
        let mut state = self.shared.lock();
        let now = state.clock.now();
        Ok(state.mirror.list(count, now, now_ms()))
    }

    fn counts(&self) -> queue::Result<Counts> {
        let mut state = self.shared.lock();
        let now = state.clock.now();
        Ok(state.mirror.counts(now))
    }

    fn wait(&self, most: Duration) {
        self.shared.wait(most);
    }

    fn wake(&self) {
        self.shared.arrive(&mut self.shared.lock());
    }
}
