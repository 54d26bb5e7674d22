//! Roles of accounts in single contests. A role does not count in a contest in which the account's team takes part.

use super::query::{Queries, from_column};
use super::{ContestId, ContestRole, RejudgingId, Result, Store, Tx, User, UserId, refuse_if};
use rusqlite::params;

from_column!(ContestRole, Option<ContestId>);

/// Selects the roles that count.
const COUNTING: &str = "FROM contest_roles r JOIN users u ON u.id = r.user
    WHERE NOT EXISTS (SELECT 1 FROM contest_teams t
        WHERE t.contest = r.contest AND t.team = u.team AND u.role = 'team')";

impl Tx<'_> {
    /// Gives a user a role in a contest, in place of another one; `None` takes it away.
    /// Fails when the user's team takes part.
    pub(crate) fn set_contest_role(
        &mut self,
        contest: ContestId,
        user: UserId,
        role: Option<ContestRole>,
    ) -> Result<()> {
        let Some(role) = role else {
            self.run(
                "DELETE FROM contest_roles WHERE contest = ?1 AND user = ?2",
                params![contest, user],
            )?;
            return Ok(());
        };
        self.run(
            "INSERT INTO contest_roles (contest, user, role) VALUES (?1, ?2, ?3)
             ON CONFLICT (contest, user) DO UPDATE SET role = excluded.role",
            params![contest, user, role],
        )?;
        let counts = self.any(
            &format!("SELECT 1 {COUNTING} AND r.contest = ?1 AND r.user = ?2"),
            params![contest, user],
        )?;
        let why = "the team of this account takes part in the contest; choose another account";
        refuse_if(!counts, why)
    }
}

impl Store {
    /// The same as `Tx::set_contest_role`, in a transaction of its own.
    pub fn set_contest_role(
        &self,
        contest: ContestId,
        user: UserId,
        role: Option<ContestRole>,
    ) -> Result<()> {
        self.write(|tx| tx.set_contest_role(contest, user, role))
    }

    /// The role of a user in a contest, if it counts.
    pub(crate) fn contest_role(
        &self,
        contest: ContestId,
        user: UserId,
    ) -> Result<Option<ContestRole>> {
        self.optional(
            &format!("SELECT r.role {COUNTING} AND r.contest = ?1 AND r.user = ?2"),
            params![contest, user],
        )
    }

    /// The contests in which a user has a role that counts.
    pub(crate) fn contest_roles_of(&self, user: UserId) -> Result<Vec<(ContestId, ContestRole)>> {
        self.all(
            &format!("SELECT r.contest, r.role {COUNTING} AND r.user = ?1 ORDER BY r.contest"),
            [user],
        )
    }

    /// The accounts that have a role in a contest, by name, also those whose role does not count.
    pub(crate) fn contest_roles_in(&self, contest: ContestId) -> Result<Vec<(User, ContestRole)>> {
        let roles: Vec<(UserId, ContestRole)> = self.all(
            "SELECT r.user, r.role FROM contest_roles r JOIN users u ON u.id = r.user
             WHERE r.contest = ?1 ORDER BY u.name",
            [contest],
        )?;
        let with_user = |(user, role)| Ok((self.user(user)?, role));
        roles.into_iter().map(with_user).collect()
    }

    /// The contests of the submissions of a rejudging; `None`: practice.
    pub(crate) fn contests_of_rejudging(&self, id: RejudgingId) -> Result<Vec<Option<ContestId>>> {
        self.all(
            "SELECT DISTINCT contest FROM submissions JOIN judgings ON submission = submissions.id
             WHERE rejudging = ?1",
            [id],
        )
    }
}
