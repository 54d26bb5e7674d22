//! The queues, embedded and on NATS, in turn: units a second, and the time from the arrival of a
//! unit to its lease by an idle worker; then what units that are finished leave in the stream.
//!
//! `cargo bench -p judge-server --bench queue`; `-- --units 100000` for the last figure at that size.
//! Without nats-server only the embedded queue is measured.

#[path = "../tests/server/common/nats.rs"]
#[allow(dead_code)]
mod nats;

use judge_server::nats::NatsQueue;
use judge_server::queue::{Leases, Priority, Unit};
use judge_server::store::{SqliteQueue, Store};
use nats::NatsServer;
use std::fs::Metadata;
use std::path::Path;
use std::sync::mpsc;
use std::sync::{Arc, Barrier};
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
        payload: format!("judging-{k}"),
        machine_class: None,
    };
    (0..count).map(unit).collect()
}

/// Seconds that it took.
fn timed(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn drain(queue: &dyn Leases) {
    while let Some(lease) = queue.lease("bench", LEASE).expect("the queue works") {
        queue.finish(&lease).expect("the queue works");
    }
}

/// Units a second: added one by one, added a hundred at once, leased and finished by one thread, and
/// by four threads of each queue.
fn rates(queues: &[Arc<dyn Leases>], round: usize) -> [f64; 4] {
    let queue = &queues[0];
    let single = units(&format!("single-{round}"), UNITS / 4);
    let batches = units(&format!("batch-{round}"), UNITS);
    let again = units(&format!("again-{round}"), UNITS);
    let add = |units: &[Unit]| queue.enqueue(units).expect("the queue works");
    let one = timed(|| single.chunks(1).for_each(add));
    drain(&**queue);
    let hundred = timed(|| batches.chunks(100).for_each(add));
    let alone = timed(|| drain(&**queue));
    add(&again);
    let together = timed(|| {
        thread::scope(|scope| {
            for queue in queues {
                for _ in 0..4 {
                    scope.spawn(|| drain(&**queue));
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

/// Milliseconds from before a unit is added until a worker that waited has its lease: p50, p99, most.
fn latency(server: &dyn Leases, worker: &dyn Leases, round: usize) -> [f64; 3] {
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
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    [at(0.5), at(0.99), at(1.0)]
}

fn report(name: &str, queues: &[Arc<dyn Leases>], round: usize) {
    let [one, hundred, alone, together] = rates(queues, round);
    let last = queues.last().expect("there is one");
    let [p50, p99, most] = latency(&*queues[0], &**last, round);
    println!(
        "{name:8} units/s: added singly {one:.0}, by 100 {hundred:.0}; leased and finished by 1 thread {alone:.0}, \
         by {} threads {together:.0}; arrival to lease ms: p50 {p50:.2} p99 {p99:.2} max {most:.2}",
        4 * queues.len()
    );
}

fn size(dir: &Path) -> u64 {
    let files = walkdir::WalkDir::new(dir)
        .into_iter()
        .filter_map(Result::ok);
    files
        .filter_map(|f| f.metadata().ok())
        .filter(Metadata::is_file)
        .map(|m| m.len())
        .sum()
}

/// Works through units, and waits until the stream is clean.
fn leftovers(server: &NatsServer, queue: &dyn Leases, count: usize) {
    let connection = server.connect();
    let stream = || {
        let request = connection.request("ask", connection.jetstream().get_stream("judge-queue"));
        request.expect("an answer").cached_info().state.clone()
    };
    let dir = server.dir().join("jetstream");
    for batch in units("many", count).chunks(10_000) {
        queue.enqueue(batch).expect("the queue works");
        drain(queue);
    }
    let done = stream();
    println!(
        "{count} units finished: {} messages, {} KiB of files",
        done.messages,
        size(&dir) >> 10
    );
    let start = Instant::now();
    while stream().messages > 0 {
        thread::sleep(Duration::from_secs(1));
    }
    let seconds = start.elapsed().as_secs();
    println!(
        "after {seconds} s: 0 messages, {} KiB of files",
        size(&dir) >> 10
    );
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let count = args.iter().position(|arg| arg == "--units");
    let count = count.map_or(2 * UNITS, |k| args[k + 1].parse().expect("a number"));
    let dir = tempfile::tempdir().expect("a directory");
    let store = Store::open(&dir.path().join("judge.sqlite")).expect("it opens");
    let embedded = SqliteQueue::open(Arc::new(store)).expect("it opens");
    let embedded: [Arc<dyn Leases>; 1] = [Arc::new(embedded)];
    let server = NatsServer::start();
    let nats = server.as_ref().map(|server| -> [Arc<dyn Leases>; 2] {
        let own = NatsQueue::create(server.connect(), "judge", 1).expect("it opens");
        let joined = NatsQueue::join(server.connect(), "judge").expect("it opens");
        [Arc::new(own), Arc::new(joined)]
    });
    for round in 0..ROUNDS {
        report("embedded", &embedded, round);
        if let Some(nats) = &nats {
            report("nats", nats, round);
        }
    }
    if let (Some(server), Some(nats)) = (&server, &nats) {
        leftovers(server, &*nats[0], count);
    }
}
