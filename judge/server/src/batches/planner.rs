//! The batches of this process: enqueues and cancels their units as its table wants.

use super::lane::Lane;
use super::table::{Step, Table};
use crate::nats::{self, Cancel, Connection, Order, Started, cancel_subject, inline};
use crate::store::{SqliteQueue, Starter};
use crate::work_protocol::{AttemptId, Fleet, Results, Work};
use judge_core::error::Reason;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::sleep;
use std::time::Duration;

/// Maximum time between two rounds of planning while a thread waits for a result.
const POLL: Duration = Duration::from_millis(50);
/// Longest time between two rounds of planning without work.
const IDLE: Duration = Duration::from_millis(500);
/// Shortest time between two rounds of planning.
const PAUSE: Duration = Duration::from_millis(4);
/// Number of units that workers are assumed to work on at once, before one of them was heard of.
const UNKNOWN_SEATS: usize = 16;

/// The batches that workers judge for this process.
pub struct Batches {
    pub(crate) connection: Arc<Connection>,
    pub(crate) queue: Arc<SqliteQueue>,
    /// The name of this process on NATS.
    pub(crate) name: String,
    /// The workers that were heard of.
    pub(crate) fleet: Arc<Fleet>,
    /// The submissions and their cases.
    pub(crate) table: Table,
    runs: AtomicU64,
    is_over: AtomicBool,
}

impl Batches {
    /// None yet. Their numbers are random: those of an earlier process of this name mean nothing here.
    pub fn new(
        connection: Arc<Connection>,
        queue: Arc<SqliteQueue>,
        name: &str,
        fleet: Arc<Fleet>,
    ) -> Result<Self, Reason> {
        let random = getrandom::u64()?;
        Ok(Batches {
            connection,
            queue,
            name: name.to_owned(),
            fleet,
            // Exact also for readers of JSON that know no integers.
            table: Table::new(random >> 12),
            runs: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
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

    /// Starts an attempt at a batch. `content` has the content of a source by its hash.
    pub fn start<C: AsRef<[u8]>, E: fmt::Display>(
        &self,
        batch: u64,
        by: &Starter<'_>,
        content: impl Fn(&str) -> Result<C, E>,
    ) -> Started {
        let Some((work, target)) = self.table.start(batch, by.machine, by.judge) else {
            return Started::Closed;
        };
        match inline(work.files(), content) {
            Ok(sources) => Started::Order(Box::new(Order {
                work: Work::Batch(Box::new(work)),
                sources,
                target,
            })),
            Err(why) => Started::Hopeless(Reason::new(why)),
        }
    }

    /// The unit of a batch is parked: its cases get JE with this reason, and it leaves the queue.
    pub fn give_up(&self, batch: u64, unit: &str, reason: &str) -> Result<(), Reason> {
        self.table.fail(batch, reason);
        self.queue.remove(unit)?;
        Ok(())
    }

    /// Keeps results of a worker.
    pub fn take(&self, worker: &str, results: Results) {
        self.table.take(worker, &results.target, results.reports);
    }

    /// Plans batches and keeps the queue as the table wants it, until the end. Calls `each_round` with
    /// whether a result is awaited.
    pub fn plan(&self, mut each_round: impl FnMut(bool)) {
        let mut fails = false;
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
            sleep(PAUSE);
            self.table.wait(changes, if waits { POLL } else { IDLE });
        }
        self.table.interrupt();
        // Workers drop batches that are still queued, because the coordinator no longer answers.
        if let Err(error) = self.carry_out(self.table.step(|_| 1)) {
            tracing::warn!("{error}");
        }
    }

    fn carry_out(&self, step: Step) -> Result<(), Reason> {
        for unit in step.remove {
            self.queue.discard(&unit)?;
        }
        let (batches, units): (Vec<_>, Vec<_>) = step.enqueue.into_iter().unzip();
        if !units.is_empty() {
            self.queue.enqueue(&units)?;
            self.table.set_enqueued(batches.into_iter());
        }
        for (worker, target, cases) in step.cancel {
            self.cancel(&worker, target, cases)?;
        }
        Ok(())
    }

    fn cancel(&self, worker: &str, target: AttemptId, cases: Vec<usize>) -> Result<(), Reason> {
        let coordinator = self.name.clone();
        let cancel = Cancel {
            coordinator,
            target,
            cases,
        };
        let subject = cancel_subject(worker);
        nats::send(&self.connection, "cancel cases", subject, &cancel)
    }
}
