//! A queue that is opened again, and workers that fail at random.

use super::{
    Both, Embedded, Implementation, LONG, SHORT, counts, drain, enqueue, is_refused, lease, list,
    only, practice, try_lease, unit,
};
use crate::common::repeats;
use judge_server::queue::{Counts, Phase, Priority, Unit};
use judge_server::store::{SqliteQueue, Store};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

pub fn the_content_survives_a_restart(place: &impl Implementation) {
    let queue = place.open();
    for id in ["parked", "a", "b"] {
        enqueue(&queue, &[practice(id)]);
    }
    queue.park(&lease(&queue), "why").expect("the queue works");
    drop(queue);
    let queue = place.open();
    let parked = list(&queue).pop().expect("it is listed");
    assert_eq!(
        (parked.phase, parked.reason.as_deref()),
        (Phase::Parked, Some("why"))
    );
    enqueue(&queue, &[practice("a")]);
    assert_eq!(drain(&queue), ["a", "b"]);
}

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

/// Retries the units that the queue parked, because workers died too often with them; a worker parks with the reason
/// "failed".
fn retry_given_up(queue: &Both) {
    for listed in list(queue) {
        if listed.phase == Phase::Parked && listed.reason.as_deref() != Some("failed") {
            queue.queue.retry(&listed.unit.id).expect("the queue works");
        }
    }
}

/// Works until the queue is empty; counts how often each unit was finished.
fn work_with_failures(queue: &Both, seed: u64, finished: &HashMap<String, AtomicUsize>) {
    let mut dice = Dice(seed);
    let mut late = Vec::new();
    while counts(queue) != Counts::default() {
        let dies = dice.roll(20) == 0;
        let Some(lease) = try_lease(queue, if dies { SHORT } else { LONG }) else {
            retry_given_up(queue);
            thread::sleep(SHORT);
            continue;
        };
        if dies {
            // It comes back when the lease is over, and somebody else may have the unit.
            late.push(lease);
            continue;
        }
        let held = match dice.roll(10) {
            0 => queue.release(&lease, "failed", SHORT),
            1 => queue.give_back(&lease, Duration::ZERO),
            2 => queue
                .park(&lease, "failed")
                .and_then(|held| Ok(held && queue.queue.retry(&lease.unit.id)?)),
            _ => {
                finished[&lease.unit.id].fetch_add(1, Ordering::SeqCst);
                queue.finish(&lease)
            }
        };
        assert!(held.expect("the queue works"), "{lease:?}");
        if late.len() > 3 {
            thread::sleep(2 * SHORT);
            late.drain(..).for_each(|lease| is_refused(queue, &lease));
        }
    }
}

pub fn every_unit_is_finished_once_by_eight_workers(place: &impl Implementation) {
    let queue = place.open();
    let units: Vec<Unit> = (0..repeats(400, 2000))
        .map(|k| {
            let class = Priority::ALL[k % Priority::ALL.len()];
            unit(&format!("unit {k}"), class, &format!("team {}", k % 7))
        })
        .collect();
    let finished = units
        .iter()
        .map(|unit| (unit.id.clone(), AtomicUsize::new(0)));
    let finished: HashMap<String, AtomicUsize> = finished.collect();
    enqueue(&queue, &units);
    thread::scope(|scope| {
        for seed in 1..=8 {
            let (queue, finished) = (&queue, &finished);
            scope.spawn(move || work_with_failures(queue, seed * 0x9E37_79B9, finished));
        }
    });
    let wrong: Vec<_> = finished
        .iter()
        .filter(|(_, count)| count.load(Ordering::SeqCst) != 1)
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(list(&queue), []);
}

/// Workers of other machines go on while the server is down, and cannot extend their leases.
#[test]
fn leases_of_other_machines_begin_again_at_a_restart() {
    let dir = tempfile::tempdir().expect("a directory");
    let open = || Store::open(&dir.path().join("judge.sqlite")).expect("it opens");
    let resume = || Both::of(SqliteQueue::resume(open().into()).expect("it opens"));
    let queue = resume();
    enqueue(&queue, &[practice("a")]);
    let held = lease(&queue);
    drop(queue);
    // Hours later.
    let connection = rusqlite::Connection::open(dir.path().join("judge.sqlite"));
    let changed = connection
        .expect("it opens")
        .execute("UPDATE queue SET until_ms = 1", []);
    assert_eq!(changed.expect("it is changed"), 1);
    let queue = resume();
    assert!(queue.extend(&held, LONG).expect("the queue works"));
    assert!(queue.finish(&held).expect("the queue works"));
    assert_eq!(
        queue.queue.counts().expect("the queue works"),
        Counts::default()
    );
}

/// Only one process has the embedded queue: all leases it finds belong to one that is gone.
#[test]
fn leases_of_a_dead_process_return_at_its_restart() {
    let place = Embedded::new().expect("a directory");
    let queue = place.open();
    enqueue(&queue, &[practice("a")]);
    let lost = lease(&queue);
    drop(queue);
    let queue = place.open();
    is_refused(&queue, &lost);
    let listed = only(&queue);
    assert_eq!((listed.phase, listed.deliveries), (Phase::Waiting, 1));
    assert!(
        listed
            .reason
            .is_some_and(|reason| reason.contains("worker"))
    );
    assert_eq!(lease(&queue).delivery, 2);
}

/// A unit that was judged at several kills waits longer, because it may be their cause, but is never given up for them.
#[test]
fn kills_of_the_process_do_not_park_a_unit() {
    let place = Embedded::new().expect("a directory");
    let mut queue = place.open();
    enqueue(&queue, &[practice("a")]);
    for kill in 0..10 {
        let waits = matches!(only(&queue).phase, Phase::Delayed(_));
        assert_eq!(waits, kill > 2, "after {kill} kills");
        if waits {
            break;
        }
        assert!(lease(&queue).delivery <= 2);
        drop(queue);
        queue = place.open();
    }
    assert!(only(&queue).deliveries <= 1);
}
