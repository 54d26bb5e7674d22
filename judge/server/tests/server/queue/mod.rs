//! Conformance tests for the queue, as workers of its process and as those of other machines reach it. Another way
//! implements [`Implementation`] and gets the same tests by a line of `conformance!`.

mod leases;
mod order;
mod restart;
mod waits;

use crate::common::{NatsServer, Served, open_store};
use judge_server::nats::Remote;
use judge_server::queue::{
    Counts, Eligible, Lease, Leases, Listed, Priority, QueueError, Settlement, Unit,
};
use judge_server::store::SqliteQueue;
use std::ops::Deref;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

type Result<T> = std::result::Result<T, QueueError>;

/// A queue, and a worker that leases from it.
#[derive(Clone)]
pub struct Both {
    queue: Arc<SqliteQueue>,
    worker: Arc<dyn Leases>,
}

impl Both {
    /// The worker is one of the queue's own process.
    fn of(queue: SqliteQueue) -> Self {
        let queue = Arc::new(queue);
        let worker = queue.clone();
        Both { queue, worker }
    }
}

impl Deref for Both {
    type Target = dyn Leases;

    fn deref(&self) -> &Self::Target {
        self.worker.as_ref()
    }
}

/// A queue whose state is in a place of its own.
trait Implementation: Sized {
    /// An empty place; `None` where this machine has none.
    fn new() -> Option<Self>;

    /// Opens the queue in it: once, or again after the first one was dropped.
    fn open(&self) -> Both;
}

/// The table in the server's store.
struct Embedded(TempDir);

impl Implementation for Embedded {
    fn new() -> Option<Self> {
        Some(Embedded(tempfile::tempdir().expect("a directory")))
    }

    fn open(&self) -> Both {
        let queue = SqliteQueue::open(open_store(self.0.path()));
        Both::of(queue.expect("it opens"))
    }
}

/// The same table, and a worker that reaches it through NATS.
struct Nats(NatsServer, TempDir);

impl Implementation for Nats {
    fn new() -> Option<Self> {
        let nats = NatsServer::start()?;
        Some(Nats(nats, tempfile::tempdir().expect("a directory")))
    }

    fn open(&self) -> Both {
        let served = Served::new(self.1.path(), &self.0.url(), "server");
        let worker = served.worker(&self.0.url(), "machine");
        Both {
            queue: served.queue.clone(),
            worker: Arc::new(Remotely { served, worker }),
        }
    }
}

/// A worker that is connected to a server.
struct Remotely {
    served: Served,
    worker: Remote,
}

impl Leases for Remotely {
    /// A worker learns of units a moment after they arrive: this one waits as long as there are some.
    fn lease(&self, worker: &str, duration: Duration) -> Result<Option<Lease>> {
        loop {
            let lease = self.worker.lease(worker, duration)?;
            let ready = self.served.queue.ready(&Eligible::default(), 1);
            if lease.is_some() || ready.expect("the store works").is_empty() {
                return Ok(lease);
            }
            self.worker.wait(SHORT);
        }
    }

    fn extend(&self, lease: &Lease, duration: Duration) -> Result<bool> {
        self.worker.extend(lease, duration)
    }

    fn settle(&self, lease: &Lease, settlement: &Settlement) -> Result<bool> {
        self.worker.settle(lease, settlement)
    }

    fn wait(&self, most: Duration) {
        self.worker.wait(most);
    }

    fn wake(&self) {
        self.worker.wake();
    }
}

macro_rules! conformance {
    ($name:ident: $implementation:ty) => {
        conformance!($name: $implementation:
            leases::a_unit_is_leased_once_and_gone_when_finished
            leases::a_unit_is_enqueued_once
            order::the_backlog_counts_what_waits
            leases::an_expired_lease_is_delivered_again_and_its_holder_refused
            leases::a_heartbeat_keeps_the_lease
            leases::a_heartbeat_sets_the_time_from_now
            leases::a_released_unit_waits_and_counts
            leases::a_unit_that_was_given_back_does_not_count
            leases::a_parked_unit_waits_for_a_retry
            leases::a_unit_that_is_not_leased_is_removed
            order::urgent_classes_go_first
            order::a_hundred_units_of_a_team_do_not_delay_anothers_first
            order::shares_take_turns_and_keep_their_order
            order::an_idle_share_saves_nothing_up
            order::units_are_listed_in_their_order
            waits::an_arrival_before_the_wait_ends_it
            waits::arrivals_end_waits
            waits::waking_ends_waits
            restart::the_content_survives_a_restart
            restart::every_unit_is_finished_once_by_eight_workers
        );
    };
    ($name:ident: $implementation:ty: $($group:ident :: $test:ident)*) => {
        mod $name {
            $(
                #[test]
                fn $test() {
                    if let Some(place) = <$implementation as super::Implementation>::new() {
                        super::$group::$test(&place);
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
        machine_class: None,
    }
}

fn practice(id: &str) -> Unit {
    unit(id, Priority::Practice, "user 1")
}

fn enqueue(queue: &Both, units: &[Unit]) {
    queue.queue.enqueue(units).expect("the queue works");
}

fn try_lease(queue: &Both, duration: Duration) -> Option<Lease> {
    queue.lease("worker", duration).expect("the queue works")
}

fn lease(queue: &Both) -> Lease {
    try_lease(queue, LONG).expect("a unit is ready")
}

/// Waits until a unit is ready, because a lease expired or a delay is over.
fn lease_later(queue: &Both) -> Lease {
    loop {
        match try_lease(queue, LONG) {
            Some(lease) => return lease,
            None => thread::sleep(SHORT),
        }
    }
}

/// The ids in the order in which they are leased, until nothing is ready.
fn drain(queue: &Both) -> Vec<String> {
    let leased = std::iter::from_fn(|| try_lease(queue, LONG));
    leased.map(|lease| lease.unit.id).collect()
}

fn counts(queue: &Both) -> Counts {
    queue.queue.counts().expect("the queue works")
}

pub fn list(queue: &Both) -> Vec<Listed> {
    queue.queue.list(1000).expect("the queue works")
}

fn only(queue: &Both) -> Listed {
    let mut all = list(queue);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

/// All that a holder can do with a lease that it lost.
fn is_refused(queue: &Both, lease: &Lease) {
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
