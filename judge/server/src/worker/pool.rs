//! The threads that take units from the queue, and the one that extends their leases.

use super::backoff::Backoff;
use super::progress::Progress;
use super::turn::{Core, Turn};
use super::{Context, WorkFn, work_on};
use crate::metrics::{Counted, METRICS};
use crate::queue::{Lease, MAX_DELIVERIES, Settlement, Wait, delivered_too_often};
use crate::store::now_ms;
use crate::threads;
use crate::work_protocol::Outcome;
use judge_core::error::Reason;
use judge_core::parallel::unpoisoned;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often an idle worker looks for expired leases and ended delays.
const IDLE: Duration = Duration::from_millis(500);

/// How long a unit that failed here is left to other machines when it may be leased again.
const DEFERRAL: Duration = Duration::from_millis(800);
/// How long a unit is left to other machines whose languages are not installed here, or while a disk is full here. Then
/// it is tried again.
const LEFT: Duration = Duration::from_secs(10);

/// The running workers.
pub struct Workers {
    pub(super) pool: Arc<Pool>,
    heartbeat: JoinHandle<()>,
}

pub(super) struct Pool {
    pub(super) context: Arc<Context>,
    work_on: Box<WorkFn>,
    stopping: AtomicBool,
    /// Workers finish their units and lease no new ones.
    pub(super) draining: AtomicBool,
    pub(super) backoff: Backoff,
    /// Why leasing is paused while other programs use the machine.
    pub(super) busy: Mutex<Option<String>>,
    /// Why the queue or the last unit failed, until it works again.
    pub(super) trouble: Mutex<Option<String>>,
    /// The last attempt to lease failed.
    pub(super) queue_fails: AtomicBool,
    seats: Mutex<Vec<Seat>>,
}

/// A worker and its thread.
pub(super) struct Seat {
    pub(super) worker: Arc<Worker>,
    thread: JoinHandle<()>,
}

/// A unit that a worker has.
#[derive(Clone)]
pub(super) struct Current {
    pub(super) lease: Lease,
    progress: Arc<Progress>,
    pub(super) since_ms: i64,
}

/// A worker and its current unit.
pub(super) struct Worker {
    name: String,
    pub(super) turn: Turn,
    current: Mutex<Option<Current>>,
    /// The worker was silent for too long, and another one took its place.
    replaced: AtomicBool,
}

impl Workers {
    /// Starts workers on each of these cores.
    pub fn start(context: Arc<Context>, cores: &[usize]) -> Result<Self, Reason> {
        Self::start_with(context, cores, Box::new(work_on))
    }

    /// Starts workers that work in this way.
    pub fn start_with(
        context: Arc<Context>,
        cores: &[usize],
        work_on: Box<WorkFn>,
    ) -> Result<Self, Reason> {
        let pool = Arc::new(Pool {
            context,
            work_on,
            stopping: AtomicBool::new(false),
            draining: AtomicBool::new(false),
            backoff: Backoff::default(),
            busy: Mutex::default(),
            trouble: Mutex::default(),
            queue_fails: AtomicBool::new(false),
            seats: Mutex::default(),
        });
        for &core in cores {
            let core = Core::new(core);
            for _ in 0..pool.context.threads {
                let seat = pool.start_worker(&core)?;
                pool.seats().push(seat);
            }
        }
        let supervisor = pool.clone();
        let heartbeat = threads::start("heartbeat", move || supervisor.heartbeats())?;
        Ok(Workers { pool, heartbeat })
    }

    /// Stops: `end_programs` ends the running programs, their units are given back to the queue. Does not
    /// wait for workers that hang. A process that ends passes [`judge_sandbox::interrupt()`], which ends
    /// all programs for good.
    pub fn stop(self, end_programs: impl FnOnce()) {
        self.pool.stopping.store(true, Ordering::SeqCst);
        end_programs();
        self.heartbeat.thread().unpark();
        let seats = std::mem::take(&mut *self.pool.seats());
        for seat in seats {
            // Repeated for each worker, which may have begun to wait after the previous call.
            self.pool.context.queue.wake();
            seat.worker.turn.leave();
            seat.thread.thread().unpark();
            let _ = seat.thread.join();
            seat.worker.turn.core().boxes().clear();
        }
        // A thread that panicked holds nothing.
        let _ = self.heartbeat.join();
    }
}

impl Pool {
    pub(super) fn seats(&self) -> MutexGuard<'_, Vec<Seat>> {
        unpoisoned(self.seats.lock())
    }

    fn start_worker(self: &Arc<Self>, core: &Arc<Core>) -> Result<Seat, Reason> {
        let number = core.number();
        let worker = Arc::new(Worker {
            name: format!("{}/{number}", self.context.machine),
            turn: Turn::new(core),
            current: Mutex::default(),
            replaced: AtomicBool::new(false),
        });
        let (pool, own) = (self.clone(), worker.clone());
        let thread = threads::start(&format!("worker-{number}"), move || pool.work(&own))?;
        Ok(Seat { worker, thread })
    }

    pub(super) fn busy(&self) -> Option<String> {
        unpoisoned(self.busy.lock()).clone()
    }

    fn set_trouble(&self, trouble: Option<String>) {
        *unpoisoned(self.trouble.lock()) = trouble;
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    fn work(&self, worker: &Worker) {
        let queue = &self.context.queue;
        let mut fails = false;
        while !self.is_stopping() && !worker.replaced.load(Ordering::SeqCst) {
            if !worker.turn.may_lease(IDLE) {
                continue;
            }
            let is_paused = self.backoff.is_active() || self.busy().is_some();
            if is_paused || self.draining.load(Ordering::SeqCst) {
                // `queue.wait` would return immediately while the queue has units.
                std::thread::park_timeout(IDLE);
                continue;
            }
            let leased = queue.lease(&worker.name, self.context.lease);
            // Only the first failure in a row is logged as an error.
            match &leased {
                Err(error) if !fails => tracing::error!("{error}"),
                Err(error) => tracing::debug!("{error}"),
                Ok(_) if fails => {
                    tracing::info!("the queue works again");
                    self.set_trouble(None);
                }
                Ok(_) => {}
            }
            fails = leased.is_err();
            self.queue_fails.store(fails, Ordering::SeqCst);
            if let Err(error) = &leased {
                self.set_trouble(Some(error.to_string()));
            }
            match leased {
                Ok(Some(lease)) => self.take(worker, &lease),
                Ok(None) | Err(_) => queue.wait(IDLE),
            }
            worker.turn.core().boxes().trim();
        }
    }

    /// Judges a leased unit and reports to the queue how it ended.
    fn take(&self, worker: &Worker, lease: &Lease) {
        let _busy = Counted::new(&METRICS.busy);
        if lease.delivery > 1 {
            METRICS.retries.inc();
        }
        let progress = Arc::new(Progress::start());
        worker.set(Some(Current {
            lease: lease.clone(),
            progress: progress.clone(),
            since_ms: now_ms(),
        }));
        let context = &self.context;
        let outcome = match lease.delivery > MAX_DELIVERIES {
            true => Outcome::Hopeless(delivered_too_often()),
            false => {
                let work = || (self.work_on)(context, &worker.turn, &progress, lease);
                catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
                    let text = panic.downcast_ref::<String>().cloned();
                    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|&t| t.to_owned()));
                    let text = text.unwrap_or_default();
                    Outcome::Failed(Reason::new(format!("the judge panicked: {text}")))
                })
            }
        };
        worker.turn.leave();
        worker.set(None);
        match &outcome {
            Outcome::Done => {
                self.backoff.succeeded();
                self.set_trouble(None);
            }
            Outcome::Failed(reason) => {
                let delay = self.backoff.failed();
                self.set_trouble(Some(reason.to_string()));
                if !delay.is_zero() {
                    tracing::error!("this machine fails again and again, and rests for {delay:?}");
                }
            }
            _ => {}
        }
        if let Err(error) = self.settle(lease, outcome) {
            // The lease expires, and the unit is delivered again.
            tracing::error!("{error}");
        }
    }

    fn settle(&self, lease: &Lease, outcome: Outcome) -> Result<(), Reason> {
        let unit = &lease.unit;
        let left_to_others = Settlement::GivenBack(Wait {
            time: Duration::ZERO,
            here: LEFT,
        });
        let parked = |reason: Reason| {
            tracing::error!(unit = unit.id, "judging failed: {reason}");
            Settlement::Parked(reason.into())
        };
        let settlement = match outcome {
            Outcome::Done => Settlement::Finished,
            Outcome::Interrupted => Settlement::GivenBack(Wait::default()),
            Outcome::LeftToOthers(reason) => {
                tracing::info!(unit = unit.id, "left to other machines: {reason}");
                left_to_others
            }
            Outcome::Failed(reason) => match self.context.full_disk() {
                // The failure does not count as an attempt, however long the disk is full.
                Some(full) => {
                    tracing::error!(unit = unit.id, "left to other machines: {reason}; {full}");
                    left_to_others
                }
                None if lease.delivery < MAX_DELIVERIES => {
                    tracing::warn!(unit = unit.id, "judging failed, and is repeated: {reason}");
                    let time = Duration::from_millis(250) * 4_u32.pow(lease.delivery.min(6));
                    let here = time + DEFERRAL;
                    Settlement::Released(reason.into(), Wait { time, here })
                }
                None => parked(reason),
            },
            Outcome::Hopeless(reason) => parked(reason),
        };
        let held = self.context.queue.settle(lease, &settlement)?;
        // Only the holder of the lease gives up: another worker may have succeeded meanwhile.
        if let (Settlement::Parked(reason), true) = (&settlement, held) {
            let given_up = self.context.coordinator.give_up(unit, reason);
            given_up?;
        }
        Ok(())
    }

    /// Extends the leases of workers that make progress, and replaces the others. Calls of the queue may
    /// block for seconds, so the seats are not locked meanwhile.
    fn heartbeats(self: &Arc<Self>) {
        while !self.is_stopping() {
            std::thread::park_timeout(self.context.lease / 6);
            let workers: Vec<Arc<Worker>> = self
                .seats()
                .iter()
                .map(|seat| seat.worker.clone())
                .collect();
            for worker in workers {
                if self.is_stopping() {
                    return;
                }
                let Some(Current {
                    lease, progress, ..
                }) = worker.current()
                else {
                    continue;
                };
                let kept = match progress.is_alive() {
                    true => {
                        let extended = self.context.queue.extend(&lease, self.context.lease);
                        extended.map(drop).map_err(Reason::from)
                    }
                    false => self.replace(&worker, &lease),
                };
                if let Err(error) = kept {
                    tracing::error!("{error}");
                }
            }
        }
    }

    /// Gives the place of a worker that hangs, and its unit, to another. The thread is left alone: if
    /// it ever returns, its results are refused.
    fn replace(self: &Arc<Self>, worker: &Arc<Worker>, lease: &Lease) -> Result<(), Reason> {
        let mut seats = self.seats();
        let seat = seats
            .iter_mut()
            .find(|seat| Arc::ptr_eq(&seat.worker, worker));
        // Without a seat, the workers stop.
        let Some(seat) = seat else { return Ok(()) };
        let reason = format!("{} hangs", worker.name);
        tracing::error!(unit = lease.unit.id, "{reason}; another takes its place");
        // If this fails, the next heartbeat tries again.
        *seat = self.start_worker(worker.turn.core())?;
        drop(seats);
        worker.replaced.store(true, Ordering::SeqCst);
        worker.turn.leave();
        let released = self.context.queue.release(lease, &reason, Duration::ZERO);
        released?;
        Ok(())
    }
}

impl Worker {
    fn set(&self, current: Option<Current>) {
        *unpoisoned(self.current.lock()) = current;
    }

    pub(super) fn current(&self) -> Option<Current> {
        unpoisoned(self.current.lock()).clone()
    }
}
