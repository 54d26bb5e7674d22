//! Conditional changes of units: each is repeated until it is known whether it had its effect.

use super::record::{Record, Value};
use super::stream::{Addition, Known, Put, all};
use super::{NatsQueue, PATIENCE};
use crate::nats::Result as NatsResult;
use crate::nats::connection::STOPPING;
use crate::queue::{self, Lease};
use crate::store::now_ms;
use std::time::{Duration, Instant};

/// Pause between two attempts.
const RETRY: Duration = Duration::from_millis(50);

impl NatsQueue {
    /// Changes a unit, unless the mirror is older than the connection: the server may have lost the
    /// end of the stream, and given a revision a second time.
    pub(super) fn put(&self, what: &str, value: &Value, expected: u64) -> NatsResult<Put> {
        let number = self.connection.session().borrow().number;
        if self.shared.lock().session != Some(number) {
            let early = format_args!("failed to {what}: the queue is being read again");
            return Err(self.connection.error(early));
        }
        self.connection
            .request(what, self.units.put(value, expected))
    }

    /// Records a change that this process made, or began, at `now`.
    pub(super) fn note(&self, revision: u64, value: Value, now: Duration) {
        let known = Known {
            revision,
            value,
            at_ms: now_ms(),
        };
        self.shared.note_in(&mut self.shared.lock(), [known], now);
    }

    /// Asks the stream for a unit that had this revision; returns what it is now.
    pub(super) fn refresh(&self, id: &str, revision: u64) -> NatsResult<Option<Value>> {
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
    pub(super) fn persist<T>(
        &self,
        most: Duration,
        request: impl Fn() -> NatsResult<T>,
    ) -> NatsResult<T> {
        let mut until = Instant::now() + most;
        loop {
            let error = match request() {
                Ok(value) => return Ok(value),
                Err(error) => error,
            };
            if !self.wait_to_retry(&mut until) {
                return Err(error);
            }
        }
    }

    /// Waits until a request that failed may be tried again; returns false if it may not, because it is too
    /// late. When the process is to stop, it is soon: another process gets the unit when the lease is over.
    fn wait_to_retry(&self, until: &mut Instant) -> bool {
        if judge_sandbox::interrupted() {
            *until = (*until).min(Instant::now() + STOPPING);
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        std::thread::sleep(RETRY.min(left));
        self.connection.wait_connected(left);
        true
    }

    /// Changes a unit while the lease is held; returns whether it was.
    pub(super) fn change(
        &self,
        lease: &Lease,
        what: &str,
        most: Duration,
        change: impl Fn(Record) -> Value,
    ) -> queue::Result<bool> {
        let id = &lease.unit.id;
        // A request without an answer may have had its effect.
        let mut is_uncertain = false;
        let mut until = Instant::now() + most;
        loop {
            let (held, now) = self
                .shared
                .look(|mirror, now| (mirror.leased(id, &lease.token, now), now));
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
                    if !self.wait_to_retry(&mut until) {
                        return Err(error.into());
                    }
                    is_uncertain = true;
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
    pub(super) fn settle(
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
    pub(super) fn change_idle(
        &self,
        id: &str,
        what: &str,
        change: impl Fn(Record) -> Option<Value>,
    ) -> queue::Result<bool> {
        loop {
            let (idle, now) = self.shared.look(|mirror, now| (mirror.idle(id, now), now));
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
    pub(super) fn add(&self, additions: &[Addition]) -> NatsResult<()> {
        let add = additions.iter().map(|addition| self.units.add(addition));
        let added = self
            .connection
            .request_within(PATIENCE, "add units", all(add))?;
        self.shared.note(added);
        Ok(())
    }
}
