//! Submissions.

use super::objects;
use super::{
    ContestId, Error, JudgingId, Notice, ProblemId, Result, Store, SubmissionId, TeamId, Tx,
    UserId, VersionId, Visibility, contests, judgings, now_ms,
};
use crate::queue::Priority;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};
use serde::{Deserialize, Serialize};

/// A submission.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Submission {
    /// Its number; its id in the Contest API.
    pub id: SubmissionId,
    /// The contest; `None`: practice.
    pub contest: Option<ContestId>,
    pub problem: ProblemId,
    /// The id of the problem's package.
    pub problem_ext: String,
    /// Who submitted it.
    pub user: UserId,
    /// The user's team at that time.
    pub team: Option<TeamId>,
    /// The team's id in the Contest API.
    pub team_ext: Option<String>,
    /// The team or one of its groups is hidden.
    pub team_hidden: bool,
    /// The language's code.
    pub language: String,
    /// The file or class to start, if given.
    pub entry_point: Option<String>,
    /// When it was accepted.
    pub time_ms: i64,
}

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

/// A submission to add. Its sources are in the blobs already.
#[derive(Clone, Debug)]
pub struct NewSubmission {
    /// The contest; `None`: practice.
    pub contest: Option<ContestId>,
    pub problem: ProblemId,
    /// Who submits it.
    pub user: UserId,
    /// The user's team.
    pub team: Option<TeamId>,
    /// The language's code.
    pub language: String,
    /// The file or class to start, if given.
    pub entry_point: Option<String>,
    /// At least one.
    pub files: Vec<SourceFile>,
    /// The class of its judging.
    pub priority: Priority,
    /// Its number; `None`: the next one.
    pub id: Option<SubmissionId>,
    /// When it was made; `None`: now.
    pub time_ms: Option<i64>,
}

/// Which submissions to list.
#[derive(Clone, Debug, Default)]
pub struct SubmissionFilter {
    /// Of this contest; `Some(None)`: of practice.
    pub contest: Option<Option<ContestId>>,
    pub problem: Option<ProblemId>,
    pub user: Option<UserId>,
    pub team: Option<TeamId>,
    pub language: Option<String>,
    /// Whose valid judging has this verdict, in letters.
    pub verdict: Option<String>,
    /// With smaller numbers than this one: the next page of a list.
    pub before: Option<SubmissionId>,
}

const SUBMISSION: &str = "SELECT submissions.*, problems.ext AS problem_ext, teams.ext AS team_ext,
        COALESCE(teams.hidden OR EXISTS (SELECT 1 FROM team_groups g JOIN groups ON groups.id = g.\"group\"
            WHERE g.team = teams.id AND groups.hidden), 0) AS team_hidden
    FROM submissions JOIN problems ON problems.id = submissions.problem
    LEFT JOIN teams ON teams.id = submissions.team";

fn submission(row: &Row<'_>) -> rusqlite::Result<Submission> {
    Ok(Submission {
        id: row.get("id")?,
        contest: row.get("contest")?,
        problem: row.get("problem")?,
        problem_ext: row.get("problem_ext")?,
        user: row.get("user")?,
        team: row.get("team")?,
        team_ext: row.get("team_ext")?,
        team_hidden: row.get("team_hidden")?,
        language: row.get("language")?,
        entry_point: row.get("entry_point")?,
        time_ms: row.get("time_ms")?,
    })
}

pub(super) fn by_id(connection: &Connection, id: SubmissionId) -> Result<Submission> {
    let sql = format!("{SUBMISSION} WHERE submissions.id = ?1");
    let found = connection
        .prepare_cached(&sql)?
        .query_row([id], submission)
        .optional()?;
    found.ok_or_else(|| Error::NotFound(format!("no submission {id}")))
}

pub(super) fn files(connection: &Connection, id: SubmissionId) -> Result<Vec<SourceFile>> {
    let mut statement = connection.prepare_cached(
        "SELECT name, blob, bytes FROM submission_files WHERE submission = ?1 ORDER BY ordinal",
    )?;
    let file = |row: &Row<'_>| {
        Ok(SourceFile {
            name: row.get(0)?,
            blob: row.get(1)?,
            bytes: row.get::<_, i64>(2)? as u64,
        })
    };
    let rows = statement.query_map([id], file)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
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
    ///
    /// # Errors
    ///
    /// When an object that it names does not exist.
    pub fn submit(&self, new: &NewSubmission) -> Result<(SubmissionId, JudgingId)> {
        self.write(|tx| {
            let version: VersionId = tx
                .query_row(
                    "SELECT version FROM current_versions WHERE problem = ?1",
                    [new.problem],
                    |row| row.get(0),
                )
                .optional()?
                .ok_or_else(|| Error::NotFound(format!("no problem {}", new.problem)))?;
            if let Some(id) = new.id
                && by_id(tx, id).is_ok()
            {
                return Err(Error::Conflict(format!("there is a submission {id} already")));
            }
            tx.execute(
                "INSERT INTO submissions (id, contest, problem, user, team, language, entry_point, time_ms)
                 VALUES (?8, ?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![
                    new.contest,
                    new.problem,
                    new.user,
                    new.team,
                    new.language,
                    new.entry_point,
                    new.time_ms.unwrap_or_else(now_ms),
                    new.id
                ],
            )?;
            let id = SubmissionId(tx.last_insert_rowid());
            for (ordinal, file) in new.files.iter().enumerate() {
                tx.execute(
                    "INSERT INTO submission_files (submission, ordinal, name, blob, bytes)
                     VALUES (?1, ?2, ?3, ?4, ?5)",
                    params![id, ordinal as i64, file.name, file.blob, file.bytes as i64],
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
    ///
    /// # Errors
    ///
    /// When there is none with this number.
    pub fn submission(&self, id: SubmissionId) -> Result<Submission> {
        self.read(|connection| by_id(connection, id))
    }

    /// Its files.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn submission_files(&self, id: SubmissionId) -> Result<Vec<SourceFile>> {
        self.read(|connection| files(connection, id))
    }

    /// All submissions to a contest, the first one first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn submissions_of(&self, contest: ContestId) -> Result<Vec<Submission>> {
        let filter = SubmissionFilter {
            contest: Some(Some(contest)),
            ..SubmissionFilter::default()
        };
        let mut all = self.submissions(&filter, i64::MAX as usize)?;
        all.reverse();
        Ok(all)
    }

    /// At most `count` submissions, the latest first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn submissions(&self, filter: &SubmissionFilter, count: usize) -> Result<Vec<Submission>> {
        let mut conditions = vec!["1".to_owned()];
        let mut values: Vec<Value> = Vec::new();
        let mut equal = |column: &str, value: Option<Value>| {
            if let Some(value) = value {
                values.push(value);
                conditions.push(format!("{column} ?{}", values.len()));
            }
        };
        let contest = filter.contest.flatten().map(|id| id.0.into());
        equal("submissions.contest =", contest);
        equal(
            "submissions.problem =",
            filter.problem.map(|id| id.0.into()),
        );
        equal("submissions.user =", filter.user.map(|id| id.0.into()));
        equal("submissions.team =", filter.team.map(|id| id.0.into()));
        equal(
            "submissions.language =",
            filter.language.clone().map(Value::from),
        );
        equal("submissions.id <", filter.before.map(|id| id.0.into()));
        equal(
            "(SELECT verdict FROM judgings WHERE submission = submissions.id AND valid = 1) =",
            filter.verdict.clone().map(Value::from),
        );
        if filter.contest == Some(None) {
            conditions.push("submissions.contest IS NULL".to_owned());
        }
        values.push((count as i64).into());
        let sql = format!(
            "{SUBMISSION} WHERE {} ORDER BY submissions.id DESC LIMIT ?{}",
            conditions.join(" AND "),
            values.len()
        );
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params_from_iter(values), submission)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }
}
