//! A submission with its results, as a viewer may see them.

use super::submit::{in_unfinished_contest, takes_part};
use super::{App, HttpError, Result};
use crate::access::{self, CaseView, Place, Viewer};
use crate::store::{
    CaseRow, Contest, Judging, JudgingState, Submission, SubmissionId, Version, now_ms,
};

/// The setting that lets those who practise a problem see its secret data: `all`; otherwise they see
/// only samples.
pub const PRACTICE_DATA: &str = "practice-data";

/// A submission as a viewer may see it: what is `None` or missing must not be shown.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The submission.
    pub submission: Submission,
    /// Its contest.
    pub contest: Option<Contest>,
    /// The judging that counts, if its verdict may be seen.
    pub judging: Option<Judging>,
    /// The source may be shown.
    pub source: bool,
    /// The results of cases that may be seen; their messages and diagnoses only where they may.
    pub cases: Vec<(String, CaseRow)>,
    /// The names of all cases, if they may be seen.
    pub case_names: Option<Vec<String>>,
}

/// Whether a case is a sample: of the package's public data.
pub fn is_sample(name: &str) -> bool {
    name.starts_with("sample")
}

/// Loads a submission for a viewer. Blocks.
///
/// # Errors
///
/// `NotFound` if the viewer must not know that it exists.
pub fn load(app: &App, viewer: Viewer, id: SubmissionId) -> Result<Seen> {
    let submission = app.store.submission(id)?;
    let contest = submission
        .contest
        .map(|id| app.store.contest(id))
        .transpose()?;
    let place = match &contest {
        Some(contest) => Some(Place {
            contest,
            takes_part: takes_part(app, viewer, contest)?,
        }),
        None => None,
    };
    if !access::sees_submission(viewer, &submission, place) {
        return Err(HttpError::NotFound(format!("no submission {id}")));
    }
    let mut seen = Seen {
        source: access::sees_source(viewer, &submission),
        judging: None,
        cases: Vec::new(),
        case_names: None,
        contest: contest.clone(),
        submission,
    };
    if !access::sees_verdict(viewer, &seen.submission, place) {
        return Ok(seen);
    }
    let mut judging = app.store.valid_judging(id)?;
    let view = access::sees_cases(viewer, &seen.submission, is_open(app, &seen.submission)?);
    let over = contest.is_none_or(|contest| contest.end_ms().is_some_and(|end| now_ms() >= end));
    if view > CaseView::Nothing {
        let version = app.store.version(judging.version)?;
        if over || view == CaseView::Everything {
            seen.case_names = Some(version.cases.clone());
        }
        seen.cases = visible_cases(view, over, &version, app.store.case_results(judging.id)?);
    }
    if !seen.source {
        judging.compile_message = None;
    }
    if !viewer.is_jury() {
        // It may say something about secret data, or about this machine.
        let failed = judging.verdict.as_deref() == Some("JE");
        let reason = "the judge failed; the jury sees why";
        judging.reason = failed.then(|| reason.to_owned());
    }
    seen.judging = Some(judging);
    Ok(seen)
}

/// Whether who practises the problem of a submission may see its secret data: never while a contest
/// uses the problem.
fn is_open(app: &App, submission: &Submission) -> Result<bool> {
    if submission.contest.is_some() || app.store.setting(PRACTICE_DATA)?.as_deref() != Some("all") {
        return Ok(false);
    }
    let problem = app.store.problem(submission.problem)?;
    Ok(!in_unfinished_contest(app, &problem)?)
}

fn visible_cases(
    view: CaseView,
    over: bool,
    version: &Version,
    results: Vec<CaseRow>,
) -> Vec<(String, CaseRow)> {
    let name = |case: &CaseRow| version.cases.get(case.case).cloned().unwrap_or_default();
    let named = results.into_iter().map(|case| (name(&case), case));
    named
        .filter(|(name, _)| access::sees_case(view, is_sample(name), over))
        .map(|(name, mut case)| {
            if !access::sees_diagnosis(view, is_sample(&name)) {
                case.message = None;
                case.diagnosis = None;
            }
            (name, case)
        })
        .collect()
}

/// Whether nothing will change any more, unless it is judged again.
pub fn is_final(seen: &Seen) -> bool {
    let judging = seen.judging.as_ref();
    judging.is_some_and(|judging| judging.state == JudgingState::Done)
}
