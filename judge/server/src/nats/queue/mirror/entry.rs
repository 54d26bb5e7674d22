//! The mirror's entry for a unit.

use crate::nats::queue::record::{Phase, Record, Value};
use crate::queue::{self, Listed, Priority};
use std::sync::Arc;
use std::time::Duration;

/// Place in the order: class, rank, arrival.
pub type Place = (Priority, u64, u64, Arc<str>);

/// The last known state of an id.
pub struct Slot {
    pub revision: u64,
    /// The reading in which it was seen last.
    pub reading: u64,
    /// `None`: it left the queue.
    pub entry: Option<Entry>,
}

/// A unit in the queue.
pub struct Entry {
    pub record: Record,
    pub since_ms: i64,
    pub state: State,
}

/// The state of a unit for this process, derived from the phase in the record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Ready,
    /// This process is about to lease it.
    Chosen,
    Delayed(Duration),
    Leased(Duration),
    Parked,
}

impl Slot {
    /// Whether the slot has this value already. The revision alone does not decide it: a server that lost
    /// the end of its stream may use a revision a second time.
    pub fn is_same(&self, value: &Value) -> bool {
        match (&self.entry, value) {
            (Some(Entry { record, .. }), Value::Unit(other)) => {
                record.token == other.token && record.phase == other.phase
            }
            (None, Value::Finished { .. }) => true,
            _ => false,
        }
    }
}

impl Entry {
    pub fn place(&self, id: &Arc<str>) -> Place {
        let record = &self.record;
        (
            record.unit.priority,
            record.rank,
            record.arrived,
            id.clone(),
        )
    }

    /// Place of its phase in a list.
    pub fn group(&self) -> u8 {
        match self.state {
            State::Leased(_) => 0,
            State::Ready | State::Chosen | State::Delayed(_) => 1,
            State::Parked => 2,
        }
    }

    pub fn listed(&self, now: Duration, now_ms: i64) -> Listed {
        let record = &self.record;
        let (phase, reason) = match (self.state, &record.phase) {
            (State::Leased(_), Phase::Leased { worker, .. }) => {
                (queue::Phase::Leased(worker.clone()), None)
            }
            (State::Delayed(at), _) => {
                let left = at.saturating_sub(now).as_millis();
                let until = now_ms.saturating_add(i64::try_from(left).unwrap_or(i64::MAX));
                (queue::Phase::Delayed(until), None)
            }
            (State::Parked, _) => (queue::Phase::Parked, None),
            (_, Phase::Leased { worker, .. }) => (queue::Phase::Waiting, Some(silent(worker))),
            _ => (queue::Phase::Waiting, None),
        };
        Listed {
            unit: record.unit.clone(),
            phase,
            deliveries: record.deliveries,
            reason: reason.or_else(|| record.reason.clone()),
            since_ms: self.since_ms,
        }
    }
}

/// Why a lease ended by itself.
pub fn silent(worker: &str) -> String {
    format!("{worker} was not heard of any more")
}
