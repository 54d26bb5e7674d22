//! Deliveries of balloons to teams.

use super::{ContestId, ProblemId, Result, Store, TeamId, UserId, now_ms};
use rusqlite::params;
use std::collections::HashMap;

/// The delivery of a balloon: its time, and the name of the user who recorded it, if the account still exists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// The user's name.
    pub(crate) by: Option<String>,
    pub(crate) time_ms: i64,
}

impl Store {
    /// The delivered balloons of a contest, keyed by team and problem.
    pub fn delivered_balloons(
        &self,
        contest: ContestId,
    ) -> Result<HashMap<(TeamId, ProblemId), Delivery>> {
        let rows = self.all(
            "SELECT b.team, b.problem, users.name, b.delivered_ms FROM delivered_balloons b
             LEFT JOIN users ON users.id = b.delivered_by WHERE b.contest = ?1",
            [contest],
        )?;
        let delivery = |(team, problem, by, time_ms)| ((team, problem), Delivery { by, time_ms });
        Ok(rows.into_iter().map(delivery).collect())
    }

    /// Records the delivery of a balloon, unless it is recorded already.
    pub(crate) fn deliver_balloon(
        &self,
        contest: ContestId,
        team: TeamId,
        problem: ProblemId,
        by: UserId,
    ) -> Result<()> {
        self.run(
            "INSERT INTO delivered_balloons (contest, team, problem, delivered_by, delivered_ms)
             VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
            params![contest, team, problem, by, now_ms()],
        )
    }

    /// Removes the record of a delivery.
    pub(crate) fn undo_balloon(
        &self,
        contest: ContestId,
        team: TeamId,
        problem: ProblemId,
    ) -> Result<()> {
        self.run(
            "DELETE FROM delivered_balloons WHERE contest = ?1 AND team = ?2 AND problem = ?3",
            params![contest, team, problem],
        )
    }
}
