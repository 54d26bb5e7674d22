//! The problems for practice.

use super::page;
use crate::http::rights::practice_problems;
use crate::http::{App, Caller, PageResult, Result};
use crate::layout::Table;
use crate::store::{ContestId, ProblemId, SubmissionFilter};
use crate::submissions::shown_judging;
use judge_core::verdict::Verdict;
use maud::{Markup, html};
use std::collections::HashMap;

/// Maximum number of submissions of a user from which the marks of problems are computed.
const MAX_SUBMISSIONS: usize = 5000;

/// The problems that the caller's team or user tried in a contest or in practice; `true`: solved.
pub fn progress(
    app: &App,
    caller: &Caller,
    contest: Option<ContestId>,
) -> Result<HashMap<ProblemId, bool>> {
    let mut progress = HashMap::new();
    let Some(user) = caller.viewer.user else {
        return Ok(progress);
    };
    let filter = SubmissionFilter {
        contest: Some(contest),
        ..SubmissionFilter::by(user, caller.viewer.team)
    };
    for submission in app.store.submissions(&filter, MAX_SUBMISSIONS)? {
        progress.insert(submission.problem, false);
    }
    let accepted = SubmissionFilter {
        verdict: Some(Verdict::Accepted),
        ..filter
    };
    for submission in app.store.submissions(&accepted, MAX_SUBMISSIONS)? {
        let shown = shown_judging(app, caller.viewer, &submission)?;
        if shown.is_some_and(|judging| judging.verdict.is_some()) {
            progress.insert(submission.problem, true);
        }
    }
    Ok(progress)
}

pub fn mark(progress: Option<&bool>) -> Markup {
    match progress {
        Some(true) => html! { span.good { "✓ solved" } },
        Some(false) => html! { span.quiet { "tried" } },
        None => html! {},
    }
}

pub fn list(app: &App, caller: Caller) -> PageResult {
    let progress = progress(app, &caller, None)?;
    let problems = practice_problems(app, caller.viewer)?;
    let mut table = Table::new("Problems for practice", &problems)
        .column("Problem", |own| {
            html! { a href={ "/problems/" (own.ext) } { (own.version.name) } }
        })
        .column("Id", |own| html! { code { (own.ext) } })
        .column("Time", |own| {
            html! { @if let Some(limit) = own.version.time_limit_s { (limit) " s" } }
        })
        .column("Memory", |own| {
            html! { (own.version.memory_limit >> 20) " MiB" }
        });
    if caller.user.is_some() {
        table = table.column("Yours", |own| mark(progress.get(&own.id)));
    }
    let body = html! {
        @if problems.is_empty() {
            p {
                "No problem is open for practice. "
                @if caller.viewer.sees_all() { "Start the server with packages to add some." }
                @else { "Those of a contest are on " a href="/contests" { "its page" } "." }
            }
        } @else {
            (table)
        }
    };
    Ok(page(&caller, "/problems", "Problems", &body))
}
