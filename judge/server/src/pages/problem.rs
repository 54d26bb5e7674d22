//! A problem: statement, samples, limits, a form to submit, own submissions.

use super::contest::ContestView;
use super::parts::{SUBMISSION_HEADS, submission_row};
use super::problem_text::{self, Text};
use super::submit_form::{self, Closed};
use super::{Section, page};
use crate::access;
use crate::http::error::{AppState, PageResult};
use crate::http::submit::in_unfinished_contest;
use crate::http::{App, Caller, HttpError, Result};
use crate::layout::{copyable, table};
use crate::statement::{Rendered, Sample};
use crate::store::{ContestProblem, Problem, SubmissionFilter};
use axum::Router;
use axum::extract::{Path, Query};
use axum::routing::get;
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use std::sync::Arc;

pub fn routes() -> Router<App> {
    Router::new()
        .route("/problems/{problem}", get(for_practice))
        .route("/contests/{contest}/problems/{label}", get(in_contest))
}

/// A problem as the caller sees it, for practice or in a contest.
pub struct Place {
    /// The problem.
    pub problem: Problem,
    /// The contest, and the problem's label and colour in it.
    pub contest: Option<(ContestView, ContestProblem)>,
}

impl Place {
    /// A problem for practice. Blocks.
    ///
    /// # Errors
    ///
    /// `NotFound` if the caller does not see it.
    pub fn practice(app: &App, caller: &Caller, ext: &str) -> Result<Self> {
        let gone = || HttpError::NotFound(format!("there is no problem {ext}"));
        let problem = app.store.problem_by_ext(ext)?.ok_or_else(gone)?;
        let unfinished = in_unfinished_contest(app, &problem)?;
        match access::sees_practice_problem(caller.viewer, &problem, unfinished) {
            true => Ok(Place {
                problem,
                contest: None,
            }),
            false => Err(gone()),
        }
    }

    /// A problem of a contest by its label. Blocks.
    ///
    /// # Errors
    ///
    /// `NotFound` if the caller does not see it.
    pub fn contest(app: &App, caller: &Caller, contest: &str, label: &str) -> Result<Self> {
        let view = ContestView::open(app, caller.viewer, contest)?;
        let found = view
            .problems(app, caller.viewer)?
            .into_iter()
            .find(|problem| problem.label == label);
        let gone = || HttpError::NotFound(format!("there is no problem {label} to see"));
        let own = found.ok_or_else(gone)?;
        Ok(Place {
            problem: app.store.problem(own.problem)?,
            contest: Some((view, own)),
        })
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        match &self.contest {
            None => format!("/problems/{}", self.problem.ext),
            Some((view, own)) => {
                format!("/contests/{}/problems/{}", view.contest.ext, own.label)
            }
        }
    }

    /// The caller's last submissions of the problem here.
    fn own(&self, app: &App, caller: &Caller) -> Result<Vec<Vec<Markup>>> {
        let Some(user) = &caller.user else {
            return Ok(Vec::new());
        };
        let team = caller.viewer.team;
        let filter = SubmissionFilter {
            contest: Some(self.contest.as_ref().map(|(view, _)| view.contest.id)),
            problem: Some(self.problem.id),
            user: team.is_none().then_some(user.id),
            team,
            ..SubmissionFilter::default()
        };
        let submissions = app.store.submissions(&filter, 5)?;
        submissions
            .iter()
            .map(|submission| submission_row(app, caller.viewer, submission))
            .collect()
    }

    /// Why the caller cannot submit now.
    fn closed(&self, caller: &Caller) -> Option<Closed> {
        let Some((view, _)) = &self.contest else {
            return caller.user.is_none().then_some(Closed::SignedOut);
        };
        match access::submits_to_contest(caller.viewer, view.place(), view.now_ms) {
            true => None,
            false if caller.user.is_none() => Some(Closed::SignedOut),
            false if !view.takes_part => Some(Closed::NotInContest),
            false => Some(Closed::Over),
        }
    }
}

#[derive(Deserialize)]
struct Choice {
    language: Option<String>,
}

async fn for_practice(
    app: AppState,
    caller: Caller,
    Path(ext): Path<String>,
    Query(choice): Query<Choice>,
) -> PageResult {
    app.blocking(move |app| {
        let place = Place::practice(app, &caller, &ext)?;
        shown(app, &caller, &place, choice.language.as_deref())
    })
    .await
}

async fn in_contest(
    app: AppState,
    caller: Caller,
    Path((contest, label)): Path<(String, String)>,
    Query(choice): Query<Choice>,
) -> PageResult {
    app.blocking(move |app| {
        let place = Place::contest(app, &caller, &contest, &label)?;
        shown(app, &caller, &place, choice.language.as_deref())
    })
    .await
}

fn shown(app: &App, caller: &Caller, place: &Place, language: Option<&str>) -> Result<Markup> {
    let text = problem_text::text(app, &place.problem)?;
    let own = place.own(app, caller)?;
    let version = &place.problem.version;
    let (section, title) = match &place.contest {
        None => (Section::Problems, version.name.clone()),
        Some((_, own)) => (Section::Contests, format!("{} {}", own.label, version.name)),
    };
    let body = html! {
        @if let Some((view, _)) = &place.contest { (view.navigation("")) }
        (text.limits(version))
        (statement(&text, &place.problem.ext, language))
        (samples(&text.samples, text.interactive))
        @if !text.attachments.is_empty() {
            h2 { "Files" }
            ul {
                @for name in text.attachments.keys() {
                    li { a href={ "/problems/" (place.problem.ext) "/attachments/" (name) } { (name) } }
                }
            }
        }
        h2 #submit { "Submit" }
        @match place.closed(caller) {
            Some(why) => (why.words(&place.address())),
            None => (submit_form::form(app, caller, place)?),
        }
        @if !own.is_empty() {
            h2 { "Your last submissions" }
            (table("Your last submissions of this problem", &SUBMISSION_HEADS, &own))
            p { a href={ "/submissions?problem=" (place.problem.ext) } { "All of them" } }
        }
    };
    Ok(page(caller, section, &title, &body))
}

fn statement(text: &Arc<Text>, ext: &str, language: Option<&str>) -> Markup {
    let Some(found) = text.statement(language) else {
        return html! { p { "The package has no statement." } };
    };
    let all = text.languages();
    let document = |language: &str| format!("/problems/{ext}/statement/{language}");
    html! {
        @if all.len() > 1 {
            nav aria-label="Languages of the statement" {
                ul {
                    @for other in &all {
                        @let current = (other.language == found.language).then_some("true");
                        li {
                            a href={ "?language=" (other.language) } lang=(other.language)
                                hreflang=(other.language) aria-current=[current] { (other.language) }
                        }
                    }
                }
            }
        }
        @if let Rendered::Html(content) = &found.content {
            div.statement lang=(found.language) { (PreEscaped(content)) }
        }
        @for other in &text.statements {
            @if matches!(other.content, Rendered::Pdf(_)) && other.language == found.language {
                p { a href=(document(&other.language)) { "Statement as PDF" } }
                @if matches!(found.content, Rendered::Pdf(_)) {
                    iframe.pdf src=(document(&other.language)) title="Statement as PDF" loading="lazy" {}
                }
            }
        }
    }
}

fn samples(samples: &[Sample], interactive: bool) -> Markup {
    html! {
        @for (number, sample) in (1..).zip(samples) {
            section {
                h2 { "Sample " (sample.name) }
                @if interactive { p { "The answer shows a possible conversation." } }
                div.sides {
                    div {
                        h3 { "Input" }
                        (copyable(&format!("sample-{number}-input"), &format!("input of sample {}", sample.name), &sample.input))
                    }
                    @if let Some(answer) = &sample.answer {
                        div {
                            h3 { "Output" }
                            (copyable(&format!("sample-{number}-output"), &format!("output of sample {}", sample.name), answer))
                        }
                    }
                }
                @if sample.cut { p.quiet { "Only the beginning is shown." } }
            }
        }
    }
}
