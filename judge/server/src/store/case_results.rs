//! Results of cases.

use super::objects;
use super::{
    Error, Judging, JudgingId, Notice, Result, Store, Tx, Visibility, judgings, now_ms, published,
    submissions,
};
use judge::event::Details;
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

/// The result of a case.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct CaseRow {
    /// The index into [`super::Version::cases`].
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
    /// What went wrong. Says something about secret data.
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

/// Adds a result; returns whether the case had none.
pub(super) fn insert(tx: &mut Tx<'_>, judging: &Judging, row: &CaseRow) -> Result<bool> {
    let diagnosis = row
        .diagnosis
        .as_ref()
        .map(serde_json::to_string)
        .transpose()?;
    let time_ms = now_ms();
    let added = tx
        .prepare_cached(
            "INSERT OR IGNORE INTO case_results (judging, \"case\", attempt, verdict, cpu_s, wall_s, memory,
                 score, message, exit_code, signal, diagnosis, time_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        )?
        .execute(params![
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
        ])?;
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
    for (row, _) in rows_of(tx, judging)? {
        announce(tx, &found, &row, row.time_ms)?;
    }
    Ok(())
}

/// Deletes the results of an earlier attempt.
pub(super) fn delete(tx: &mut Tx<'_>, judging: &Judging) -> Result<()> {
    let submission = submissions::by_id(tx, judging.submission)?;
    if let Some((contest, _)) = published::audience(tx, &submission)? {
        for (row, _) in rows_of(tx, judging.id)? {
            tx.announce_deletion(Notice {
                contest: contest.id,
                kind: "runs",
                object: Some(objects::run_id(judging.id, row.case)?.to_string()),
                visible: Visibility::Jury,
                about: Some(&submission),
            })?;
        }
    }
    tx.execute("DELETE FROM case_results WHERE judging = ?1", [judging.id])?;
    Ok(())
}

/// The results of a judging, each with its diagnosis as JSON.
fn rows_of(connection: &Connection, judging: JudgingId) -> Result<Vec<(CaseRow, Option<String>)>> {
    let mut statement = connection
        .prepare_cached("SELECT * FROM case_results WHERE judging = ?1 ORDER BY \"case\"")?;
    let rows = statement.query_map([judging], case_row)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(super) fn case_row(row: &Row<'_>) -> rusqlite::Result<(CaseRow, Option<String>)> {
    let result = CaseRow {
        case: row.get::<_, i64>("case")? as usize,
        verdict: row.get("verdict")?,
        cpu_s: row.get("cpu_s")?,
        wall_s: row.get("wall_s")?,
        memory: row.get::<_, Option<i64>>("memory")?.map(|n| n as u64),
        score: row.get("score")?,
        message: row.get("message")?,
        exit_code: row.get("exit_code")?,
        signal: row.get("signal")?,
        diagnosis: None,
        time_ms: row.get("time_ms")?,
    };
    Ok((result, row.get("diagnosis")?))
}

impl Store {
    /// The results of a judging so far, in the order of the cases.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn case_results(&self, judging: JudgingId) -> Result<Vec<CaseRow>> {
        self.read(|connection| {
            let parse = |(mut row, diagnosis): (CaseRow, Option<String>)| {
                row.diagnosis = diagnosis.as_deref().map(serde_json::from_str).transpose()?;
                Ok::<_, Error>(row)
            };
            rows_of(connection, judging)?
                .into_iter()
                .map(parse)
                .collect()
        })
    }
}
