//! Reads the stream again from its beginning, and finds the units that it lost.

use super::Mirror;
use super::entry::Slot;
use crate::nats::queue::record::Record;
use crate::queue::Priority;
use std::sync::Arc;

impl Mirror {
    /// The stream is read from its beginning: first the last message of each unit, of which the
    /// highest has at least revision `last`.
    pub fn begin_reading(&mut self, last: u64) {
        self.reading += 1;
        // A server that crashed may have lost the end of the stream.
        let is_shorter = last < self.last;
        self.complete_to = Some(if is_shorter { u64::MAX } else { last });
        self.last = last;
    }

    /// Whether the stream does not have the message from which this is known.
    pub(super) fn is_stale(&self, slot: &Slot) -> bool {
        let is_covered = self.complete_to.is_some_and(|last| slot.revision <= last);
        is_covered && slot.reading < self.reading
    }

    /// The last message of each unit was read. Returns the units that the stream had, and has not any
    /// more, although no process was seen to finish them.
    pub fn end_reading(&mut self) -> Vec<Record> {
        let stale = self.slots.iter().filter(|(_, slot)| self.is_stale(slot));
        let stale: Vec<Arc<str>> = stale.map(|(id, _)| id.clone()).collect();
        let mut lost = Vec::new();
        for id in stale {
            let entry = self.slots.get(&id).and_then(|slot| slot.entry.as_ref());
            lost.extend(entry.map(|entry| entry.record.clone()));
            self.forget(&id);
        }
        self.complete_to = None;
        // Time has come at least as far as the first unit of each class.
        for class in Priority::ALL {
            let from = (*class, 0, 0, "".into());
            let firsts = self
                .ready
                .values()
                .filter_map(|own| own.range(from.clone()..).next());
            let ranks = firsts
                .filter(|(first, ..)| first == class)
                .map(|(_, rank, ..)| *rank);
            if let Some(rank) = ranks.min() {
                self.shares.entry(*class).or_default().pass(rank);
            }
        }
        lost
    }

    /// Begins a round. Returns revisions of units that left the queue at least this number of rounds ago;
    /// they are forgotten here, and may be deleted from the stream.
    pub fn take_finished(&mut self, rounds: u64) -> Vec<u64> {
        self.round += 1;
        let is_old = |round: u64| round + rounds <= self.round;
        let count = self.finished.partition_point(|(round, ..)| is_old(*round));
        let taken: Vec<_> = self.finished.drain(..count).collect();
        let mut revisions = Vec::with_capacity(taken.len());
        for (_, revision, id) in taken {
            let slot = self.slots.get(&id);
            if slot.is_some_and(|slot| slot.revision == revision && slot.entry.is_none()) {
                self.slots.remove(&id);
                revisions.push(revision);
            }
        }
        revisions
    }
}
