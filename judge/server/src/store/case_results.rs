//! Results of cases.

use super::objects;
use super::query::{Queries, count, from_row, unsigned};
use super::{
    Judging, JudgingId, Notice, Result, Store, Tx, Visibility, judgings, now_ms, published,
    submissions,
};
use judge::event::Details;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

/// The result of a case.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct CaseRow {
    /// The index into `super::Version::cases`.
    pub case: usize,
    /// The verdict in letters.
    pub verdict: String,
    /// CPU seconds.
    pub cpu_s: Option<f64>,
    /// Wall-clock seconds.
    pub wall_s: Option<f64>,
    /// Bytes.
    pub memory: Option<u64>,
    /// Points, for a scoring problem.
    pub score: Option<f64>,
    /// The message about the failure. Says something about secret data.
    pub message: Option<String>,
    /// The exit code, if another than 0.
    pub exit_code: Option<i32>,
    /// The signal that ended the program.
    pub signal: Option<i32>,
    /// Parts of input, answer and output. Shows secret data.
    pub diagnosis: Option<Box<Details>>,
    /// When it was recorded; ignored when it is.
    #[serde(skip)]
    pub time_ms: i64,
}

from_row! {
    CaseRow { verdict, cpu_s, wall_s, score, message, exit_code, signal, time_ms } |row| {
        case: count(row, "case")?,
        memory: unsigned(row, "memory")?,
        diagnosis: None,
    }
}

/// Adds a result; returns whether the case had none.
pub(super) fn insert(tx: &mut Tx<'_>, judging: &Judging, row: &CaseRow) -> Result<bool> {
    let diagnosis = row
        .diagnosis
        .as_ref()
        .map(serde_json::to_string)
        .transpose()?;
    let time_ms = now_ms();
    let added = tx.run(
        "INSERT OR IGNORE INTO case_results (judging, \"case\", attempt, verdict, cpu_s, wall_s,
         memory, score, message, exit_code, signal, diagnosis, time_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        params![
            judging.id,
            row.case as i64,
            judging.attempt,
            row.verdict,
            row.cpu_s,
            row.wall_s,
            row.memory.map(|n| n as i64),
            row.score,
            row.message,
            row.exit_code,
            row.signal,
            diagnosis,
            time_ms
        ],
    )?;
    if added == 0 {
        return Ok(false);
    }
    if judging.valid {
        announce(tx, judging, row, time_ms)?;
    }
    Ok(true)
}

/// Announces a result in the feed of its contest, for the jury.
fn announce(tx: &mut Tx<'_>, judging: &Judging, row: &CaseRow, time_ms: i64) -> Result<()> {
    let submission = submissions::by_id(tx, judging.submission)?;
    let Some((contest, _)) = published::audience(tx, &submission)? else {
        return Ok(());
    };
    let run = objects::run(judging.id, row, time_ms, &contest)?;
    let notice = Notice {
        contest: contest.id,
        kind: "runs",
        object: Some(run.id.to_string()),
        visible: Visibility::Jury,
        about: Some(&submission),
    };
    tx.announce(notice, Some(&run))
}

/// Announces all results of a judging that counts from now on.
pub(super) fn announce_all(tx: &mut Tx<'_>, judging: JudgingId) -> Result<()> {
    let found = judgings::by_id(tx, judging)?;
    for StoredCase { result, .. } in rows_of(tx, judging)? {
        announce(tx, &found, &result, result.time_ms)?;
    }
    Ok(())
}

/// Deletes the results of an earlier attempt.
pub(super) fn delete(tx: &mut Tx<'_>, judging: &Judging) -> Result<()> {
    let submission = submissions::by_id(tx, judging.submission)?;
    if let Some((contest, _)) = published::audience(tx, &submission)? {
        for StoredCase { result, .. } in rows_of(tx, judging.id)? {
            tx.announce_deletion(Notice {
                contest: contest.id,
                kind: "runs",
                object: Some(objects::run_id(judging.id, result.case)?.to_string()),
                visible: Visibility::Jury,
                about: Some(&submission),
            })?;
        }
    }
    tx.run("DELETE FROM case_results WHERE judging = ?1", [judging.id])?;
    Ok(())
}

/// A result as it is stored.
pub(super) struct StoredCase {
    pub(super) judging: JudgingId,
    /// Without its diagnosis.
    pub(super) result: CaseRow,
    /// The diagnosis as JSON.
    diagnosis: Option<String>,
}

from_row! {
    StoredCase { judging, diagnosis } |row| { result: CaseRow::from_row(row)? }
}

/// The results of a judging.
fn rows_of(connection: &Connection, judging: JudgingId) -> Result<Vec<StoredCase>> {
    connection.all(
        "SELECT * FROM case_results WHERE judging = ?1 ORDER BY \"case\"",
        [judging],
    )
}

impl Store {
    /// The results of a judging so far, in the order of the cases.
    pub fn case_results(&self, judging: JudgingId) -> Result<Vec<CaseRow>> {
        let parse = |row: StoredCase| {
            let diagnosis = row
                .diagnosis
                .as_deref()
                .map(serde_json::from_str)
                .transpose()?;
            Ok(CaseRow {
                diagnosis,
                ..row.result
            })
        };
        let rows = self.read(|connection| rows_of(connection, judging))?;
        rows.into_iter().map(parse).collect()
    }
}
