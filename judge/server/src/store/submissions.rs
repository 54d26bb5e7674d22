//! Reads submissions.

use super::query::{Queries, record};
use super::{ContestId, ProblemId, Result, Store, SubmissionFilter, SubmissionId, TeamId, UserId};
use rusqlite::{Connection, params_from_iter};
use serde::{Deserialize, Serialize};

record! { |row|
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Submission {
        /// Its number; its id in the Contest API.
        pub id: SubmissionId,
        /// The contest; `None`: practice.
        pub(crate) contest: Option<ContestId>,
        pub(crate) problem: ProblemId,
        /// The id of the problem's package.
        pub(crate) problem_ext: String,
        pub(crate) user: UserId,
        /// The user's team at that time.
        pub(crate) team: Option<TeamId>,
        /// The team's id in the Contest API.
        pub(crate) team_ext: Option<String>,
        /// The team or one of its groups is hidden.
        pub(crate) team_hidden: bool,
        /// The language's code.
        pub(crate) language: String,
        /// The file or class to start, if given.
        pub(crate) entry_point: Option<String>,
        /// When it was accepted.
        pub(crate) time_ms: i64,
        /// It affects no scoreboard.
        pub(crate) ignored: bool,
        /// No judge has verified its result, in a contest that demands it.
        pub(crate) unverified: bool,
    }
}

record! { |row|
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    pub struct SourceFile {
        /// Its name, without directories.
        pub name: String,
        /// Its hash in [`crate::blobs::Blobs`].
        pub blob: String,
        pub bytes: u64,
    }
}

const SUBMISSION: &str = "SELECT s.*, problems.ext AS problem_ext, teams.ext AS team_ext,
        COALESCE(teams.hidden OR EXISTS (SELECT 1 FROM team_groups g JOIN groups ON groups.id = g.\"group\"
            WHERE g.team = teams.id AND groups.hidden), 0) AS team_hidden,
        COALESCE(contests.verification AND NOT EXISTS (SELECT 1 FROM judgings v
            WHERE v.submission = s.id AND v.valid = 1 AND v.verified_ms IS NOT NULL), 0) AS unverified
    FROM submissions s JOIN problems ON problems.id = s.problem
    LEFT JOIN teams ON teams.id = s.team LEFT JOIN contests ON contests.id = s.contest";

pub(super) fn by_id(connection: &Connection, id: SubmissionId) -> Result<Submission> {
    connection.numbered("submission", &format!("{SUBMISSION} WHERE s.id = ?1"), id)
}

pub(super) fn files(connection: &Connection, id: SubmissionId) -> Result<Vec<SourceFile>> {
    connection.all(
        "SELECT name, blob, bytes FROM submission_files WHERE submission = ?1 ORDER BY ordinal",
        [id],
    )
}

impl Store {
    pub fn submission(&self, id: SubmissionId) -> Result<Submission> {
        self.read(|connection| by_id(connection, id))
    }

    pub(crate) fn submission_files(&self, id: SubmissionId) -> Result<Vec<SourceFile>> {
        self.read(|connection| files(connection, id))
    }

    /// All submissions to a contest, the oldest first.
    pub(crate) fn submissions_of(&self, contest: ContestId) -> Result<Vec<Submission>> {
        let filter = SubmissionFilter {
            contest: Some(Some(contest)),
            ..SubmissionFilter::default()
        };
        let mut all = self.submissions(&filter, i64::MAX as usize)?;
        all.reverse();
        Ok(all)
    }

    /// At most `count` submissions, the latest first.
    pub fn submissions(&self, filter: &SubmissionFilter, count: usize) -> Result<Vec<Submission>> {
        let mut conditions = filter.conditions();
        let count = conditions.value(count as i64);
        // In the order of the submissions: by itself SQLite may read all judgings first.
        let sql = format!(
            "{SUBMISSION} CROSS JOIN judgings j ON j.submission = s.id AND j.valid = 1
             WHERE {} ORDER BY s.id DESC LIMIT ?{count}",
            conditions.sql()
        );
        self.all(&sql, params_from_iter(conditions.values))
    }
}
