//! The queue of a coordinator while nats-server is killed, or a worker is out of reach.

use crate::common::{NatsServer, Proxy, Served, repeats, start_nats};
use judge_server::nats::{REQUEST, Remote};
use judge_server::queue::{Counts, Lease, Leases, Phase, Priority, Settlement, Unit, Wait};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// Longer than any test takes.
const LONG: Duration = Duration::from_secs(3600);
/// Pause between two looks.
const SOON: Duration = Duration::from_millis(20);

/// A coordinator and a directory with its store.
fn serve(nats: &NatsServer) -> (Served, TempDir) {
    let dir = tempfile::tempdir().expect("a directory");
    (Served::new(dir.path(), &nats.url(), "server"), dir)
}

fn unit(k: usize) -> Unit {
    Unit {
        id: format!("unit {k}"),
        priority: Priority::ALL[k % Priority::ALL.len()],
        share: format!("team {}", k % 7),
        machine_class: None,
    }
}

fn enqueue(served: &Served, numbers: impl Iterator<Item = usize>) {
    let units: Vec<Unit> = numbers.map(unit).collect();
    served.queue.enqueue(&units).expect("the queue works");
}

/// Leases a unit as soon as one is ready and the server answers.
fn lease(worker: &Remote, duration: Duration) -> Lease {
    loop {
        match worker.lease("worker", duration) {
            Ok(Some(lease)) => return lease,
            Ok(None) | Err(_) => worker.wait(SOON),
        }
    }
}

fn is_empty(served: &Served) -> bool {
    served.queue.counts().expect("the queue works") == Counts::default()
}

/// Works until the queue is empty; counts how often each unit was finished.
fn work(served: &Served, worker: &Remote, finished: &HashMap<String, AtomicUsize>) {
    while !is_empty(served) {
        // If the answer is lost, the unit is delivered again soon, or gone.
        match worker.lease("worker", 50 * SOON) {
            Ok(Some(lease)) => {
                if worker.finish(&lease).expect("the queue works") {
                    finished[&lease.unit.id].fetch_add(1, Ordering::SeqCst);
                }
            }
            Ok(None) | Err(_) => worker.wait(SOON),
        }
    }
}

#[test]
fn every_unit_is_finished_once_while_the_server_is_killed() {
    let Some(mut nats) = NatsServer::start() else {
        return;
    };
    let units = repeats(500, 2000);
    let (served, _dir) = serve(&nats);
    let workers = ["w1", "w2"].map(|name| served.worker(&nats.url(), name));
    enqueue(&served, 0..units);
    let finished = (0..units).map(|k| (unit(k).id, AtomicUsize::new(0)));
    let finished: HashMap<String, AtomicUsize> = finished.collect();
    let left = || {
        let counts = served.queue.counts().expect("the queue works");
        counts.waiting + counts.leased
    };
    thread::scope(|scope| {
        for worker in workers.iter().cycle().take(8) {
            scope.spawn(|| work(&served, worker, &finished));
        }
        for part in (1..4).rev() {
            while left() > part * units / 4 {
                thread::sleep(Duration::from_millis(1));
            }
            nats.kill();
            thread::sleep(5 * SOON);
            nats.restart();
        }
    });
    let counts: Vec<usize> = finished
        .values()
        .map(|n| n.load(Ordering::SeqCst))
        .collect();
    assert!(counts.iter().all(|count| *count <= 1), "{finished:?}");
    // Only answers that were on their way were lost.
    assert!(counts.iter().sum::<usize>() >= units - 3 * 8);
}

#[test]
fn a_worker_out_of_reach_loses_its_lease_and_its_late_result_is_refused() {
    let Some(nats) = start_nats() else { return };
    let (served, _dir) = serve(&nats);
    let proxy = Proxy::to(nats.port());
    let remote = served.worker(&proxy.url(), "remote");
    enqueue(&served, 0..1);
    let lost = lease(&remote, Duration::from_secs(2));
    proxy.pull();
    thread::scope(|scope| {
        // It settles before its lease is over, and the message arrives after it.
        let late = scope.spawn(|| remote.release(&lost, "late", LONG));
        let held = loop {
            match served.queue.lease("worker", LONG).expect("the queue works") {
                Some(held) => break held,
                None => thread::sleep(SOON),
            }
        };
        assert_eq!((&held.unit, held.delivery), (&lost.unit, 2));
        proxy.plug();
        let late = late.join().expect("no panic");
        assert!(!late.expect("the queue works"));
        assert!(served.queue.finish(&held).expect("the queue works"));
    });
    assert!(is_empty(&served));
}

#[test]
fn a_message_that_was_held_back_has_its_effect_once() {
    let Some(nats) = start_nats() else { return };
    let (served, _dir) = serve(&nats);
    let proxy = Proxy::to(nats.port());
    let remote = served.worker(&proxy.url(), "remote");
    enqueue(&served, 0..1);
    let held = lease(&remote, LONG);
    proxy.pull();
    thread::scope(|scope| {
        // Longer than a request waits: it is sent again after the first one arrived.
        let late = scope.spawn(|| remote.release(&held, "the disk is full", LONG));
        thread::sleep(REQUEST + 25 * SOON);
        proxy.plug();
        late.join().expect("no panic").expect("the queue works");
    });
    let listed = served.queue.list(1).expect("the queue works").remove(0);
    assert!(matches!(listed.phase, Phase::Delayed(_)), "{listed:?}");
    assert_eq!(listed.deliveries, 1);
    assert_eq!(listed.reason.as_deref(), Some("the disk is full"));
}

#[test]
fn a_lease_that_seemed_to_fail_is_not_kept() {
    let Some(nats) = start_nats() else { return };
    let (served, _dir) = serve(&nats);
    let proxy = Proxy::to(nats.port());
    let remote = served.worker(&proxy.url(), "remote");
    enqueue(&served, 0..2);
    // It has heard of both units.
    let first = lease(&remote, LONG);
    assert!(remote.finish(&first).expect("the queue works"));
    proxy.pull();
    remote.lease("worker", LONG).expect_err("no answer");
    proxy.plug();
    // The worker gets the same unit with its next request.
    let again = lease(&remote, LONG);
    assert_eq!((again.unit.id.as_str(), again.delivery), ("unit 1", 1));
    assert!(remote.finish(&again).expect("the queue works"));
    assert!(is_empty(&served));
}

/// A unit that this machine leaves to others keeps no other one waiting.
#[test]
fn a_unit_that_failed_on_a_machine_goes_to_another() {
    let Some(nats) = start_nats() else { return };
    let (served, _dir) = serve(&nats);
    let [first, second] = ["w1", "w2"].map(|name| served.worker(&nats.url(), name));
    enqueue(&served, 0..1);
    let failed = lease(&first, LONG);
    let wait = Wait {
        time: Duration::ZERO,
        here: LONG,
    };
    let released = Settlement::Released("no disk".to_owned(), wait);
    assert!(first.settle(&failed, &released).expect("the queue works"));
    enqueue(&served, 4..5);
    assert_eq!(lease(&first, LONG).unit, unit(4));
    first.wait(10 * SOON);
    assert_eq!(first.lease("worker", LONG).expect("it answers"), None);
    let again = lease(&second, LONG);
    assert_eq!((again.unit, again.delivery), (unit(0), 2));
}

/// Coordinators with equally urgent units take turns, and more urgent ones go first.
#[test]
fn workers_serve_several_coordinators() {
    let Some(nats) = start_nats() else { return };
    let (first, _dir) = serve(&nats);
    let (second, _other) = serve(&nats);
    let worker = first.worker(&nats.url(), "w");
    // Practice, and then a contest.
    enqueue(&first, [1, 5, 9].into_iter());
    enqueue(&second, [13, 17, 21].into_iter());
    let mut ids = Vec::new();
    while ids.len() < 4 {
        ids.push(lease(&worker, LONG).unit.id);
    }
    let of_first = |id: &&String| ["unit 1", "unit 5", "unit 9"].contains(&id.as_str());
    let taken = ids.iter().filter(of_first).count();
    assert!((1..=3).contains(&taken), "{ids:?}");
    enqueue(&second, [4].into_iter());
    // A worker that is not idle asks for more urgent units once a second.
    thread::sleep(Duration::from_millis(1100));
    let next: Vec<String> = (0..3).map(|_| lease(&worker, LONG).unit.id).collect();
    assert!(next.contains(&"unit 4".to_owned()), "{next:?}");
}
