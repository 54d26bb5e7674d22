//! Results of cases.

use super::objects;
use super::query::{Json, Queries, columns, optional_json, record};
use super::{
    Judging, JudgingId, Notice, Result, Store, Tx, Visibility, judgings, now_ms, published,
    submissions,
};
use judge_core::results::Details;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

record! { |row|
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
        /// The message about the failure, which may reveal secret data.
        pub message: Option<String>,
        /// The exit code, if another than 0.
        pub exit_code: Option<i32>,
        /// The signal that ended the program.
        pub signal: Option<i32>,
        /// Parts of input, answer and output, which are secret data.
        pub diagnosis: Option<Box<Details>> = optional_json(row, "diagnosis")?,
    }
}

record! { |row|
    /// The part of a case's result that the Contest API shows: all columns except the large ones.
    #[derive(Clone, PartialEq, Debug)]
    pub struct Run {
        /// The judging that it belongs to.
        pub(crate) judging: JudgingId,
        /// The index into `super::Version::cases`.
        pub(crate) case: usize,
        /// The verdict in letters.
        pub(crate) verdict: String,
        /// CPU seconds.
        pub(crate) cpu_s: Option<f64>,
        /// When it was recorded.
        pub(crate) time_ms: i64,
    }
}

/// The columns of a [`Run`].
pub(super) const RUN: &str =
    "SELECT r.judging, r.\"case\", r.verdict, r.cpu_s, r.time_ms FROM case_results r";

/// Adds a result; returns whether the case had none.
pub(super) fn insert(tx: &mut Tx<'_>, judging: &Judging, row: &CaseRow) -> Result<bool> {
    let time_ms = now_ms();
    let columns = columns! {
        row { case, verdict, cpu_s, wall_s, memory, score, message, exit_code, signal },
        judging: judging.id,
        attempt: judging.attempt,
        diagnosis: row.diagnosis.as_ref().map(Json),
        time_ms: time_ms,
    };
    let is_new = tx.insert_new("case_results", columns)?;
    if is_new && judging.valid {
        let run = Run {
            judging: judging.id,
            case: row.case,
            verdict: row.verdict.clone(),
            cpu_s: row.cpu_s,
            time_ms,
        };
        announce(tx, judging, &run)?;
    }
    Ok(is_new)
}

/// Announces a result in the feed of its contest, for the jury.
fn announce(tx: &mut Tx<'_>, judging: &Judging, run: &Run) -> Result<()> {
    let submission = submissions::by_id(tx, judging.submission)?;
    let Some((contest, _)) = published::audience(tx, &submission)? else {
        return Ok(());
    };
    let run = objects::run(run, &contest)?;
    let notice = Notice {
        contest: contest.id,
        kind: "runs",
        object: Some(run.id.to_string()),
        visible: Visibility::Jury,
        about: Some(&submission),
    };
    tx.announce(notice, Some(&run))
}

/// Announces all results of a judging that has become the one that counts.
pub(super) fn announce_all(tx: &mut Tx<'_>, judging: JudgingId) -> Result<()> {
    let found = judgings::by_id(tx, judging)?;
    for run in runs_of(tx, judging)? {
        announce(tx, &found, &run)?;
    }
    Ok(())
}

/// Deletes the results of an earlier attempt.
pub(super) fn delete(tx: &mut Tx<'_>, judging: &Judging) -> Result<()> {
    let submission = submissions::by_id(tx, judging.submission)?;
    if let Some((contest, _)) = published::audience(tx, &submission)? {
        for run in runs_of(tx, judging.id)? {
            tx.announce_deletion(Notice {
                contest: contest.id,
                kind: "runs",
                object: Some(objects::run_id(&run)?.to_string()),
                visible: Visibility::Jury,
                about: Some(&submission),
            })?;
        }
    }
    tx.run("DELETE FROM case_results WHERE judging = ?1", [judging.id])?;
    Ok(())
}

fn runs_of(connection: &Connection, judging: JudgingId) -> Result<Vec<Run>> {
    connection.all(
        &format!("{RUN} WHERE r.judging = ?1 ORDER BY r.\"case\""),
        [judging],
    )
}

impl Store {
    /// The results of a judging so far, in the order of the cases.
    pub fn case_results(&self, judging: JudgingId) -> Result<Vec<CaseRow>> {
        self.all(
            "SELECT * FROM case_results WHERE judging = ?1 ORDER BY \"case\"",
            [judging],
        )
    }
}
