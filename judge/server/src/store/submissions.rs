//! Submissions: adding, reading, and announcing them in the feed.

use super::objects;
use super::query::{Queries, columns, record};
use super::{
    ContestId, Error, JudgingId, Notice, ProblemId, Result, Store, SubmissionFilter, SubmissionId,
    TeamId, Tx, UserId, VersionId, Visibility, contests, finality, judgings, now_ms,
};
use crate::queue::Priority;
use rusqlite::{Connection, params, params_from_iter};
use serde::{Deserialize, Serialize};

record! { |row|
    /// A submission.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Submission {
        /// Its number; its id in the Contest API.
        pub id: SubmissionId,
        /// The contest; `None`: practice.
        pub(crate) contest: Option<ContestId>,
        pub(crate) problem: ProblemId,
        /// The id of the problem's package.
        pub(crate) problem_ext: String,
        /// The user that submitted it.
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
    }
}

record! { |row|
    /// A file of a submission.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    pub struct SourceFile {
        /// Its name, without directories.
        pub name: String,
        /// Its hash in [`crate::blobs::Blobs`].
        pub blob: String,
        /// Its size.
        pub bytes: u64,
    }
}

/// A submission to add. Its sources are in the blobs already.
#[derive(Clone, Debug)]
pub struct NewSubmission {
    /// The contest; `None`: practice.
    pub contest: Option<ContestId>,
    /// The problem that it is for.
    pub problem: ProblemId,
    /// The user that submits it.
    pub user: UserId,
    /// The user's team.
    pub team: Option<TeamId>,
    /// The language's code.
    pub language: String,
    /// The file or class to start, if given.
    pub entry_point: Option<String>,
    /// The sources; at least one.
    pub files: Vec<SourceFile>,
    /// The class of its judging.
    pub priority: Priority,
    /// Its number; `None`: the next one.
    pub id: Option<SubmissionId>,
    /// When it was made; `None`: now.
    pub time_ms: Option<i64>,
}

const SUBMISSION: &str = "SELECT s.*, problems.ext AS problem_ext, teams.ext AS team_ext,
        COALESCE(teams.hidden OR EXISTS (SELECT 1 FROM team_groups g JOIN groups ON groups.id = g.\"group\"
            WHERE g.team = teams.id AND groups.hidden), 0) AS team_hidden
    FROM submissions s JOIN problems ON problems.id = s.problem
    LEFT JOIN teams ON teams.id = s.team";

pub(super) fn by_id(connection: &Connection, id: SubmissionId) -> Result<Submission> {
    connection.numbered("submission", &format!("{SUBMISSION} WHERE s.id = ?1"), id)
}

pub(super) fn files(connection: &Connection, id: SubmissionId) -> Result<Vec<SourceFile>> {
    connection.all(
        "SELECT name, blob, bytes FROM submission_files WHERE submission = ?1 ORDER BY ordinal",
        [id],
    )
}

/// Announces a submission of a team in the feed of its contest.
pub(super) fn announce(tx: &mut Tx<'_>, submission: &Submission) -> Result<()> {
    let (Some(contest), Some(team)) = (submission.contest, submission.team) else {
        return Ok(());
    };
    let contest = contests::by_id(tx, contest)?;
    let notice = Notice {
        contest: contest.id,
        kind: "submissions",
        object: Some(submission.id.to_string()),
        visible: match submission.team_hidden {
            true => Visibility::Team(team),
            false => Visibility::Public,
        },
        about: Some(submission),
    };
    tx.announce(notice, Some(&objects::submission(submission, &contest)?))
}

impl Store {
    /// Adds a submission with its first judging, which uses the present version of the package, and
    /// announces it. The caller enqueues the judging; one that is not enqueued, because the server
    /// was killed, is found by [`Store::unfinished_judgings`].
    pub fn submit(&self, new: &NewSubmission) -> Result<(SubmissionId, JudgingId)> {
        self.write(|tx| {
            let version: VersionId = tx
                .optional(
                    "SELECT version FROM current_versions WHERE problem = ?1",
                    [new.problem],
                )?
                .ok_or_else(|| Error::NotFound(format!("no problem {}", new.problem)))?;
            if let Some(id) = new.id
                && by_id(tx, id).is_ok()
            {
                return Err(Error::Conflict(format!(
                    "there is a submission {id} already"
                )));
            }
            if let (Some(contest), Some(_)) = (new.contest, new.team) {
                finality::must_not_be_final(tx, contest)?;
            }
            let columns = columns! {
                new { id, contest, problem, user, team, language, entry_point },
                time_ms: new.time_ms.unwrap_or_else(now_ms),
            };
            let id: SubmissionId = tx.insert("submissions", columns)?;
            for (ordinal, file) in new.files.iter().enumerate() {
                tx.run(
                    "INSERT INTO submission_files (submission, ordinal, name, blob, bytes)
                     VALUES (?1, ?2, ?3, ?4, ?5)",
                    params![id, ordinal, file.name, file.blob, file.bytes],
                )?;
            }
            let judging = judgings::insert(tx, id, version, None, new.priority)?;
            let added = by_id(tx, id)?;
            announce(tx, &added)?;
            tx.submissions.insert(id);
            Ok((id, judging))
        })
    }

    /// A submission.
    pub fn submission(&self, id: SubmissionId) -> Result<Submission> {
        self.read(|connection| by_id(connection, id))
    }

    /// The files of a submission.
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
        let sql = format!(
            "{SUBMISSION} JOIN judgings j ON j.submission = s.id AND j.valid = 1
             WHERE {} ORDER BY s.id DESC LIMIT ?{count}",
            conditions.sql()
        );
        self.all(&sql, params_from_iter(conditions.values))
    }
}
