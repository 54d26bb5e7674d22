//! The queue while nats-server is killed, or out of reach.

use crate::common::{NatsServer, Proxy, repeats, start_nats};
use judge_server::nats::{Connection, NatsQueue, Options, REQUEST};
use judge_server::queue::{Counts, Lease, Leases, Priority, Queue, Unit};
use std::collections::HashMap;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Longer than any test takes.
const LONG: Duration = Duration::from_secs(3600);
/// Pause between two looks.
const SOON: Duration = Duration::from_millis(20);

fn create(server: &NatsServer) -> NatsQueue {
    NatsQueue::create(server.connect(), "judge", 1).expect("it opens")
}

fn unit(k: usize) -> Unit {
    Unit {
        id: format!("unit {k}"),
        priority: Priority::ALL[k % Priority::ALL.len()],
        share: format!("team {}", k % 7),
        payload: format!("payload {k}"),
        machine_class: None,
    }
}

fn enqueue(queue: &NatsQueue, numbers: impl Iterator<Item = usize>) {
    let units: Vec<Unit> = numbers.map(unit).collect();
    queue.enqueue(&units).expect("the queue works");
}

/// Leases a unit as soon as one is ready and the server answers.
fn lease(queue: &NatsQueue, duration: Duration) -> Lease {
    loop {
        match queue.lease("worker", duration) {
            Ok(Some(lease)) => return lease,
            Ok(None) | Err(_) => thread::sleep(SOON),
        }
    }
}

/// Works until all units are finished; counts how often each one was.
fn work(queue: &NatsQueue, finished: &HashMap<String, AtomicUsize>) {
    let left = || finished.values().any(|n| n.load(Ordering::SeqCst) == 0);
    while left() {
        // Without a server it fails; a unit may be leased nevertheless, and is delivered again.
        let Ok(Some(lease)) = queue.lease("worker", LONG) else {
            thread::sleep(SOON);
            continue;
        };
        if queue.finish(&lease).expect("the server returns in time") {
            finished[&lease.unit.id].fetch_add(1, Ordering::SeqCst);
        }
    }
}

#[test]
fn every_unit_is_finished_once_while_the_server_is_killed() {
    let Some(mut server) = NatsServer::start() else {
        return;
    };
    let units = repeats(500, 2000);
    let server_queue = create(&server);
    let join = || NatsQueue::join(server.connect(), "judge").expect("it opens");
    let queues = [join(), join()];
    enqueue(&server_queue, 0..units);
    let finished = (0..units).map(|k| (unit(k).id, AtomicUsize::new(0)));
    let finished: HashMap<String, AtomicUsize> = finished.collect();
    let done = || -> usize { finished.values().map(|n| n.load(Ordering::SeqCst)).sum() };
    thread::scope(|scope| {
        for queue in queues.iter().cycle().take(8) {
            scope.spawn(|| work(queue, &finished));
        }
        for part in 1..4 {
            while done() < part * units / 4 {
                thread::sleep(Duration::from_millis(1));
            }
            server.kill();
            thread::sleep(5 * SOON);
            server.restart();
        }
    });
    assert_eq!(done(), units);
    // Also for a process that reads the stream only now.
    let fresh = create(&server);
    for queue in queues.iter().chain([&server_queue, &fresh]) {
        while queue.counts().expect("the queue works") != Counts::default() {
            thread::sleep(SOON);
        }
    }
}

/// Units that change while a coordinator reads the queue again are not taken for lost.
#[test]
fn a_coordinator_that_connects_again_adds_no_finished_unit() {
    let Some(server) = start_nats() else { return };
    let proxy = Proxy::to(server.port());
    let coordinator = NatsQueue::create(connect_through(&proxy), "judge", 1).expect("it opens");
    let worker = NatsQueue::join(server.connect(), "judge").expect("it opens");
    let units = repeats(1500, 12_000);
    enqueue(&coordinator, 0..units);
    let (is_over, finished) = (AtomicBool::new(false), Mutex::new(Vec::new()));
    let rounds = repeats(5, 40);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while !is_over.load(Ordering::SeqCst) {
                    let held = lease(&worker, LONG);
                    assert!(worker.finish(&held).expect("the queue works"));
                    finished.lock().expect("no panic").push(held.unit.id);
                }
            });
        }
        let end = End(&is_over);
        for round in 0..rounds {
            proxy.cut();
            // Succeeds once the queue is read.
            enqueue(&coordinator, units + round..units + round + 1);
        }
        drop(end);
    });
    let fresh = NatsQueue::join(server.connect(), "judge").expect("it opens");
    let left = fresh.list(usize::MAX >> 1).expect("the queue works");
    let left = left.into_iter().map(|listed| listed.unit.id);
    let mut all: Vec<String> = finished.into_inner().expect("no panic");
    all.extend(left);
    all.sort();
    let mut expected: Vec<String> = (0..units + rounds).map(|k| unit(k).id).collect();
    expected.sort();
    let twice: Vec<_> = all.windows(2).filter(|w| w[0] == w[1]).collect();
    assert_eq!(all.len(), expected.len(), "twice: {twice:?}");
    assert_eq!(all, expected);
}

/// A queue opens although units that it has not read yet change and end meanwhile.
#[test]
fn a_queue_opens_while_others_change_it() {
    let Some(server) = start_nats() else { return };
    let queue = create(&server);
    enqueue(&queue, 0..100);
    let is_over = AtomicBool::new(false);
    let change = |first: usize| {
        let mut next = first;
        while !is_over.load(Ordering::SeqCst) {
            let held = lease(&queue, LONG);
            if next.is_multiple_of(3) {
                assert!(queue.finish(&held).expect("the queue works"));
                enqueue(&queue, next..next + 1);
            } else {
                let back = queue.give_back(&held, Duration::ZERO);
                assert!(back.expect("the queue works"));
            }
            next += 1;
        }
    };
    thread::scope(|scope| {
        for first in [1000, 1_000_000] {
            let change = &change;
            scope.spawn(move || change(first));
        }
        let end = End(&is_over);
        for _ in 0..repeats(10, 50) {
            drop(NatsQueue::join(server.connect(), "judge").expect("it opens"));
        }
        drop(end);
    });
}

/// Sets it when it is dropped.
struct End<'e>(&'e AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

fn connect_through(proxy: &Proxy) -> Arc<Connection> {
    let options = Options {
        url: proxy.url(),
        ..Options::default()
    };
    Arc::new(Connection::open(&options).expect("it connects"))
}

/// The queue of a worker that reaches its server through a proxy.
fn join_through(proxy: &Proxy) -> NatsQueue {
    NatsQueue::join(connect_through(proxy), "judge").expect("it opens")
}

#[test]
fn a_worker_out_of_reach_loses_its_lease_and_its_late_result_is_refused() {
    let Some(server) = start_nats() else { return };
    let queue = create(&server);
    let proxy = Proxy::to(server.port());
    let remote = join_through(&proxy);
    enqueue(&queue, 0..1);
    let lost = lease(&remote, Duration::from_secs(2));
    proxy.pull();
    thread::scope(|scope| {
        // It finishes before its lease is over, and the message arrives after it.
        let late = scope.spawn(|| remote.finish(&lost));
        let held = lease(&queue, LONG);
        assert_eq!((&held.unit, held.delivery), (&lost.unit, 2));
        proxy.plug();
        let late = late.join().expect("no panic");
        assert!(!late.expect("the queue works"));
        assert!(queue.finish(&held).expect("the queue works"));
    });
    assert_eq!(queue.counts().expect("the queue works"), Counts::default());
}

#[test]
fn a_message_that_was_held_back_has_its_effect_once() {
    let Some(server) = start_nats() else { return };
    let queue = create(&server);
    let proxy = Proxy::to(server.port());
    let remote = join_through(&proxy);
    enqueue(&queue, 0..2);
    let held = lease(&remote, LONG);
    proxy.pull();
    thread::scope(|scope| {
        // Longer than a request waits: it is sent again, and finds that the first one arrived.
        let late = scope.spawn(|| remote.finish(&held));
        thread::sleep(REQUEST + 25 * SOON);
        proxy.plug();
        assert!(late.join().expect("no panic").expect("the queue works"));
    });
}

#[test]
fn a_lease_that_seemed_to_fail_is_not_kept() {
    let Some(server) = start_nats() else { return };
    let queue = create(&server);
    let proxy = Proxy::to(server.port());
    let remote = join_through(&proxy);
    enqueue(&queue, 0..2);
    // It has heard of both units.
    let first = lease(&remote, LONG);
    assert!(remote.finish(&first).expect("the queue works"));
    proxy.pull();
    remote.lease("worker", LONG).expect_err("no answer");
    proxy.plug();
    // The process takes the unit again at once.
    let again = lease(&remote, LONG);
    assert_eq!((again.unit.id.as_str(), again.delivery), ("unit 1", 1));
    assert!(remote.finish(&again).expect("the queue works"));
}

fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-a").args([from, to]).status();
    assert!(copied.expect("cp starts").success());
}

/// A machine that loses power loses what its disk does not have yet.
#[test]
fn units_that_the_server_lost_are_added_again() {
    let Some(mut server) = NatsServer::start() else {
        return;
    };
    let queue = create(&server);
    let worker = NatsQueue::join(server.connect(), "judge").expect("it opens");
    enqueue(&queue, 0..4);
    let (files, old) = (server.dir().join("jetstream"), server.dir().join("old"));
    server.kill();
    copy(&files, &old);
    server.restart();
    let held = lease(&worker, LONG);
    enqueue(&queue, 4..8);
    server.kill();
    std::fs::remove_dir_all(&files).expect("it is there");
    copy(&old, &files);
    server.restart();
    // The lease is lost; all units wait again, those that the server never saw as well.
    let mut ids: Vec<String> = (0..8)
        .map(|_| {
            let lease = lease(&queue, LONG);
            assert!(queue.finish(&lease).expect("the queue works"));
            lease.unit.id
        })
        .collect();
    ids.sort();
    let all: Vec<String> = (0..8).map(|k| unit(k).id).collect();
    assert_eq!(ids, all);
    assert!(!worker.finish(&held).expect("the queue works"));
}
