//! A server as the coordinator of workers on NATS: answers them, keeps their results, and has large submissions judged
//! by several of them.
//!
//! The unit of a judging waits in the queue like any other. When a worker leases it, and fewer units that are
//! as urgent wait than workers can do at once, the server keeps the judging: the unit leaves the queue, the worker gets
//! the next one, and a thread runs the scheduler. The cases are batches: units with the priority and share of the
//! judging, for machines of the worker's class. All other judgings are judged as a whole by the worker
//! that leases them, which costs the fewest messages.
//!
//! If the server ends meanwhile, the judging has no unit and no verdict, so it is enqueued at the next
//! start; what workers still send for the old batches is refused.

mod site;

use crate::batches::{Batches, InBatches, Lane, is_large};
use crate::nats::{self, Handler, Object, Order, QueueServer, Reader, Started};
use crate::packages::with_time_limit;
use crate::queue::{Eligible, Lease, Unit};
use crate::store::{JudgingId, Recorded, SourceFile, Starter, UnitId};
use crate::threads;
use crate::units::{self, Embedded};
use crate::work_protocol::{
    AttemptId, Batch, Fleet, Judge, JudgingAttempt, Outcome, Report, Results, SentProgram, Work,
};
use crate::worker::{self, judge_elsewhere};
use judge_core::error::Reason;
use judge_core::judging::{Host, Settings, Toolchain};
use judge_core::parallel::unpoisoned;
use judge_core::results::Change;
use judge_package::Package;
use judge_sandbox::Mode;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;

/// Maximum number of judgings that are divided at once; each has a thread for each of its cases, within
/// bounds.
const MAX_DIVIDED: usize = 16;
/// Number of attempts of a judging that may be divided. After them a worker judges the whole of it.
const MAX_ATTEMPTS: i64 = 2;
/// Maximum number of judgings that are remembered until they have their verdict.
const MAX_REMEMBERED: usize = 10_000;

/// The coordinator of a server's units on NATS.
pub struct ServerCoordinator {
    shared: Arc<CoordinatorState>,
    planner: Mutex<Option<JoinHandle<()>>>,
}

struct CoordinatorState {
    batches: Arc<Batches>,
    data: Embedded,
    settings: Settings,
    toolchain: Toolchain,
    judgings: Mutex<Judgings>,
}

#[derive(Default)]
struct Judgings {
    divided: BTreeSet<JudgingId>,
    /// Judgings that one worker does as a whole.
    whole: HashMap<JudgingId, Whole>,
}

/// A judging as a whole, remembered for the times of its cases.
struct Whole {
    /// The snapshot of the package.
    tree: String,
    /// The language's code.
    language: String,
    /// Seconds that the cases took so far.
    times: Vec<f64>,
}

/// How a judging is divided.
struct Division {
    package: Package,
    lane: Lane,
}

impl ServerCoordinator {
    /// Answers workers of this class of machines, or of all, from now on; `data` keeps the results. Fails if another
    /// server has this name.
    pub fn start(
        batches: Batches,
        data: Embedded,
        machine_class: Option<&str>,
        replicas: usize,
    ) -> Result<Arc<Self>, Reason> {
        let settings = worker::settings(Mode::Auto);
        let shared = Arc::new(CoordinatorState {
            batches: Arc::new(batches),
            data,
            toolchain: Toolchain::new(&settings, None)?,
            settings,
            judgings: Mutex::default(),
        });
        let own = shared.batches.clone();
        let planner = threads::start("planner", move || own.plan(|_| {}))?;
        let coordinator = Arc::new(ServerCoordinator {
            shared,
            planner: Mutex::new(Some(planner)),
        });
        coordinator.serve(machine_class, replicas)?;
        Ok(coordinator)
    }

    /// Starts the threads that answer workers and take their results. They end with the process.
    fn serve(self: &Arc<Self>, machine_class: Option<&str>, replicas: usize) -> Result<(), Reason> {
        let CoordinatorState { batches, data, .. } = self.shared.as_ref();
        let Batches {
            connection,
            name,
            queue,
            fleet,
            ..
        } = batches.as_ref();
        let stream = nats::present_stream(connection, replicas)?;
        nats::create_objects(connection, replicas)?;
        let reader = Reader::new(connection, name, self, stream);
        // What was judged while the server was down is not judged again.
        reader.take_all()?;
        units::reconcile(&data.store, queue.as_ref())?;
        nats::hear_workers(connection, fleet)?;
        nats::check_alone(connection, name)?;
        let server = QueueServer::new(connection, name, queue, self, machine_class)?;
        nats::serve(server, name)?;
        threads::start("results", move || reader.follow())?;
        Ok(())
    }

    /// Removes the batches from NATS. Their judgings go on at the next start.
    pub fn stop(&self) {
        self.shared.batches.end();
        // The planner does not wait for NATS any more.
        judge_sandbox::interrupt();
        if let Some(planner) = unpoisoned(self.planner.lock()).take() {
            // A thread that panicked holds nothing.
            let _ = planner.join();
        }
    }

    /// Has the cases judged in batches; returns whether a thread does.
    fn divide(&self, of: JudgingAttempt, work: Judge, division: Division) -> bool {
        self.shared.judgings().divided.insert(of.judging);
        let shared = self.shared.clone();
        let started = threads::start(&format!("judging-{}", of.judging), move || {
            let divided = Divided(&shared, of.judging);
            let unit = units::unit_id(of.judging);
            match shared.batches.queue.discard(&unit) {
                Ok(()) => shared.judge(of, &work, division),
                Err(error) => tracing::error!("{error}"),
            }
            drop(divided);
        });
        if let Err(error) = &started {
            tracing::warn!("{error}; a worker judges the whole of it");
            self.shared.judgings().divided.remove(&of.judging);
        }
        started.is_ok()
    }
}

/// A judging that is divided, until this is dropped. If it has no verdict then, it is enqueued again.
struct Divided<'s>(&'s CoordinatorState, JudgingId);

impl Drop for Divided<'_> {
    fn drop(&mut self) {
        let Divided(shared, id) = *self;
        shared.judgings().divided.remove(&id);
        if shared.batches.is_over() {
            return;
        }
        if let Err(error) = shared.enqueue_unfinished(id) {
            tracing::error!(judging = id.0, "{error}");
        }
    }
}

impl CoordinatorState {
    fn judgings(&self) -> MutexGuard<'_, Judgings> {
        unpoisoned(self.judgings.lock())
    }

    /// Whether this judging is divided.
    fn is_judging(&self, judging: JudgingId) -> bool {
        self.judgings().divided.contains(&judging)
    }

    /// How to divide a judging that a worker of this class of machines leased; `None`: it judges the
    /// whole of it.
    fn division(
        &self,
        of: &JudgingAttempt,
        work: &Judge,
        unit: &Unit,
        class: &str,
    ) -> Option<Division> {
        let CoordinatorState { batches, data, .. } = self;
        let known = batches.table.slowest_s(&work.tree, &work.language);
        let large = is_large(work.cases.len(), known, work.time_limit_s?);
        let is_full = self.judgings().divided.len() >= MAX_DIVIDED;
        // A judge that knows no classes has an empty one.
        if !large || is_full || class.is_empty() || of.attempt > MAX_ATTEMPTS {
            return None;
        }
        let seats = batches.fleet.seats(Some(class));
        if seats < 2 {
            return None;
        }
        let of_class = Eligible {
            machine_class: Some(class),
            except: &[],
        };
        let ready = batches.queue.ready(&of_class, seats).ok()?;
        let as_urgent = ready.iter().filter(|other| **other <= unit.priority);
        // With more to do than workers, none of them would have to wait for work.
        if as_urgent.count() >= seats {
            return None;
        }
        let package = data.packages.get_ready(&work.tree).ok()??;
        // A grader would run here, where there may be no sandbox.
        if package.grader.is_some() || package.kind.submit_answer {
            return None;
        }
        Some(Division {
            package: with_time_limit(&package, work.time_limit_s),
            lane: Lane {
                judging: Some(of.judging),
                priority: unit.priority,
                share: unit.share.clone(),
                machine_class: Some(class.to_owned()),
            },
        })
    }

    /// Judges a submission in batches, and keeps its verdict.
    fn judge(&self, of: JudgingAttempt, work: &Judge, division: Division) {
        let CoordinatorState { batches, data, .. } = self;
        let sent = batch(work);
        let host = Host {
            elsewhere: Some(Arc::new(InBatches {
                batches: batches.clone(),
                lane: Arc::new(division.lane),
                work: Arc::new(move |_| Ok(sent.clone())),
            })),
            ..Host::default()
        };
        let reports = data.reports(AttemptId::Judging(of));
        let mut machines = BTreeSet::new();
        let mut watch = |change: &Change| {
            if let Change::CaseFinished(_, case) = change
                && let Some(machine) = &case.machine
                && machines.insert(machine.clone())
            {
                let names: Vec<&str> = machines.iter().map(String::as_str).collect();
                let (store, names) = (&data.store, names.join(", "));
                if let Err(error) = store.set_machines(of.judging, of.attempt, &names) {
                    tracing::error!("{error}");
                }
            }
        };
        let outcome = judge_elsewhere(
            &self.settings,
            &host,
            &self.toolchain,
            &reports,
            work,
            division.package,
            &mut watch,
        );
        let judging = of.judging.0;
        let reason = match outcome {
            Ok(Outcome::Failed(reason) | Outcome::Hopeless(reason)) => reason,
            Ok(_) => return,
            Err(_) if batches.is_over() => return,
            Err(why) => {
                tracing::warn!(judging, "judging failed, and is repeated: {why}");
                return;
            }
        };
        tracing::error!(judging, "judging failed: {reason}");
        if let Err(error) = data.store.give_up_judging(of.judging, &reason) {
            tracing::error!(judging, "{error}");
        }
    }

    /// Enqueues a judging that left the queue to be divided, unless it has its verdict.
    fn enqueue_unfinished(&self, id: JudgingId) -> Result<(), Reason> {
        let CoordinatorState { batches, data, .. } = self;
        if units::is_done(&data.store, UnitId::Judging(id))? {
            return Ok(());
        }
        let judging = data.store.judging(id)?;
        units::enqueue(&data.store, batches.queue.as_ref(), &[judging])?;
        Ok(())
    }

    /// Records the case times of a judging that a single worker judges.
    fn learn(&self, results: &Results, judging: JudgingId) {
        let mut judgings = self.judgings();
        let Some(whole) = judgings.whole.get_mut(&judging) else {
            return;
        };
        let mut is_done = false;
        for report in &results.reports {
            match report {
                Report::Result(Recorded::Case(case)) => {
                    whole.times.extend(case.wall_s.or(case.cpu_s));
                }
                Report::Result(Recorded::Finished(_)) => is_done = true,
                _ => {}
            }
        }
        if is_done && let Some(whole) = judgings.whole.remove(&judging) {
            let table = &self.batches.table;
            table.add_times(&whole.tree, &whole.language, &whole.times);
        }
    }
}

impl Handler for ServerCoordinator {
    fn start(&self, by: &Starter<'_>, lease: &Lease) -> Started {
        let CoordinatorState { batches, data, .. } = self.shared.as_ref();
        match lease.unit.id.parse() {
            Ok(UnitId::Batch(_, batch)) => {
                return batches.start(batch, by, |hash| data.blobs.get(hash));
            }
            // It was enqueued again at the same time.
            Ok(UnitId::Judging(id)) if self.shared.is_judging(id) => return Started::Divided,
            _ => {}
        }
        let started = self.shared.start(by, &lease.unit.id);
        let Started::Order(order) = &started else {
            return started;
        };
        let Order {
            work: Work::Judge(work),
            target: AttemptId::Judging(of),
            ..
        } = order.as_ref()
        else {
            return started;
        };
        let division = self
            .shared
            .division(of, work, &lease.unit, by.machine_class);
        if division.is_some_and(|division| self.divide(*of, work.clone(), division)) {
            return Started::Divided;
        }
        let mut judgings = self.shared.judgings();
        if judgings.whole.len() >= MAX_REMEMBERED {
            judgings.whole.clear();
        }
        let whole = Whole {
            tree: work.tree.clone(),
            language: work.language.clone(),
            times: Vec::new(),
        };
        judgings.whole.insert(of.judging, whole);
        started
    }

    fn is_done(&self, unit: &str) -> Result<bool, Reason> {
        let CoordinatorState { batches, data, .. } = self.shared.as_ref();
        match unit.parse()? {
            UnitId::Batch(_, batch) => Ok(!batches.table.has(batch)),
            other => Ok(units::is_done(&data.store, other)?),
        }
    }

    fn give_up(&self, unit: &str, reason: &str) -> Result<(), Reason> {
        let CoordinatorState { batches, data, .. } = self.shared.as_ref();
        match unit.parse() {
            Ok(UnitId::Batch(_, batch)) => batches.give_up(batch, unit, reason),
            _ => units::give_up(&data.store, unit, reason),
        }
    }

    fn fleet(&self) -> &Fleet {
        &self.shared.batches.fleet
    }

    fn put(&self, object: &Object) -> Result<(), Reason> {
        self.shared.put(object)
    }

    fn take(&self, all: Vec<(String, Results)>) -> Result<(), Reason> {
        let mut rest = Vec::with_capacity(all.len());
        for (worker, results) in all {
            match results.target {
                AttemptId::Batch(_) => self.shared.batches.take(&worker, results),
                AttemptId::Judging(of) if self.shared.is_judging(of.judging) => {
                    let judging = of.judging.0;
                    tracing::info!(worker, judging, "late results are refused");
                }
                AttemptId::Judging(of) => {
                    self.shared.learn(&results, of.judging);
                    rest.push((worker, results));
                }
                AttemptId::Step(..) => rest.push((worker, results)),
            }
        }
        self.shared.take(rest)
    }
}

/// The batch of a submission that workers receive, without limits and cases.
fn batch(work: &Judge) -> Batch {
    // Several files are compiled from a directory.
    let dir = if work.files.len() > 1 { "files/" } else { "" };
    let file = |file: &SourceFile| SourceFile {
        name: format!("{dir}{}", file.name),
        ..file.clone()
    };
    let program = SentProgram::Files(work.files.iter().map(file).collect());
    Batch {
        language: Some(work.language.clone()),
        entry_point: work.entry_point.clone(),
        ..Batch::new(work.submission.to_string(), work.tree.clone(), program)
    }
}
