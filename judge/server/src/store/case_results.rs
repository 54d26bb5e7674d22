//! Results of cases.

use super::query::{Json, Queries, columns, optional_json, record, verdict};
use super::{JudgingId, Result, Store, now_ms};
use judge_core::results::Details;
use judge_core::verdict::Verdict;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

record! { |row|
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    pub struct CaseRow {
        /// The index into `super::Version::cases`.
        pub case: usize,
        pub verdict: Verdict = verdict(row, "verdict")?,
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

impl CaseRow {
    /// A result without figures.
    pub fn new(case: usize, verdict: Verdict) -> Self {
        CaseRow {
            case,
            verdict,
            cpu_s: None,
            wall_s: None,
            memory: None,
            score: None,
            message: None,
            exit_code: None,
            signal: None,
            diagnosis: None,
        }
    }
}

record! { |row|
    /// The part of a case's result that the Contest API shows: all columns except the large ones.
    #[derive(Clone, PartialEq, Debug)]
    pub struct Run {
        pub(crate) judging: JudgingId,
        /// The index into `super::Version::cases`.
        pub(crate) case: usize,
        pub(crate) verdict: Verdict = verdict(row, "verdict")?,
        /// CPU seconds.
        pub(crate) cpu_s: Option<f64>,
        /// When it was recorded.
        pub(crate) time_ms: i64,
    }
}

pub(super) const RUN: &str =
    "SELECT r.judging, r.\"case\", r.verdict, r.cpu_s, r.time_ms FROM case_results r";

/// Adds a result; returns whether the case had none.
pub(super) fn insert(
    connection: &Connection,
    judging: JudgingId,
    attempt: i64,
    row: &CaseRow,
) -> Result<bool> {
    let columns = columns! {
        row { case, cpu_s, wall_s, memory, score, message, exit_code, signal },
        verdict: row.verdict.code(),
        judging: judging,
        attempt: attempt,
        diagnosis: row.diagnosis.as_ref().map(Json),
        time_ms: now_ms(),
    };
    connection.insert_new("case_results", columns)
}

/// Deletes the results of an earlier attempt; returns their cases.
pub(super) fn delete(connection: &Connection, judging: JudgingId) -> Result<Vec<usize>> {
    let cases = connection.all(
        "SELECT \"case\" FROM case_results WHERE judging = ?1 ORDER BY \"case\"",
        [judging],
    )?;
    connection.run("DELETE FROM case_results WHERE judging = ?1", [judging])?;
    Ok(cases)
}

pub(super) fn run(connection: &Connection, judging: JudgingId, case: usize) -> Result<Run> {
    connection.one(
        &format!("{RUN} WHERE r.judging = ?1 AND r.\"case\" = ?2"),
        params![judging, case],
    )
}

/// The results of a judging, in the order of the cases.
pub(super) fn runs(connection: &Connection, judging: JudgingId) -> Result<Vec<Run>> {
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
