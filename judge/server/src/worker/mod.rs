//! The workers of this process: a thread for each core, which takes units from the queue and judges
//! them, and one that extends their leases while they make progress.

mod judge_unit;
mod progress;
mod recorder;
mod verify;

pub use judge_unit::Outcome;
pub use recorder::Recorder;
pub use verify::verification_units;

use crate::blobs::Blobs;
use crate::metrics::{Counted, METRICS};
use crate::packages::Packages;
use crate::queue::{Lease, MOST_DELIVERIES, Phase, Queue, QueueError, Unit};
use crate::store::{Judging, JudgingId, Store};
use judge::judging::{Clock, Extent, Gate, Overrides, Settings, Toolchain};
use judge_sandbox::Mode;
use progress::Progress;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// How long a unit is leased without a sign of life.
const LEASE: Duration = Duration::from_secs(30);
/// How often leases are extended.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// How often an idle worker looks for expired leases and ended delays.
const IDLE: Duration = Duration::from_millis(500);

/// What the workers share.
pub struct Context {
    /// The state.
    pub store: Arc<Store>,
    /// The work.
    pub queue: Arc<dyn Queue>,
    /// Sources.
    pub blobs: Blobs,
    /// Snapshots of packages.
    pub packages: Arc<Packages>,
    /// Compilers.
    pub toolchain: Toolchain,
    /// The isolation.
    pub mode: Mode,
    /// Lets one worker run alone.
    pub gate: Arc<Gate>,
    /// Writes results.
    pub recorder: Recorder,
    /// The name of this machine.
    pub machine: String,
}

impl Context {
    /// Settings for work that is not judging.
    pub fn settings(&self) -> Settings {
        settings(self.mode)
    }
}

/// Settings for work that is not judging: compilers, generators.
pub fn settings(mode: Mode) -> Settings {
    Settings {
        jobs: 1,
        mode,
        fail_fast: false,
        extent: Extent::Everything,
        overrides: Overrides::default(),
        clock: Clock::Cpu,
        keep: None,
        seat: None,
    }
}

/// The id of the unit of a judging.
pub fn unit_id(judging: JudgingId) -> String {
    format!("judging-{judging}")
}

/// The unit of a judging, for its fair share of the queue.
pub fn unit(judging: JudgingId, priority: crate::store::Priority, share: String) -> Unit {
    Unit {
        id: unit_id(judging),
        priority,
        share,
        payload: judging.to_string(),
    }
}

/// Enqueues all judgings that are not done and that the queue does not have: those that came just
/// before the server was killed.
///
/// # Errors
///
/// When the store or the queue fails.
pub fn reconcile(store: &Store, queue: &dyn Queue) -> Result<(), QueueError> {
    let of = |judging: Judging| {
        let submission = store.submission(judging.submission)?;
        let share = crate::access::share(submission.team, submission.user, submission.contest);
        Ok(unit(judging.id, judging.priority, share))
    };
    let units: Result<Vec<Unit>, QueueError> =
        store.unfinished_judgings()?.into_iter().map(of).collect();
    queue.enqueue(&units?)?;
    // A unit is parked before its judging ends: the server may have been killed between the two.
    for parked in queue.list(usize::MAX >> 1)? {
        let reason = parked.reason.unwrap_or_default();
        if let (Phase::Parked, Ok(id)) = (parked.phase, parked.unit.payload.parse()) {
            store.give_up_judging(JudgingId(id), &reason)?;
        }
    }
    Ok(())
}

/// The running workers.
pub struct Workers {
    pool: Arc<Pool>,
    threads: Vec<JoinHandle<()>>,
}

struct Pool {
    context: Arc<Context>,
    stopping: AtomicBool,
    seats: Mutex<Vec<Arc<Worker>>>,
}

/// A worker and what it does now.
struct Worker {
    name: String,
    core: usize,
    current: Mutex<Option<(Lease, Arc<Progress>)>>,
    /// It was silent for too long; another took its place.
    replaced: AtomicBool,
}

impl Workers {
    /// Starts `jobs` workers, at most one for each core.
    ///
    /// # Errors
    ///
    /// When a thread cannot be started.
    pub fn start(context: Arc<Context>, jobs: usize) -> std::io::Result<Self> {
        let pool = Arc::new(Pool {
            context,
            stopping: AtomicBool::new(false),
            seats: Mutex::default(),
        });
        let mut threads = Vec::new();
        for core in judge_sandbox::cores().into_iter().take(jobs.max(1)) {
            threads.push(pool.start_worker(core)?);
        }
        let supervisor = pool.clone();
        threads.push(
            Builder::new()
                .name("heartbeat".to_owned())
                .spawn(move || supervisor.heartbeats())?,
        );
        Ok(Workers { pool, threads })
    }

    /// Stops: running programs are ended, their units given back to the queue.
    pub fn stop(self) {
        self.pool.stopping.store(true, Ordering::SeqCst);
        judge_sandbox::interrupt();
        self.pool.context.queue.wake();
        for thread in self.threads {
            thread.thread().unpark();
            // A thread that panicked holds nothing.
            let _ = thread.join();
        }
    }
}

impl Pool {
    fn start_worker(self: &Arc<Self>, core: usize) -> std::io::Result<JoinHandle<()>> {
        let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = Arc::new(Worker {
            name: format!("{}/{core}", self.context.machine),
            core,
            current: Mutex::default(),
            replaced: AtomicBool::new(false),
        });
        seats.push(worker.clone());
        let pool = self.clone();
        Builder::new()
            .name(format!("worker-{core}"))
            .spawn(move || pool.work(&worker))
    }

    fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    fn work(&self, worker: &Worker) {
        // Best effort: without pinning the worker is slower but as accurate.
        let _ = judge_sandbox::pin(worker.core);
        let queue = &self.context.queue;
        while !self.is_stopping() && !worker.replaced.load(Ordering::SeqCst) {
            match queue.lease(&worker.name, LEASE) {
                Ok(Some(lease)) => self.take(worker, &lease),
                Ok(None) => queue.wait(IDLE),
                Err(error) => {
                    tracing::error!("{error}");
                    queue.wait(IDLE);
                }
            }
        }
    }

    /// Judges a leased unit and reports to the queue how it ended.
    fn take(&self, worker: &Worker, lease: &Lease) {
        let _busy = Counted::new(&METRICS.busy);
        if lease.delivery > 1 {
            METRICS.retries.inc();
        }
        let progress = Arc::new(Progress::start());
        worker.set(Some((lease.clone(), progress.clone())));
        let context = &self.context;
        let judging: Result<i64, _> = lease.unit.payload.parse();
        let step = verify::step_of(&lease.unit.payload);
        let outcome = match judging {
            Err(_) if step.is_none() => {
                Outcome::Hopeless(format!("unit {:?} is not a judging", lease.unit.payload))
            }
            _ if lease.delivery > MOST_DELIVERIES => Outcome::Hopeless(format!(
                "the judge was stopped {MOST_DELIVERIES} times while it judged this submission"
            )),
            _ => {
                let work = || match (step, &judging) {
                    (None, Ok(id)) => {
                        judge_unit::judge_unit(context, worker.core, &progress, JudgingId(*id))
                    }
                    (Some(step), _) => verify::verify_step(context, worker.core, &progress, step),
                    (None, Err(error)) => Outcome::Hopeless(error.to_string()),
                };
                catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
                    let text = panic.downcast_ref::<String>().cloned();
                    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|&t| t.to_owned()));
                    Outcome::Failed(format!("the judge panicked: {}", text.unwrap_or_default()))
                })
            }
        };
        worker.set(None);
        if let Err(error) = self.settle(lease, judging.ok().map(JudgingId), outcome) {
            // The lease expires, and the unit is delivered again.
            tracing::error!("{error}");
        }
    }

    fn settle(
        &self,
        lease: &Lease,
        id: Option<JudgingId>,
        outcome: Outcome,
    ) -> Result<(), QueueError> {
        let queue = &self.context.queue;
        let reason = match outcome {
            Outcome::Done => return queue.finish(lease).map(drop),
            Outcome::Interrupted => return queue.give_back(lease).map(drop),
            Outcome::Failed(reason) if lease.delivery < MOST_DELIVERIES => {
                tracing::warn!(
                    unit = lease.unit.id,
                    "judging failed, and is repeated: {reason}"
                );
                let wait = Duration::from_millis(250) * 4_u32.pow(lease.delivery.min(6));
                return queue.release(lease, &reason, wait).map(drop);
            }
            Outcome::Failed(reason) | Outcome::Hopeless(reason) => reason,
        };
        tracing::error!(unit = lease.unit.id, "judging failed: {reason}");
        // Only who holds the lease gives up: another worker may have succeeded by now.
        if queue.park(lease, &reason)?
            && let Some(id) = id
        {
            self.context.store.give_up_judging(id, &reason)?;
        }
        Ok(())
    }

    /// Extends the leases of workers that make progress, and replaces the others.
    fn heartbeats(self: &Arc<Self>) {
        while !self.is_stopping() {
            std::thread::park_timeout(HEARTBEAT);
            let seats = self
                .seats
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone();
            for worker in seats {
                let Some((lease, progress)) = worker.current() else {
                    continue;
                };
                if progress.is_alive() {
                    if let Err(error) = self.context.queue.extend(&lease, LEASE) {
                        tracing::error!("{error}");
                    }
                } else if !worker.replaced.swap(true, Ordering::SeqCst) {
                    tracing::error!(
                        unit = lease.unit.id,
                        "{} hangs; another takes its place",
                        worker.name
                    );
                    if let Err(error) = self.start_worker(worker.core) {
                        tracing::error!("failed to start a worker: {error}");
                    }
                }
            }
        }
    }
}

impl Worker {
    fn set(&self, current: Option<(Lease, Arc<Progress>)>) {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = current;
    }

    fn current(&self) -> Option<(Lease, Arc<Progress>)> {
        self.current
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
