//! Adds submissions.

use super::feed_change::FeedChange;
use super::query::{Queries, columns};
use super::{
    ContestId, Error, JudgingId, ONCE_MS, ProblemId, Result, SourceFile, Store, SubmissionId,
    TeamId, Tx, UserId, VersionId, finality, judgings, now_ms, submissions,
};
use crate::queue::Priority;
use rusqlite::params;

/// A submission to add. Its sources are in the blobs already.
#[derive(Clone, Debug)]
pub struct NewSubmission {
    /// The contest; `None`: practice.
    pub contest: Option<ContestId>,
    pub problem: ProblemId,
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

impl Store {
    /// Adds a submission with its first judging, which uses the present version of the package, and
    /// announces it. The caller enqueues the judging; one that is not enqueued, because the server
    /// was killed, is found by `Store::judgings_without_unit`.
    pub fn submit(&self, new: &NewSubmission) -> Result<(SubmissionId, JudgingId)> {
        self.write(|tx| add(tx, new))
    }

    /// The same, unless the user's last submission was just sent with the same files and has no verdict yet; then returns that
    /// one and its judging.
    pub(crate) fn submit_once(&self, new: &NewSubmission) -> Result<(SubmissionId, JudgingId)> {
        self.write(|tx| match sent_before(tx, new)? {
            Some(known) => Ok(known),
            None => add(tx, new),
        })
    }
}

/// The user's last submission, if it is equal, was just sent and is not judged yet.
fn sent_before(tx: &Tx<'_>, new: &NewSubmission) -> Result<Option<(SubmissionId, JudgingId)>> {
    let last: Option<(SubmissionId, JudgingId)> = tx.optional(
        "SELECT s.id, j.id FROM submissions s JOIN judgings j ON j.submission = s.id AND j.valid = 1
         WHERE s.user = ?1 AND s.time_ms > ?2 AND j.state <> 'done' ORDER BY s.id DESC LIMIT 1",
        params![new.user, now_ms() - ONCE_MS],
    )?;
    let Some((id, judging)) = last else {
        return Ok(None);
    };
    let last = submissions::by_id(tx, id)?;
    let is_equal = last.contest == new.contest
        && last.problem == new.problem
        && last.language == new.language
        && last.entry_point == new.entry_point
        && submissions::files(tx, id)? == new.files;
    Ok(is_equal.then_some((id, judging)))
}

fn add(tx: &mut Tx<'_>, new: &NewSubmission) -> Result<(SubmissionId, JudgingId)> {
    let version: VersionId = tx
        .optional(
            "SELECT version FROM current_versions WHERE problem = ?1",
            [new.problem],
        )?
        .ok_or_else(|| Error::NotFound(format!("no problem {}", new.problem)))?;
    if let Some(id) = new.id
        && submissions::by_id(tx, id).is_ok()
    {
        return Err(Error::Conflict(format!(
            "there is a submission {id} already"
        )));
    }
    finality::must_not_change(tx, new.contest, new.team)?;
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
    tx.announce_later(FeedChange::Submission(id));
    tx.submissions.insert(id);
    Ok((id, judging))
}
