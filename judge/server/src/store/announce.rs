//! Announces changes in the event feeds of contests: before a commit, the objects that changed are loaded and written as
//! rows of the feeds, in the order of the changes.

use super::feed_change::FeedChange;
use super::published::PUBLISHED;
use super::query::Queries;
use super::{
    ClarificationId, Comment, Contest, ContestId, Judging, JudgingId, Notice, Result, Run,
    Submission, SubmissionId, Tx, Visibility, case_results, clarifications, commentary, contest,
    judgings, now_ms, objects, submissions,
};
use rusqlite::params;

/// Announces the changes of a transaction.
pub(super) fn announce(tx: &mut Tx<'_>) -> Result<()> {
    let mut last = None;
    for change in std::mem::take(&mut tx.changes) {
        match change {
            FeedChange::Contest(id) => announce_contest(tx, id)?,
            FeedChange::State(id) => announce_state(tx, id)?,
            FeedChange::Submission(id) => announce_submission(tx, &submissions::by_id(tx, id)?)?,
            FeedChange::Judging(id) => {
                let judging = judgings::by_id(tx, id)?;
                if let Some(of) = audience(tx, judging.submission, &mut last)? {
                    announce_judging(tx, &judging, of)?;
                }
            }
            FeedChange::Run(judging, case) => {
                let submission = judgings::submission_of(tx, judging)?;
                if let Some(of) = audience(tx, submission, &mut last)? {
                    announce_run(tx, &case_results::run(tx, judging, case)?, of)?;
                }
            }
            FeedChange::Runs(judging) => {
                let submission = judgings::submission_of(tx, judging)?;
                if let Some(of) = audience(tx, submission, &mut last)? {
                    announce_runs(tx, judging, of)?;
                }
            }
            FeedChange::RunsDeleted(submission, judging, cases) => {
                if let Some(of) = audience(tx, submission, &mut last)? {
                    for case in cases {
                        let id = objects::run_id(judging, case)?;
                        tx.announce_deletion(run_notice(id.to_string(), of))?;
                    }
                }
            }
            FeedChange::ResultsSince(contest, from_ms) => {
                let submissions = tx.all(
                    "SELECT id FROM submissions WHERE contest = ?1 AND time_ms >= ?2 ORDER BY id",
                    params![contest, from_ms],
                )?;
                announce_all_of(tx, submissions)?;
            }
            FeedChange::ResultsOf(team) => {
                let submissions = tx.all(
                    "SELECT id FROM submissions WHERE team = ?1 AND contest IS NOT NULL ORDER BY id",
                    [team],
                )?;
                announce_all_of(tx, submissions)?;
            }
            FeedChange::ResultsOfSubmission(id) => announce_all_of(tx, vec![id])?,
            FeedChange::Clarification(id) => announce_clarification(tx, id)?,
            FeedChange::Clarifications(contest) => {
                for id in clarifications::ids_of(tx, contest)? {
                    announce_clarification(tx, id)?;
                }
            }
            FeedChange::Deleted {
                contest,
                kind,
                object,
                visible,
            } => announce_deleted(tx, contest, kind, &object, visible)?,
            FeedChange::Comment(id) => announce_comment(tx, &commentary::by_id(tx, id)?)?,
            FeedChange::Commentary(contest) => {
                for comment in commentary::all(tx, contest)? {
                    announce_comment(tx, &comment)?;
                }
            }
        }
    }
    Ok(())
}

/// A submission of a team, the contest in whose feed its results are, and who may see them.
struct Audience {
    submission: Submission,
    contest: Contest,
    visible: Visibility,
}

/// The audience of the results of a submission; `None`: they are in no feed. The last one is kept, because the results of a
/// transaction are mostly of one submission.
fn audience<'l>(
    tx: &Tx<'_>,
    id: SubmissionId,
    last: &'l mut Option<Audience>,
) -> Result<Option<&'l Audience>> {
    if last.as_ref().is_none_or(|own| own.submission.id != id) {
        *last = read_audience(tx, id)?;
    }
    Ok(last.as_ref())
}

fn read_audience(tx: &Tx<'_>, id: SubmissionId) -> Result<Option<Audience>> {
    let submission = submissions::by_id(tx, id)?;
    let (Some(contest), Some(team), false) =
        (submission.contest, submission.team, submission.ignored)
    else {
        return Ok(None);
    };
    let contest = contest::by_id(tx, contest)?;
    let hidden = submission.team_hidden || contest.hides_result_of(submission.time_ms);
    let visible = match hidden {
        _ if submission.unverified => Visibility::Jury,
        true => Visibility::Team(team),
        false => Visibility::Public,
    };
    Ok(Some(Audience {
        submission,
        contest,
        visible,
    }))
}

/// A notice for everybody who may see the contest, about no submission.
fn public<'n>(contest: ContestId, kind: &'n str, object: Option<String>) -> Notice<'n> {
    Notice {
        contest,
        kind,
        object,
        visible: Visibility::Public,
        about: None,
    }
}

/// Announces a contest. This row has to come before those that its clock changes: listeners decide by the
/// contest who may see them.
fn announce_contest(tx: &mut Tx<'_>, id: ContestId) -> Result<()> {
    let contest = contest::by_id(tx, id)?;
    tx.announce(
        public(id, "contest", None),
        Some(&objects::contest(&contest)?),
    )
}

fn announce_state(tx: &mut Tx<'_>, id: ContestId) -> Result<()> {
    let contest = contest::by_id(tx, id)?;
    tx.announce(
        public(id, "state", None),
        Some(&objects::state(&contest, now_ms())),
    )
}

/// Announces a submission, if it is of a team and in a contest, and counts.
fn announce_submission(tx: &mut Tx<'_>, submission: &Submission) -> Result<()> {
    let (Some(contest), Some(team), false) =
        (submission.contest, submission.team, submission.ignored)
    else {
        return Ok(());
    };
    let contest = contest::by_id(tx, contest)?;
    let notice = Notice {
        visible: match submission.team_hidden {
            true => Visibility::Team(team),
            false => Visibility::Public,
        },
        about: Some(submission),
        ..public(contest.id, "submissions", Some(submission.id.to_string()))
    };
    tx.announce(notice, Some(&objects::submission(submission, &contest)?))
}

/// Announces a judging that counts or counted; one that is opened again has not started, and is deleted from the feed.
fn announce_judging(tx: &mut Tx<'_>, judging: &Judging, of: &Audience) -> Result<()> {
    let notice = Notice {
        visible: of.visible,
        about: Some(&of.submission),
        ..public(of.contest.id, "judgements", Some(judging.id.to_string()))
    };
    if of.submission.unverified {
        withdraw(tx, &notice)?;
    }
    if judging.started_ms.is_none() && judging.finished_ms.is_none() {
        return tx.announce_deletion(notice);
    }
    tx.announce(notice, Some(&objects::judgement(judging, &of.contest)?))
}

/// Announces to everybody but the jury that an object no longer exists, if they have it.
fn withdraw(tx: &mut Tx<'_>, notice: &Notice<'_>) -> Result<()> {
    let has: Option<bool> = tx.optional(
        "SELECT data IS NOT NULL FROM feed WHERE contest = ?1 AND type = ?2 AND object = ?3
             AND visible <> 'jury' ORDER BY seq DESC LIMIT 1",
        params![notice.contest, notice.kind, notice.object],
    )?;
    let notice = Notice {
        visible: Visibility::Spectators,
        ..notice.clone()
    };
    match has {
        Some(true) => tx.announce(notice, None::<&()>),
        _ => Ok(()),
    }
}

/// A notice about the result of a case, for the jury.
fn run_notice(id: String, of: &Audience) -> Notice<'_> {
    Notice {
        visible: Visibility::Jury,
        about: Some(&of.submission),
        ..public(of.contest.id, "runs", Some(id))
    }
}

fn announce_run(tx: &mut Tx<'_>, run: &Run, of: &Audience) -> Result<()> {
    let object = objects::run(run, &of.contest)?;
    tx.announce(run_notice(object.id.to_string(), of), Some(&object))
}

fn announce_runs(tx: &mut Tx<'_>, judging: JudgingId, of: &Audience) -> Result<()> {
    let runs = case_results::runs(tx, judging)?;
    runs.iter().try_for_each(|run| announce_run(tx, run, of))
}

/// Announces everything about these submissions again. First deletes, for spectators, the objects that they may no
/// longer see.
fn announce_all_of(tx: &mut Tx<'_>, submissions: Vec<SubmissionId>) -> Result<()> {
    for id in submissions {
        tx.submissions.insert(id);
        let Some(of) = read_audience(tx, id)? else {
            continue;
        };
        let deleted = |kind, object: String| Notice {
            visible: Visibility::Spectators,
            ..public(of.contest.id, kind, Some(object))
        };
        if of.submission.team_hidden {
            tx.announce_deletion(deleted("submissions", id.to_string()))?;
        }
        announce_submission(tx, &of.submission)?;
        let judgings: Vec<JudgingId> = tx.all(
            &format!("SELECT id FROM judgings WHERE submission = ?1 AND {PUBLISHED} ORDER BY id"),
            [id],
        )?;
        for judging in judgings {
            let is_hidden = of.visible != Visibility::Public && !of.submission.unverified;
            if is_hidden || of.contest.withholds_results(now_ms()) {
                tx.announce_deletion(deleted("judgements", judging.to_string()))?;
            }
            announce_judging(tx, &judgings::by_id(tx, judging)?, &of)?;
            announce_runs(tx, judging, &of)?;
        }
    }
    Ok(())
}

fn announce_clarification(tx: &mut Tx<'_>, id: ClarificationId) -> Result<()> {
    let found = clarifications::by_id(tx, id)?;
    let contest = contest::by_id(tx, found.contest)?;
    for (visible, with_question) in found.rows() {
        let notice = Notice {
            visible,
            ..public(contest.id, "clarifications", Some(id.to_string()))
        };
        let object = objects::clarification(&found, &contest, with_question)?;
        tx.announce(notice, Some(&object))?;
    }
    Ok(())
}

/// Announces that an object no longer exists, and removes what the feed says of it: who may see the rows about a submission
/// cannot be decided without it.
fn announce_deleted(
    tx: &mut Tx<'_>,
    contest: ContestId,
    kind: &str,
    object: &str,
    visible: Visibility,
) -> Result<()> {
    tx.announce_deletion(Notice {
        visible,
        ..public(contest, kind, Some(object.to_owned()))
    })?;
    tx.run(
        "DELETE FROM feed WHERE contest = ?1 AND type = ?2 AND object = ?3 AND data IS NOT NULL",
        params![contest, kind, object],
    )?;
    Ok(())
}

fn announce_comment(tx: &mut Tx<'_>, comment: &Comment) -> Result<()> {
    let contest = contest::by_id(tx, comment.contest)?;
    let notice = public(contest.id, "commentary", Some(comment.id.to_string()));
    tx.announce(notice, Some(&objects::comment(comment, &contest)?))
}
