//! Clarifications of a contest: asking, reading, answering.

use super::contest::ContestView;
use super::parts::{Form, csrf_field, date};
use super::{Section, page};
use crate::access;
use crate::http::error::{AppState, PageResult};
use crate::http::{App, Caller, HttpError, Result, SignedIn};
use crate::store::{
    Clarification, ClarificationId, ContestProblem, NewClarification, ProblemId, TeamId,
};
use axum::Router;
use axum::extract::Path;
use axum::response::Redirect;
use axum::routing::get;
use maud::{Markup, html};
use serde::Deserialize;

pub fn routes() -> Router<App> {
    Router::new().route("/contests/{contest}/clarifications", get(list).post(send))
}

/// The longest text, in bytes.
const LONGEST: usize = 10_000;

async fn list(app: AppState, caller: Caller, Path(ext): Path<String>) -> PageResult {
    app.blocking(move |app| {
        let view = ContestView::open(app, caller.viewer, &ext)?;
        let problems = view.problems(app, caller.viewer)?;
        let mut all = app.store.clarifications(view.contest.id)?;
        all.retain(|one| access::sees_clarification(caller.viewer, one, view.place()));
        let title = format!("Clarifications of {}", view.contest.name);
        let body = html! {
            (view.navigation("/clarifications"))
            @if all.is_empty() { p { "There is none yet." } }
            @for one in all.iter().rev() { (shown(&caller, one, &all, &problems)) }
            @if access::asks(caller.viewer, view.place(), view.now_ms) {
                h2 { @if caller.viewer.is_jury() { "Write to all teams" } @else { "Ask the jury" } }
                form method="post" {
                    (csrf_field(&caller))
                    div.field {
                        label for="problem" { "About" }
                        select #problem name="problem" {
                            option value="" { "The contest" }
                            @for problem in &problems {
                                option value=(problem.label) { (problem.label) " " (problem.name) }
                            }
                        }
                    }
                    (text_field("text"))
                    button.primary { "Send" }
                }
            } @else if caller.user.is_none() {
                p { a href={ "/sign-in?to=/contests/" (ext) "/clarifications" } { "Sign in" } " to ask." }
            } @else {
                p { "Teams of the contest ask while it runs." }
            }
        };
        Ok(page(&caller, Section::Contests, &title, &body))
    })
    .await
}

fn text_field(id: &str) -> Markup {
    html! {
        div.field {
            label for=(id) { "Text" }
            textarea.short #(id) name="text" rows="4" required maxlength=(LONGEST) {}
        }
    }
}

fn shown(
    caller: &Caller,
    one: &Clarification,
    visible: &[Clarification],
    problems: &[ContestProblem],
) -> Markup {
    let about = one
        .problem
        .as_ref()
        .and_then(|(id, _)| problems.iter().find(|problem| problem.problem == *id));
    let question = one
        .reply_to
        .and_then(|id| visible.iter().find(|other| other.id == id));
    let from = match (&one.from_team, &one.to_team) {
        (Some((team, _)), _) if caller.viewer.team == Some(*team) => "Your team asks".to_owned(),
        (Some((_, ext)), _) => format!("Team {ext} asks"),
        (None, None) => "To all teams".to_owned(),
        (None, Some((team, _))) if caller.viewer.team == Some(*team) => "To your team".to_owned(),
        (None, Some((_, ext))) => format!("To team {ext}"),
    };
    let answered = visible.iter().any(|other| other.reply_to == Some(one.id));
    html! {
        article.clarification {
            h2 {
                (from) ": "
                @match about {
                    Some(problem) => { (problem.label) " " (problem.name) }
                    None => "the contest",
                }
            }
            p.quiet {
                (date(one.time_ms))
                @if one.from_team.is_some() && !answered { " · not answered yet" }
            }
            @if let Some(question) = question { blockquote { p.text { (question.text) } } }
            p.text { (one.text) }
            @if caller.viewer.is_jury() && one.from_team.is_some() { (answer(caller, one)) }
        }
    }
}

/// The form of the jury.
fn answer(caller: &Caller, one: &Clarification) -> Markup {
    html! {
        details {
            summary { "Answer" }
            form method="post" {
                (csrf_field(caller))
                input type="hidden" name="reply_to" value=(one.id);
                fieldset {
                    legend { "Answer to" }
                    label { input type="radio" name="to" value="team" checked; " the team" }
                    " "
                    label { input type="radio" name="to" value="all"; " all teams" }
                }
                (text_field(&format!("answer-{}", one.id)))
                button { "Send the answer" }
            }
        }
    }
}

#[derive(Deserialize)]
struct Sent {
    #[serde(default)]
    csrf: String,
    #[serde(default)]
    problem: String,
    #[serde(default)]
    reply_to: String,
    #[serde(default)]
    to: String,
    text: String,
}

async fn send(
    app: AppState,
    signed_in: SignedIn,
    Path(ext): Path<String>,
    Form(sent): Form<Sent>,
) -> Result<Redirect> {
    signed_in.caller.check_csrf(&sent.csrf)?;
    app.blocking(move |app| {
        let viewer = signed_in.caller.viewer;
        let view = ContestView::open(app, viewer, &ext)?;
        if !access::asks(viewer, view.place(), view.now_ms) {
            let what = "only teams of this contest ask, and only while it runs";
            return Err(HttpError::Forbidden(what.to_owned()));
        }
        let text = sent.text.trim().replace("\r\n", "\n");
        if text.is_empty() || text.len() > LONGEST {
            return Err(HttpError::BadRequest(format!("write 1 to {LONGEST} bytes")));
        }
        app.rates.clarification(signed_in.user.id)?;
        let question = question(app, &view, &sent.reply_to)?;
        let (from_team, to_team) = match (&question, viewer.is_jury()) {
            (_, false) => (viewer.team, None),
            (Some(question), true) => (None, receiver(question, &sent.to)),
            (None, true) => (None, None),
        };
        let problem = match &question {
            Some(question) => question.problem.as_ref().map(|(id, _)| *id),
            None => problem(&view.problems(app, viewer)?, &sent.problem)?,
        };
        app.store.add_clarification(&NewClarification {
            contest: view.contest.id,
            problem,
            from_team,
            to_team,
            reply_to: question
                .map(|question| question.id)
                .filter(|_| viewer.is_jury()),
            text,
            author: Some(signed_in.user.id),
        })?;
        Ok(Redirect::to(&format!("/contests/{ext}/clarifications")))
    })
    .await
}

/// The question that the jury answers.
fn question(app: &App, view: &ContestView, id: &str) -> Result<Option<Clarification>> {
    if id.is_empty() {
        return Ok(None);
    }
    let unknown = || HttpError::BadRequest("there is no such question".to_owned());
    let id: ClarificationId = id.parse().map_err(|_| unknown())?;
    let found = app.store.clarification(id).map_err(|_| unknown())?;
    match found.contest == view.contest.id {
        true => Ok(Some(found)),
        false => Err(unknown()),
    }
}

fn receiver(question: &Clarification, to: &str) -> Option<TeamId> {
    let team = question.from_team.as_ref().map(|(id, _)| *id);
    team.filter(|_| to != "all")
}

fn problem(problems: &[ContestProblem], label: &str) -> Result<Option<ProblemId>> {
    if label.is_empty() {
        return Ok(None);
    }
    let found = problems.iter().find(|problem| problem.label == label);
    let unknown = || HttpError::BadRequest(format!("there is no problem {label:?}"));
    Ok(Some(found.ok_or_else(unknown)?.problem))
}
