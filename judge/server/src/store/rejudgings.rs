//! Rejudgings: sets of judgings beside the valid ones, applied or dropped as a whole.

use super::feed_change::FeedChange;
use super::query::{Queries, columns, optional_verdict, record};
use super::{
    ContestId, Error, JudgingId, JudgingState, RejudgingId, RejudgingState, Result, Store,
    SubmissionId, Tx, UnitId, UserId, VersionId, check_names, finality, judgings, now_ms, queue,
    refuse_if, submissions,
};
use crate::queue::Priority;
use judge_core::verdict::Verdict;
use rusqlite::{Connection, params};

record! { |row|
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub(crate) struct Rejudging {
        pub(crate) id: RejudgingId,
        /// The reason that the jury gave.
        pub(crate) reason: String,
        /// Whether it is open, applied or dropped.
        pub(crate) state: RejudgingState,
        pub(crate) created_by: Option<UserId>,
        /// When it was started.
        pub(crate) created_ms: i64,
        /// When it was applied or dropped.
        pub(crate) closed_ms: Option<i64>,
        /// Number of judgings.
        pub(crate) total: usize,
        /// Number of judgings that are done.
        pub(crate) done: usize,
    }
}

record! { |row|
    /// A submission of a rejudging: its verdict before and after.
    #[derive(Clone, PartialEq, Debug)]
    pub struct VerdictChange {
        pub(crate) submission: SubmissionId,
        pub(crate) judging: JudgingId,
        pub(crate) state: JudgingState,
        /// The verdict that counts (after an applied rejudging: that counted), if it has one.
        pub before: Option<Verdict> = optional_verdict(row, "before")?,
        /// The verdict of the rejudging, once it is done.
        pub after: Option<Verdict> = optional_verdict(row, "after")?,
        pub(crate) score_before: Option<f64>,
        pub(crate) score_after: Option<f64>,
    }
}

impl VerdictChange {
    /// Whether the new verdict is known and differs from the old one.
    pub fn differs(&self) -> bool {
        self.state == JudgingState::Done
            && (self.before != self.after || self.score_before != self.score_after)
    }
}

/// The machine of a judging whose verdict a user set.
pub(super) const BY_HAND: &str = "set by hand";

const REJUDGING: &str = "SELECT r.*,
    (SELECT COUNT(*) FROM judgings WHERE rejudging = r.id) AS total,
    (SELECT COUNT(*) FROM judgings WHERE rejudging = r.id AND state = 'done') AS done
    FROM rejudgings r";

fn by_id(connection: &Connection, id: RejudgingId) -> Result<Rejudging> {
    connection.numbered("rejudging", &format!("{REJUDGING} WHERE r.id = ?1"), id)
}

fn must_be_open(found: &Rejudging) -> Result<()> {
    match found.state {
        RejudgingState::Open => Ok(()),
        state => Err(Error::Conflict(format!(
            "rejudging {} is {} already",
            found.id,
            state.word()
        ))),
    }
}

impl Store {
    /// Adds a rejudging of these submissions with the present versions of their packages. The caller
    /// enqueues its judgings.
    /// Fails when the selection is empty, a submission is in an open rejudging, or the reason is invalid.
    pub fn add_rejudging(
        &self,
        reason: &str,
        by: Option<UserId>,
        selection: &[SubmissionId],
    ) -> Result<(RejudgingId, Vec<JudgingId>)> {
        check_names(reason, &[])?;
        refuse_if(selection.is_empty(), "no submission is selected")?;
        self.write(|tx| {
            let columns = columns! { reason: reason, created_by: by, created_ms: now_ms() };
            let id: RejudgingId = tx.insert("rejudgings", columns)?;
            let mut added = Vec::new();
            for submission in selection {
                let other: Option<RejudgingId> = tx.optional(
                    "SELECT r.id FROM judgings JOIN rejudgings r ON r.id = rejudging
                     WHERE submission = ?1 AND r.state = 'open'",
                    [submission],
                )?;
                if let Some(other) = other {
                    return Err(Error::Conflict(format!(
                        "submission {submission} is in rejudging {other}; apply or drop that first"
                    )));
                }
                let version: VersionId = tx.one(
                    "SELECT version FROM current_versions JOIN submissions USING (problem)
                     WHERE submissions.id = ?1",
                    [submission],
                )?;
                let judging =
                    judgings::insert(tx, *submission, version, Some(id), Priority::Rejudge)?;
                added.push(judging);
            }
            Ok((id, added))
        })
    }

    pub(crate) fn rejudging(&self, id: RejudgingId) -> Result<Rejudging> {
        self.read(|connection| by_id(connection, id))
    }

    /// All rejudgings, the latest first.
    pub(crate) fn rejudgings(&self) -> Result<Vec<Rejudging>> {
        self.all(&format!("{REJUDGING} ORDER BY r.id DESC"), [])
    }

    /// The verdicts of an open rejudging beside those that count, by submission.
    pub fn rejudging_changes(&self, id: RejudgingId) -> Result<Vec<VerdictChange>> {
        // The old verdict is that of the latest earlier judging that counted at some time: the first
        // judging, or one of an applied rejudging.
        self.all(
            "SELECT new.submission, new.id AS judging, new.state, new.verdict AS after,
                 new.score AS score_after, old.verdict AS before, old.score AS score_before
             FROM judgings new LEFT JOIN judgings old ON old.id =
                 (SELECT MAX(j.id) FROM judgings j LEFT JOIN rejudgings r ON r.id = j.rejudging
                  WHERE j.submission = new.submission AND j.id < new.id
                      AND (r.id IS NULL OR r.state = 'applied'))
             WHERE new.rejudging = ?1 ORDER BY new.submission",
            [id],
        )
    }

    /// Makes the judgings of a rejudging the valid ones, all in one transaction.
    /// Fails when it is not open, or some of its judgings have no verdict, or JE; when the results of a
    /// contest are final.
    pub fn apply_rejudging(&self, id: RejudgingId) -> Result<()> {
        self.write(|tx| {
            must_be_open(&by_id(tx, id)?)?;
            let unready: i64 = tx.one(
                "SELECT COUNT(*) FROM judgings
                 WHERE rejudging = ?1 AND (state <> 'done' OR verdict = 'JE')",
                [id],
            )?;
            let why = format!("{unready} judgings of the rejudging have no verdict, or JE");
            refuse_if(unready > 0, &why)?;
            let contests: Vec<ContestId> = tx.all(
                "SELECT DISTINCT contest FROM submissions JOIN judgings ON submission = submissions.id
                 WHERE rejudging = ?1 AND contest IS NOT NULL AND team IS NOT NULL",
                [id],
            )?;
            for contest in contests {
                finality::must_not_be_final(tx, contest)?;
            }
            let pairs: Vec<(SubmissionId, JudgingId, JudgingId)> = tx.all(
                "SELECT new.submission, old.id, new.id FROM judgings new
                 JOIN judgings old ON old.submission = new.submission AND old.valid = 1
                 WHERE new.rejudging = ?1 ORDER BY new.submission",
                [id],
            )?;
            for (submission, old, new) in pairs {
                make_valid(tx, submission, old, new)?;
            }
            close(tx, id, RejudgingState::Applied)
        })
    }

    /// Sets the verdict of a submission by hand: adds a judging that counts, in a rejudging of its own with the comment.
    /// Fails when the results of the contest are final, or the comment is invalid.
    pub(crate) fn set_verdict(
        &self,
        submission: SubmissionId,
        verdict: Verdict,
        comment: &str,
        by: UserId,
    ) -> Result<RejudgingId> {
        check_names(comment, &[])?;
        self.write(|tx| {
            let of = submissions::by_id(tx, submission)?;
            finality::must_not_change(tx, of.contest, of.team)?;
            let verdict = judgings::in_contest(tx, submission, verdict)?;
            let (old, version, priority): (JudgingId, VersionId, Priority) = tx.one(
                "SELECT id, version, priority FROM judgings WHERE submission = ?1 AND valid = 1",
                [submission],
            )?;
            let columns = columns! {
                reason: comment,
                state: RejudgingState::Applied,
                created_by: by,
                created_ms: now_ms(),
                closed_ms: now_ms(),
            };
            let rejudging: RejudgingId = tx.insert("rejudgings", columns)?;
            let new = judgings::insert(tx, submission, version, Some(rejudging), priority)?;
            tx.run(
                "UPDATE judgings SET state = 'done', verdict = ?2, machine = ?4,
                 started_ms = ?3, finished_ms = ?3 WHERE id = ?1",
                params![new, verdict.code(), now_ms(), BY_HAND],
            )?;
            make_valid(tx, submission, old, new)?;
            queue::discard(tx, &UnitId::Judging(old).to_string())?;
            Ok(rejudging)
        })
    }

    /// Discards the judgings of a rejudging; those that are not done are not judged any more.
    pub(crate) fn drop_rejudging(&self, id: RejudgingId) -> Result<()> {
        self.write(|tx| {
            must_be_open(&by_id(tx, id)?)?;
            tx.run(
                "UPDATE judgings SET state = 'dropped' WHERE rejudging = ?1 AND state <> 'done'",
                [id],
            )?;
            close(tx, id, RejudgingState::Dropped)
        })
    }
}

/// Lets a judging count instead of another one.
fn make_valid(
    tx: &mut Tx<'_>,
    submission: SubmissionId,
    old: JudgingId,
    new: JudgingId,
) -> Result<()> {
    // An old judging without a verdict is not needed any more.
    tx.run(
        "UPDATE judgings SET valid = 0,
         state = CASE state WHEN 'done' THEN 'done' ELSE 'dropped' END
         WHERE id = ?1",
        [old],
    )?;
    tx.run("UPDATE judgings SET valid = 1 WHERE id = ?1", [new])?;
    tx.announce_later(FeedChange::Judging(old));
    tx.announce_later(FeedChange::Judging(new));
    tx.announce_later(FeedChange::Runs(new));
    tx.submissions.insert(submission);
    Ok(())
}

fn close(connection: &Connection, id: RejudgingId, state: RejudgingState) -> Result<()> {
    connection.run(
        "UPDATE rejudgings SET state = ?2, closed_ms = ?3 WHERE id = ?1",
        params![id, state, now_ms()],
    )?;
    Ok(())
}
