//! The queue: a table of the store.
//!
//! Fair shares are a virtual time. The rank of a unit is one more than that of the last unit of its share, but
//! at least the rank that was leased last. So the first unit of an idle share is leased next, regardless of
//! how many units of other shares wait.
//!
//! No query reads more rows than it returns, except leased ones: triggers count the units (`schema_8.sql`), and the
//! next unit for a class of machines is found by an index.

mod rows;

pub(super) use rows::discard;

use super::query::Queries;
use super::{Error, Result, Store, now_ms};
use crate::queue::{
    self, Backlog, Counts, Eligible, Lease, Leases, Listed, Position, Priority, QueueError,
    Settlement, Unit,
};
use judge_core::parallel::unpoisoned;
use rows::{Held, after, class, end_leases, enqueue, lease, milliseconds, select};
use rusqlite::{ToSql, params};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Kills of the server after which a unit that was judged meanwhile waits.
const FREE_KILLS: i64 = 2;
/// The first wait; each further kill doubles it.
const KILL_WAIT_MS: i64 = 10_000;
/// The longest wait.
const MAX_KILL_WAIT_MS: i64 = 600_000;

/// Milliseconds between two looks for leases that are over.
const EXPIRY_MS: i64 = 20;

/// A difference of the clocks that is a change of the machine's clock, in milliseconds.
const CLOCK_SET_MS: i64 = 1000;

/// The queue in the store of this process.
pub struct SqliteQueue {
    store: Arc<Store>,
    /// Counts arrivals and wake-ups.
    arrivals: Mutex<u64>,
    arrived: Condvar,
    /// Units could not be added since [`SqliteQueue::take_incomplete`].
    is_incomplete: AtomicBool,
    /// When leases that are over were looked for: milliseconds since 1970.
    looked_ms: AtomicI64,
    /// A moment on the monotonic clock, and on the machine's clock in milliseconds since 1970.
    clock: Mutex<(Instant, i64)>,
    /// Begins the tokens of leases of this process; no other process uses it.
    process: u64,
    tokens: AtomicU64,
}

/// A worker that asks for a unit.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'c> {
    pub worker: &'c str,
    /// The token of the lease, which no other lease has.
    pub token: &'c str,
    /// The answer to the same claim may have been lost: it gets the same unit.
    pub is_repeated: bool,
    /// How long the unit is leased.
    pub duration: Duration,
    /// The units that it may lease.
    pub units: Eligible<'c>,
}

impl SqliteQueue {
    /// Opens the queue for workers of this process. All leases are of an earlier process, which was killed, so their units wait
    /// again: at once after the first kills, then for longer each time, because a unit may be the cause. Kills do not add up to
    /// the failures after which a unit is parked. On a full disk the leases expire instead.
    /// Fails when the database fails for another reason.
    pub fn open(store: Arc<Store>) -> Result<Self> {
        let freed = store.write(|tx| {
            tx.run(
                "UPDATE queue SET state = 'waiting', lease = NULL, worker = NULL, since_ms = ?1,
                 until_ms = CASE WHEN kills < ?2 THEN 0
                     ELSE ?1 + MIN(?3 << MIN(kills - ?2, 20), ?4) END,
                 kills = kills + 1, deliveries = MIN(deliveries, 1),
                 reason = 'the server stopped while ' || worker || ' had it'
                 WHERE state = 'leased'",
                [now_ms(), FREE_KILLS, KILL_WAIT_MS, MAX_KILL_WAIT_MS],
            )?;
            Ok(())
        });
        match freed {
            Err(error) if error.is_disk_full() => tracing::error!("{error}"),
            freed => freed?,
        }
        Self::new(store)
    }

    /// Opens the queue for workers of other machines. They may have gone on while the server was down, so their leases
    /// begin again; on a full disk the old ones stay.
    pub fn resume(store: Arc<Store>) -> Result<Self> {
        let queue = Self::new(store)?;
        match queue.renew_leases() {
            Err(error) if error.is_disk_full() => tracing::error!("{error}"),
            renewed => renewed?,
        }
        Ok(queue)
    }

    /// No unit waits for longer than the longest wait: the clock may have been ahead.
    fn new(store: Arc<Store>) -> Result<Self> {
        let random = getrandom::u64().map_err(|e| Error::Conflict(e.to_string()))?;
        let latest = now_ms() + MAX_KILL_WAIT_MS;
        let shortened = store.write(|tx| {
            let sql = "UPDATE queue SET until_ms = ?1 WHERE until_ms > ?1";
            tx.run(sql, [latest]).map(drop)
        });
        match shortened {
            Err(error) if error.is_disk_full() => tracing::error!("{error}"),
            shortened => shortened?,
        }
        Ok(SqliteQueue {
            store,
            arrivals: Mutex::default(),
            arrived: Condvar::new(),
            is_incomplete: AtomicBool::new(false),
            looked_ms: AtomicI64::new(0),
            clock: Mutex::new((Instant::now(), now_ms())),
            process: random,
            tokens: AtomicU64::new(0),
        })
    }

    /// Lets all leases begin again: their workers could not extend them.
    pub(crate) fn renew_leases(&self) -> Result<()> {
        self.store.write_soon(|tx| {
            tx.run(
                "UPDATE queue SET until_ms = MAX(until_ms, ?1 + lease_ms) WHERE state = 'leased'",
                [now_ms()],
            )?;
            Ok(())
        })
    }

    /// The time in milliseconds since 1970. If the machine's clock was set, the ends of leases and waits are moved with it.
    fn now(&self) -> Result<i64> {
        let mut clock = unpoisoned(self.clock.lock());
        let (before, before_ms) = *clock;
        let now = now_ms();
        let shift = now - before_ms - milliseconds(before.elapsed());
        if shift.abs() >= CLOCK_SET_MS {
            self.store.write_soon(|tx| {
                let sql = "UPDATE queue SET until_ms = until_ms + ?1 WHERE until_ms > 0";
                tx.run(sql, [shift])
            })?;
            *clock = (Instant::now(), now);
            tracing::warn!("the clock of this machine was set by {shift} ms");
        }
        Ok(now)
    }

    /// Takes the next unit for a worker, as [`Leases::lease`] does.
    pub fn claim(&self, claim: &Claim<'_>) -> Result<Option<Lease>> {
        if claim.is_repeated
            && let Some(lease) = self.leased(claim.token)?
        {
            return Ok(Some(lease));
        }
        // Avoids a write transaction while there is no unit for it.
        if self.ready(&claim.units, 1)?.is_empty() {
            return Ok(None);
        }
        self.store.write_soon(|tx| lease(tx, claim))
    }

    /// The lease with this token, if it is not over.
    pub(crate) fn leased(&self, token: &str) -> Result<Option<Lease>> {
        let found: Option<Held> = self.store.optional(
            "SELECT * FROM queue WHERE state = 'leased' AND lease = ?1 AND until_ms > ?2",
            params![token, self.now()?],
        )?;
        Ok(found.map(|held| Lease {
            unit: held.unit,
            token: token.to_owned(),
            delivery: held.deliveries,
        }))
    }

    /// The classes of the first `most` units that may be leased now, in their order.
    pub fn ready(&self, units: &Eligible<'_>, most: usize) -> Result<Vec<Priority>> {
        self.end_expired()?;
        let numbers = self.store.read(|connection| {
            select(units, most, "priority", |sql, values| {
                connection.all::<i64>(sql, values)
            })
        })?;
        Ok(numbers.into_iter().map(class).collect())
    }

    /// Lets units wait again whose lease is over. Looks at most every [`EXPIRY_MS`].
    fn end_expired(&self) -> Result<()> {
        let now = self.now()?;
        let last = self.looked_ms.load(Ordering::Relaxed);
        if (last..last + EXPIRY_MS).contains(&now) {
            return Ok(());
        }
        self.looked_ms.store(now, Ordering::Relaxed);
        let is_any = self.store.any(
            "SELECT 1 FROM queue WHERE state = 'leased' AND until_ms <= ?1 LIMIT 1",
            [now],
        )?;
        if is_any {
            let reason = "worker || ' was not heard of any more'";
            self.store.write_soon(|tx| end_leases(tx, reason, now))?;
        }
        Ok(())
    }

    /// Removes a unit whose work is done, also from the worker that has it.
    pub(crate) fn discard(&self, id: &str) -> Result<()> {
        self.store.write_soon(|tx| discard(tx, id))
    }

    /// Waits until units arrived after the arrivals numbered `seen`, or the time is over; returns the number of
    /// arrivals.
    pub(crate) fn wait_arrival(&self, seen: u64, most: Duration) -> u64 {
        let is_seen = |now: &mut u64| *now == seen;
        let waited = self
            .arrived
            .wait_timeout_while(self.arrivals(), most, is_seen);
        *unpoisoned(waited).0
    }

    /// Whether units could not be added since the last call.
    pub(crate) fn take_incomplete(&self) -> bool {
        self.is_incomplete.swap(false, Ordering::SeqCst)
    }

    /// Extends the lease of a unit with this token, as [`Leases::extend`] does.
    pub(crate) fn extend_held(&self, id: &str, token: &str, duration: Duration) -> Result<bool> {
        let sql = "UPDATE queue SET until_ms = ?4, lease_ms = ?5";
        self.update(id, token, sql, &[&after(duration), &milliseconds(duration)])
    }

    /// Ends the lease of a unit with this token, as [`Leases::settle`] does.
    pub(crate) fn settle_held(
        &self,
        id: &str,
        token: &str,
        settlement: &Settlement,
    ) -> Result<bool> {
        let (state, until_ms, reason) = match settlement {
            Settlement::Finished => return self.update(id, token, "DELETE FROM queue", &[]),
            Settlement::GivenBack(wait) => ("waiting", after(wait.time), None),
            Settlement::Released(reason, wait) => ("waiting", after(wait.time), Some(reason)),
            Settlement::Parked(reason) => ("parked", 0, Some(reason)),
        };
        let counts = !matches!(settlement, Settlement::GivenBack(_));
        let held = self.update(
            id,
            token,
            "UPDATE queue SET state = ?4, lease = NULL, worker = NULL, until_ms = ?5,
             reason = COALESCE(?6, reason), deliveries = deliveries - ?7, since_ms = ?3",
            &[&state, &until_ms, &reason, &i64::from(!counts)],
        )?;
        self.arrive();
        Ok(held)
    }

    /// Changes a unit that has this lease; returns whether the lease is held. If a power failure undoes it, the unit is
    /// delivered again.
    fn update(&self, id: &str, token: &str, sql: &str, values: &[&dyn ToSql]) -> Result<bool> {
        let sql =
            format!("{sql} WHERE id = ?1 AND lease = ?2 AND state = 'leased' AND until_ms > ?3");
        let now = self.now()?;
        let changed = self.store.write_soon(|tx| {
            let own: [&dyn ToSql; 3] = [&id, &token, &now];
            let all: Vec<_> = own.iter().chain(values).copied().collect();
            tx.run(&sql, all.as_slice())
        })?;
        Ok(changed == 1)
    }

    fn arrivals(&self) -> MutexGuard<'_, u64> {
        unpoisoned(self.arrivals.lock())
    }

    /// Wakes the waiting workers: a unit arrived.
    fn arrive(&self) {
        *self.arrivals() += 1;
        self.arrived.notify_all();
    }
}

impl From<Error> for QueueError {
    fn from(error: Error) -> Self {
        QueueError(error.into())
    }
}

/// The queue as the coordinator of the work sees it; [`Leases`] is how workers see it.
impl SqliteQueue {
    /// Adds units; those whose id the queue has are ignored.
    pub fn enqueue(&self, units: &[Unit]) -> queue::Result<()> {
        let added = self
            .store
            .write(|tx| units.iter().try_for_each(|unit| enqueue(tx, unit)));
        if added.is_err() {
            self.is_incomplete.store(true, Ordering::SeqCst);
        }
        added?;
        self.arrive();
        Ok(())
    }

    /// Lets a parked unit wait again, as if it had never been delivered; returns whether it was parked.
    pub fn retry(&self, id: &str) -> queue::Result<bool> {
        let changed = self.store.write(|tx| {
            tx.run(
                "UPDATE queue SET state = 'waiting', deliveries = 0, kills = 0, until_ms = 0,
                 since_ms = ?2 WHERE id = ?1 AND state = 'parked'",
                params![id, now_ms()],
            )
        })?;
        self.arrive();
        Ok(changed == 1)
    }

    /// Removes a unit that is not leased; returns whether there was one.
    pub fn remove(&self, id: &str) -> queue::Result<bool> {
        let removed = self.store.write(|tx| {
            tx.run(
                "DELETE FROM queue WHERE id = ?1 AND state <> 'leased'",
                [id],
            )
        })?;
        Ok(removed == 1)
    }

    /// Leased units, then at most `waiting` waiting ones in their order, then parked ones.
    pub fn list(&self, waiting: usize) -> queue::Result<Vec<Listed>> {
        let of = |state: &str, count: usize| {
            let order = "ORDER BY priority, rank, seq LIMIT ?1";
            let sql = format!("SELECT * FROM queue WHERE state = '{state}' {order}");
            self.store.all(&sql, [count])
        };
        let all = usize::MAX >> 1;
        let mut units: Vec<Listed> = of("leased", all)?;
        units.extend(of("waiting", waiting)?);
        units.extend(of("parked", all)?);
        Ok(units)
    }

    /// A unit with its place; `None`: there is no such unit. Counts the units before it in an index.
    pub fn position(&self, id: &str) -> queue::Result<Option<Position>> {
        let found = self.store.read(|connection| {
            let listed: Option<Listed> =
                connection.optional("SELECT * FROM queue WHERE id = ?1", [id])?;
            let Some(listed) = listed else {
                return Ok(None);
            };
            let before = connection.one(
                "SELECT COUNT(*) FROM queue before, queue own WHERE own.id = ?1 AND before.state = 'waiting'
                 AND (before.priority, before.rank, before.seq) < (own.priority, own.rank, own.seq)",
                [id],
            )?;
            let leased = connection.one(
                "SELECT COALESCE(SUM(units), 0) FROM queue_counts WHERE state = 'leased'",
                [],
            )?;
            Ok(Some(Position {
                listed,
                before,
                leased,
            }))
        });
        Ok(found?)
    }

    /// Numbers of units. The cost does not depend on the length of the queue.
    pub fn counts(&self) -> queue::Result<Counts> {
        let sql = "SELECT state, SUM(units) FROM queue_counts GROUP BY state";
        let rows: Vec<(String, usize)> = self.store.all(sql, [])?;
        let mut counts = Counts::default();
        for (state, units) in rows {
            match state.as_str() {
                "leased" => counts.leased += units,
                "parked" => counts.parked += units,
                _ => counts.waiting += units,
            }
        }
        Ok(counts)
    }

    /// Units that wait or are delayed, for each class of [`Priority::ALL`]. The cost does not depend on the length of
    /// the queue.
    pub fn backlog(&self) -> queue::Result<Vec<Backlog>> {
        let rows: Vec<(usize, Option<i64>)> = self.store.all(
            "SELECT units, (SELECT MIN(since_ms) FROM queue own
                WHERE own.state = 'waiting' AND own.priority = queue_counts.priority)
             FROM queue_counts WHERE state = 'waiting' ORDER BY priority",
            [],
        )?;
        let backlog = |(units, since_ms)| Backlog { units, since_ms };
        Ok(rows.into_iter().map(backlog).collect())
    }
}

impl Leases for SqliteQueue {
    fn lease(&self, worker: &str, duration: Duration) -> queue::Result<Option<Lease>> {
        let number = self.tokens.fetch_add(1, Ordering::Relaxed);
        Ok(self.claim(&Claim {
            worker,
            token: &format!("{:016x}-{number}", self.process),
            is_repeated: false,
            duration,
            units: Eligible::default(),
        })?)
    }

    fn extend(&self, lease: &Lease, duration: Duration) -> queue::Result<bool> {
        Ok(self.extend_held(&lease.unit.id, &lease.token, duration)?)
    }

    fn settle(&self, lease: &Lease, settlement: &Settlement) -> queue::Result<bool> {
        Ok(self.settle_held(&lease.unit.id, &lease.token, settlement)?)
    }

    fn wait(&self, most: Duration) {
        let before = *self.arrivals();
        // A unit that arrived since the caller looked is found here; one that arrives from now on
        // is counted.
        let ready = self.ready(&Eligible::default(), 1);
        if ready.is_ok_and(|ready| !ready.is_empty()) {
            return;
        }
        self.wait_arrival(before, most);
    }

    fn wake(&self) {
        self.arrive();
    }
}
