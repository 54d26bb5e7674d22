//! Judges submissions in batches of cases on the workers of NATS, for one process: `judge run` and
//! `judge verify` with `--nats`.
//!
//! The scheduler of [`judge::judging`] asks for compilations and cases as it does for those that run
//! here; the module `table` has the cases, their batches and the threads that wait for results. One thread
//! plans batches and enqueues them as units of the least urgent class. A worker that leases one asks
//! this process for its cases, and sends the results through the stream of results. The units end
//! with this process.

mod command;
mod sent;
mod size;
mod table;

pub use command::{run, verify};

use crate::nats::{
    self, Answer, Cancel, Connection, Handler, NatsQueue, Object, Options, OwnUnits, PREFIX,
    Reader, Results, Start, cancel_subject, check_name, encode, inline,
};
use crate::queue::{Phase, Priority, Queue, Unit};
use crate::secret;
use crate::work::default_name;
use crate::worker::{Batch, Fleet, SentOverrides, State, Target};
use judge::cli::args::NatsArgs;
use judge::judging::{
    CaseResult, Clock, CompiledElsewhere, Elsewhere, Runs, Settings, SubmissionRef,
};
use judge::package::{CaseId, TestCase};
use judge::submission::Source;
use judge::verdict::Verdict;
use sent::Sent;
use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::{Duration, Instant};
use table::Table;

/// How often the thread looks for interrupts.
const POLL: Duration = Duration::from_millis(50);
/// Shortest time between two rounds of planning.
const PAUSE: Duration = Duration::from_millis(4);
/// How often units are looked for that the queue does not have, and those that are parked.
const RECONCILE: Duration = Duration::from_secs(10);
/// Time without any worker after which a message says so.
const NO_WORKER: Duration = Duration::from_secs(5);
/// What workers are believed to do at once before one of them was heard of.
const UNKNOWN_SEATS: usize = 4;

/// This process as a coordinator of workers.
pub struct Coordinator {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    connection: Arc<Connection>,
    queue: OwnUnits,
    /// Its name on NATS.
    name: String,
    table: Table,
    sent: Sent,
    fleet: Arc<Fleet>,
    /// The checker that replaces those of the packages.
    checker: Option<PathBuf>,
    /// Time without any worker after which it gives up.
    most_wait: Option<Duration>,
    runs: AtomicU64,
    is_over: AtomicBool,
}

impl fmt::Debug for Coordinator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Coordinator")
            .field(&self.shared.name)
            .finish()
    }
}

impl Coordinator {
    /// Connects, and answers workers from now on. `checker` replaces those of the packages.
    ///
    /// # Errors
    ///
    /// When NATS cannot be reached, or the user may not do that there.
    pub fn start(args: &NatsArgs, url: &str, checker: Option<PathBuf>) -> Result<Self, String> {
        let user = args.nats_name.clone().unwrap_or_else(default_name);
        check_name(&user)?;
        let class = args.class.as_deref();
        class.map_or(Ok(()), check_name)?;
        let name = format!("{user}.{}", secret::password().map_err(|e| e.to_string())?);
        let text = |e: nats::Error| e.to_string();
        let connection = Connection::open(&Options::of(&args.access, url, &user));
        let connection = Arc::new(connection.map_err(text)?);
        let queue = NatsQueue::create(connection.clone(), PREFIX, 1).map_err(|e| e.to_string())?;
        nats::create_objects(&connection, 1).map_err(text)?;
        let stream = nats::results_stream(&connection, 1).map_err(text)?;
        let fleet = Arc::new(Fleet::default());
        nats::hear_workers(&connection, &fleet)?;
        let shared = Arc::new(Shared {
            queue: OwnUnits::new(Arc::new(queue), connection.clone(), &name, class),
            table: Table::default(),
            sent: Sent::default(),
            fleet,
            checker,
            most_wait: args.nats_wait,
            runs: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            connection: connection.clone(),
            name: name.clone(),
        });
        let (parked, hints) = channel();
        nats::answer(&connection, &name, &shared, parked)?;
        let reader = Reader::new(&connection, &name, &shared, stream);
        let failed = |e: std::io::Error| format!("failed to start a thread: {e}");
        Builder::new()
            .name("results".to_owned())
            .spawn(move || reader.follow())
            .map_err(failed)?;
        let own = shared.clone();
        let planner = Builder::new()
            .name("planner".to_owned())
            .spawn(move || own.plan(&hints));
        Ok(Coordinator {
            shared,
            thread: Some(planner.map_err(failed)?),
        })
    }
}

impl Drop for Coordinator {
    /// Removes what is left of it on NATS.
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            // A thread that panicked holds nothing.
            let _ = thread.join();
        }
    }
}

impl Elsewhere for Coordinator {
    fn begin(&self, settings: &Settings) -> Box<dyn Runs> {
        let overrides = settings.overrides;
        Box::new(Run {
            shared: self.shared.clone(),
            number: self.shared.runs.fetch_add(1, Ordering::SeqCst),
            overrides: SentOverrides {
                time_s: overrides.time.map(|time| time.as_secs_f64()),
                memory: overrides.memory,
            },
            instructions_per_second: match settings.clock {
                Clock::Cpu => None,
                Clock::Instructions { per_second } => Some(per_second),
            },
        })
    }
}

/// A run of the scheduler.
struct Run {
    shared: Arc<Shared>,
    number: u64,
    overrides: SentOverrides,
    instructions_per_second: Option<f64>,
}

impl Drop for Run {
    fn drop(&mut self) {
        self.shared.table.forget(self.number);
    }
}

impl Runs for Run {
    fn prepare(&self, at: SubmissionRef<'_>) -> Option<CompiledElsewhere> {
        let work = match self.work(at) {
            Ok(work) => work,
            Err(why) => return Some(CompiledElsewhere::failed(why)),
        };
        let key = (self.number, at.entry, at.submission);
        let entry = at.entry();
        let cases = entry.cases.iter().map(|case| (case.id, case.name.clone()));
        let Shared { table, .. } = self.shared.as_ref();
        let compiled = table.add(key, &entry.package.id, work, cases, self.shared.seats())?;
        // The sender is dropped when judging is interrupted.
        compiled.recv().ok()
    }

    fn run(&self, at: SubmissionRef<'_>, case: &TestCase) -> Option<CaseResult> {
        let key = (self.number, at.entry, at.submission);
        self.shared.table.result(key, case.id)
    }

    fn cancel(&self, entry: usize, submission: usize, case: CaseId, asked: bool) {
        let key = (self.number, entry, submission);
        self.shared.table.cancel(key, case, asked);
    }
}

impl Run {
    /// What workers need of a submission, without cases.
    fn work(&self, at: SubmissionRef<'_>) -> Result<Batch, String> {
        let package = &at.entry().package;
        let submission = &at.planned().submission;
        let Source::Code {
            path,
            language,
            entry_point,
        } = &submission.source
        else {
            return Err("a program that is built here is not judged elsewhere".to_owned());
        };
        let Shared { sent, checker, .. } = self.shared.as_ref();
        Ok(Batch {
            submission: submission.name.clone(),
            tree: sent.package(package)?,
            program: sent.program(package, path)?,
            language: language.clone(),
            entry_point: entry_point.clone(),
            checker: match checker {
                None => None,
                Some(checker) => Some(sent.checker(checker)?),
            },
            time_limit_s: at.time_limit.as_secs_f64(),
            overrides: self.overrides,
            instructions_per_second: self.instructions_per_second,
            may_be_slow: submission.expected.allows(Verdict::TimeLimitExceeded),
            cases: Vec::new(),
        })
    }
}

impl Handler for Shared {
    fn start(&self, worker: &str, start: &Start) -> Answer {
        let Ok(batch) = start.payload.parse() else {
            return Answer::Hopeless(format!("unit {:?} is not a batch", start.payload));
        };
        let Some((work, target)) = self.table.start(batch, worker) else {
            return Answer::Closed;
        };
        match inline(work.files(), |hash| self.sent.source(hash)) {
            Ok(sources) => Answer::Batch {
                work: Box::new(work),
                sources,
                target,
            },
            Err(why) => Answer::Hopeless(why),
        }
    }

    fn put(&self, object: &Object) -> Result<(), String> {
        nats::put_object(&self.connection, object, |object| self.sent.content(object))
    }

    fn take(&self, results: Vec<(String, Results)>) -> Result<(), String> {
        for (worker, results) in results {
            self.table.take(&worker, &results.target, results.reports);
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }
}

impl Shared {
    /// What workers can do at once.
    fn seats(&self) -> usize {
        let workers = self.fleet.workers();
        let ready = workers.iter().filter(|worker| worker.state == State::Ready);
        match ready.map(|worker| worker.jobs).sum() {
            0 => UNKNOWN_SEATS,
            seats => seats,
        }
    }

    /// Plans batches and keeps the queue as the table wants it, until the end.
    fn plan(&self, parked: &Receiver<()>) {
        let mut missing = HashSet::new();
        let mut reconcile = Instant::now() + RECONCILE;
        let mut absence = Absence::default();
        let mut fails = false;
        while !self.is_over() {
            if judge_sandbox::interrupted() {
                self.table.interrupt();
            }
            let step = self.table.step(self.seats());
            if absence.is_too_long(self, step.waits) {
                self.table.interrupt();
            }
            let done = self.carry_out(step);
            if let Err(error) = &done {
                // Once, until it works again.
                if !fails {
                    tracing::warn!("{error}; it is tried again");
                }
                sleep(POLL);
            }
            fails = done.is_err();
            let is_due = Instant::now() > reconcile;
            if is_due || parked.try_iter().count() > 0 {
                let found = self.look_after_units();
                if is_due {
                    reconcile = Instant::now() + RECONCILE;
                    // What was finished just now may have results on their way.
                    let again = found.intersection(&missing).copied();
                    self.table.enqueue_again(again);
                    missing = found;
                }
            }
            sleep(PAUSE);
            self.table.wait(POLL);
        }
        self.table.interrupt();
        let end = self.carry_out(self.table.step(1));
        let end = end.and_then(|()| self.remove_units());
        if let Err(error) = end {
            tracing::warn!("{error}; workers drop the rest");
        }
    }

    fn carry_out(&self, step: table::Step) -> Result<(), String> {
        for (worker, target, cases) in step.cancel {
            self.cancel(&worker, target, cases)?;
        }
        for batch in step.remove {
            let removed = self.queue.remove(&unit_id(batch));
            removed.map_err(|e| e.to_string())?;
        }
        let unit = |batch: &u64| Unit {
            id: unit_id(*batch),
            priority: Priority::Rejudge,
            share: "run".to_owned(),
            payload: batch.to_string(),
            machine_class: None,
        };
        let units: Vec<Unit> = step.enqueue.iter().map(unit).collect();
        if !units.is_empty() {
            self.queue.enqueue(&units).map_err(|e| e.to_string())?;
            self.table.set_enqueued(&step.enqueue);
        }
        Ok(())
    }

    fn cancel(&self, worker: &str, target: Target, cases: Vec<usize>) -> Result<(), String> {
        let message = encode(&Cancel {
            coordinator: self.name.clone(),
            target,
            cases,
        })?;
        let client = self.connection.client();
        let sent = self.connection.request("cancel cases", async {
            client
                .publish(cancel_subject(worker), message.into())
                .await?;
            client.flush().await?;
            Ok::<_, async_nats::Error>(())
        });
        sent.map_err(|e| e.to_string())
    }

    /// Ends the batches whose units are parked; returns those that the queue does not have.
    fn look_after_units(&self) -> HashSet<u64> {
        let units = match self.queue.list(usize::MAX >> 1) {
            Ok(units) => units,
            Err(error) => {
                tracing::warn!("{error}");
                return HashSet::new();
            }
        };
        let mut known = HashSet::new();
        for unit in units {
            let Ok(batch) = unit.unit.payload.parse() else {
                continue;
            };
            known.insert(batch);
            if unit.phase == Phase::Parked {
                let reason = unit.reason.unwrap_or_default();
                self.table.fail(batch, &reason);
                if let Err(error) = self.queue.remove(&unit.unit.id) {
                    tracing::warn!("{error}");
                }
            }
        }
        self.table.missing(&known)
    }

    fn remove_units(&self) -> Result<(), String> {
        for unit in self
            .queue
            .list(usize::MAX >> 1)
            .map_err(|e| e.to_string())?
        {
            let removed = self.queue.remove(&unit.unit.id);
            removed.map_err(|e| e.to_string())?;
        }
        Ok(())
    }
}

fn unit_id(batch: u64) -> String {
    format!("batch-{batch}")
}

/// Since when no worker was heard of.
struct Absence {
    since: Instant,
    is_told: bool,
}

impl Default for Absence {
    fn default() -> Self {
        Absence {
            since: Instant::now(),
            is_told: false,
        }
    }
}

impl Absence {
    /// Prints a message if no worker is there; returns whether the user's bound on that is exceeded.
    fn is_too_long(&mut self, shared: &Shared, waits: bool) -> bool {
        if !waits || !shared.fleet.workers().is_empty() {
            *self = Absence::default();
            return false;
        }
        let url = shared.connection.url();
        let help = format!("help: start one on any machine: judge worker --nats {url}");
        let elapsed = self.since.elapsed();
        if shared.most_wait.is_some_and(|most| elapsed > most) {
            eprintln!(
                "error: no worker was heard of on NATS at {url} for {:.0} s\n  {help}",
                elapsed.as_secs_f64()
            );
            return true;
        }
        if elapsed > NO_WORKER && !self.is_told {
            self.is_told = true;
            eprintln!("no worker was heard of on NATS at {url}; waiting\n  {help}");
        }
        false
    }
}
