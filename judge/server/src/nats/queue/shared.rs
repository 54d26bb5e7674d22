//! State that the threads of a process share with the task that follows the stream.

use super::mirror::Mirror;
use super::record::{Record, Value};
use super::stream::Known;
use crate::queue::Lease;
use judge::parallel::unpoisoned;
use std::collections::HashSet;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The mirror, its clock, and the threads that wait for a unit.
pub struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    /// Prefix of the tokens of this process.
    process: String,
}

/// The state behind the lock.
#[derive(Default)]
pub struct State {
    pub mirror: Mirror,
    pub clock: Stopwatch,
    /// The stream was read once.
    pub is_complete: bool,
    /// The session of the connection in which the stream is followed.
    pub session: Option<u64>,
    /// Counts arrivals and wake-ups.
    arrivals: u64,
    tokens: u64,
    /// Tokens of this process whose leases a thread holds or requests.
    in_use: HashSet<String>,
}

/// The time during which the stream was followed. It stops while disconnected: no message arrives then, so
/// no lease may expire.
#[derive(Default)]
pub struct Stopwatch {
    passed: Duration,
    since: Option<Instant>,
}

impl Stopwatch {
    /// The time passed.
    pub fn now(&self) -> Duration {
        self.passed + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Lets it go on.
    pub fn start(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    /// Stops it.
    pub fn stop(&mut self) {
        self.passed = self.now();
        self.since = None;
    }
}

impl State {
    /// Records a message that was sent or received at `now`.
    pub fn note(&mut self, process: &str, known: Known, now: Duration) -> bool {
        let Known {
            revision,
            value,
            at_ms,
        } = known;
        // A lease of this process that no thread knows: the request seemed to fail.
        let is_lost = |token: &str| token.starts_with(process) && !self.in_use.contains(token);
        let lost = match &value {
            Value::Unit(record) if is_lost(&record.token) => Some(record.unit.id.clone()),
            _ => None,
        };
        let is_ready = self.mirror.apply(revision, value, now, at_ms);
        is_ready | lost.is_some_and(|id| self.mirror.disown(&id, revision))
    }

    /// A request for this lease of a unit with this revision failed, or seemed to.
    pub fn give_up(&mut self, lease: &Lease, revision: u64) {
        self.drop_token(&lease.token);
        let now = self.clock.now();
        let id = &lease.unit.id;
        match self.mirror.leased(id, &lease.token, now) {
            Some(leased) => drop(self.mirror.disown(id, leased.revision)),
            None => self.mirror.put_back(id, revision),
        }
    }

    /// Ends the use of a token.
    pub fn drop_token(&mut self, token: &str) {
        self.in_use.remove(token);
    }
}

impl Shared {
    /// Empty.
    pub fn new(process: String) -> Self {
        Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
            process,
        }
    }

    /// The state.
    pub fn lock(&self) -> MutexGuard<'_, State> {
        unpoisoned(self.state.lock())
    }

    /// Looks at the mirror as it is now.
    pub fn look<T>(&self, look: impl FnOnce(&mut Mirror, Duration) -> T) -> T {
        let mut state = self.lock();
        let now = state.clock.now();
        look(&mut state.mirror, now)
    }

    /// A token for a lease, in use from now on.
    pub fn new_token(&self, state: &mut State) -> String {
        let token = self.new_name(state);
        state.in_use.insert(token.clone());
        token
    }

    /// A name that no process used before.
    pub fn new_name(&self, state: &mut State) -> String {
        state.tokens += 1;
        format!("{}{}", self.process, state.tokens)
    }

    /// Records messages that were received now.
    pub fn note(&self, known: impl IntoIterator<Item = Known>) {
        let mut state = self.lock();
        let now = state.clock.now();
        self.note_in(&mut state, known, now);
    }

    /// Records messages that were sent or received at `now`.
    pub fn note_in(
        &self,
        state: &mut State,
        known: impl IntoIterator<Item = Known>,
        now: Duration,
    ) {
        let mut is_ready = false;
        for known in known {
            is_ready |= state.note(&self.process, known, now);
        }
        if is_ready {
            self.arrive(state);
        }
    }

    /// Ends all waits.
    pub fn arrive(&self, state: &mut State) {
        state.arrivals += 1;
        self.changed.notify_all();
    }

    /// Waits until a unit is ready or arrives, or the time is over.
    pub fn wait(&self, most: Duration) {
        let until = Instant::now() + most;
        let mut state = self.lock();
        let before = state.arrivals;
        loop {
            let now = state.clock.now();
            let left = until.saturating_duration_since(Instant::now());
            if state.mirror.is_ready(now) || state.arrivals != before || left.is_zero() {
                return;
            }
            let due = state.mirror.next_due();
            let due = due.map_or(left, |due| due.saturating_sub(now));
            // The clock of leases may stand still.
            let nap = left.min(due.max(Duration::from_millis(1)));
            state = unpoisoned(self.changed.wait_timeout(state, nap)).0;
        }
    }

    /// Waits until the stream was read once; returns whether it was.
    pub fn wait_complete(&self, most: Duration) -> bool {
        let state = self.lock();
        let waited = self
            .changed
            .wait_timeout_while(state, most, |state| !state.is_complete);
        unpoisoned(waited).0.is_complete
    }

    /// The stream is read from its beginning.
    pub fn begin_reading(&self, last: u64) {
        self.lock().mirror.begin_reading(last);
    }

    /// The mirror is complete in this session, and time goes on. Returns the units that the stream
    /// lost.
    pub fn end_reading(&self, session: u64) -> Vec<Record> {
        let mut state = self.lock();
        let lost = state.mirror.end_reading();
        state.clock.start();
        state.session = Some(session);
        state.is_complete = true;
        self.arrive(&mut state);
        lost
    }

    /// The stream is not followed any more.
    pub fn stop_reading(&self) {
        let mut state = self.lock();
        state.clock.stop();
        state.session = None;
    }
}
