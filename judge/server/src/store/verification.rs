//! Verification of results by a judge: in contests that demand it, teams and spectators see only verified ones.

use super::feed_change::FeedChange;
use super::published::PUBLISHED;
use super::query::Queries;
use super::rejudgings::BY_HAND;
use super::{
    Judging, JudgingId, JudgingState, Result, Store, Tx, UserId, check_names, finality, judgings,
    now_ms, refuse_if, submissions,
};
use rusqlite::params;

impl Store {
    /// Records that a judge has verified the result of a judging, and announces it.
    /// Fails when the judging does not count, has no verdict, or is verified already; when the judge set its verdict; when
    /// the comment is invalid, or the results of the contest are final.
    pub(crate) fn verify(&self, id: JudgingId, by: UserId, comment: Option<&str>) -> Result<()> {
        check_names(comment.unwrap_or("none"), &[])?;
        self.write(|tx| {
            let found = changeable(tx, id)?;
            let why = format!("judging {id} has no verdict yet");
            refuse_if(found.state != JudgingState::Done, &why)?;
            refuse_if(
                found.verified_ms.is_some(),
                "the result is verified already",
            )?;
            let set_it = tx.any(
                "SELECT 1 FROM rejudgings WHERE id = ?1 AND created_by = ?2 AND ?3 = ?4",
                params![found.rejudging, by, found.machine, BY_HAND],
            )?;
            refuse_if(
                set_it,
                "you set this verdict; another judge has to verify it",
            )?;
            tx.run(
                "UPDATE judgings SET verified_by = ?2, verified_ms = ?3, verification_comment = ?4
                 WHERE id = ?1",
                params![id, by, now_ms(), comment],
            )?;
            announce(tx, &found)
        })
    }

    /// Takes a verification back: teams and spectators lose the result, if the contest demands one.
    /// Fails when the judging does not count, or the results of the contest are final.
    pub(crate) fn withdraw_verification(&self, id: JudgingId) -> Result<()> {
        self.write(|tx| {
            let found = changeable(tx, id)?;
            tx.run(
                "UPDATE judgings SET verified_by = NULL, verified_ms = NULL, verification_comment = NULL
                 WHERE id = ?1",
                [id],
            )?;
            announce(tx, &found)
        })
    }
}

/// A judging that counts, of a contest whose results are not final.
fn changeable(tx: &Tx<'_>, id: JudgingId) -> Result<Judging> {
    let found = judgings::by_id(tx, id)?;
    let submission = submissions::by_id(tx, found.submission)?;
    finality::must_not_change(tx, submission.contest, submission.team)?;
    let why = "another judging of the submission counts now; load the page again";
    refuse_if(!found.valid, why)?;
    Ok(found)
}

/// Announces all judgings of the submission: with the result of one, those before it are shown or hidden.
fn announce(tx: &mut Tx<'_>, found: &Judging) -> Result<()> {
    let all: Vec<JudgingId> = tx.all(
        &format!("SELECT id FROM judgings WHERE submission = ?1 AND {PUBLISHED} ORDER BY id"),
        [found.submission],
    )?;
    for id in all {
        tx.announce_later(FeedChange::Judging(id));
    }
    tx.submissions.insert(found.submission);
    Ok(())
}
