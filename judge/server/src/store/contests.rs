//! Contests, their problems and teams: reading and changing them.

use super::objects;
use super::query::Queries;
use super::teams::TEAM;
use super::{
    Contest, ContestId, ContestProblem, Error, Notice, Result, Store, Team, TeamId, Tx, Visibility,
    clarifications, commentary, now_ms, published,
};
use rusqlite::{Connection, params};

pub(super) fn by_id(connection: &Connection, id: ContestId) -> Result<Contest> {
    connection.numbered("contest", "SELECT * FROM contests WHERE id = ?1", id)
}

fn by_ext(connection: &Connection, ext: &str) -> Result<Option<Contest>> {
    connection.optional("SELECT * FROM contests WHERE ext = ?1", [ext])
}

/// Announces a contest. This row has to come before those that its clock changes: listeners decide by the
/// contest who may see them.
fn announce(tx: &mut Tx<'_>, id: ContestId) -> Result<()> {
    let contest = by_id(tx, id)?;
    let notice = Notice {
        contest: id,
        kind: "contest",
        object: None,
        visible: Visibility::Public,
        about: None,
    };
    tx.announce(notice, Some(&objects::contest(&contest)?))
}

/// The teams of a contest, sorted by `ext`.
fn teams_of(connection: &Connection, id: ContestId) -> Result<Vec<Team>> {
    connection.all(
        &format!(
            "{TEAM} JOIN contest_teams ON contest_teams.team = teams.id
         WHERE contest_teams.contest = ?1 ORDER BY teams.ext"
        ),
        [id],
    )
}

impl Tx<'_> {
    /// The contest with this id of the Contest API.
    pub(crate) fn contest_by_ext(&self, ext: &str) -> Result<Option<Contest>> {
        by_ext(self, ext)
    }

    /// The teams of a contest, sorted by `ext`.
    pub(crate) fn contest_teams(&self, id: ContestId) -> Result<Vec<Team>> {
        teams_of(self, id)
    }

    /// Adds a contest, or replaces the one with the same `ext`, and announces the objects whose visibility
    /// its clock changes. If the new end is later than the thaw or the finalization, these are undone.
    ///
    /// # Errors
    ///
    /// When a figure is out of range.
    pub(crate) fn put_contest(&mut self, new: &Contest) -> Result<ContestId> {
        if new.duration_ms <= 0 || !(0..=new.duration_ms).contains(&new.freeze_ms.unwrap_or(0)) {
            return Err(Error::Conflict(
                "a contest takes longer than 0 and is frozen for no longer than it takes"
                    .to_owned(),
            ));
        }

        let new = &new.without_early_marks();
        self.configuration = true;
        let before = by_ext(self, &new.ext)?;
        let id: ContestId = self.put("contests", new)?;
        announce(self, id)?;
        let clock = |c: &Contest| (c.start_ms, c.duration_ms, c.freeze_ms, c.thawed_ms);
        let withheld = |c: &Contest| c.withholds_results(now_ms());
        let changed =
            |before: Contest| clock(&before) != clock(new) || withheld(&before) != withheld(new);
        if before.is_some_and(changed) {
            published::announce_again(self, id, i64::MIN)?;
            clarifications::announce_again(self, id)?;
            commentary::announce_again(self, id)?;
        }
        Ok(id)
    }

    /// Replaces the problems of a contest, in the order of the list (`ext` and `name` are ignored).
    ///
    /// # Errors
    ///
    /// When two have one label, or one does not exist.
    pub(crate) fn set_contest_problems(
        &mut self,
        id: ContestId,
        problems: &[ContestProblem],
    ) -> Result<()> {
        self.configuration = true;
        self.run("DELETE FROM contest_problems WHERE contest = ?1", [id])?;
        for (ordinal, problem) in problems.iter().enumerate() {
            self.run(
                "INSERT INTO contest_problems (contest, problem, ordinal, label, rgb, color)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![
                    id,
                    problem.problem,
                    ordinal,
                    problem.label,
                    problem.rgb,
                    problem.color
                ],
            )?;
        }
        Ok(())
    }

    /// Replaces the teams of a contest.
    ///
    /// # Errors
    ///
    /// When one does not exist.
    pub(crate) fn set_contest_teams(&mut self, id: ContestId, teams: &[TeamId]) -> Result<()> {
        self.configuration = true;
        self.run("DELETE FROM contest_teams WHERE contest = ?1", [id])?;
        for team in teams {
            self.run(
                "INSERT OR IGNORE INTO contest_teams (contest, team) VALUES (?1, ?2)",
                params![id, team],
            )?;
        }
        Ok(())
    }
}

impl Store {
    /// A contest.
    pub fn contest(&self, id: ContestId) -> Result<Contest> {
        self.read(|connection| by_id(connection, id))
    }

    /// The contest with this id of the Contest API.
    pub fn contest_by_ext(&self, ext: &str) -> Result<Option<Contest>> {
        self.read(|connection| by_ext(connection, ext))
    }

    /// All contests, the latest first.
    pub fn contests(&self) -> Result<Vec<Contest>> {
        self.all(
            "SELECT * FROM contests ORDER BY start_ms DESC NULLS FIRST, id DESC",
            [],
        )
    }

    /// The same as `Tx::put_contest`, in a transaction of its own.
    pub fn put_contest(&self, new: &Contest) -> Result<ContestId> {
        self.write(|tx| tx.put_contest(new))
    }

    /// Repairs contests that older servers left: their results were shown or final, then the contest got a
    /// later end. Before its end, no contest can have these marks otherwise. One that is over keeps them,
    /// because its results are public. Returns the names of the repaired contests.
    pub fn remove_early_marks(&self, now_ms: i64) -> Result<Vec<String>> {
        let mut contests = self.contests()?;
        contests.retain(|contest| {
            contest.end_ms().is_none_or(|end| now_ms < end)
                && *contest != contest.without_early_marks()
        });
        for contest in &contests {
            self.put_contest(contest)?;
        }
        Ok(contests.into_iter().map(|contest| contest.name).collect())
    }

    /// Shows the frozen results to everybody, and announces them in the feed.
    ///
    /// # Errors
    ///
    /// When the contest is not over, or thawed already.
    pub fn thaw(&self, id: ContestId, now_ms: i64) -> Result<()> {
        self.write(|tx| {
            tx.configuration = true;
            let before = by_id(tx, id)?;
            if before.end_ms().is_none_or(|end| now_ms < end) {
                return Err(Error::Conflict("the contest is not over".to_owned()));
            }
            if before.thawed_ms.is_some() {
                return Err(Error::Conflict("the results are shown already".to_owned()));
            }
            tx.run(
                "UPDATE contests SET thawed_ms = ?2 WHERE id = ?1",
                params![id, now_ms],
            )?;
            announce(tx, id)?;
            if let Some(freezes) = before.freezes_ms() {
                published::announce_again(tx, id, freezes)?;
            }
            Ok(())
        })
    }

    /// Announces all results of a contest that withheld them until its end.
    pub(crate) fn announce_results(&self, id: ContestId) -> Result<()> {
        self.write(|tx| published::announce_again(tx, id, i64::MIN))
    }

    /// The same as `Tx::set_contest_problems`, in a transaction of its own.
    pub fn set_contest_problems(&self, id: ContestId, problems: &[ContestProblem]) -> Result<()> {
        self.write(|tx| tx.set_contest_problems(id, problems))
    }

    /// The problems of a contest, in order.
    pub fn contest_problems(&self, id: ContestId) -> Result<Vec<ContestProblem>> {
        self.all(
            "SELECT p.problem, problems.ext, v.name, p.label, p.rgb, p.color
             FROM contest_problems p JOIN problems ON problems.id = p.problem
             JOIN current_versions c ON c.problem = p.problem
             JOIN package_versions v ON v.id = c.version
             WHERE p.contest = ?1 ORDER BY p.ordinal",
            [id],
        )
    }

    /// The same as `Tx::set_contest_teams`, in a transaction of its own.
    pub fn set_contest_teams(&self, id: ContestId, teams: &[TeamId]) -> Result<()> {
        self.write(|tx| tx.set_contest_teams(id, teams))
    }

    /// The teams of a contest, sorted by `ext`.
    pub fn contest_teams(&self, id: ContestId) -> Result<Vec<Team>> {
        self.read(|connection| teams_of(connection, id))
    }

    /// Whether the team takes part in the contest.
    pub(crate) fn takes_part(&self, contest: ContestId, team: TeamId) -> Result<bool> {
        self.any(
            "SELECT 1 FROM contest_teams WHERE contest = ?1 AND team = ?2",
            params![contest, team],
        )
    }
}
