//! The rows of the queue: their order, and the statements that change them.

use super::Claim;
use crate::queue::{Eligible, Lease, Listed, Phase, Priority, Unit};
use crate::store::query::{Queries, from_row, record};
use crate::store::{Result, Tx, now_ms};
use rusqlite::{Row, ToSql, params};
use std::time::Duration;

from_row! { |row|
    Unit {
        id, share,;
        priority: class(row.get("priority")?),
        machine_class: Some(row.get("machine_class")?).filter(|class: &String| !class.is_empty()),
    }
}

pub fn class(number: i64) -> Priority {
    let class = usize::try_from(number)
        .ok()
        .and_then(|k| Priority::ALL.get(k));
    *class.unwrap_or(&Priority::Rejudge)
}

record! { |row|
    /// A unit, with its rank and its number of deliveries.
    pub struct Held {
        pub unit: Unit = Unit::from_row(row)?,
        pub rank: i64,
        pub deliveries: u32,
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

pub fn enqueue(tx: &Tx<'_>, unit: &Unit) -> Result<()> {
    let class = unit.priority as i64;
    let seq = counter(tx, "seq")? + 1;
    let last: Option<i64> = tx.optional(
        "SELECT rank FROM queue_shares WHERE priority = ?1 AND share = ?2",
        params![class, unit.share],
    )?;
    let rank = counter(tx, &format!("rank{class}"))?.max(last.map_or(0, |last| last + 1));
    let machine_class = unit.machine_class.as_deref().unwrap_or_default();
    let added = tx.run(
        "INSERT OR IGNORE INTO queue (id, seq, priority, share, rank, machine_class, since_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            unit.id,
            seq,
            class,
            unit.share,
            rank,
            machine_class,
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

/// Removes a unit, unless it is parked for the jury.
pub fn discard(tx: &Tx<'_>, id: &str) -> Result<()> {
    tx.run(
        "DELETE FROM queue WHERE id = ?1 AND state <> 'parked'",
        [id],
    )?;
    Ok(())
}

/// Ends the leases that are over at this time; `reason` is an expression of SQL.
pub fn end_leases(tx: &Tx<'_>, reason: &str, until_ms: i64) -> Result<()> {
    tx.run(
        &format!(
            "UPDATE queue SET state = 'waiting', reason = {reason}, lease = NULL, worker = NULL, until_ms = 0,
             since_ms = ?1 WHERE state = 'leased' AND until_ms <= ?2"
        ),
        [now_ms(), until_ms],
    )?;
    Ok(())
}

/// Runs a query for these columns of the first `most` units that may be leased now, in their order. The units of each
/// class of machines are in order in an index.
pub fn select<T>(
    units: &Eligible<'_>,
    most: usize,
    columns: &str,
    run: impl FnOnce(&str, &[&dyn ToSql]) -> Result<T>,
) -> Result<T> {
    let except = serde_json::to_string(units.except)?;
    let (now, most) = (now_ms(), most as i64);
    let of = |class: &str| {
        format!(
            "SELECT * FROM (
                SELECT {columns}, priority AS p, rank AS r, seq AS s FROM queue
                WHERE state = 'waiting' AND until_ms <= ?1 AND {class}
                    AND id NOT IN (SELECT value FROM json_each(?2))
                ORDER BY priority, rank, seq LIMIT ?3
             )"
        )
    };
    let order = "ORDER BY p, r, s LIMIT ?3";
    match units.machine_class {
        None => run(&format!("{} {order}", of("TRUE")), &[&now, &except, &most]),
        Some(class) => {
            let (any, own) = (of("machine_class = ''"), of("machine_class = ?4"));
            let sql = format!("{any} UNION ALL {own} {order}");
            run(&sql, &[&now, &except, &most, &class])
        }
    }
}

pub fn lease(tx: &Tx<'_>, claim: &Claim<'_>) -> Result<Option<Lease>> {
    let found = select(&claim.units, 1, "*", |sql, values| {
        tx.optional::<Held>(sql, values)
    })?;
    let Some(Held {
        unit,
        rank,
        deliveries,
    }) = found
    else {
        return Ok(None);
    };
    let of_class = format!("rank{}", unit.priority as i64);
    // A released unit keeps its rank, which may be lower: virtual time must not go back.
    let passed = counter(tx, &of_class)?.max(rank);
    set_counter(tx, &of_class, passed)?;
    tx.run(
        "UPDATE queue SET state = 'leased', lease = ?2, worker = ?3, until_ms = ?4, lease_ms = ?5,
         since_ms = ?6, deliveries = deliveries + 1 WHERE id = ?1",
        params![
            unit.id,
            claim.token,
            claim.worker,
            after(claim.duration),
            milliseconds(claim.duration),
            now_ms()
        ],
    )?;
    Ok(Some(Lease {
        unit,
        token: claim.token.to_owned(),
        delivery: deliveries + 1,
    }))
}

pub fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

pub fn after(duration: Duration) -> i64 {
    now_ms().saturating_add(milliseconds(duration))
}
