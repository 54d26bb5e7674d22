//! Clarifications of a contest: asking, reading, answering.

use super::contest::navigation;
use super::page;
use super::parts::{csrf_field, date, select};
use super::subject::{Subject, subjects};
use crate::access;
use crate::contest_view::View;
use crate::http::rate::CLARIFICATIONS;
use crate::http::{App, Caller, Form, PageResult, Result, SignedIn, bad_request, forbidden};
use crate::layout;
use crate::notices::Notice;
use crate::store::{Clarification, ClarificationId, ContestProblem, NewClarification, TeamId};
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::Redirect;
use maud::{Markup, html};

/// Maximum bytes of a text.
const MAX_TEXT: usize = 10_000;

/// The header of a page that the script loads again in the background.
const UNSEEN: &str = "x-unseen";

pub fn list(
    app: &App,
    (caller, Path(ext), headers): (Caller, Path<String>, HeaderMap),
) -> PageResult {
    let view = View::open(app, caller.viewer, &ext)?;
    let problems = view.contest_problems()?;
    let mut all = app.store.clarifications(view.contest.id)?;
    all.retain(|one| access::sees_clarification(view.viewer, one, view.place()));
    let last_read = match caller.viewer.user {
        Some(user) => app.store.last_read(user, view.contest.id)?,
        None => ClarificationId::default(),
    };
    // The navigation shows the count of before.
    let navigation = navigation(&view, "/clarifications")?;
    if let (Some(user), Some(last)) = (caller.viewer.user, all.last())
        && last.id > last_read
        && !headers.contains_key(UNSEEN)
    {
        app.store.mark_read(user, view.contest.id, last.id)?;
        app.notices().send(Notice::Read(user));
    }
    let choices = subjects(&view.contest, &problems);
    let answers = access::answers(view.viewer);
    let title = format!("Clarifications of {}", view.contest.name);
    let body = html! {
        (navigation)
        (layout::region("clarifications", "clarifications", &html! {
            @if all.is_empty() { p { "There is none yet." } }
            @for one in all.iter().rev() {
                (shown(&caller, one, &all, &problems, last_read, answers))
            }
        }))
        @if access::asks(view.viewer, view.place(), view.now_ms) {
            h2 { @if answers { "Write to all teams" } @else { "Ask the jury" } }
            form method="post" {
                (csrf_field(&caller))
                (select("about", "About", &choices, ""))
                (text_field("text"))
                button.primary { "Send" }
            }
        } @else if caller.user.is_none() {
            p { a href={ "/sign-in?to=/contests/" (ext) "/clarifications" } { "Sign in" } " to ask." }
        } @else {
            p { "Teams of the contest ask while it runs." }
        }
    };
    Ok(page(&caller, "/contests", &title, &body))
}

/// The beginning of a quoted line.
const QUOTE: &str = "> ";

/// The box that puts the question above its answer.
pub(crate) fn quote_box() -> Markup {
    html! {
        div.field { label { input type="checkbox" name="quote" value="1" checked; " Quote the question above the answer" } }
    }
}

/// An answer below its question, each line of which begins with `> `.
pub(crate) fn quoted(question: &str, answer: &str) -> String {
    let lines = question.lines().map(|line| format!("{QUOTE}{line}\n"));
    lines.chain(["\n".to_owned(), answer.to_owned()]).collect()
}

fn text_field(id: &str) -> Markup {
    html! {
        div.field {
            label for=(id) { "Text" }
            textarea.short #(id) name="text" rows="4" required maxlength=(MAX_TEXT) {}
        }
    }
}

fn shown(
    caller: &Caller,
    one: &Clarification,
    visible: &[Clarification],
    problems: &[ContestProblem],
    last_read: ClarificationId,
    answers: bool,
) -> Markup {
    let is_new = caller.viewer.team.is_some() && one.from_team.is_none() && one.id > last_read;
    let question = one
        .reply_to
        .and_then(|id| visible.iter().find(|other| other.id == id))
        .filter(|_| !one.text.starts_with(QUOTE));
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
                (from) ": " (Subject::of(one).text(problems))
                @if is_new { " " span.count { "new" } }
            }
            p.quiet {
                (date(one.time_ms))
                @if one.from_team.is_some() && !answered { " · not answered yet" }
            }
            @if let Some(question) = question { blockquote { p.text { (question.text) } } }
            p.text { (one.text) }
            @if answers && one.from_team.is_some() { (answer(caller, one)) }
        }
    }
}

/// The form for the jury's answer.
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
                (quote_box())
                button { "Send the answer" }
            }
        }
    }
}

pub fn send(app: &App, (Path(ext), form): (Path<String>, Form<SignedIn>)) -> Result<Redirect> {
    let view = View::open(app, form.by.caller.viewer, &ext)?;
    let (viewer, fields) = (view.viewer, &form.fields);
    let answers = access::answers(viewer);
    if !access::asks(viewer, view.place(), view.now_ms) {
        return Err(forbidden(
            "only teams of this contest ask, and only while it runs",
        ));
    }
    let mut text = fields.get("text").replace("\r\n", "\n");
    if text.is_empty() || text.len() > MAX_TEXT {
        return Err(bad_request(format!("write 1 to {MAX_TEXT} bytes")));
    }
    app.rates.take(CLARIFICATIONS, form.by.user.id)?;
    let question = question(&view, fields.get("reply_to"))?;
    let (from_team, to_team) = match (&question, answers) {
        (_, false) => (viewer.team, None),
        (Some(question), true) => (None, receiver(question, fields.get("to"))),
        (None, true) => (None, None),
    };
    let Subject { problem, category } = match &question {
        Some(question) => Subject::of(question),
        None => {
            let problems = view.contest_problems()?;
            Subject::read(&view.contest, &problems, fields.get("about"))?
        }
    };
    let question = question.filter(|_| answers);
    if let Some(question) = question.as_ref().filter(|_| fields.ticked("quote")) {
        text = quoted(&question.text, &text);
    }
    app.store.add_clarification(&NewClarification {
        contest: view.contest.id,
        problem,
        category,
        from_team,
        to_team,
        reply_to: question.map(|question| question.id),
        text,
        author: Some(form.by.user.id),
        once: true,
        ..NewClarification::default()
    })?;
    Ok(Redirect::to(&format!("/contests/{ext}/clarifications")))
}

/// The question that the jury answers.
fn question(view: &View<'_>, id: &str) -> Result<Option<Clarification>> {
    if id.is_empty() {
        return Ok(None);
    }
    let unknown = || bad_request("there is no such question");
    let id: ClarificationId = id.parse().map_err(|_| unknown())?;
    let found = view.app.store.clarification(id).map_err(|_| unknown())?;
    match found.contest == view.contest.id {
        true => Ok(Some(found)),
        false => Err(unknown()),
    }
}

fn receiver(question: &Clarification, to: &str) -> Option<TeamId> {
    let team = question.from_team.as_ref().map(|(id, _)| *id);
    team.filter(|_| to != "all")
}
