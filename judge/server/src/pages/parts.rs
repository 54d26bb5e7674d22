//! Parts that several pages share.

use crate::access::Viewer;
use crate::contest_api::Time;
use crate::http::submissions::shown_judging;
use crate::http::{App, Caller, Result};
use crate::layout;
use crate::store::{Judging, JudgingState, Submission};
use judge::verdict::Verdict;
use maud::{Markup, html};

/// The field of a form that proves that this server made it.
pub fn csrf_field(caller: &Caller) -> Markup {
    html! {
        @if let Some(csrf) = &caller.csrf { input type="hidden" name="csrf" value=(csrf); }
    }
}

/// A point in time, given in milliseconds since 1970.
pub fn date(ms: i64) -> Markup {
    layout::time(Time::from_millis(ms))
}

/// The verdict of a judging as a badge, or what it waits for; `None`: the viewer may not see it.
pub fn verdict(judging: Option<&Judging>) -> Markup {
    match judging {
        None => html! { span.verdict.open { "not shown yet" } },
        Some(judging) => progress(judging.state, judging.verdict.as_deref()),
    }
}

/// A verdict as a badge, or the progress of its judging.
pub fn progress(state: JudgingState, verdict: Option<&str>) -> Markup {
    let known = verdict.and_then(Verdict::from_code);
    match (state, known) {
        (JudgingState::Done, Some(known)) => layout::verdict(Some(known)),
        (JudgingState::Queued, _) => html! { span.verdict.open { "waiting" } },
        (JudgingState::Compiling, _) => html! { span.verdict.open { "compiling" } },
        (JudgingState::Done, None) => html! { span.verdict.open { "shown after the contest" } },
        (JudgingState::Dropped, _) => html! { span.verdict.open { "dropped" } },
        _ => layout::verdict(None),
    }
}

/// Points without needless digits.
pub fn points(score: f64) -> String {
    let text = format!("{score:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The heads of a table of [`submission_row`]s.
pub const SUBMISSION_HEADS: [&str; 6] = [
    "Submission",
    "Problem",
    "Verdict",
    "Time",
    "Language",
    "Submitted",
];

/// A submission of the viewer's own in a list.
///
/// # Errors
///
/// When the store fails.
pub fn submission_row(app: &App, viewer: Viewer, submission: &Submission) -> Result<Vec<Markup>> {
    let judging = shown_judging(app, viewer, submission)?;
    let judging = judging.as_ref();
    let language = app.languages.get(&submission.language);
    let language = language.map_or(submission.language.clone(), |known| known.name);
    Ok(vec![
        html! { a href={ "/submissions/" (submission.id) } { (submission.id) } },
        html! { (submission.problem_ext) },
        html! {
            (verdict(judging))
            @if let Some(score) = judging.and_then(|judging| judging.score) { " " (points(score)) " points" }
        },
        html! { @if let Some(cpu) = judging.and_then(|judging| judging.max_cpu_s) { (format!("{cpu:.3} s")) } },
        html! { (language) },
        date(submission.time_ms),
    ])
}
