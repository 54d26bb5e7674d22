//! The queue of a server without NATS: a table of the store.
//!
//! Fair shares are a virtual time. The rank of a unit is one more than that of the last unit of its share, but
//! at least the rank that was leased last. So the first unit of an idle share is leased next, regardless of
//! how many units of other shares wait.

use super::query::{Queries, from_row, record};
use super::{Error, Result, Store, Tx, now_ms};
use crate::queue::{
    self, Backlog, Counts, Lease, Leases, Listed, Phase, Priority, Queue, QueueError, Unit,
};
use judge::parallel::unpoisoned;
use rusqlite::{Row, params};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// Kills of the server after which a unit that was judged meanwhile waits.
const FREE_KILLS: i64 = 2;
/// The first wait; each further kill doubles it.
const KILL_WAIT_MS: i64 = 10_000;
/// The longest wait.
const MAX_KILL_WAIT_MS: i64 = 600_000;

/// The queue in the store of this process. All of its workers are in this process.
pub struct SqliteQueue {
    store: Arc<Store>,
    /// Counts arrivals and wake-ups.
    arrivals: Mutex<u64>,
    arrived: Condvar,
}

impl SqliteQueue {
    /// Opens the queue. All leases are of an earlier process, which was killed, so their units wait again: at once after the
    /// first kills, then for longer each time, because a unit may be the cause. Kills do not add up to the failures after which a
    /// unit is parked. On a full disk the leases expire instead.
    ///
    /// # Errors
    ///
    /// When the database fails for another reason.
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
        Ok(SqliteQueue {
            store,
            arrivals: Mutex::default(),
            arrived: Condvar::new(),
        })
    }

    /// Runs an update of the unit with this lease; returns whether the lease is held. If a power failure
    /// undoes it, the unit is delivered again.
    fn update(
        &self,
        lease: &Lease,
        sql: &str,
        values: &[&dyn rusqlite::ToSql],
    ) -> queue::Result<bool> {
        let token: i64 = lease.token.parse().unwrap_or(-1);
        let sql =
            format!("{sql} WHERE id = ?1 AND lease = ?2 AND state = 'leased' AND until_ms > ?3");
        let now = now_ms();
        let changed = self.store.write_soon(|tx| {
            let own: [&dyn rusqlite::ToSql; 3] = [&lease.unit.id, &token, &now];
            let all: Vec<_> = own.iter().chain(values).copied().collect();
            tx.run(&sql, all.as_slice())
        })?;
        Ok(changed == 1)
    }

    /// Whether a worker would get a unit now.
    fn is_ready(&self) -> Result<bool> {
        self.store.any(
            &format!("SELECT 1 FROM queue WHERE {READY} LIMIT 1"),
            [now_ms()],
        )
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
        QueueError(error.to_string())
    }
}

from_row! { |row|
    Unit {
        id, share, payload,;
        priority: priority(row)?,
        machine_class: None,
    }
}

fn priority(row: &Row<'_>) -> rusqlite::Result<Priority> {
    let number: usize = row.get("priority")?;
    Ok(*Priority::ALL.get(number).unwrap_or(&Priority::Rejudge))
}

record! { |row|
    /// A waiting unit, with its rank and its number of deliveries.
    struct Waiting {
        unit: Unit = Unit::from_row(row)?,
        rank: i64,
        deliveries: u32,
    }
}

from_row! { |row|
    Listed {
        deliveries, reason, since_ms,;
        unit: Unit::from_row(row)?,
        phase: phase(row)?,
    }
}

fn phase(row: &Row<'_>) -> rusqlite::Result<Phase> {
    let (state, until_ms): (String, i64) = (row.get("state")?, row.get("until_ms")?);
    Ok(match state.as_str() {
        "leased" => Phase::Leased(row.get("worker")?),
        "parked" => Phase::Parked,
        _ if until_ms > now_ms() => Phase::Delayed(until_ms),
        _ => Phase::Waiting,
    })
}

fn counter(tx: &Tx<'_>, name: &str) -> Result<i64> {
    let found = tx.optional("SELECT value FROM queue_counters WHERE name = ?1", [name])?;
    Ok(found.unwrap_or(0))
}

fn set_counter(tx: &Tx<'_>, name: &str, value: i64) -> Result<()> {
    tx.run(
        "INSERT INTO queue_counters (name, value) VALUES (?1, ?2)
         ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        params![name, value],
    )?;
    Ok(())
}

fn enqueue(tx: &Tx<'_>, unit: &Unit) -> Result<()> {
    let class = unit.priority as i64;
    let seq = counter(tx, "seq")? + 1;
    let last: Option<i64> = tx.optional(
        "SELECT rank FROM queue_shares WHERE priority = ?1 AND share = ?2",
        params![class, unit.share],
    )?;
    let rank = counter(tx, &format!("rank{class}"))?.max(last.map_or(0, |last| last + 1));
    let added = tx.run(
        "INSERT OR IGNORE INTO queue (id, seq, priority, share, rank, payload, since_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            unit.id,
            seq,
            class,
            unit.share,
            rank,
            unit.payload,
            now_ms()
        ],
    )?;
    if added == 0 {
        return Ok(());
    }
    set_counter(tx, "seq", seq)?;
    tx.run(
        "INSERT INTO queue_shares (priority, share, rank) VALUES (?1, ?2, ?3)
         ON CONFLICT (priority, share) DO UPDATE SET rank = excluded.rank",
        params![class, unit.share, rank],
    )?;
    Ok(())
}

/// Units that a worker may take at this time, expired leases included.
const READY: &str = "(state = 'waiting' OR state = 'leased') AND until_ms <= ?1";

fn lease(tx: &Tx<'_>, worker: &str, until_ms: i64) -> Result<Option<Lease>> {
    let now = now_ms();
    tx.run(
        "UPDATE queue SET state = 'waiting', lease = NULL, worker = NULL, until_ms = 0,
         since_ms = ?1, reason = worker || ' was not heard of any more'
         WHERE state = 'leased' AND until_ms <= ?1",
        [now],
    )?;
    let found = tx.optional(
        "SELECT id, priority, share, payload, rank, deliveries FROM queue
         WHERE state = 'waiting' AND until_ms <= ?1 ORDER BY priority, rank, seq LIMIT 1",
        [now],
    )?;
    let Some(Waiting {
        unit,
        rank,
        deliveries,
    }) = found
    else {
        return Ok(None);
    };
    let token = counter(tx, "lease")? + 1;
    set_counter(tx, "lease", token)?;
    let of_class = format!("rank{}", unit.priority as i64);
    // A released unit keeps its rank, which may be lower: virtual time must not go back.
    let passed = counter(tx, &of_class)?.max(rank);
    set_counter(tx, &of_class, passed)?;
    tx.run(
        "UPDATE queue SET state = 'leased', lease = ?2, worker = ?3, until_ms = ?4, since_ms = ?5,
         deliveries = deliveries + 1 WHERE id = ?1",
        params![unit.id, token, worker, until_ms, now],
    )?;
    Ok(Some(Lease {
        unit,
        token: token.to_string(),
        delivery: deliveries + 1,
    }))
}

fn after(duration: Duration) -> i64 {
    now_ms().saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX))
}

impl Queue for SqliteQueue {
    fn enqueue(&self, units: &[Unit]) -> queue::Result<()> {
        self.store
            .write(|tx| units.iter().try_for_each(|unit| enqueue(tx, unit)))?;
        self.arrive();
        Ok(())
    }

    fn retry(&self, id: &str) -> queue::Result<bool> {
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

    fn remove(&self, id: &str) -> queue::Result<bool> {
        let removed = self.store.write(|tx| {
            tx.run(
                "DELETE FROM queue WHERE id = ?1 AND state <> 'leased'",
                [id],
            )
        })?;
        Ok(removed == 1)
    }

    fn list(&self, count: usize) -> queue::Result<Vec<Listed>> {
        Ok(self.store.all(
            "SELECT * FROM queue ORDER BY CASE state WHEN 'leased' THEN 0 WHEN 'waiting' THEN 1
             ELSE 2 END, priority, rank, seq LIMIT ?1",
            [count],
        )?)
    }

    fn counts(&self) -> queue::Result<Counts> {
        let sql = "SELECT state, units FROM queue_counts";
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

    fn backlog(&self) -> queue::Result<Vec<Backlog>> {
        let rows: Vec<(usize, usize, Option<i64>)> = self.store.all(
            "SELECT priority, units, (SELECT MIN(since_ms) FROM queue
                 WHERE queue.priority = queue_counts.priority AND queue.state = 'waiting')
             FROM queue_counts WHERE state = 'waiting'",
            [],
        )?;
        let mut backlog = vec![Backlog::default(); Priority::ALL.len()];
        for (priority, units, since_ms) in rows {
            if let Some(own) = backlog.get_mut(priority) {
                *own = Backlog { units, since_ms };
            }
        }
        Ok(backlog)
    }
}

impl Leases for SqliteQueue {
    fn lease(&self, worker: &str, duration: Duration) -> queue::Result<Option<Lease>> {
        // Avoids a write transaction while the queue is empty.
        if !self.is_ready()? {
            return Ok(None);
        }
        Ok(self
            .store
            .write_soon(|tx| lease(tx, worker, after(duration)))?)
    }

    fn extend(&self, lease: &Lease, duration: Duration) -> queue::Result<bool> {
        self.update(lease, "UPDATE queue SET until_ms = ?4", &[&after(duration)])
    }

    fn finish(&self, lease: &Lease) -> queue::Result<bool> {
        self.update(lease, "DELETE FROM queue", &[])
    }

    fn give_back(&self, lease: &Lease, wait: Duration) -> queue::Result<bool> {
        let held = self.update(
            lease,
            "UPDATE queue SET state = 'waiting', lease = NULL, worker = NULL, until_ms = ?4,
             since_ms = ?3, deliveries = deliveries - 1",
            &[&after(wait)],
        )?;
        self.arrive();
        Ok(held)
    }

    fn release(&self, lease: &Lease, reason: &str, wait: Duration) -> queue::Result<bool> {
        let held = self.update(
            lease,
            "UPDATE queue SET state = 'waiting', lease = NULL, worker = NULL, until_ms = ?4,
             since_ms = ?3, reason = ?5",
            &[&after(wait), &reason],
        )?;
        self.arrive();
        Ok(held)
    }

    fn park(&self, lease: &Lease, reason: &str) -> queue::Result<bool> {
        self.update(
            lease,
            "UPDATE queue SET state = 'parked', lease = NULL, worker = NULL, until_ms = 0,
             since_ms = ?3, reason = ?4",
            &[&reason],
        )
    }

    fn wait(&self, most: Duration) {
        let before = *self.arrivals();
        // A unit that arrived since the caller looked is found here; one that arrives from now on
        // is counted.
        if self.is_ready().unwrap_or(false) {
            return;
        }
        let arrivals = self.arrivals();
        let unchanged = |now: &mut u64| *now == before;
        drop(self.arrived.wait_timeout_while(arrivals, most, unchanged));
    }

    fn wake(&self) {
        self.arrive();
    }
}
