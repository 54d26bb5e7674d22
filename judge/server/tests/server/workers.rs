//! Workers without a sandbox: what they do with units is what the test says.

use judge_core::error::Reason;
use judge_sandbox::Mode;
use judge_server::blobs::Blobs;
use judge_server::packages::Packages;
use judge_server::queue::{Lease, Leases, Phase, Priority, QueueError, Settlement, Unit};
use judge_server::store::{SqliteQueue, Store};
use judge_server::units::Embedded;
use judge_server::work_protocol::Outcome;
use judge_server::worker::{Context, Progress, Turn, WorkFn, Workers};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

struct Site {
    context: Arc<Context>,
    queue: Arc<SqliteQueue>,
    _dir: TempDir,
}

impl Site {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let store = Arc::new(Store::open(&dir.path().join("judge.sqlite")).expect("it opens"));
        let packages = Packages::open(&dir.path().join("packages")).expect("it opens");
        let packages = Arc::new(packages);
        let blobs = Blobs::open(&dir.path().join("blobs")).expect("it opens");
        let embedded = Embedded::start(store.clone(), blobs, packages, "machine");
        let queue = Arc::new(SqliteQueue::open(store).expect("it opens"));
        let embedded = Arc::new(embedded.expect("it starts"));
        let context = Context::new(queue.clone(), embedded, Mode::None, dir.path(), "machine");
        Site {
            context: Arc::new(context.expect("compilers")),
            queue,
            _dir: dir,
        }
    }

    fn enqueue(&self, id: &str) {
        let unit = Unit {
            id: id.to_owned(),
            priority: Priority::Practice,
            share: "user 1".to_owned(),
            machine_class: None,
        };
        self.queue.enqueue(&[unit]).expect("the queue works");
    }

    fn start(&self, judge: Box<WorkFn>) -> Workers {
        Workers::start_with(self.context.clone(), &judge_sandbox::cores()[..1], judge)
            .expect("they start")
    }

    /// Waits until a condition holds for the only unit of the queue; `None`: it is empty.
    fn until(&self, condition: impl Fn(Option<(&Phase, &str)>) -> bool) {
        loop {
            let list = self.queue.list(10).expect("the queue works");
            let only = list.first();
            if condition(only.map(|unit| (&unit.phase, unit.reason.as_deref().unwrap_or_default())))
            {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Ends no programs when workers stop: other tests of this process run theirs, and these workers run
/// none.
fn keep_programs() {}

/// Ends attempts with these outcomes, one after the other.
fn outcomes(all: Vec<Outcome>) -> (Box<WorkFn>, Arc<Mutex<Vec<String>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (rest, called) = (Mutex::new(all.into_iter()), seen.clone());
    let judge = move |_: &Context, _: &Turn, _: &Progress, lease: &Lease| {
        called.lock().expect("no panic").push(lease.unit.id.clone());
        let next = rest.lock().expect("no panic").next();
        next.unwrap_or_else(|| panic!("it was judged too often"))
    };
    (Box::new(judge), seen)
}

#[test]
fn a_failure_is_repeated_and_a_success_ends_it() {
    let site = Site::new();
    let failed = Outcome::Failed(Reason::new("the disk is full"));
    let (judge, seen) = outcomes(vec![failed, Outcome::Done]);
    site.enqueue("7");
    let workers = site.start(judge);
    site.until(|unit| unit.is_none());
    workers.stop(keep_programs);
    assert_eq!(*seen.lock().expect("no panic"), ["7", "7"]);
    assert!(!judge_sandbox::interrupted(), "other tests run programs");
}

#[test]
fn a_unit_that_cannot_succeed_is_parked_immediately() {
    let site = Site::new();
    let (judge, seen) = outcomes(vec![Outcome::Hopeless(Reason::new(
        "the validator crashes",
    ))]);
    site.enqueue("7");
    let workers = site.start(judge);
    site.until(|unit| unit == Some((&Phase::Parked, "the validator crashes")));
    workers.stop(keep_programs);
    assert_eq!(*seen.lock().expect("no panic"), ["7"]);
}

#[test]
fn a_unit_that_is_no_judging_is_parked() {
    let site = Site::new();
    site.enqueue("seven");
    let workers =
        Workers::start(site.context.clone(), &judge_sandbox::cores()[..1]).expect("they start");
    site.until(|unit| unit.is_some_and(|(phase, _)| *phase == Phase::Parked));
    workers.stop(keep_programs);
}

#[test]
fn a_panic_is_a_failure() {
    let site = Site::new();
    let (judge, _) = outcomes(Vec::new());
    site.enqueue("7");
    let workers = site.start(judge);
    site.until(|unit| {
        unit.is_some_and(|(_, why)| why == "the judge panicked: it was judged too often")
    });
    workers.stop(keep_programs);
}

#[test]
fn workers_that_rest_take_nothing_until_they_go_on() {
    let site = Site::new();
    let (judge, seen) = outcomes(vec![Outcome::Done, Outcome::Done]);
    let workers = site.start(judge);
    site.enqueue("7");
    site.until(|unit| unit.is_none());
    let control = workers.control();
    control.set_busy(Some("a browser runs".to_owned()));
    assert_eq!(control.resting().as_deref(), Some("a browser runs"));
    // A thread that waits for a unit already takes none either.
    site.enqueue("8");
    let waits = || matches!(site.queue.counts(), Ok(counts) if counts.waiting == 1);
    thread::sleep(Duration::from_millis(700));
    assert!(waits());
    control.set_busy(None);
    site.until(|unit| unit.is_none());
    workers.stop(keep_programs);
    assert_eq!(*seen.lock().expect("no panic"), ["7", "8"]);
}

#[test]
fn a_unit_of_a_worker_that_hangs_is_judged_by_another() {
    let site = Site::new();
    let (release, hang) = mpsc::channel::<()>();
    let (hang, calls) = (Mutex::new(hang), Mutex::new(0));
    let (returned, has_returned) = mpsc::channel();
    let judge = move |_: &Context, _: &Turn, progress: &Progress, _: &Lease| {
        let call = {
            let mut calls = calls.lock().expect("no panic");
            *calls += 1;
            *calls
        };
        if call == 1 {
            progress.expect(Duration::ZERO);
            // Ends when the test has seen what it wants.
            let _ = hang.lock().expect("no panic").recv();
            returned.send(()).expect("the test listens");
        }
        Outcome::Done
    };
    site.enqueue("7");
    let workers = site.start(Box::new(judge));
    site.until(|unit| unit.is_none());
    site.enqueue("8");
    site.until(|unit| unit.is_none());
    // The first one still hangs: stopping does not wait for it.
    workers.stop(keep_programs);
    assert!(has_returned.try_recv().is_err());
    drop(release);
    has_returned.recv().expect("it returns");
}

/// A queue whose leases are extended only when the test allows it.
struct StalledQueue {
    inner: Arc<dyn Leases>,
    /// Calls of `extend`.
    extensions: AtomicUsize,
    called: mpsc::Sender<()>,
    allowed: Mutex<mpsc::Receiver<()>>,
}

impl Leases for StalledQueue {
    fn lease(&self, worker: &str, duration: Duration) -> Result<Option<Lease>, QueueError> {
        self.inner.lease(worker, duration)
    }

    fn extend(&self, lease: &Lease, duration: Duration) -> Result<bool, QueueError> {
        self.extensions.fetch_add(1, Ordering::SeqCst);
        let _ = self.called.send(());
        let _ = self.allowed.lock().expect("no panic").recv();
        self.inner.extend(lease, duration)
    }

    fn settle(&self, lease: &Lease, settlement: &Settlement) -> Result<bool, QueueError> {
        self.inner.settle(lease, settlement)
    }

    fn wait(&self, most: Duration) {
        self.inner.wait(most);
    }

    fn wake(&self) {
        self.inner.wake();
    }
}

#[test]
fn stopping_extends_no_further_leases() {
    let mut site = Site::new();
    let (called, calls) = mpsc::channel();
    let (allow, allowed) = mpsc::channel();
    let queue = Arc::new(StalledQueue {
        inner: site.context.queue.clone(),
        extensions: AtomicUsize::new(0),
        called,
        allowed: Mutex::new(allowed),
    });
    let context = Arc::get_mut(&mut site.context).expect("nothing else has it");
    context.queue = queue.clone();
    // Leases are extended after a sixth of this time.
    context.lease = Duration::from_secs(6);
    let (finish, finished) = mpsc::channel::<()>();
    let finished = Mutex::new(finished);
    let (begun, begins) = mpsc::channel();
    let judge = move |_: &Context, _: &Turn, _: &Progress, _: &Lease| {
        let _ = begun.send(());
        let _ = finished.lock().expect("no panic").recv();
        Outcome::Done
    };
    for id in ["7", "8", "9"] {
        site.enqueue(id);
    }
    // None of them is pinned to its core, which need not exist.
    let workers = Workers::start_with(site.context.clone(), &[0, 1, 2], Box::new(judge));
    let workers = workers.expect("they start");
    for _ in 0..3 {
        begins.recv().expect("a unit is begun");
    }
    calls.recv().expect("a lease is extended");
    let control = workers.control();
    let stopped = thread::spawn(move || workers.stop(keep_programs));
    while !control.is_stopping() {
        thread::sleep(Duration::from_millis(5));
    }
    allow.send(()).expect("the queue waits for it");
    let another = calls.recv_timeout(Duration::from_millis(300));
    assert!(another.is_err(), "the leases of the other workers stay");
    drop((finish, allow));
    stopped.join().expect("they stop");
    assert_eq!(queue.extensions.load(Ordering::SeqCst), 1);
}
