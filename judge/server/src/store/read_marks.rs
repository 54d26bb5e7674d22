//! Which clarifications a user has not read yet, and which questions wait for the jury.

use super::filter::list;
use super::{ClarificationId, ContestId, Result, Store, TeamId, UserId};
use rusqlite::params;

/// The number of clarifications, and the id of the contest of the latest in the Contest API.
pub(crate) type Unread = Option<(String, usize)>;

/// Clarifications of the jury that a user of a team has not read, in contests without final results.
const OF_TEAM: &str = "FROM clarifications c JOIN contests ON contests.id = c.contest
    JOIN contest_teams own ON own.contest = c.contest AND own.team = ?2
    WHERE c.from_team IS NULL AND (c.to_team IS NULL OR c.to_team = ?2) AND contests.finalized_ms IS NULL
    AND c.id > COALESCE((SELECT last FROM clarification_marks m WHERE m.user = ?1 AND m.contest = c.contest), 0)";

/// Questions of teams without an answer, in contests without final results.
const OF_JURY: &str = "FROM clarifications c JOIN contests ON contests.id = c.contest
    WHERE c.from_team IS NOT NULL AND contests.finalized_ms IS NULL
    AND NOT EXISTS (SELECT 1 FROM clarifications answer WHERE answer.reply_to = c.id)";

/// The last contest and the number of the rows that such a condition selects.
fn counted(which: &str) -> String {
    format!("SELECT contests.ext, COUNT(*) OVER () {which} ORDER BY c.id DESC LIMIT 1")
}

impl Store {
    /// The clarifications that a member of a team has not read.
    pub(crate) fn unread(&self, user: UserId, team: TeamId) -> Result<Unread> {
        self.optional(&counted(OF_TEAM), params![user, team])
    }

    /// The number of them in one contest.
    pub(crate) fn unread_in(
        &self,
        user: UserId,
        team: TeamId,
        contest: ContestId,
    ) -> Result<usize> {
        self.one(
            &format!("SELECT COUNT(*) {OF_TEAM} AND c.contest = ?3"),
            params![user, team, contest],
        )
    }

    /// The questions that wait for an answer of the jury, of all contests or of these.
    pub(crate) fn open_questions(&self, contests: Option<&[ContestId]>) -> Result<Unread> {
        let Some(contests) = contests else {
            return self.optional(&counted(OF_JURY), []);
        };
        let ids = list(contests);
        self.optional(&counted(&format!("{OF_JURY} AND c.contest IN ({ids})")), [])
    }

    pub(crate) fn last_read(&self, user: UserId, contest: ContestId) -> Result<ClarificationId> {
        let last = self.optional(
            "SELECT last FROM clarification_marks WHERE user = ?1 AND contest = ?2",
            params![user, contest],
        )?;
        Ok(last.unwrap_or_default())
    }

    /// Marks the clarifications of a contest as read by a user, up to this one.
    pub(crate) fn mark_read(
        &self,
        user: UserId,
        contest: ContestId,
        last: ClarificationId,
    ) -> Result<()> {
        if self.last_read(user, contest)? >= last {
            return Ok(());
        }
        self.run(
            "INSERT INTO clarification_marks (user, contest, last) VALUES (?1, ?2, ?3)
             ON CONFLICT (user, contest) DO UPDATE SET last = MAX(last, excluded.last)",
            params![user, contest, last],
        )
    }

    /// The number of the last clarification of all contests.
    pub(crate) fn last_clarification(&self) -> Result<ClarificationId> {
        let last = self.optional("SELECT id FROM clarifications ORDER BY id DESC LIMIT 1", [])?;
        Ok(last.unwrap_or_default())
    }
}
