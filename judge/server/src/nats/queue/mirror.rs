//! The units of the stream in memory: the next one to lease, and expired leases. Pure: revisions and
//! times are arguments.
//!
//! It may be late or wrong without harm. Every change of a unit is published on the condition that
//! the unit still has the revision that the mirror knows ([`super::stream`]).

mod competition;
mod entry;
mod reading;

use super::record::{Phase, Record, Value};
use super::shares::Shares;
use crate::queue::{Counts, Listed, Priority, Unit};
pub(crate) use competition::Competition;
use entry::{Entry, Place, Slot, State, silent};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

/// The units that a process knows.
#[derive(Default)]
pub struct Mirror {
    slots: HashMap<Arc<str>, Slot>,
    /// Units that may be leased, by the class of machines that they need.
    ready: HashMap<Option<String>, BTreeSet<Place>>,
    /// The class of this machine.
    machine_class: Option<String>,
    /// Units that this process leaves to other machines until these times.
    left: HashMap<Arc<str>, Duration>,
    /// When leases and delays end.
    due: BTreeSet<(Duration, Arc<str>)>,
    shares: HashMap<Priority, Shares>,
    /// Units that left the queue, with the round in which that was seen.
    finished: VecDeque<(u64, u64, Arc<str>)>,
    /// Counts the calls of [`Mirror::take_finished`].
    round: u64,
    counts: Counts,
    /// The highest revision that was seen.
    last: u64,
    /// Counts the times that the stream was read from the beginning.
    reading: u64,
    /// While it is read: the revision up to which all that it does not have is lost.
    complete_to: Option<u64>,
}

/// A unit to lease.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The unit.
    pub record: Record,
    /// Its revision.
    pub revision: u64,
}

impl Mirror {
    /// Records a unit's message. `since_ms` is for people only. Returns whether a unit became
    /// ready.
    pub fn apply(&mut self, revision: u64, value: Value, now: Duration, since_ms: i64) -> bool {
        let id: Arc<str> = value.id().into();
        self.last = self.last.max(revision);
        if let Some(slot) = self.slots.get(&id)
            && (slot.revision > revision && !self.is_stale(slot)
                || slot.revision == revision && slot.is_same(&value))
        {
            // Its own changes reach a process a second time. Its clocks go on.
            let is_same = slot.revision == revision;
            if let Some(slot) = self.slots.get_mut(&id).filter(|_| is_same) {
                slot.reading = self.reading;
            }
            return false;
        }
        self.forget(&id);
        let entry = match value {
            Value::Unit(record) => Some(self.enter(&id, revision, record, now, since_ms)),
            Value::Finished { .. } => {
                self.finished.push_back((self.round, revision, id.clone()));
                None
            }
        };
        let is_ready = entry.as_ref().is_some_and(|e| e.state == State::Ready);
        let slot = Slot {
            revision,
            reading: self.reading,
            entry,
        };
        self.slots.insert(id, slot);
        is_ready
    }

    fn enter(
        &mut self,
        id: &Arc<str>,
        revision: u64,
        mut record: Record,
        now: Duration,
        since_ms: i64,
    ) -> Entry {
        if record.arrived == 0 {
            record.arrived = revision;
        }
        let after = |ms: u64| now.saturating_add(Duration::from_millis(ms));
        let state = match record.phase {
            Phase::Delayed(ms) if ms > 0 => State::Delayed(after(ms)),
            Phase::Waiting | Phase::Delayed(_) => State::Ready,
            Phase::Leased { for_ms, .. } => State::Leased(after(for_ms)),
            Phase::Parked => State::Parked,
        };
        let shares = self.shares.entry(record.unit.priority).or_default();
        shares.observe(&record.unit.share, record.rank);
        if matches!(state, State::Leased(_)) {
            shares.pass(record.rank);
        }
        let entry = Entry {
            record,
            since_ms,
            state,
        };
        self.index(id, &entry);
        entry
    }

    fn index(&mut self, id: &Arc<str>, entry: &Entry) {
        *self.counter(entry.state) += 1;
        match entry.state {
            State::Ready => {
                let class = entry.record.unit.machine_class.clone();
                self.ready.entry(class).or_default().insert(entry.place(id));
            }
            State::Delayed(at) | State::Leased(at) => drop(self.due.insert((at, id.clone()))),
            State::Chosen | State::Parked => {}
        }
    }

    fn unindex(&mut self, id: &Arc<str>, entry: &Entry) {
        *self.counter(entry.state) -= 1;
        match entry.state {
            State::Ready => {
                let class = &entry.record.unit.machine_class;
                if let Some(ready) = self.ready.get_mut(class) {
                    ready.remove(&entry.place(id));
                }
            }
            State::Delayed(at) | State::Leased(at) => drop(self.due.remove(&(at, id.clone()))),
            State::Chosen | State::Parked => {}
        }
    }

    fn counter(&mut self, state: State) -> &mut usize {
        match state {
            State::Ready | State::Chosen | State::Delayed(_) => &mut self.counts.waiting,
            State::Leased(_) => &mut self.counts.leased,
            State::Parked => &mut self.counts.parked,
        }
    }

    fn forget(&mut self, id: &str) {
        if let Some((id, slot)) = self.slots.remove_entry(id)
            && let Some(entry) = &slot.entry
        {
            self.unindex(&id, entry);
        }
    }

    fn set_state(&mut self, id: &str, state: State) {
        if let Some((id, mut slot)) = self.slots.remove_entry(id) {
            if let Some(entry) = &mut slot.entry {
                self.unindex(&id, entry);
                entry.state = state;
                self.index(&id, entry);
            }
            self.slots.insert(id, slot);
        }
    }

    /// Makes units ready whose lease or delay is over.
    fn tick(&mut self, now: Duration) {
        while let Some((at, id)) = self.due.first().cloned()
            && at <= now
        {
            self.set_state(&id, State::Ready);
        }
    }

    /// When [`Mirror::choose`] may find more: `None` if nothing is leased or delayed.
    pub fn next_due(&self) -> Option<Duration> {
        self.due.first().map(|(at, _)| *at)
    }

    /// Whether a unit may be leased.
    pub fn is_ready(&mut self, now: Duration) -> bool {
        self.tick(now);
        self.first(now).is_some()
    }

    /// This process leases only units that need this class of machines, or none.
    pub fn set_machine_class(&mut self, class: &str) {
        self.machine_class = Some(class.to_owned());
    }

    /// This process does not lease the unit for this long.
    pub fn leave_to_others(&mut self, id: &str, duration: Duration, now: Duration) {
        self.left.retain(|_, until| *until > now);
        self.left.insert(id.into(), now + duration);
    }

    /// The next unit for this machine.
    fn first(&self, now: Duration) -> Option<&Place> {
        let is_left = |id| self.left.get(id).is_some_and(|until| *until > now);
        let own = self.machine_class.is_some().then_some(&self.machine_class);
        let classes = [Some(&None), own].into_iter().flatten();
        let ready = classes.filter_map(|class| {
            let mut ready = self.ready.get(class)?.iter();
            ready.find(|(.., id)| !is_left(id))
        });
        ready.min()
    }

    /// Takes the next unit for this process. [`Mirror::apply`], [`Mirror::put_back`] or
    /// [`Mirror::correct`] has to follow.
    pub fn choose(&mut self, now: Duration) -> Option<Choice> {
        self.tick(now);
        let (.., id) = self.first(now)?.clone();
        self.set_state(&id, State::Chosen);
        let mut choice = self.known(&id, |_| true)?;
        let record = &mut choice.record;
        if let Phase::Leased { worker, .. } = &record.phase {
            record.reason = Some(silent(worker));
        }
        Some(choice)
    }

    /// The record and revision of a unit in the queue, if its entry `is` as wanted.
    fn known(&self, id: &str, is: impl Fn(&Entry) -> bool) -> Option<Choice> {
        let slot = self.slots.get(id)?;
        let entry = slot.entry.as_ref().filter(|entry| is(entry))?;
        Some(Choice {
            record: entry.record.clone(),
            revision: slot.revision,
        })
    }

    /// The entry of a unit that has this revision, if its state `is` as wanted.
    fn entry(&mut self, id: &str, revision: u64, is: fn(State) -> bool) -> Option<&mut Entry> {
        let slot = self.slots.get_mut(id);
        let slot = slot.filter(|slot| slot.revision == revision)?;
        slot.entry.as_mut().filter(|entry| is(entry.state))
    }

    /// A unit that was chosen may be leased again, unless it has changed.
    pub fn put_back(&mut self, id: &str, revision: u64) {
        let chosen = self.entry(id, revision, |state| state == State::Chosen);
        if chosen.is_some() {
            self.set_state(id, State::Ready);
        }
    }

    /// No thread has the lease of this revision: the unit may be leased again at once. Returns whether
    /// it was leased.
    pub fn disown(&mut self, id: &str, revision: u64) -> bool {
        let leased = self.entry(id, revision, |state| matches!(state, State::Leased(_)));
        let Some(entry) = leased else {
            return false;
        };
        entry.record.deliveries = entry.record.deliveries.saturating_sub(1);
        self.set_state(id, State::Ready);
        true
    }

    /// Forgets a unit of which the stream has no message with this revision, unless the unit has another
    /// revision here by now.
    pub fn correct(&mut self, id: &str, revision: u64) {
        if self.slots.get(id).is_some_and(|s| s.revision == revision) {
            self.forget(id);
        }
    }

    /// The record and revision of a unit whose lease has this token and is not over.
    pub fn leased(&mut self, id: &str, token: &str, now: Duration) -> Option<Choice> {
        self.tick(now);
        let is_leased = |entry: &Entry| matches!(entry.state, State::Leased(_));
        self.known(id, |entry| is_leased(entry) && entry.record.token == token)
    }

    /// The record and revision of a unit that is not leased.
    pub fn idle(&mut self, id: &str, now: Duration) -> Option<Choice> {
        self.tick(now);
        let is_busy = |entry: &Entry| matches!(entry.state, State::Leased(_) | State::Chosen);
        self.known(id, |entry| !is_busy(entry))
    }

    /// The rank of a unit to add, and the revision of the message that it replaces; 0: none. Even a unit
    /// that is known here may be finished by now, and be added again with the same rank.
    pub fn place(&mut self, unit: &Unit) -> (u64, u64) {
        let replaced = match self.slots.get(unit.id.as_str()) {
            None => 0,
            Some(Slot { entry: Some(e), .. }) => return (e.record.rank, 0),
            Some(Slot { revision, .. }) => *revision,
        };
        let shares = self.shares.entry(unit.priority).or_default();
        (shares.assign(&unit.share), replaced)
    }

    /// Numbers of units.
    pub fn counts(&mut self, now: Duration) -> Counts {
        self.tick(now);
        self.counts
    }

    /// At most `count` units: leased ones, then waiting ones in their order, then parked ones.
    /// `now_ms` is the same time as `now` for people: milliseconds since 1970.
    pub fn list(&mut self, count: usize, now: Duration, now_ms: i64) -> Vec<Listed> {
        self.tick(now);
        let mut all: Vec<(u8, Place, &Entry)> = self
            .slots
            .iter()
            .filter_map(|(id, slot)| slot.entry.as_ref().map(|entry| (id, entry)))
            .map(|(id, entry)| (entry.group(), entry.place(id), entry))
            .collect();
        all.sort_unstable_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        all.truncate(count);
        all.into_iter()
            .map(|(_, _, entry)| entry.listed(now, now_ms))
            .collect()
    }
}

#[cfg(test)]
mod tests;
