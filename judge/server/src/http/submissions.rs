//! Submissions: the list of one's own, and a submission with its verdicts.

use super::error::{AppState, PageResult};
use super::page::page;
use super::submit::takes_part;
use super::{App, Caller, HttpError, Result, SignedIn};
use crate::access::{self, CaseView, Place, Viewer};
use crate::store::{
    CaseRow, Judging, JudgingState, Submission, SubmissionFilter, SubmissionId, Version, now_ms,
};
use axum::Router;
use axum::extract::Path;
use axum::routing::get;
use maud::{Markup, html};

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/submissions", get(own))
        .route("/submissions/{id}", get(submission))
}

/// A submission as a viewer may see it: what is `None` or missing must not be shown.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The submission.
    pub submission: Submission,
    /// The judging that counts, if its verdict may be seen.
    pub judging: Option<Judging>,
    /// The source may be shown.
    pub source: bool,
    /// The results of cases that may be seen; their messages and diagnoses only where they may.
    pub cases: Vec<(String, CaseRow)>,
    /// How many cases there are, if that may be seen.
    pub case_count: Option<usize>,
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
        case_count: None,
        submission,
    };
    if !access::sees_verdict(viewer, &seen.submission, place) {
        return Ok(seen);
    }
    let mut judging = app.store.valid_judging(id)?;
    let view = access::sees_cases(viewer, &seen.submission);
    let over = contest.is_none_or(|contest| contest.end_ms().is_some_and(|end| now_ms() >= end));
    if view > CaseView::Nothing {
        let version = app.store.version(judging.version)?;
        if over || view == CaseView::Everything {
            seen.case_count = Some(version.cases.len());
        }
        seen.cases = visible_cases(view, over, &version, app.store.case_results(judging.id)?);
    }
    if !seen.source {
        judging.compile_message = None;
    }
    if !viewer.is_jury() {
        // It may say something about secret data, or about this machine.
        let failed = judging.verdict.as_deref() == Some("JE");
        let told = "the judge failed; the jury sees why";
        judging.reason = failed.then(|| told.to_owned());
    }
    seen.judging = Some(judging);
    Ok(seen)
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

async fn own(app: AppState, signed_in: SignedIn) -> PageResult {
    let user = signed_in.user.id;
    let submissions = app
        .blocking(move |app| {
            let filter = SubmissionFilter {
                user: Some(user),
                ..SubmissionFilter::default()
            };
            Ok(app.store.submissions(&filter, 100)?)
        })
        .await?;
    let body = html! {
        ul {
            @for submission in &submissions {
                li { a href={ "/submissions/" (submission.id) } { (submission.id) " " (submission.problem_ext) } }
            }
        }
        @if submissions.is_empty() { p { "You have submitted nothing yet." } }
    };
    let caller = &signed_in.caller;
    Ok(page(
        "Your submissions",
        caller.viewer,
        caller.csrf.as_deref(),
        &body,
    ))
}

async fn submission(app: AppState, caller: Caller, Path(id): Path<SubmissionId>) -> PageResult {
    let viewer = caller.viewer;
    let seen = app.blocking(move |app| load(app, viewer, id)).await?;
    let body = html! {
        p { a href={ "/problems/" (seen.submission.problem_ext) } { (seen.submission.problem_ext) } }
        // The script replaces the content while verdicts come; without it the page is loaded again.
        div data-live={ "/submissions/" (id) "/live" } { (results(&seen)) }
    };
    Ok(page(
        &format!("Submission {id}"),
        viewer,
        caller.csrf.as_deref(),
        &body,
    ))
}

/// Whether nothing will change any more, unless it is judged again.
pub fn is_final(seen: &Seen) -> bool {
    let judging = seen.judging.as_ref();
    judging.is_some_and(|judging| judging.state == JudgingState::Done)
}

/// The verdict and the cases, which are replaced while the page is open.
pub fn results(seen: &Seen) -> Markup {
    let Some(judging) = &seen.judging else {
        return html! { p { "The result is not shown yet." } };
    };
    let state = match (judging.state, &judging.verdict) {
        (_, Some(verdict)) => verdict.as_str(),
        (JudgingState::Queued, _) => "waiting",
        (JudgingState::Compiling, _) => "compiling",
        _ => "running",
    };
    html! {
        p role="status" { strong { (state) } }
        @if let Some(reason) = &judging.reason { p { (reason) } }
        @if let Some(message) = &judging.compile_message { pre { (message) } }
        @if !seen.cases.is_empty() {
            table {
                thead { tr { th { "Case" } th { "Verdict" } th { "Time" } th { "Memory" } } }
                tbody {
                    @for (name, case) in &seen.cases {
                        tr {
                            td { (name) }
                            td { (case.verdict) }
                            td { @if let Some(seconds) = case.cpu_s { (format!("{seconds:.3} s")) } }
                            td { @if let Some(bytes) = case.memory { (bytes >> 20) " MiB" } }
                        }
                        @if let Some(message) = &case.message { tr { td colspan="4" { pre { (message) } } } }
                    }
                }
            }
        }
        @if let Some(count) = seen.case_count { p { (seen.cases.len()) " of " (count) " cases" } }
    }
}
