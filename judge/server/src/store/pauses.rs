//! Problems and languages whose submissions are not judged for a while.
//!
//! A judging that a worker wants to start meanwhile loses its unit, and waits without one. Resuming returns these judgings, which
//! the caller enqueues again.

use super::query::{Queries, columns, record};
use super::{JudgingId, Result, Store, SubmissionId, UserId, now_ms};
use rusqlite::{Connection, params};

record! { |row|
    /// A pause of the judging of a problem or a language.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub(crate) struct Pause {
        /// `problem` or `language`.
        pub(crate) kind: String,
        /// The id of the package, or the code of the language.
        pub(crate) key: String,
        /// The name of the user that paused it.
        pub(crate) by: Option<String>,
        pub(crate) paused_ms: i64,
        /// Number of judgings that wait.
        pub(crate) waiting: usize,
    }
}

/// Submissions, each with the pauses `p` that hold it.
const HELD: &str = "submissions s JOIN problems ON problems.id = s.problem
    JOIN pauses p ON (p.kind = 'problem' AND p.key = problems.ext) OR (p.kind = 'language' AND p.key = s.language)";

/// Whether the submission is not to be judged now.
pub(super) fn holds(connection: &Connection, submission: SubmissionId) -> Result<bool> {
    connection.any(
        &format!("SELECT 1 FROM {HELD} WHERE s.id = ?1"),
        [submission],
    )
}

impl Store {
    /// All pauses, the oldest first.
    pub(crate) fn pauses(&self) -> Result<Vec<Pause>> {
        self.all(
            "SELECT p.*, users.name AS by, (
                 SELECT COUNT(*) FROM judgings j JOIN submissions s ON s.id = j.submission
                 JOIN problems ON problems.id = s.problem WHERE j.state = 'queued' AND
                 ((p.kind = 'problem' AND p.key = problems.ext) OR (p.kind = 'language' AND p.key = s.language))
             ) AS waiting
             FROM pauses p LEFT JOIN users ON users.id = p.paused_by ORDER BY p.paused_ms",
            [],
        )
    }

    /// Starts a pause, unless there is one.
    pub(crate) fn pause(&self, kind: &str, key: &str, by: UserId) -> Result<()> {
        self.write(|tx| {
            let columns = columns! {
                kind: kind,
                key: key,
                paused_by: by,
                paused_ms: now_ms(),
            };
            tx.insert_new("pauses", columns).map(drop)
        })
    }

    /// Ends a pause. Returns the judgings that wait without a unit, and that no other pause holds.
    pub(crate) fn resume(&self, kind: &str, key: &str) -> Result<Vec<JudgingId>> {
        self.write(|tx| {
            tx.run(
                "DELETE FROM pauses WHERE kind = ?1 AND key = ?2",
                params![kind, key],
            )?;
            tx.all(
                &format!(
                    "SELECT id FROM judgings WHERE state = 'queued'
                     AND NOT EXISTS (SELECT 1 FROM queue WHERE queue.id = 'judging-' || judgings.id)
                     AND submission NOT IN (SELECT s.id FROM {HELD}) ORDER BY id"
                ),
                [],
            )
        })
    }
}
