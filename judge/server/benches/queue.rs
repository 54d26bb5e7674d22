//! The queue, for workers of its process and for workers on NATS, in turn: units a second, and the time from the arrival
//! of a unit to its lease by an idle worker; then what its operations cost while many units wait.
//!
//! `cargo bench -p judge-server --bench queue`; `-- --units 300000` for the number of units that wait. Without
//! nats-server only workers of the process are measured.

mod figures;
#[path = "../tests/server/common/nats.rs"]
#[allow(dead_code)]
mod nats;
#[path = "../tests/server/common/served.rs"]
mod served;

use figures::{at, resident};
use judge_server::nats::Remote;
use judge_server::queue::{Leases, Priority, Unit};
use judge_server::store::SqliteQueue;
use nats::NatsServer;
use served::{Served, open_store};
use std::sync::{Barrier, mpsc};
use std::thread;
use std::time::{Duration, Instant};

const LEASE: Duration = Duration::from_secs(3600);
const ROUNDS: usize = 3;
/// Units of a round.
const UNITS: usize = 1000;
/// Measurements of the latency.
const ARRIVALS: usize = 500;

fn units(prefix: &str, count: usize) -> Vec<Unit> {
    let unit = |k: usize| Unit {
        id: format!("{prefix}-{k}"),
        priority: Priority::ALL[k % Priority::ALL.len()],
        share: format!("team {}", k % 100),
        machine_class: None,
    };
    (0..count).map(unit).collect()
}

/// Seconds that `work` took.
fn timed(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// A queue, and workers that lease from it.
struct Queues<'q> {
    name: &'static str,
    queue: &'q SqliteQueue,
    workers: Vec<&'q dyn Leases>,
}

impl Queues<'_> {
    fn is_empty(&self) -> bool {
        self.queue.counts().expect("the queue works").waiting == 0
    }

    /// Leases and finishes units until there are none.
    fn drain(&self, worker: &dyn Leases) {
        while !self.is_empty() {
            match worker.lease("bench", LEASE).expect("the queue works") {
                Some(lease) => drop(worker.finish(&lease).expect("the queue works")),
                None => worker.wait(Duration::from_millis(1)),
            }
        }
    }

    /// Units a second: added one by one, added a hundred at once, leased and finished by one thread, and
    /// by four threads of each worker.
    fn rates(&self, round: usize) -> [f64; 4] {
        let single = units(&format!("single-{round}"), UNITS / 4);
        let batches = units(&format!("batch-{round}"), UNITS);
        let again = units(&format!("again-{round}"), UNITS);
        let add = |units: &[Unit]| self.queue.enqueue(units).expect("the queue works");
        let one = timed(|| single.chunks(1).for_each(add));
        self.drain(self.workers[0]);
        let hundred = timed(|| batches.chunks(100).for_each(add));
        let alone = timed(|| self.drain(self.workers[0]));
        add(&again);
        let together = timed(|| {
            thread::scope(|scope| {
                for worker in &self.workers {
                    for _ in 0..4 {
                        scope.spawn(|| self.drain(*worker));
                    }
                }
            });
        });
        let per = |count: usize, seconds: f64| count as f64 / seconds;
        [
            per(single.len(), one),
            per(UNITS, hundred),
            per(UNITS, alone),
            per(UNITS, together),
        ]
    }

    fn report(&self, round: usize) {
        let [one, hundred, alone, together] = self.rates(round);
        let [p50, p99, most] = latency(self.queue, self.workers[0], round);
        println!(
            "{:8} units/s: added singly {one:.0}, by 100 {hundred:.0}; leased and finished by 1 thread {alone:.0}, \
             by {} threads {together:.0}; arrival to lease ms: p50 {p50:.2} p99 {p99:.2} max {most:.2}",
            self.name,
            4 * self.workers.len()
        );
    }
}

/// Milliseconds from before a unit is added until a worker that waited has its lease: p50, p99, most.
fn latency(server: &SqliteQueue, worker: &dyn Leases, round: usize) -> [f64; 3] {
    let arrivals = units(&format!("arrival-{round}"), ARRIVALS);
    let (done, is_done) = mpsc::channel();
    let ready = Barrier::new(2);
    let mut times: Vec<f64> = thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..ARRIVALS {
                ready.wait();
                let lease = loop {
                    worker.wait(LEASE);
                    if let Some(lease) = worker.lease("bench", LEASE).expect("the queue works") {
                        break lease;
                    }
                };
                done.send(Instant::now()).expect("it listens");
                worker.finish(&lease).expect("the queue works");
            }
        });
        let one = |unit: &Unit| {
            ready.wait();
            // The worker sleeps by then.
            thread::sleep(Duration::from_millis(5));
            let start = Instant::now();
            server
                .enqueue(std::slice::from_ref(unit))
                .expect("the queue works");
            let end = is_done.recv().expect("it works");
            end.duration_since(start).as_secs_f64() * 1e3
        };
        arrivals.iter().map(one).collect()
    });
    [0.5, 0.99, 1.0].map(|share| at(&mut times, share))
}

/// Microseconds of each operation, the median, while this many units wait; and the memory of this process.
fn with_waiting(queue: &SqliteQueue, count: usize) {
    let have = queue.counts().expect("the queue works").waiting;
    for batch in units(&format!("waiting-{have}"), count - have).chunks(10_000) {
        queue.enqueue(batch).expect("the queue works");
    }
    let time = |operation: &dyn Fn()| {
        let mut times: Vec<f64> = (0..101).map(|_| 1e6 * timed(operation)).collect();
        at(&mut times, 0.5)
    };
    let counts = time(&|| {
        queue.counts().expect("the queue works");
    });
    let backlog = time(&|| {
        queue.backlog().expect("the queue works");
    });
    let list = time(&|| {
        queue.list(200).expect("the queue works");
    });
    let lease = time(&|| {
        let lease = queue.lease("bench", LEASE).expect("the queue works");
        let lease = lease.expect("a unit waits");
        queue
            .give_back(&lease, Duration::ZERO)
            .expect("the queue works");
    });
    println!(
        "{count} units wait, us: counts {counts:.0}, backlog {backlog:.0}, 200 units for the page {list:.0}, \
         lease and give back {lease:.0}; {}",
        resident(std::process::id())
    );
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let count = args.iter().position(|arg| arg == "--units");
    let count = count.map_or(10 * UNITS, |k| args[k + 1].parse().expect("a number"));
    let dir = tempfile::tempdir().expect("a directory");
    let own = SqliteQueue::open(open_store(dir.path())).expect("it opens");
    let server = NatsServer::start();
    let served = server.as_ref().map(|server| {
        let dir = tempfile::tempdir().expect("a directory");
        let served = Served::new(dir.path(), &server.url(), "server");
        let workers = ["w1", "w2"].map(|name| served.worker(&server.url(), name));
        (served, workers, dir)
    });
    let embedded = Queues {
        name: "embedded",
        queue: &own,
        workers: vec![&own],
    };
    let nats = served.as_ref().map(|(served, workers, _)| Queues {
        name: "nats",
        queue: &served.queue,
        workers: workers.iter().map(|worker: &Remote| worker as _).collect(),
    });
    for round in 0..ROUNDS {
        embedded.report(round);
        if let Some(nats) = &nats {
            nats.report(round);
        }
    }
    for count in [count / 100, count] {
        with_waiting(&own, count);
    }
}
