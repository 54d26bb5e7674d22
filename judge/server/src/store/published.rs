//! Judgings and results that the event feed and the Contest API show.

use super::case_results::RUN;
use super::objects;
use super::query::Queries;
use super::{
    Contest, ContestId, Judging, JudgingId, Notice, Result, Run, Store, Submission, SubmissionId,
    TeamId, Tx, Visibility, case_results, contests, judgings, now_ms, submissions,
};
use rusqlite::{Connection, params};

/// The contest in whose feed the results of a submission are, and who may see them.
pub(super) fn audience(
    connection: &Connection,
    submission: &Submission,
) -> Result<Option<(Contest, Visibility)>> {
    let (Some(contest), Some(team)) = (submission.contest, submission.team) else {
        return Ok(None);
    };
    let contest = contests::by_id(connection, contest)?;
    let hidden = submission.team_hidden || contest.hides_result_of(submission.time_ms);
    let visible = match hidden {
        true => Visibility::Team(team),
        false => Visibility::Public,
    };
    Ok(Some((contest, visible)))
}

/// Condition on judgings: those that count or counted, from their start on, are in the feed and the API.
pub(super) const PUBLISHED: &str = "(judgings.valid OR judgings.rejudging IS NULL OR EXISTS (
        SELECT 1 FROM rejudgings WHERE rejudgings.id = judgings.rejudging AND rejudgings.state = 'applied'))
    AND (judgings.started_ms IS NOT NULL OR judgings.finished_ms IS NOT NULL)";

/// Announces a judging in the feed of its contest, if it has started and counts or counted.
pub(super) fn announce(tx: &mut Tx<'_>, id: JudgingId) -> Result<()> {
    let judging = judgings::by_id(tx, id)?;
    let submission = submissions::by_id(tx, judging.submission)?;
    let Some((contest, visible)) = audience(tx, &submission)? else {
        return Ok(());
    };
    let notice = Notice {
        contest: contest.id,
        kind: "judgements",
        object: Some(id.to_string()),
        visible,
        about: Some(&submission),
    };
    if judging.started_ms.is_none() && judging.finished_ms.is_none() {
        return tx.announce_deletion(notice);
    }
    tx.announce(notice, Some(&objects::judgement(&judging, &contest)?))
}

/// Announces everything about the submissions of a contest from a time on, because its clock
/// changed or results are no longer frozen.
pub(super) fn announce_again(tx: &mut Tx<'_>, contest: ContestId, from_ms: i64) -> Result<()> {
    let submissions = tx.all(
        "SELECT id FROM submissions WHERE contest = ?1 AND time_ms >= ?2 ORDER BY id",
        params![contest, from_ms],
    )?;
    announce_submissions(tx, submissions)
}

/// Announces everything about the submissions of a team to contests, because the team is hidden now,
/// or no longer.
pub(super) fn announce_team(tx: &mut Tx<'_>, team: TeamId) -> Result<()> {
    let submissions = tx.all(
        "SELECT id FROM submissions WHERE team = ?1 AND contest IS NOT NULL ORDER BY id",
        [team],
    )?;
    announce_submissions(tx, submissions)
}

fn announce_submissions(tx: &mut Tx<'_>, submissions: Vec<SubmissionId>) -> Result<()> {
    for id in submissions {
        let submission = submissions::by_id(tx, id)?;
        if let (Some(contest), true) = (submission.contest, submission.team_hidden) {
            tx.announce_deletion(Notice {
                contest,
                kind: "submissions",
                object: Some(id.to_string()),
                visible: Visibility::Spectators,
                about: None,
            })?;
        }
        submissions::announce(tx, &submission)?;
        let judgings: Vec<JudgingId> = tx.all(
            &format!("SELECT id FROM judgings WHERE submission = ?1 AND {PUBLISHED} ORDER BY id"),
            [id],
        )?;
        for judging in judgings {
            let hidden = audience(tx, &submission)?.filter(|(contest, visible)| {
                *visible != Visibility::Public || contest.withholds_results(now_ms())
            });
            if let Some((contest, _)) = hidden {
                tx.announce_deletion(Notice {
                    contest: contest.id,
                    kind: "judgements",
                    object: Some(judging.to_string()),
                    visible: Visibility::Spectators,
                    about: None,
                })?;
            }
            announce(tx, judging)?;
            case_results::announce_all(tx, judging)?;
        }
        tx.submissions.insert(id);
    }
    Ok(())
}

impl Store {
    /// The judgings of a contest that the API shows, by number.
    pub(crate) fn published_judgings(&self, contest: ContestId) -> Result<Vec<Judging>> {
        self.all(
            &format!(
                "SELECT judgings.* FROM judgings JOIN submissions ON submissions.id = submission
                 WHERE contest = ?1 AND team IS NOT NULL AND {PUBLISHED} ORDER BY judgings.id"
            ),
            [contest],
        )
    }

    /// The results of the judgings of a contest that the API shows, in the order of the judgings and
    /// cases.
    pub(crate) fn published_runs(&self, contest: ContestId) -> Result<Vec<Run>> {
        self.all(
            &format!(
                "{RUN}
                 JOIN judgings ON judgings.id = r.judging
                 JOIN submissions ON submissions.id = judgings.submission
                 WHERE submissions.contest = ?1 AND team IS NOT NULL AND {PUBLISHED}
                 ORDER BY r.judging, r.\"case\""
            ),
            [contest],
        )
    }
}
