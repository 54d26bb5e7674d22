//! The end of a contest: the frozen results are shown, the results become final, updates end; and reopening it.

use super::feed_change::FeedChange;
use super::query::{Queries, columns, record};
use super::{
    ContestId, Error, Result, Store, UserId, check_names, contest, finality, now_ms, refuse_if,
};
use rusqlite::params;

record! { |row|
    /// A contest was reopened.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Reopening {
        pub reason: String,
        pub(crate) time_ms: i64,
    }
}

impl Store {
    /// Shows the frozen results to everybody, and announces them in the feed. If they are final, updates end.
    /// Fails when the contest is not over, or thawed already.
    pub fn thaw(&self, id: ContestId, now_ms: i64) -> Result<()> {
        self.write(|tx| {
            tx.configuration = true;
            let before = contest::by_id(tx, id)?;
            refuse_if(!before.is_over(now_ms), "the contest is not over")?;
            refuse_if(before.thawed_ms.is_some(), "the results are shown already")?;
            tx.run(
                "UPDATE contests SET thawed_ms = ?2,
                 end_of_updates_ms = CASE WHEN finalized_ms IS NULL THEN NULL ELSE ?2 END
                 WHERE id = ?1",
                params![id, now_ms],
            )?;
            tx.announce_later(FeedChange::Contest(id));
            if let Some(freezes) = before.freezes_ms() {
                tx.announce_later(FeedChange::ResultsSince(id, freezes));
            }
            Ok(())
        })
    }

    /// Makes the results final. Updates end, unless frozen results are still to be shown.
    /// Fails when the contest is not over or final already, a submission has no verdict or JE, or a question has no answer.
    pub fn finalize(&self, id: ContestId, now_ms: i64) -> Result<()> {
        self.write(|tx| {
            tx.configuration = true;
            let before = contest::by_id(tx, id)?;
            refuse_if(!before.is_over(now_ms), "the contest is not over")?;
            refuse_if(before.finalized_ms.is_some(), "the results are final")?;
            let of_teams = "FROM submissions s JOIN judgings j ON j.submission = s.id AND j.valid = 1
                 WHERE s.contest = ?1 AND s.team IS NOT NULL AND NOT s.ignored";
            // Where they are, and what one and what several are.
            for (which, [one, several]) in [
                (
                    format!("{of_teams} AND j.state <> 'done'"),
                    [
                        "submission has no verdict yet; wait until it is judged",
                        "submissions have no verdict yet; wait until they are judged",
                    ],
                ),
                (
                    format!("{of_teams} AND j.verdict = 'JE'"),
                    [
                        "submission has the verdict JE; judge it again, set its verdict, or ignore it",
                        "submissions have the verdict JE; judge them again, set their verdicts, or ignore them",
                    ],
                ),
                (
                    format!(
                        "{of_teams} AND j.verified_ms IS NULL
                         AND (SELECT verification FROM contests WHERE id = ?1)"
                    ),
                    [
                        "result is not verified; verify it first",
                        "results are not verified; verify them first",
                    ],
                ),
                (
                    "FROM clarifications q WHERE q.contest = ?1 AND q.from_team IS NOT NULL
                     AND NOT EXISTS (SELECT 1 FROM clarifications a WHERE a.reply_to = q.id)"
                        .to_owned(),
                    [
                        "question has no answer; answer it first",
                        "questions have no answer; answer them first",
                    ],
                ),
            ] {
                let open: i64 = tx.one(&format!("SELECT COUNT(*) {which}"), [id])?;
                if open > 0 {
                    let why = if open == 1 { one } else { several };
                    return Err(Error::Conflict(format!("{open} {why}")));
                }
            }
            let is_hidden = before.freeze_ms.is_some() && before.thawed_ms.is_none();
            tx.run(
                "UPDATE contests SET finalized_ms = ?2, end_of_updates_ms = ?3 WHERE id = ?1",
                params![id, now_ms, (!is_hidden).then_some(now_ms)],
            )?;
            Ok(())
        })
    }

    /// Opens final results again, so that the contest can be changed.
    /// Fails when they are not final, or the reason is invalid.
    pub fn reopen(&self, id: ContestId, reason: &str, by: UserId) -> Result<()> {
        check_names(reason, &[])?;
        self.write(|tx| {
            tx.configuration = true;
            let is_open = contest::by_id(tx, id)?.finalized_ms.is_none();
            refuse_if(is_open, "the results are not final")?;
            let columns = columns! {
                contest: id,
                reason: reason,
                reopened_by: by,
                time_ms: now_ms(),
            };
            let _: i64 = tx.insert("contest_reopenings", columns)?;
            tx.run(
                "UPDATE contests SET finalized_ms = NULL, end_of_updates_ms = NULL WHERE id = ?1",
                [id],
            )?;
            // At once: rows after the end of the updates are left out of the feed.
            tx.announce_later(FeedChange::State(id));
            tx.announce_later(FeedChange::ResultsSince(id, i64::MIN));
            Ok(())
        })
    }

    /// When and why a contest was reopened, the oldest first.
    pub fn reopenings(&self, id: ContestId) -> Result<Vec<Reopening>> {
        self.all(
            "SELECT reason, time_ms FROM contest_reopenings WHERE contest = ?1 ORDER BY id",
            [id],
        )
    }

    /// Whether the last event of a contest is in its feed.
    pub(crate) fn updates_have_ended(&self, id: ContestId) -> Result<bool> {
        self.read(|connection| finality::updates_have_ended(connection, id))
    }
}
