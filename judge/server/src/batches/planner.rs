//! The batches of this process on NATS: enqueues, cancels and reconciles their units.

use super::lane::{Lane, batch_of};
use super::table::{Step, Table};
use crate::nats::{self, Answer, Cancel, Connection, OwnUnits, cancel_subject, inline};
use crate::queue::{Listed, Phase, Queue, QueueError};
use crate::worker::{Fleet, Results, Target};
use judge::parallel::unpoisoned;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Maximum time between two rounds of planning while a thread waits for a result.
const POLL: Duration = Duration::from_millis(50);
/// Longest time between two rounds of planning without work.
const IDLE: Duration = Duration::from_millis(500);
/// Shortest time between two rounds of planning.
const PAUSE: Duration = Duration::from_millis(4);
/// The interval at which the units in the queue are compared with the batches.
const RECONCILE: Duration = Duration::from_secs(10);
/// The interval of the first comparisons after the connection was lost and established again: meanwhile
/// nothing could be enqueued. The reader of results starts again at least as soon.
const RECONCILE_RECONNECTED: Duration = Duration::from_secs(1);
/// The number of these comparisons. The second one enqueues what the first one missed.
const RECONNECTED_ROUNDS: usize = 2;
/// Number of units that workers are assumed to work on at once, before one of them was heard of.
const UNKNOWN_SEATS: usize = 4;

/// The batches that workers judge for this process.
pub struct Batches {
    pub(super) connection: Arc<Connection>,
    pub(super) queue: Arc<OwnUnits>,
    /// The name of this process on NATS.
    pub(super) name: String,
    /// The workers that were heard of.
    pub(super) fleet: Arc<Fleet>,
    /// The submissions and their cases.
    pub(super) table: Table,
    runs: AtomicU64,
    is_over: AtomicBool,
    /// Batches that the queue did not have the last time.
    missing: Mutex<HashSet<u64>>,
    /// A worker parked a unit.
    is_parked: AtomicBool,
}

impl Batches {
    /// None yet. Their numbers are random: those of an earlier process of this name mean nothing here.
    ///
    /// # Errors
    ///
    /// When the system has no random numbers.
    pub fn new(
        connection: Arc<Connection>,
        queue: Arc<OwnUnits>,
        name: &str,
        fleet: Arc<Fleet>,
    ) -> Result<Self, String> {
        let random = getrandom::u64().map_err(|e| e.to_string())?;
        Ok(Batches {
            connection,
            queue,
            name: name.to_owned(),
            fleet,
            // Exact also for readers of JSON that know no integers.
            table: Table::new(random >> 12),
            runs: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            missing: Mutex::default(),
            is_parked: AtomicBool::new(false),
        })
    }

    /// A number for a run of the scheduler.
    pub fn new_run(&self) -> u64 {
        self.runs.fetch_add(1, Ordering::SeqCst)
    }

    /// Stops planning, and ends all waits.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        self.table.interrupt();
    }

    /// Whether planning has stopped.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    /// Number of units that the workers of a class of machines, or of all classes, can work on at once; a
    /// guess before a worker was heard of.
    pub fn seats(&self, machine_class: Option<&str>) -> usize {
        match self.fleet.seats(machine_class) {
            0 => UNKNOWN_SEATS,
            seats => seats,
        }
    }

    /// The answer to a worker that wants to start a batch. `content` has the content of a source by its
    /// hash.
    pub fn start<C: AsRef<[u8]>, E: ToString>(
        &self,
        batch: u64,
        worker: &str,
        judge_version: &str,
        content: impl Fn(&str) -> Result<C, E>,
    ) -> Answer {
        let Some((work, target)) = self.table.start(batch, worker, judge_version) else {
            return Answer::Closed;
        };
        match inline(work.files(), content) {
            Ok(sources) => Answer::Batch {
                work: Box::new(work),
                sources,
                target,
            },
            Err(why) => Answer::Hopeless(why.to_string()),
        }
    }

    /// A worker parked a unit: the next round reconciles the units.
    pub fn parked(&self) {
        self.is_parked.store(true, Ordering::SeqCst);
        self.table.wake();
    }

    /// Keeps results of a worker.
    pub fn take(&self, worker: &str, results: Results) {
        self.table.take(worker, &results.target, results.reports);
    }

    /// Plans batches and keeps the queue as the table wants it, until the end. Calls `each_round` with
    /// whether a result is awaited; and `reconcile`, with false when a worker parked a unit, and with true
    /// at regular intervals, which are shorter after the connection was established again.
    pub fn plan(
        &self,
        mut each_round: impl FnMut(bool),
        mut reconcile: impl FnMut(bool) -> Result<(), QueueError>,
    ) {
        let mut fails = false;
        let mut due = Instant::now() + RECONCILE;
        let session = self.connection.session();
        let mut number = session.borrow().number;
        // Comparisons that are left at the shorter interval.
        let mut soon = 0;
        while !self.is_over() {
            let step = self
                .table
                .step(|lane: &Lane| self.seats(lane.machine_class.as_deref()));
            let (waits, changes) = (step.waits, step.changes);
            let done = self.carry_out(step);
            if let Err(error) = &done {
                // Once, until it works again.
                if !fails {
                    tracing::warn!("{error}; it is tried again");
                }
                sleep(POLL);
            }
            fails = done.is_err();
            each_round(waits);
            let current = *session.borrow();
            if current.connected && current.number != number {
                number = current.number;
                soon = RECONNECTED_ROUNDS;
                due = due.min(Instant::now() + RECONCILE_RECONNECTED);
            }
            let is_due = Instant::now() >= due;
            if self.is_parked.swap(false, Ordering::SeqCst) || is_due {
                match reconcile(is_due) {
                    Ok(()) if is_due => soon = soon.saturating_sub(1),
                    Ok(()) => {}
                    Err(error) => tracing::warn!("{error}"),
                }
            }
            if is_due {
                let interval = match soon {
                    0 => RECONCILE,
                    _ => RECONCILE_RECONNECTED,
                };
                due = Instant::now() + interval;
            }
            sleep(PAUSE);
            self.table.wait(changes, if waits { POLL } else { IDLE });
        }
        self.table.interrupt();
        let end = self.carry_out(self.table.step(|_| 1));
        let end = end.and_then(|()| self.remove_units());
        if let Err(error) = end {
            tracing::warn!("{error}; workers drop the rest");
        }
    }

    fn carry_out(&self, step: Step) -> Result<(), String> {
        for (worker, target, cases) in step.cancel {
            self.cancel(&worker, target, cases)?;
        }
        for unit in step.remove {
            self.queue.remove(&unit)?;
        }
        let (batches, units): (Vec<_>, Vec<_>) = step.enqueue.into_iter().unzip();
        if !units.is_empty() {
            self.queue.enqueue(&units)?;
            self.table.set_enqueued(batches.into_iter());
        }
        Ok(())
    }

    fn cancel(&self, worker: &str, target: Target, cases: Vec<usize>) -> Result<(), String> {
        let coordinator = self.name.clone();
        let cancel = Cancel {
            coordinator,
            target,
            cases,
        };
        let subject = cancel_subject(worker);
        nats::send(&self.connection, "cancel cases", subject, &cancel)
    }

    /// Ends the batches whose units are parked. If this is a regular call, enqueues again those that the
    /// queue lacks for the second time in a row: the results of one that has just been finished may still
    /// be on their way.
    pub fn reconcile(&self, units: &[Listed], is_regular: bool) {
        let mut known = HashSet::new();
        for unit in units {
            let Some(batch) = batch_of(&unit.unit.payload) else {
                continue;
            };
            known.insert(batch);
            if unit.phase == Phase::Parked {
                let reason = unit.reason.as_deref().unwrap_or_default();
                self.table.fail(batch, reason);
                if let Err(error) = self.queue.remove(&unit.unit.id) {
                    tracing::warn!("{error}");
                }
            }
        }
        if is_regular {
            let found = self.table.missing(&known);
            let mut missing = unpoisoned(self.missing.lock());
            let again = found.intersection(&missing).copied();
            self.table.enqueue_again(again);
            *missing = found;
        }
    }

    /// The units of this process.
    ///
    /// # Errors
    ///
    /// When the queue cannot be reached.
    pub fn units(&self) -> Result<Vec<Listed>, QueueError> {
        self.queue.list(usize::MAX >> 1)
    }

    fn remove_units(&self) -> Result<(), String> {
        for Listed { unit, .. } in self.units()? {
            if batch_of(&unit.payload).is_some() {
                self.queue.remove(&unit.id)?;
            }
        }
        Ok(())
    }
}
