//! Contests, their problems and teams: reading and changing them.

use super::contest::by_id;
use super::feed_change::FeedChange;
use super::query::Queries;
use super::teams::TEAM;
use super::{
    Contest, ContestId, ContestProblem, Error, Result, Store, Team, TeamId, Tx, check_names,
    finality, must_be, must_be_new, now_ms, refuse_if,
};
use crate::contest_api::{MAX_NAME, MAX_SHORT_NAME, check_name};
use rusqlite::{Connection, params};
use std::collections::BTreeSet;
use std::fmt::Display;

fn by_ext(connection: &Connection, ext: &str) -> Result<Option<Contest>> {
    connection.optional("SELECT * FROM contests WHERE ext = ?1", [ext])
}

/// Refuses to move the start of a running contest behind one of its submissions.
fn check_start(connection: &Connection, before: &Contest, new: &Contest) -> Result<()> {
    let is_moved = new.start_ms != before.start_ms && before.is_running(now_ms());
    let is_used = || {
        connection.any(
            "SELECT 1 FROM submissions WHERE contest = ?1 AND time_ms < ?2",
            params![before.id, new.start_ms.unwrap_or(i64::MAX)],
        )
    };
    let why =
        "the contest is running and has submissions from before the new start; keep the start";
    refuse_if(is_moved && is_used()?, why)
}

/// Refuses to remove a `problem` or `team` of a contest that has submissions in it.
fn check_removed<T: Display>(
    connection: &Connection,
    id: ContestId,
    kind: &str,
    kept: &[T],
) -> Result<()> {
    let kept: Vec<String> = kept.iter().map(ToString::to_string).collect();
    let found: Option<(String, i64)> = connection.optional(
        &format!(
            "SELECT {kind}s.ext, COUNT(*) FROM contest_{kind}s own
             JOIN submissions s ON s.contest = own.contest AND s.{kind} = own.{kind}
             JOIN {kind}s ON {kind}s.id = own.{kind}
             WHERE own.contest = ?1 AND own.{kind} NOT IN ({}) GROUP BY own.{kind} LIMIT 1",
            kept.join(", ")
        ),
        [id],
    )?;
    match found {
        Some((ext, count)) => Err(Error::Conflict(format!(
            "the {kind} {ext} has {count} submissions in the contest and cannot be removed from it"
        ))),
        None => Ok(()),
    }
}

/// The teams of a contest, sorted by `ext`.
pub(super) fn teams_of(connection: &Connection, id: ContestId) -> Result<Vec<Team>> {
    connection.all(
        &format!(
            "{TEAM} JOIN contest_teams ON contest_teams.team = teams.id
         WHERE contest_teams.contest = ?1 ORDER BY teams.ext"
        ),
        [id],
    )
}

/// The penalties that the jury added to those of teams, in milliseconds.
pub(super) fn extra_penalties(
    connection: &Connection,
    id: ContestId,
) -> Result<Vec<(TeamId, i64)>> {
    connection.all(
        "SELECT team, extra_penalty_ms FROM contest_teams
         WHERE contest = ?1 AND extra_penalty_ms <> 0 ORDER BY team",
        [id],
    )
}

/// The problems of a contest, in order.
pub(super) fn problems_of(connection: &Connection, id: ContestId) -> Result<Vec<ContestProblem>> {
    connection.all(
        "SELECT p.problem, problems.ext, v.name, p.label, p.rgb, p.color
         FROM contest_problems p JOIN problems ON problems.id = p.problem
         JOIN current_versions c ON c.problem = p.problem
         JOIN package_versions v ON v.id = c.version
         WHERE p.contest = ?1 ORDER BY p.ordinal",
        [id],
    )
}

/// Whether two lists say the same; `ext` and `name` are those of the problem.
fn same_problems(a: &[ContestProblem], b: &[ContestProblem]) -> bool {
    let own = |p: &ContestProblem| (p.problem, p.label.clone(), p.rgb.clone(), p.color.clone());
    a.iter().map(own).eq(b.iter().map(own))
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
    /// Fails when a figure is out of range, or a name is invalid; when the results are final; when the
    /// contest is running and has submissions from before the new start.
    pub(crate) fn put_contest(&mut self, new: &Contest) -> Result<ContestId> {
        check_names(&new.name, &[&new.formal_name])?;
        new.check_clock()?;
        let prepared = new.prepared_answers.iter().flat_map(|own| &own.0);
        for text in new.clarification_categories.0.iter().chain(prepared) {
            check_name(text, MAX_NAME)?;
        }
        crate::zone::named(new.zone.as_deref()).map_err(|why| Error::Invalid(why.into()))?;
        let new = &new.without_early_marks();
        self.configuration = true;
        let before = by_ext(self, &new.ext)?;
        if let Some(before) = &before {
            finality::check_settings(before, new)?;
            check_start(self, before, new)?;
        }
        let id: ContestId = self.put("contests", new)?;
        self.announce_later(FeedChange::Contest(id));
        let clock = |c: &Contest| {
            let removed = c.removed_time.clone();
            (c.start_ms, c.duration_ms, c.freeze_ms, c.thawed_ms, removed)
        };
        let withheld = |c: &Contest| (c.withholds_results(now_ms()), c.verification);
        let changed =
            |before: Contest| clock(&before) != clock(new) || withheld(&before) != withheld(new);
        if before.is_some_and(changed) {
            self.announce_later(FeedChange::ResultsSince(id, i64::MIN));
            self.announce_later(FeedChange::Clarifications(id));
            self.announce_later(FeedChange::Commentary(id));
        }
        Ok(id)
    }

    /// Replaces the problems of a contest, in the order of the list (`ext` and `name` are ignored).
    /// Fails when two have one label, or one does not exist; when a label or the name of a colour is invalid;
    /// when the results are final.
    pub(crate) fn set_contest_problems(
        &mut self,
        id: ContestId,
        problems: &[ContestProblem],
    ) -> Result<()> {
        for problem in problems {
            check_name(&problem.label, MAX_SHORT_NAME)?;
            check_names(&problem.label, &[&problem.color])?;
        }
        if !same_problems(&problems_of(self, id)?, problems) {
            finality::must_not_be_final(self, id)?;
        }
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

    /// Replaces the problems of a contest, without removing one that has submissions.
    /// Fails when one that is not in the list has submissions in the contest, and the errors of
    /// [`Tx::set_contest_problems`].
    pub(crate) fn replace_contest_problems(
        &mut self,
        id: ContestId,
        problems: &[ContestProblem],
    ) -> Result<()> {
        let kept: Vec<_> = problems.iter().map(|own| own.problem).collect();
        check_removed(self, id, "problem", &kept)?;
        self.set_contest_problems(id, problems)
    }

    /// Replaces the teams of a contest.
    /// Fails when one does not exist; when the results are final.
    pub(crate) fn set_contest_teams(&mut self, id: ContestId, teams: &[TeamId]) -> Result<()> {
        let before: BTreeSet<TeamId> = teams_of(self, id)?.iter().map(|team| team.id).collect();
        let now: BTreeSet<TeamId> = teams.iter().copied().collect();
        if before != now {
            finality::must_not_be_final(self, id)?;
        }
        self.configuration = true;
        for team in before.difference(&now) {
            self.run(
                "DELETE FROM contest_teams WHERE contest = ?1 AND team = ?2",
                params![id, team],
            )?;
        }
        for team in now {
            self.run(
                "INSERT OR IGNORE INTO contest_teams (contest, team) VALUES (?1, ?2)",
                params![id, team],
            )?;
        }
        Ok(())
    }
}

impl Store {
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

    /// Adds a contest.
    /// Fails when another one has the id, and the errors of `Tx::put_contest`.
    pub(crate) fn add_contest(&self, new: &Contest) -> Result<ContestId> {
        self.write(|tx| {
            must_be_new(tx, "contests", "a contest", &new.ext)?;
            tx.put_contest(new)
        })
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
            !contest.is_over(now_ms) && *contest != contest.without_early_marks()
        });
        for contest in &contests {
            self.put_contest(contest)?;
        }
        Ok(contests.into_iter().map(|contest| contest.name).collect())
    }

    /// Replaces a contest, if it is still as it was read.
    /// Fails when it was changed meanwhile, and the errors of [`Store::put_contest`].
    pub(crate) fn replace_contest(&self, before: &Contest, new: &Contest) -> Result<()> {
        self.write(|tx| {
            must_be(&by_id(tx, before.id)?, before, "the contest")?;
            tx.put_contest(new).map(drop)
        })
    }

    /// Announces all results of a contest that withheld them until its end.
    pub(crate) fn announce_results(&self, id: ContestId) -> Result<()> {
        self.write(|tx| {
            tx.announce_later(FeedChange::ResultsSince(id, i64::MIN));
            Ok(())
        })
    }

    /// The same as `Tx::set_contest_problems`, in a transaction of its own.
    pub fn set_contest_problems(&self, id: ContestId, problems: &[ContestProblem]) -> Result<()> {
        self.write(|tx| tx.set_contest_problems(id, problems))
    }

    /// Replaces the problems of a contest, if they are still as they were read.
    /// Fails when they were changed meanwhile, and the errors of `Tx::replace_contest_problems`.
    pub(crate) fn replace_contest_problems(
        &self,
        id: ContestId,
        before: &[ContestProblem],
        problems: &[ContestProblem],
    ) -> Result<()> {
        self.write(|tx| {
            must_be(&*problems_of(tx, id)?, before, "the list of problems")?;
            tx.replace_contest_problems(id, problems)
        })
    }

    /// The problems of a contest, in order.
    pub fn contest_problems(&self, id: ContestId) -> Result<Vec<ContestProblem>> {
        self.read(|connection| problems_of(connection, id))
    }

    /// Adds teams to a contest and removes others.
    /// Fails when a removed one has submissions in the contest, and the errors of
    /// [`Store::set_contest_teams`].
    pub(crate) fn change_contest_teams(
        &self,
        id: ContestId,
        added: &[TeamId],
        removed: &[TeamId],
    ) -> Result<()> {
        self.write(|tx| {
            let own = teams_of(tx, id)?.into_iter().map(|team| team.id);
            let mut teams: Vec<TeamId> = own.filter(|team| !removed.contains(team)).collect();
            teams.extend(added);
            check_removed(tx, id, "team", &teams)?;
            tx.set_contest_teams(id, &teams)
        })
    }

    /// The same as `Tx::set_contest_teams`, in a transaction of its own.
    pub fn set_contest_teams(&self, id: ContestId, teams: &[TeamId]) -> Result<()> {
        self.write(|tx| tx.set_contest_teams(id, teams))
    }

    /// The penalties that the jury added to those of teams, in milliseconds.
    pub(crate) fn extra_penalties(&self, id: ContestId) -> Result<Vec<(TeamId, i64)>> {
        self.read(|connection| extra_penalties(connection, id))
    }

    /// Sets the penalty that is added to that of a team.
    /// Fails when the team does not take part, or the results are final.
    pub(crate) fn set_extra_penalty(&self, id: ContestId, team: TeamId, ms: i64) -> Result<()> {
        self.write(|tx| {
            finality::must_not_be_final(tx, id)?;
            tx.configuration = true;
            let changed = tx.run(
                "UPDATE contest_teams SET extra_penalty_ms = ?3 WHERE contest = ?1 AND team = ?2",
                params![id, team, ms],
            )?;
            match changed {
                0 => Err(Error::NotFound("the team does not take part".to_owned())),
                _ => Ok(()),
            }
        })
    }

    /// The teams of a contest, sorted by `ext`.
    pub fn contest_teams(&self, id: ContestId) -> Result<Vec<Team>> {
        self.read(|connection| teams_of(connection, id))
    }

    pub(crate) fn takes_part(&self, contest: ContestId, team: TeamId) -> Result<bool> {
        self.any(
            "SELECT 1 FROM contest_teams WHERE contest = ?1 AND team = ?2",
            params![contest, team],
        )
    }
}
