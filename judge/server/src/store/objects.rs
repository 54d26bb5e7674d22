//! Rows of the store as objects of the Contest API, for the event feed and for the collections. The functions fail when
//! a text is not an id of the API.

use crate::contest_api::{
    Clarification, Commentary, Contest, File, Id, InvalidId, Judgement, Nullable, RelTime, Run,
    ScoreboardType, State, Submission, Time,
};
use crate::store::{self, JudgingId, Scoring};
use judge_core::verdict::Verdict;

/// The contest time of a point in time; 0 while the start is not set.
fn contest_time(contest: &store::Contest, ms: i64) -> RelTime {
    RelTime::from_millis(contest.contest_time_at(ms).unwrap_or(0))
}

pub fn contest(contest: &store::Contest) -> Result<Contest, InvalidId> {
    let is_icpc = contest.scoring == Scoring::Icpc;
    Ok(Contest {
        id: Id::new(&contest.ext)?,
        name: contest.name.clone(),
        formal_name: contest.formal_name.clone(),
        start_time: contest.start_ms.map(Time::from_millis),
        countdown_pause_time: contest.countdown_pause_ms.map(RelTime::from_millis),
        duration: RelTime::from_millis(contest.duration_ms),
        scoreboard_freeze_duration: contest.freeze_ms.map(RelTime::from_millis),
        scoreboard_thaw_time: contest.thawed_ms.map(Time::from_millis),
        scoreboard_type: match contest.scoring {
            Scoring::Icpc => ScoreboardType::PassFail,
            Scoring::Points => ScoreboardType::Score,
        },
        penalty_time: is_icpc.then(|| RelTime::from_millis(contest.penalty_ms)),
    })
}

/// The state of a contest at a time.
pub fn state(contest: &store::Contest, now_ms: i64) -> State {
    let past = |mark: Option<i64>| {
        let mark = mark.filter(|mark| *mark <= now_ms);
        Nullable(mark.map(Time::from_millis))
    };
    State {
        started: past(contest.start_ms),
        frozen: past(contest.freezes_ms()),
        ended: past(contest.end_ms()),
        thawed: past(contest.thawed_ms),
        finalized: past(contest.finalized_ms),
        end_of_updates: past(contest.end_of_updates_ms),
    }
}

/// A submission, with all fields. A caller that may not see the source gets neither `entry_point` nor
/// `files`.
pub fn submission(
    submission: &store::Submission,
    contest: &store::Contest,
) -> Result<Submission, InvalidId> {
    let href = format!(
        "contests/{}/submissions/{}/files",
        contest.ext, submission.id
    );
    let is_c = matches!(submission.language.as_str(), "c" | "cpp");
    let entry_point = submission.entry_point.as_ref().filter(|_| !is_c);
    Ok(Submission {
        id: Id::from(submission.id.0 as u64),
        language_id: Id::new(&submission.language)?,
        problem_id: Id::new(&submission.problem_ext)?,
        team_id: submission.team_ext.as_deref().map(Id::new).transpose()?,
        time: Time::from_millis(submission.time_ms),
        contest_time: contest_time(contest, submission.time_ms),
        entry_point: Nullable(entry_point.cloned()),
        files: vec![File {
            href,
            filename: "files.zip".to_owned(),
            mime: "application/zip".to_owned(),
        }],
    })
}

pub fn judgement(
    judging: &store::Judging,
    contest: &store::Contest,
) -> Result<Judgement, InvalidId> {
    let started = judging.started_ms.unwrap_or(judging.created_ms);
    let verdict = judging
        .verdict
        .map(|verdict| judgement_type(verdict, contest));
    Ok(Judgement {
        id: Id::from(judging.id.0 as u64),
        submission_id: Id::from(judging.submission.0 as u64),
        judgement_type_id: verdict.transpose()?,
        score: judging.score.filter(|_| contest.scoring == Scoring::Points),
        current: Some(judging.valid),
        start_time: Time::from_millis(started),
        start_contest_time: contest_time(contest, started),
        end_time: judging.finished_ms.map(Time::from_millis),
        end_contest_time: judging.finished_ms.map(|ms| contest_time(contest, ms)),
        max_run_time: judging.max_cpu_s.map(thousandths),
    })
}

/// A verdict as a type of judgement. The Contest API has none for partially accepted submissions: where points count, they are
/// accepted with a score, which is how its clients read a score; elsewhere they are rejected.
fn judgement_type(verdict: Verdict, contest: &store::Contest) -> Result<Id, InvalidId> {
    Id::new(match (verdict, contest.scoring) {
        (Verdict::PartiallyAccepted, Scoring::Points) => "AC",
        (Verdict::PartiallyAccepted, Scoring::Icpc) => "RE",
        (other, _) => other.code(),
    })
}

/// Rounds seconds to milliseconds.
fn thousandths(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

pub fn run_id(judging: JudgingId, case: usize) -> Result<Id, InvalidId> {
    Id::new(format!("{judging}-{}", case + 1))
}

pub fn run(run: &store::Run, contest: &store::Contest) -> Result<Run, InvalidId> {
    Ok(Run {
        id: run_id(run.judging, run.case)?,
        judgement_id: Id::from(run.judging.0 as u64),
        ordinal: run.case as u64 + 1,
        judgement_type_id: judgement_type(run.verdict, contest)?,
        time: Time::from_millis(run.time_ms),
        contest_time: contest_time(contest, run.time_ms),
        run_time: run.cpu_s.map(thousandths),
    })
}

pub fn comment(
    comment: &store::Comment,
    contest: &store::Contest,
) -> Result<Commentary, InvalidId> {
    let content = &comment.content;
    let ids = |names: &[String]| match names {
        [] => Ok(None),
        names => names
            .iter()
            .map(Id::new)
            .collect::<Result<_, _>>()
            .map(Some),
    };
    Ok(Commentary {
        id: Id::from(comment.id.0 as u64),
        time: Time::from_millis(comment.time_ms),
        contest_time: contest_time(contest, comment.time_ms),
        message: content.message.clone(),
        tags: content.tags.clone(),
        team_ids: ids(&content.teams)?,
        problem_ids: ids(&content.problems)?,
        submission_ids: ids(&content.submissions)?,
    })
}

/// A question or an answer; `with_question`: names the question that it answers.
pub fn clarification(
    clarification: &store::Clarification,
    contest: &store::Contest,
    with_question: bool,
) -> Result<Clarification, InvalidId> {
    let (from, to) = (&clarification.from_team, &clarification.to_team);
    let to = to.as_ref().map(|(_, ext)| Id::new(ext)).transpose()?;
    let problem = clarification.problem.as_ref();
    Ok(Clarification {
        id: Id::from(clarification.id.0 as u64),
        from_team_id: from.as_ref().map(|(_, ext)| Id::new(ext)).transpose()?,
        to_team_ids: to.map(|team| vec![team]),
        reply_to_id: clarification
            .reply_to
            .filter(|_| with_question)
            .map(|id| Id::from(id.0 as u64)),
        problem_id: problem.map(|(_, ext)| Id::new(ext)).transpose()?,
        text: clarification.text.clone(),
        time: Time::from_millis(clarification.time_ms),
        contest_time: contest_time(contest, clarification.time_ms),
    })
}
