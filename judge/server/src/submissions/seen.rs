//! A submission with its results, as a viewer may see them.

use crate::access::{self, CaseView, Participation, Viewer};
use crate::http::rights::{enter_if_any, in_unfinished_contest};
use crate::http::{App, Result, not_found};
use crate::store::{
    CaseRow, Contest, Judging, JudgingState, Submission, SubmissionId, Version, now_ms,
};
use judge_core::results::Details;
use judge_core::verdict::Verdict;

/// The setting that lets those who practise a problem see its secret data: `all`; otherwise they see
/// only samples.
pub const PRACTICE_DATA: &str = "practice-data";

/// A submission as a viewer may see it: what is `None` or missing must not be shown.
#[derive(Clone, Debug)]
pub(crate) struct SeenSubmission {
    pub(crate) submission: Submission,
    pub(crate) contest: Option<Contest>,
    /// The judging that counts, if its verdict may be seen.
    pub(crate) judging: Option<Judging>,
    /// The source may be shown.
    pub(crate) source: bool,
    /// The results of cases that may be seen; their messages and diagnoses only where they may.
    pub(crate) cases: Vec<(String, CaseRow)>,
    /// The first message and images of the validator for the team, if the verdict may be seen.
    pub(crate) for_team: Option<Box<Details>>,
    /// The names of all cases, if they may be seen.
    pub(crate) case_names: Option<Vec<String>>,
    /// The group of each case, if they may be seen and are known.
    pub(crate) case_groups: Option<Vec<String>>,
}

/// Loads a submission for a viewer. Blocks.
/// Fails with `NotFound` if the viewer must not know that it exists.
pub(crate) fn load(app: &App, viewer: Viewer, id: SubmissionId) -> Result<SeenSubmission> {
    let submission = app.store.submission(id)?;
    let contest = submission
        .contest
        .map(|id| app.store.contest(id))
        .transpose()?;
    let (viewer, place) = enter_if_any(app, viewer, contest.as_ref())?;
    if !access::sees_submission(viewer, &submission, place) {
        return Err(not_found(format!("no submission {id}")));
    }
    let mut seen = SeenSubmission {
        source: access::sees_source(viewer, &submission),
        judging: None,
        cases: Vec::new(),
        for_team: None,
        case_names: None,
        case_groups: None,
        contest: contest.clone(),
        submission,
    };
    let now = now_ms();
    seen.judging = judging_at(app, viewer, &seen.submission, place, now)?;
    let Some(judging) = &seen.judging else {
        return Ok(seen);
    };
    let view = access::sees_cases(viewer, &seen.submission, is_open(app, &seen.submission)?);
    let shown = access::shows_secret_cases(contest.as_ref(), now);
    if view > CaseView::Nothing {
        let version = app.store.version(judging.version)?;
        if shown || view == CaseView::Everything {
            seen.case_names = Some(version.cases.clone());
            seen.case_groups = version.groups.clone();
        }
        let results = app.store.case_results(judging.id)?;
        if judging.verdict.is_some() {
            // It is written for the team, also about cases whose results are not shown.
            let mut details = results.iter().filter_map(|case| case.diagnosis.as_deref());
            seen.for_team = details.find_map(for_team);
        }
        seen.cases = visible_cases(view, shown, &version, results);
    }
    Ok(seen)
}

/// The judging of a submission that counts, reduced to what the viewer may see; `None`: the viewer sees none of it.
pub(crate) fn shown_judging(
    app: &App,
    viewer: Viewer,
    submission: &Submission,
) -> Result<Option<Judging>> {
    let contest = submission.contest.map(|id| app.store.contest(id));
    shown_judging_in(app, viewer, submission, contest.transpose()?.as_ref())
}

/// The same for a submission whose contest, if it is in one, is read already.
pub(crate) fn shown_judging_in(
    app: &App,
    viewer: Viewer,
    submission: &Submission,
    contest: Option<&Contest>,
) -> Result<Option<Judging>> {
    let (viewer, place) = enter_if_any(app, viewer, contest)?;
    judging_at(app, viewer, submission, place, now_ms())
}

fn judging_at(
    app: &App,
    viewer: Viewer,
    submission: &Submission,
    place: Option<Participation<'_>>,
    now_ms: i64,
) -> Result<Option<Judging>> {
    let verdict = access::sees_verdict(viewer, submission, place, now_ms);
    if !verdict && !access::sees_progress(viewer, submission) {
        return Ok(None);
    }
    let mut judging = app.store.valid_judging(submission.id)?;
    if submission.unverified && !viewer.sees_all() {
        hide_result(&mut judging);
        return Ok(Some(judging));
    }
    // That a program does not compile says nothing about secret data.
    if !verdict && judging.verdict != Some(Verdict::CompileError) {
        hide_verdict(&mut judging);
    }
    if !access::sees_source(viewer, submission) {
        judging.compile_message = None;
    }
    if !viewer.sees_all() {
        // It may say something about secret data, or about this machine.
        let failed = judging.verdict == Some(Verdict::JudgeError);
        let reason = "the judge failed; the jury sees why";
        judging.reason = failed.then(|| reason.to_owned());
    }
    Ok(Some(judging))
}

/// Removes everything that follows from running the program: it looks as if it were still judged.
fn hide_result(judging: &mut Judging) {
    if judging.state == JudgingState::Done {
        judging.state = JudgingState::Running;
    }
    hide_verdict(judging);
    judging.compile_message = None;
    judging.reason = None;
    judging.finished_ms = None;
}

/// Removes the verdict and its figures.
fn hide_verdict(judging: &mut Judging) {
    judging.verdict = None;
    judging.score = None;
    judging.max_cpu_s = None;
    judging.max_memory = None;
}

/// Whether who practises sees the secret data of problems that no running contest has.
pub fn practice_data_is_open(app: &App) -> Result<bool> {
    Ok(app.store.setting(PRACTICE_DATA)?.as_deref() == Some("all"))
}

/// Whether who practises the problem of a submission may see its secret data: never while a contest
/// uses the problem.
fn is_open(app: &App, submission: &Submission) -> Result<bool> {
    if submission.contest.is_some() || !practice_data_is_open(app)? {
        return Ok(false);
    }
    let problem = app.store.problem(submission.problem)?;
    Ok(!in_unfinished_contest(app, &problem)?)
}

fn visible_cases(
    view: CaseView,
    shown: bool,
    version: &Version,
    results: Vec<CaseRow>,
) -> Vec<(String, CaseRow)> {
    let seen = results.into_iter().filter_map(|mut case| {
        let is_sample = version.is_sample(case.case);
        if !access::sees_case(view, is_sample, shown) {
            return None;
        }
        // The message of a failure of the judge may name paths of this machine.
        let of_judge = case.verdict == Verdict::JudgeError && view != CaseView::Everything;
        if of_judge || !access::sees_diagnosis(view, is_sample) {
            case.message = None;
            let details = case.diagnosis.take().filter(|_| !of_judge);
            case.diagnosis = details.and_then(|details| for_team(&details));
        }
        let name = version.cases.get(case.case).cloned();
        Some((name.unwrap_or_default(), case))
    });
    seen.collect()
}

/// The part of the details of a case that a validator wrote and drew for the team.
fn for_team(details: &Details) -> Option<Box<Details>> {
    let images = details.images.iter().filter(|image| image.for_team);
    let own = Details {
        team_message: details.team_message.clone(),
        images: images.cloned().collect(),
        ..Details::default()
    };
    (own != Details::default()).then(|| Box::new(own))
}

/// Whether nothing will change any more, unless it is judged again.
pub(crate) fn is_final(seen: &SeenSubmission) -> bool {
    let judging = seen.judging.as_ref();
    judging.is_some_and(|judging| judging.state == JudgingState::Done)
}
