//! The user's submissions, or those of the user's team.

use super::parts::{SUBMISSION_HEADS, submission_row};
use super::{Section, page};
use crate::http::submissions::shown_judging;
use crate::http::{App, Fields, PageResult, Result, SignedIn};
use crate::layout::table;
use crate::store::{Problem, SubmissionFilter};
use judge::verdict::Verdict;
use maud::{Markup, html};
use std::collections::BTreeSet;

/// Submissions on a page.
const PER_PAGE: usize = 50;
/// Submissions whose problems the filter offers.
const MOST: usize = 2000;

pub fn own(app: &App, (signed_in, fields): (SignedIn, Fields)) -> PageResult {
    let caller = &signed_in.caller;
    let team = caller.viewer.team;
    let all = SubmissionFilter {
        user: team.is_none().then_some(signed_in.user.id),
        team,
        ..SubmissionFilter::default()
    };
    let problem = problem(app, fields.get("problem"))?;
    let verdict = Verdict::from_code(fields.get("verdict"));
    let filter = SubmissionFilter {
        problem: problem.as_ref().map(|problem| problem.id),
        verdict: verdict.map(|verdict| verdict.code().to_owned()),
        before: fields.get("before").parse().ok(),
        ..all.clone()
    };
    let mut submissions = app.store.submissions(&filter, PER_PAGE + 1)?;
    let more = submissions.len() > PER_PAGE;
    submissions.truncate(PER_PAGE);
    let mut rows = Vec::new();
    for one in &submissions {
        let judging = shown_judging(app, caller.viewer, one)?;
        let shown = judging.and_then(|judging| judging.verdict);
        // A filter must not say what the contest withholds.
        if filter.verdict.is_none() || shown == filter.verdict {
            rows.push(submission_row(app, caller.viewer, one)?);
        }
    }
    let problems = app.store.submissions(&all, MOST)?;
    let problems: BTreeSet<String> = problems.into_iter().map(|one| one.problem_ext).collect();
    let ext = problem.as_ref().map_or("", |problem| &problem.ext);
    let verdict = verdict.map_or("", Verdict::code);
    let address = format!("/submissions?problem={ext}&verdict={verdict}");
    let body = html! {
        (filter_form(&problems, &fields))
        @if rows.is_empty() {
            @if problems.is_empty() { p { "You have submitted nothing yet." } }
            @else { p { "No submission fits the filter." } }
        } @else {
            (table("Submissions, the latest first", &SUBMISSION_HEADS, &rows))
        }
        @if more || filter.before.is_some() {
            nav.pages aria-label="Pages" {
                @if filter.before.is_some() { a href=(address) { "Latest" } }
                @if let Some(last) = submissions.last().filter(|_| more) {
                    a rel="next" href={ (address) "&before=" (last.id) } { "Older" }
                }
            }
        }
    };
    let title = if team.is_some() {
        "Submissions of your team"
    } else {
        "Your submissions"
    };
    Ok(page(caller, Section::Submissions, title, &body))
}

fn problem(app: &App, ext: &str) -> Result<Option<Problem>> {
    match ext {
        "" => Ok(None),
        ext => Ok(app.store.problem_by_ext(ext)?),
    }
}

fn filter_form(problems: &BTreeSet<String>, fields: &Fields) -> Markup {
    html! {
        form.filter method="get" role="search" aria-label="Filter" {
            div.field {
                label for="problem" { "Problem" }
                select #problem name="problem" {
                    option value="" { "All" }
                    @for ext in problems {
                        option value=(ext) selected[ext == fields.get("problem")] { (ext) }
                    }
                }
            }
            div.field {
                label for="verdict" { "Verdict" }
                select #verdict name="verdict" {
                    option value="" { "All" }
                    @for code in Verdict::ALL.map(Verdict::code) {
                        option value=(code) selected[code == fields.get("verdict")] { (code) }
                    }
                }
            }
            button { "Show" }
        }
    }
}
