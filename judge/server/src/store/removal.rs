//! Deleting users, teams, contests and problems, with everything that belongs to them; and ignoring submissions.

use super::feed_change::FeedChange;
use super::query::Queries;
use super::{
    ClarificationId, ContestId, JudgingId, ProblemId, Result, Store, SubmissionId, TeamId, Tx,
    UnitId, UploadId, UserId, Visibility, clarifications, finality, objects, queue, submissions,
};
use rusqlite::{Connection, params};

/// An object that can be deleted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Removable {
    User(UserId),
    Team(TeamId),
    Contest(ContestId),
    Problem(ProblemId),
}

/// Everything that is deleted together with an object, or changes with it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Lost {
    /// Submissions, with their judgings.
    pub submissions: usize,
    /// Contests whose results change, by name, with the numbers of submissions that they lose.
    pub of_contests: Vec<(String, usize)>,
    /// Contests that lose a team or a problem.
    pub members_of: Vec<String>,
    /// Questions and answers.
    pub clarifications: usize,
    /// Users that are in no team any more, by name.
    pub users: Vec<String>,
    pub versions: usize,
}

impl Removable {
    /// The column of submissions that refers to it.
    fn column(self) -> &'static str {
        match self {
            Removable::User(_) => "user",
            Removable::Team(_) => "team",
            Removable::Contest(_) => "contest",
            Removable::Problem(_) => "problem",
        }
    }

    fn number(self) -> i64 {
        match self {
            Removable::User(UserId(id))
            | Removable::Team(TeamId(id))
            | Removable::Contest(ContestId(id))
            | Removable::Problem(ProblemId(id)) => id,
        }
    }

    /// The table of contests that have it as a member, if it can be one.
    fn members(self) -> Option<&'static str> {
        match self {
            Removable::Team(_) => Some("contest_teams"),
            Removable::Problem(_) => Some("contest_problems"),
            Removable::User(_) | Removable::Contest(_) => None,
        }
    }

    /// The condition of the clarifications that are deleted with it.
    fn clarifications(self) -> &'static str {
        match self {
            Removable::Team(_) => "from_team = ?1 OR to_team = ?1",
            Removable::Contest(_) => "contest = ?1",
            Removable::User(_) | Removable::Problem(_) => "?1 IS NULL",
        }
    }
}

impl Store {
    /// Everything that would be deleted together with an object.
    pub(crate) fn lost_with(&self, object: Removable) -> Result<Lost> {
        self.read(|connection| lost_with(connection, object))
    }

    /// Deletes an object with everything that belongs to it. Sources and snapshots of packages stay on the disk.
    /// Fails when that would change a contest whose results are final.
    pub(crate) fn delete(&self, object: Removable) -> Result<()> {
        self.write(|tx| delete(tx, object))
    }

    /// Lets a submission affect no scoreboard, or again, and announces that its results are gone or back.
    /// Fails when the results of its contest are final.
    pub(crate) fn set_ignored(&self, id: SubmissionId, ignored: bool) -> Result<()> {
        self.write(|tx| {
            let before = submissions::by_id(tx, id)?;
            finality::must_not_change(tx, before.contest, before.team)?;
            if before.ignored == ignored {
                return Ok(());
            }
            if ignored {
                announce_deletion(tx, id)?;
            }
            tx.run(
                "UPDATE submissions SET ignored = ?2 WHERE id = ?1",
                params![id, ignored],
            )?;
            tx.configuration = true;
            tx.submissions.insert(id);
            if !ignored {
                tx.announce_later(FeedChange::ResultsOfSubmission(id));
            }
            Ok(())
        })
    }
}

fn lost_with(connection: &Connection, object: Removable) -> Result<Lost> {
    let (column, id) = (object.column(), object.number());
    let count = |sql: &str| connection.one::<usize>(sql, [id]);
    let members_of = match object.members() {
        Some(table) => connection.all(
            &format!(
                "SELECT contests.name FROM {table} own JOIN contests ON contests.id = own.contest
                 WHERE own.{column} = ?1 ORDER BY contests.id"
            ),
            [id],
        )?,
        None => Vec::new(),
    };
    Ok(Lost {
        submissions: count(&format!("SELECT COUNT(*) FROM submissions WHERE {column} = ?1"))?,
        of_contests: connection.all(
            &format!(
                "SELECT contests.name, COUNT(*) FROM submissions s JOIN contests ON contests.id = s.contest
                 WHERE s.{column} = ?1 AND s.team IS NOT NULL GROUP BY contests.id ORDER BY contests.id"
            ),
            [id],
        )?,
        members_of,
        clarifications: count(&format!(
            "SELECT COUNT(*) FROM clarifications WHERE {}",
            object.clarifications()
        ))?,
        users: match object {
            Removable::Team(id) => connection.all("SELECT name FROM users WHERE team = ?1 ORDER BY name", [id])?,
            _ => Vec::new(),
        },
        versions: match object {
            Removable::Problem(_) => count("SELECT COUNT(*) FROM package_versions WHERE problem = ?1")?,
            _ => 0,
        },
    })
}

fn delete(tx: &mut Tx<'_>, object: Removable) -> Result<()> {
    let (column, id) = (object.column(), object.number());
    let is_contest = matches!(object, Removable::Contest(_));
    if !is_contest {
        must_not_be_final(tx, object)?;
    }
    tx.configuration = true;
    let all: Vec<SubmissionId> = tx.all(
        &format!("SELECT id FROM submissions WHERE {column} = ?1 ORDER BY id"),
        [id],
    )?;
    for submission in all {
        // The feed of a contest is deleted with it.
        if !is_contest {
            announce_deletion(tx, submission)?;
        }
        delete_submission(tx, submission)?;
    }
    match object {
        Removable::User(_) => {}
        Removable::Team(_) => delete_clarifications(tx, object)?,
        // SQLite deletes the other rows that refer to it.
        Removable::Contest(_) => {
            tx.run(
                "UPDATE clarifications SET reply_to = NULL WHERE contest = ?1",
                [id],
            )?;
        }
        Removable::Problem(problem) => delete_package(tx, problem)?,
    }
    let deleted = tx.run(&format!("DELETE FROM {column}s WHERE id = ?1"), [id])?;
    match deleted {
        0 => Err(super::Error::NotFound(format!("no {column} {id}"))),
        _ => Ok(()),
    }
}

/// Refuses what changes the results of a contest that are final.
fn must_not_be_final(tx: &Tx<'_>, object: Removable) -> Result<()> {
    let (column, id) = (object.column(), object.number());
    let mut contests: Vec<ContestId> = tx.all(
        &format!(
            "SELECT DISTINCT contest FROM submissions
             WHERE {column} = ?1 AND contest IS NOT NULL AND team IS NOT NULL"
        ),
        [id],
    )?;
    if let Some(table) = object.members() {
        let sql = format!("SELECT contest FROM {table} WHERE {column} = ?1");
        contests.extend(tx.all::<ContestId>(&sql, [id])?);
    }
    contests
        .into_iter()
        .try_for_each(|contest| finality::must_not_be_final(tx, contest))
}

/// Announces that a submission of a team in a contest, its judgements and their results no longer exist.
fn announce_deletion(tx: &mut Tx<'_>, id: SubmissionId) -> Result<()> {
    let submission = submissions::by_id(tx, id)?;
    let (Some(contest), Some(team)) = (submission.contest, submission.team) else {
        return Ok(());
    };
    let visible = match submission.team_hidden {
        true => Visibility::Team(team),
        false => Visibility::Public,
    };
    let deleted = |tx: &mut Tx<'_>, kind, object: String, visible| {
        tx.announce_later(FeedChange::Deleted {
            contest,
            kind,
            object,
            visible,
        });
    };
    let judgings: Vec<JudgingId> = tx.all(
        "SELECT id FROM judgings WHERE submission = ?1 ORDER BY id",
        [id],
    )?;
    for judging in judgings {
        let cases: Vec<usize> = tx.all(
            "SELECT \"case\" FROM case_results WHERE judging = ?1 ORDER BY \"case\"",
            [judging],
        )?;
        for case in cases {
            let run = objects::run_id(judging, case)?.to_string();
            deleted(tx, "runs", run, Visibility::Jury);
        }
        deleted(tx, "judgements", judging.to_string(), visible);
    }
    deleted(tx, "submissions", id.to_string(), visible);
    Ok(())
}

/// Deletes a submission, its judgings and their units.
fn delete_submission(tx: &mut Tx<'_>, id: SubmissionId) -> Result<()> {
    let judgings: Vec<JudgingId> = tx.all("SELECT id FROM judgings WHERE submission = ?1", [id])?;
    for judging in judgings {
        queue::discard(tx, &UnitId::Judging(judging).to_string())?;
    }
    tx.run("DELETE FROM submissions WHERE id = ?1", [id])?;
    tx.submissions.insert(id);
    Ok(())
}

/// Deletes the questions of a team and the answers to it. Answers to all teams stay.
fn delete_clarifications(tx: &mut Tx<'_>, team: Removable) -> Result<()> {
    let (which, id) = (team.clarifications(), team.number());
    let own: Vec<ClarificationId> = tx.all(
        &format!("SELECT id FROM clarifications WHERE {which}"),
        [id],
    )?;
    for id in own {
        let found = clarifications::by_id(tx, id)?;
        finality::must_accept_updates(tx, found.contest)?;
        tx.announce_later(FeedChange::Deleted {
            contest: found.contest,
            kind: "clarifications",
            object: id.to_string(),
            visible: found.visible(),
        });
    }
    let answers: Vec<ClarificationId> = tx.all(
        &format!(
            "SELECT id FROM clarifications WHERE from_team IS NULL AND to_team IS NULL
             AND reply_to IN (SELECT id FROM clarifications WHERE {which})"
        ),
        [id],
    )?;
    for answer in answers {
        tx.run(
            "UPDATE clarifications SET reply_to = NULL WHERE id = ?1",
            [answer],
        )?;
        tx.announce_later(FeedChange::Clarification(answer));
    }
    // In two steps, because an answer refers to its question.
    tx.run(
        &format!("UPDATE clarifications SET reply_to = NULL WHERE {which}"),
        [id],
    )?;
    tx.run(&format!("DELETE FROM clarifications WHERE {which}"), [id])?;
    Ok(())
}

/// Deletes everything of a problem but its submissions.
fn delete_package(tx: &mut Tx<'_>, problem: ProblemId) -> Result<()> {
    let about: Vec<ClarificationId> = tx.all(
        "SELECT id FROM clarifications WHERE problem = ?1",
        [problem],
    )?;
    for id in about {
        tx.run(
            "UPDATE clarifications SET problem = NULL WHERE id = ?1",
            [id],
        )?;
        tx.announce_later(FeedChange::Clarification(id));
    }
    let uploads: Vec<(UploadId, usize)> = tx.all(
        "SELECT id, steps FROM uploads WHERE ext = (SELECT ext FROM problems WHERE id = ?1)",
        [problem],
    )?;
    for (upload, steps) in uploads {
        for step in 0..steps {
            queue::discard(tx, &UnitId::Step(upload, step).to_string())?;
        }
        tx.run("DELETE FROM uploads WHERE id = ?1", [upload])?;
    }
    for sql in [
        "DELETE FROM package_stamps WHERE tree IN (SELECT tree FROM package_versions WHERE problem = ?1)",
        "DELETE FROM contest_problems WHERE problem = ?1",
        "DELETE FROM current_versions WHERE problem = ?1",
        "DELETE FROM package_versions WHERE problem = ?1",
    ] {
        tx.run(sql, params![problem])?;
    }
    Ok(())
}
