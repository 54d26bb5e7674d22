//! The record of a unit in the stream: one message, whose sequence number is the unit's revision.

use crate::queue::Unit;
use serde::{Deserialize, Serialize};

/// The last message of a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// It is in the queue.
    Unit(Record),
    /// It left the queue. The message is deleted once every process has seen it.
    Finished {
        /// The unit's id.
        id: String,
        /// The lease that ended with it, if it was leased.
        token: String,
    },
}

/// A unit in the queue.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The unit itself.
    #[serde(flatten)]
    pub unit: Unit,
    /// Place in the order of fair shares.
    pub rank: u64,
    /// The unit's first revision, which orders units of one rank; 0 in that revision itself.
    pub arrived: u64,
    /// How often it was delivered.
    pub deliveries: u32,
    /// Why it was released or parked.
    pub reason: Option<String>,
    /// The lease that it has, or that wrote this.
    pub token: String,
    /// Its progress.
    pub phase: Phase,
}

/// Progress of a unit. Times count from when a process first sees the message: no clock is shared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It may be leased.
    Waiting,
    /// It may be leased after this many milliseconds.
    Delayed(u64),
    /// A worker has it for so long.
    Leased {
        /// The worker.
        worker: String,
        /// Milliseconds.
        for_ms: u64,
    },
    /// It failed too often.
    Parked,
}

impl Value {
    /// The unit's id.
    pub fn id(&self) -> &str {
        match self {
            Value::Unit(record) => &record.unit.id,
            Value::Finished { id, .. } => id,
        }
    }
}

impl Record {
    /// A new unit at this place in the order of fair shares.
    pub fn new(unit: &Unit, rank: u64) -> Self {
        Record {
            unit: unit.clone(),
            rank,
            arrived: 0,
            deliveries: 0,
            reason: None,
            token: String::new(),
            phase: Phase::Waiting,
        }
    }

    /// Whether this lease has it, as far as the record says.
    pub fn is_leased_by(&self, token: &str) -> bool {
        matches!(self.phase, Phase::Leased { .. }) && self.token == token
    }
}

/// An id as one token of a subject: letters, digits, `-` and `_` stand for themselves.
pub fn token(id: &str) -> String {
    let mut token = String::with_capacity(id.len());
    for byte in id.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => token.push(char::from(byte)),
            _ => token.push_str(&format!("={byte:02X}")),
        }
    }
    // A token is never empty.
    if token.is_empty() {
        token.push('=');
    }
    token
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_safe_tokens() {
        assert_eq!(token("judging-12"), "judging-12");
        assert_eq!(token("unit 1.*>="), "unit=201=2E=2A=3E=3D");
        assert_eq!(token("ä"), "=C3=A4");
        assert_eq!(token(""), "=");
    }
}
