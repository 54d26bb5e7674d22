//! What every implementation of [`Queue`] has to do. Another one implements [`Implementation`] and
//! gets the same tests by a line of `conformance!`.

use crate::common::NatsServer;
use judge_server::nats::NatsQueue;
use judge_server::queue::{Counts, Lease, Listed, Phase, Queue, Unit};
use judge_server::store::{Priority, SqliteQueue, Store, now_ms};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// A queue whose state is in a place of its own.
trait Implementation: Sized {
    /// An empty place; `None` where this machine has none.
    fn new() -> Option<Self>;

    /// Opens the queue in it: once, or again after the first one was dropped.
    fn open(&self) -> Arc<dyn Queue>;
}

/// The table in the server's store.
struct Embedded(TempDir);

impl Implementation for Embedded {
    fn new() -> Option<Self> {
        Some(Embedded(tempfile::tempdir().expect("a directory")))
    }

    fn open(&self) -> Arc<dyn Queue> {
        let store = Store::open(&self.0.path().join("judge.sqlite")).expect("it opens");
        Arc::new(SqliteQueue::open(Arc::new(store)).expect("it opens"))
    }
}

/// A stream of NATS.
struct Nats(NatsServer);

impl Implementation for Nats {
    fn new() -> Option<Self> {
        NatsServer::start().map(Nats)
    }

    fn open(&self) -> Arc<dyn Queue> {
        Arc::new(NatsQueue::create(self.0.connect(), "judge", 1).expect("it opens"))
    }
}

macro_rules! conformance {
    ($name:ident: $implementation:ty) => {
        conformance!($name: $implementation:
            a_unit_is_leased_once_and_gone_when_finished
            a_unit_is_enqueued_once
            the_backlog_counts_what_waits
            an_expired_lease_is_delivered_again_and_its_holder_refused
            a_heartbeat_keeps_the_lease
            a_heartbeat_sets_the_time_from_now
            a_released_unit_waits_and_counts
            a_unit_that_was_given_back_does_not_count
            a_parked_unit_waits_for_a_retry
            a_unit_that_is_not_leased_is_removed
            urgent_classes_go_first
            a_hundred_units_of_a_team_do_not_delay_anothers_first
            shares_take_turns_and_keep_their_order
            an_idle_share_saves_nothing_up
            units_are_listed_in_their_order
            an_arrival_before_the_wait_ends_it
            arrivals_end_waits
            waking_ends_waits
            the_content_survives_a_restart
            every_unit_is_finished_once_by_eight_workers
        );
    };
    ($name:ident: $implementation:ty: $($test:ident)*) => {
        mod $name {
            $(
                #[test]
                fn $test() {
                    if let Some(place) = <$implementation as super::Implementation>::new() {
                        super::$test(&place);
                    }
                }
            )*
        }
    };
}

conformance!(embedded: super::Embedded);
conformance!(nats: super::Nats);

/// Longer than any test takes.
const LONG: Duration = Duration::from_secs(3600);
/// Soon over.
const SHORT: Duration = Duration::from_millis(20);

fn unit(id: &str, priority: Priority, share: &str) -> Unit {
    Unit {
        id: id.to_owned(),
        priority,
        share: share.to_owned(),
        payload: format!("payload of {id}"),
    }
}

fn practice(id: &str) -> Unit {
    unit(id, Priority::Practice, "user 1")
}

fn enqueue(queue: &dyn Queue, units: &[Unit]) {
    queue.enqueue(units).expect("the queue works");
}

fn try_lease(queue: &dyn Queue, duration: Duration) -> Option<Lease> {
    queue.lease("worker", duration).expect("the queue works")
}

fn lease(queue: &dyn Queue) -> Lease {
    try_lease(queue, LONG).expect("a unit is ready")
}

/// Waits until a unit is ready, because a lease expired or a delay is over.
fn lease_later(queue: &dyn Queue) -> Lease {
    loop {
        match try_lease(queue, LONG) {
            Some(lease) => return lease,
            None => thread::sleep(SHORT),
        }
    }
}

/// The ids in the order in which they are leased, until nothing is ready.
fn drain(queue: &dyn Queue) -> Vec<String> {
    let leased = std::iter::from_fn(|| try_lease(queue, LONG));
    leased.map(|lease| lease.unit.id).collect()
}

fn counts(queue: &dyn Queue) -> Counts {
    queue.counts().expect("the queue works")
}

fn list(queue: &dyn Queue) -> Vec<Listed> {
    queue.list(1000).expect("the queue works")
}

fn only(queue: &dyn Queue) -> Listed {
    let mut all = list(queue);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

/// All that a holder can do with a lease that it lost.
fn is_refused(queue: &dyn Queue, lease: &Lease) {
    let tried = [
        queue.extend(lease, LONG),
        queue.finish(lease),
        queue.give_back(lease, Duration::ZERO),
        queue.release(lease, "late", Duration::ZERO),
        queue.park(lease, "late"),
    ];
    for (k, held) in tried.into_iter().enumerate() {
        assert!(!held.expect("the queue works"), "operation {k}");
    }
}

fn a_unit_is_leased_once_and_gone_when_finished(place: &impl Implementation) {
    let queue = place.open();
    assert_eq!(try_lease(&*queue, LONG), None);
    enqueue(&*queue, &[practice("a")]);
    let held = lease(&*queue);
    assert_eq!((&held.unit, held.delivery), (&practice("a"), 1));
    assert_eq!(try_lease(&*queue, LONG), None);
    assert!(queue.finish(&held).expect("the queue works"));
    is_refused(&*queue, &held);
    assert_eq!(counts(&*queue), Counts::default());
    assert_eq!(list(&*queue), []);
}

fn the_backlog_counts_what_waits(place: &impl Implementation) {
    let queue = place.open();
    let backlog = || queue.backlog().expect("the queue works");
    assert!(
        backlog()
            .iter()
            .all(|own| own.units == 0 && own.since_ms.is_none())
    );
    let start = now_ms();
    let contest = |id| unit(id, Priority::Contest, "team 1");
    enqueue(
        &*queue,
        &[practice("a"), practice("b"), contest("c"), contest("d")],
    );
    let held = lease(&*queue);
    assert_eq!(held.unit.id, "c");
    let delayed = lease(&*queue);
    let late = queue.release(&delayed, "failed", LONG);
    assert!(late.expect("the queue works"));
    let units = |priority: Priority| backlog()[priority as usize].units;
    assert_eq!(
        (units(Priority::Contest), units(Priority::Practice)),
        (1, 2)
    );
    assert_eq!((units(Priority::Jury), units(Priority::Rejudge)), (0, 0));
    let since = backlog()[Priority::Practice as usize].since_ms;
    assert!(since.is_some_and(|since| (start - 1000..=now_ms() + 1000).contains(&since)));
}

fn a_unit_is_enqueued_once(place: &impl Implementation) {
    let queue = place.open();
    let again = || enqueue(&*queue, &[practice("a"), practice("a")]);
    again();
    again();
    assert_eq!(counts(&*queue).waiting, 1);
    let held = lease(&*queue);
    again();
    assert_eq!(try_lease(&*queue, LONG), None);
    queue.park(&held, "no").expect("the queue works");
    again();
    assert_eq!(try_lease(&*queue, LONG), None);
    queue.retry("a").expect("the queue works");
    queue.finish(&lease(&*queue)).expect("the queue works");
    again();
    assert_eq!(lease(&*queue).delivery, 1);
    assert_eq!(try_lease(&*queue, LONG), None);
}

fn an_expired_lease_is_delivered_again_and_its_holder_refused(place: &impl Implementation) {
    let queue = place.open();
    enqueue(&*queue, &[practice("a")]);
    let lost = try_lease(&*queue, SHORT).expect("a unit is ready");
    let held = lease_later(&*queue);
    assert_eq!(held.unit, lost.unit);
    assert_eq!((lost.delivery, held.delivery), (1, 2));
    is_refused(&*queue, &lost);
    assert!(queue.extend(&held, LONG).expect("the queue works"));
    assert!(matches!(only(&*queue).phase, Phase::Leased(_)));
    assert!(queue.finish(&held).expect("the queue works"));
    assert_eq!(counts(&*queue), Counts::default());
}

fn a_heartbeat_keeps_the_lease(place: &impl Implementation) {
    let queue = place.open();
    enqueue(&*queue, &[practice("a")]);
    // On a busy machine the first ones may be over before they are extended.
    for seconds in [1, 4, 16, 64] {
        let first = Duration::from_secs(seconds);
        let Some(held) = try_lease(&*queue, first) else {
            thread::sleep(first);
            continue;
        };
        if !queue.extend(&held, LONG).expect("the queue works") {
            continue;
        }
        thread::sleep(first + SHORT);
        assert_eq!(try_lease(&*queue, LONG), None);
        assert!(queue.finish(&held).expect("the queue works"));
        return;
    }
    panic!("no lease was extended in time");
}

fn a_heartbeat_sets_the_time_from_now(place: &impl Implementation) {
    let queue = place.open();
    enqueue(&*queue, &[practice("a")]);
    let lost = lease(&*queue);
    assert!(queue.extend(&lost, SHORT).expect("the queue works"));
    assert_eq!(lease_later(&*queue).delivery, 2);
    is_refused(&*queue, &lost);
}

fn a_released_unit_waits_and_counts(place: &impl Implementation) {
    let queue = place.open();
    enqueue(&*queue, &[practice("a")]);
    let first = lease(&*queue);
    let released = queue.release(&first, "the disk is full", Duration::ZERO);
    assert!(released.expect("the queue works"));
    is_refused(&*queue, &first);
    assert_eq!(only(&*queue).phase, Phase::Waiting);
    let second = lease(&*queue);
    assert_eq!(second.delivery, 2);
    assert!(
        queue
            .release(&second, "full again", LONG)
            .expect("the queue works")
    );
    assert_eq!(try_lease(&*queue, LONG), None);
    let listed = only(&*queue);
    assert!(matches!(listed.phase, Phase::Delayed(_)), "{listed:?}");
    assert_eq!(listed.reason.as_deref(), Some("full again"));
    assert_eq!(listed.deliveries, 2);
    assert_eq!(counts(&*queue).waiting, 1);

    enqueue(&*queue, &[practice("b")]);
    let other = lease(&*queue);
    assert_eq!(other.unit.id, "b");
    assert!(
        queue
            .release(&other, "soon", SHORT)
            .expect("the queue works")
    );
    assert_eq!(lease_later(&*queue).unit.id, "b");
}

fn a_unit_that_was_given_back_does_not_count(place: &impl Implementation) {
    let queue = place.open();
    enqueue(&*queue, &[practice("a")]);
    for _ in 0..10 {
        let held = lease(&*queue);
        assert_eq!(held.delivery, 1);
        assert!(
            queue
                .give_back(&held, Duration::ZERO)
                .expect("the queue works")
        );
        is_refused(&*queue, &held);
    }
    assert_eq!(only(&*queue).phase, Phase::Waiting);
    // It waits as long as it has to; the next delivery is still the first.
    let held = lease(&*queue);
    assert!(queue.give_back(&held, LONG).expect("the queue works"));
    assert!(matches!(only(&*queue).phase, Phase::Delayed(_)));
    assert!(try_lease(&*queue, LONG).is_none());
    enqueue(&*queue, &[practice("b")]);
    let other = lease(&*queue);
    assert!(queue.give_back(&other, SHORT).expect("the queue works"));
    let again = lease_later(&*queue);
    assert_eq!((again.unit.id.as_str(), again.delivery), ("b", 1));
}

fn a_parked_unit_waits_for_a_retry(place: &impl Implementation) {
    let queue = place.open();
    enqueue(&*queue, &[practice("a"), practice("b")]);
    let first = lease(&*queue);
    queue
        .release(&first, "once", Duration::ZERO)
        .expect("the queue works");
    let held = lease(&*queue);
    assert_eq!((held.unit.id.as_str(), held.delivery), ("a", 2));
    assert!(
        queue
            .park(&held, "the validator crashes")
            .expect("the queue works")
    );
    is_refused(&*queue, &held);
    // It blocks nothing else.
    assert_eq!(drain(&*queue), ["b"]);
    let parked = list(&*queue).pop().expect("it is listed");
    assert_eq!((parked.unit, parked.phase), (practice("a"), Phase::Parked));
    assert_eq!(parked.reason.as_deref(), Some("the validator crashes"));
    assert_eq!(parked.deliveries, 2);
    assert_eq!(counts(&*queue).parked, 1);
    assert!(!queue.retry("b").expect("the queue works"));
    assert!(!queue.retry("c").expect("the queue works"));
    assert!(queue.retry("a").expect("the queue works"));
    assert!(!queue.retry("a").expect("the queue works"));
    assert_eq!(lease(&*queue).delivery, 1);
}

fn a_unit_that_is_not_leased_is_removed(place: &impl Implementation) {
    let queue = place.open();
    enqueue(&*queue, &[practice("a"), practice("b")]);
    let held = lease(&*queue);
    let remove = |id| queue.remove(id).expect("the queue works");
    assert!(!remove("a") && remove("b") && !remove("b"));
    queue.park(&held, "no").expect("the queue works");
    assert!(remove("a"));
    assert_eq!(list(&*queue), []);
}

fn urgent_classes_go_first(place: &impl Implementation) {
    let queue = place.open();
    let mut classes = Priority::ALL.to_vec();
    classes.reverse();
    let units: Vec<Unit> = classes
        .iter()
        .flat_map(|&class| (0..2).map(move |k| unit(&format!("{}-{k}", class.word()), class, "a")))
        .collect();
    enqueue(&*queue, &units);
    let expected: Vec<String> = Priority::ALL
        .iter()
        .flat_map(|class| (0..2).map(|k| format!("{}-{k}", class.word())))
        .collect();
    assert_eq!(drain(&*queue), expected);
}

fn a_hundred_units_of_a_team_do_not_delay_anothers_first(place: &impl Implementation) {
    let queue = place.open();
    let many: Vec<Unit> = (0..100)
        .map(|k| unit(&format!("a{k}"), Priority::Contest, "team 1"))
        .collect();
    enqueue(&*queue, &many);
    for _ in 0..10 {
        let held = lease(&*queue);
        queue.finish(&held).expect("the queue works");
    }
    enqueue(&*queue, &[unit("b", Priority::Contest, "team 2")]);
    // At most one other goes before it, whose turn had come.
    let next: Vec<String> = drain(&*queue).into_iter().take(2).collect();
    assert!(next.contains(&"b".to_owned()), "{next:?}");
}

fn shares_take_turns_and_keep_their_order(place: &impl Implementation) {
    let queue = place.open();
    for (share, count) in [("a", 4), ("b", 2), ("c", 3)] {
        for k in 0..count {
            enqueue(
                &*queue,
                &[unit(&format!("{share}{k}"), Priority::Contest, share)],
            );
        }
    }
    let order = drain(&*queue);
    assert_eq!(
        order,
        ["a0", "b0", "c0", "a1", "b1", "c1", "a2", "c2", "a3"]
    );
}

fn an_idle_share_saves_nothing_up(place: &impl Implementation) {
    let queue = place.open();
    let of = |share: &str, k: usize| unit(&format!("{share}{k}"), Priority::Contest, share);
    for k in 0..20 {
        enqueue(&*queue, &[of("a", k)]);
        queue.finish(&lease(&*queue)).expect("the queue works");
    }
    // `b` was idle all the time: from now on both get the same.
    for k in 0..5 {
        enqueue(&*queue, &[of("b", k), of("a", 20 + k)]);
    }
    let order = drain(&*queue);
    for (k, pair) in order.chunks(2).enumerate() {
        let mut pair = pair.to_vec();
        pair.sort();
        assert_eq!(pair, [format!("a{}", 20 + k), format!("b{k}")], "{order:?}");
    }
}

fn units_are_listed_in_their_order(place: &impl Implementation) {
    let queue = place.open();
    for id in ["parked", "leased"] {
        enqueue(&*queue, &[unit(id, Priority::Contest, "a")]);
    }
    queue.park(&lease(&*queue), "no").expect("the queue works");
    let held = queue.lease("machine/3", LONG).expect("the queue works");
    let held = held.expect("a unit is ready");
    enqueue(
        &*queue,
        &[
            unit("later", Priority::Rejudge, "a"),
            unit("soon", Priority::Jury, "a"),
        ],
    );
    let seen: Vec<(String, Phase)> = list(&*queue)
        .into_iter()
        .map(|listed| (listed.unit.id, listed.phase))
        .collect();
    let expected = [
        ("leased", Phase::Leased("machine/3".to_owned())),
        ("soon", Phase::Waiting),
        ("later", Phase::Waiting),
        ("parked", Phase::Parked),
    ];
    assert_eq!(seen, expected.map(|(id, phase)| (id.to_owned(), phase)));
    let (waiting, leased, parked) = (2, 1, 1);
    assert_eq!(
        counts(&*queue),
        Counts {
            waiting,
            leased,
            parked
        }
    );
    assert_eq!(queue.list(2).expect("the queue works").len(), 2);
    assert!(queue.finish(&held).expect("the queue works"));
}

/// A worker that looks between the two must not sleep over the arrival.
fn an_arrival_before_the_wait_ends_it(place: &impl Implementation) {
    let queue = place.open();
    assert_eq!(try_lease(&*queue, LONG), None);
    enqueue(&*queue, &[practice("a")]);
    queue.wait(LONG);
    lease(&*queue);
}

/// Another thread waits several times; `act` ends each wait.
fn waits_end(place: &impl Implementation, act: impl Fn(&dyn Queue, usize)) {
    const WAITS: usize = 20;
    let queue = place.open();
    let (done, is_done) = mpsc::channel();
    let waiting = queue.clone();
    let waiter = thread::spawn(move || {
        for _ in 0..WAITS {
            waiting.wait(LONG);
            done.send(()).expect("the test listens");
        }
    });
    for k in 0..WAITS {
        // The act may come before the wait: it is repeated.
        while is_done.try_recv().is_err() {
            act(&*queue, k);
            thread::sleep(Duration::from_millis(1));
        }
    }
    waiter.join().expect("it ends");
}

fn arrivals_end_waits(place: &impl Implementation) {
    waits_end(place, |queue, k| {
        enqueue(queue, &[practice(&format!("unit {k}"))]);
    });
}

fn waking_ends_waits(place: &impl Implementation) {
    waits_end(place, |queue, _| queue.wake());
}

fn the_content_survives_a_restart(place: &impl Implementation) {
    let queue = place.open();
    for id in ["parked", "a", "b"] {
        enqueue(&*queue, &[practice(id)]);
    }
    queue.park(&lease(&*queue), "why").expect("the queue works");
    drop(queue);
    let queue = place.open();
    let parked = list(&*queue).pop().expect("it is listed");
    assert_eq!(
        (parked.phase, parked.reason.as_deref()),
        (Phase::Parked, Some("why"))
    );
    enqueue(&*queue, &[practice("a")]);
    assert_eq!(drain(&*queue), ["a", "b"]);
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

/// Works until the queue is empty; counts how often each unit was finished.
fn work_with_failures(queue: &dyn Queue, seed: u64, finished: &HashMap<String, AtomicUsize>) {
    let mut dice = Dice(seed);
    let mut late = Vec::new();
    while counts(queue) != Counts::default() {
        let dies = dice.roll(20) == 0;
        let Some(lease) = try_lease(queue, if dies { SHORT } else { LONG }) else {
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
                .and_then(|held| Ok(held && queue.retry(&lease.unit.id)?)),
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

fn every_unit_is_finished_once_by_eight_workers(place: &impl Implementation) {
    let queue = place.open();
    let units: Vec<Unit> = (0..2000_usize)
        .map(|k| {
            let class = Priority::ALL[k % Priority::ALL.len()];
            unit(&format!("unit {k}"), class, &format!("team {}", k % 7))
        })
        .collect();
    let finished = units
        .iter()
        .map(|unit| (unit.id.clone(), AtomicUsize::new(0)));
    let finished: HashMap<String, AtomicUsize> = finished.collect();
    enqueue(&*queue, &units);
    thread::scope(|scope| {
        for seed in 1..=8 {
            let (queue, finished) = (&*queue, &finished);
            scope.spawn(move || work_with_failures(queue, seed * 0x9E37_79B9, finished));
        }
    });
    let wrong: Vec<_> = finished
        .iter()
        .filter(|(_, count)| count.load(Ordering::SeqCst) != 1)
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(list(&*queue), []);
}

/// Only one process has the embedded queue: all leases it finds belong to one that is gone.
#[test]
fn leases_of_a_dead_process_return_at_its_restart() {
    let place = Embedded::new().expect("a directory");
    let queue = place.open();
    enqueue(&*queue, &[practice("a")]);
    let lost = lease(&*queue);
    drop(queue);
    let queue = place.open();
    is_refused(&*queue, &lost);
    let listed = only(&*queue);
    assert_eq!((listed.phase, listed.deliveries), (Phase::Waiting, 1));
    assert!(
        listed
            .reason
            .is_some_and(|reason| reason.contains("worker"))
    );
    assert_eq!(lease(&*queue).delivery, 2);
}
