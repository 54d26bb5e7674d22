//! The problems for practice.

use super::{Section, page};
use crate::http::submissions::shown_judging;
use crate::http::submit::sees_practice;
use crate::http::{App, Caller, PageResult, Result};
use crate::layout::table;
use crate::store::{ContestId, ProblemId, SubmissionFilter};
use maud::{Markup, html};
use std::collections::HashMap;

/// Submissions of a user that marks of problems are computed from.
const MOST: usize = 5000;

/// A user's progress by problem: `true` if solved, `false` if only tried; of a contest, or for
/// practice.
///
/// # Errors
///
/// When the store fails.
pub fn progress(
    app: &App,
    caller: &Caller,
    contest: Option<ContestId>,
) -> Result<HashMap<ProblemId, bool>> {
    let mut progress = HashMap::new();
    let team = caller.viewer.team;
    let Some(user) = caller.viewer.user else {
        return Ok(progress);
    };
    let filter = SubmissionFilter {
        contest: Some(contest),
        user: team.is_none().then_some(user),
        team,
        ..SubmissionFilter::default()
    };
    for submission in app.store.submissions(&filter, MOST)? {
        progress.insert(submission.problem, false);
    }
    let accepted = SubmissionFilter {
        verdict: Some("AC".to_owned()),
        ..filter
    };
    for submission in app.store.submissions(&accepted, MOST)? {
        let shown = shown_judging(app, caller.viewer, &submission)?;
        if shown.is_some_and(|judging| judging.verdict.is_some()) {
            progress.insert(submission.problem, true);
        }
    }
    Ok(progress)
}

/// The mark of a problem.
pub fn mark(progress: Option<&bool>) -> Markup {
    match progress {
        Some(true) => html! { span.good { "✓ solved" } },
        Some(false) => html! { span.quiet { "tried" } },
        None => html! {},
    }
}

pub fn list(app: &App, caller: Caller) -> PageResult {
    let progress = progress(app, &caller, None)?;
    let mut rows = Vec::new();
    for problem in app.store.problems()? {
        if !sees_practice(app, caller.viewer, &problem)? {
            continue;
        }
        let version = &problem.version;
        let mut row = vec![
            html! { a href={ "/problems/" (problem.ext) } { (version.name) } },
            html! { code { (problem.ext) } },
            html! { @if let Some(limit) = version.time_limit_s { (limit) " s" } },
            html! { (version.memory_limit >> 20) " MiB" },
        ];
        if caller.user.is_some() {
            row.push(mark(progress.get(&problem.id)));
        }
        rows.push(row);
    }
    let heads = ["Problem", "Id", "Time", "Memory", "Yours"];
    let shown = if caller.user.is_some() { 5 } else { 4 };
    let body = html! {
        @if rows.is_empty() {
            p { "No problem is open for practice. Start the server with packages to add some." }
        } @else {
            (table("Problems for practice", &heads[..shown], &rows))
        }
    };
    Ok(page(&caller, Section::Problems, "Problems", &body))
}
