//! Clarifications: questions that wait for an answer, answers, and announcements.

use super::contests::by_ext;
use super::frame::{csrf, date, link, options, page, select};
use crate::http::{App, Caller, Fields, Form, Jury, PageResult, Result, bad_request, not_found};
use crate::layout::{Table, input, region};
use crate::store::{
    Clarification, ClarificationId, Contest, ContestProblem, NewClarification, ProblemId, UserId,
};
use axum::extract::Path;
use axum::response::Redirect;
use maud::{Markup, Render, html};
use std::collections::HashSet;

/// Answers that are often right.
const CANNED: [&str; 7] = [
    "No comment, read problem statement.",
    "This will be answered during the answers to questions session.",
    "No comment.",
    "Read the problem statement.",
    "Yes.",
    "No.",
    "This is not a question that can be answered with yes or no.",
];

/// Maximum bytes of a text.
const MAX_TEXT: usize = 16 << 10;

/// `GET /jury/clarifications`: the contests, and how many questions wait in each.
pub fn contests(app: &App, jury: Jury) -> PageResult {
    let with_all = |contest: Contest| Ok((app.store.clarifications(contest.id)?, contest));
    let contests = app.store.contests()?.into_iter().map(with_all);
    let contests = contests.collect::<Result<Vec<_>>>()?;
    let table = Table::new("Clarifications by contest", &contests)
        .column("Contest", |(_, contest)| {
            link("/jury/clarifications/", &contest.ext, &contest.name)
        })
        .column("Unanswered", |(all, _)| open(all).count())
        .column("All", |(all, _)| all.len());
    let area = "/jury/clarifications";
    let body = region("contests", "clarifications", &table.render());
    Ok(page(&jury.caller, area, "Clarifications", &body))
}

/// The questions of teams that have no answer.
fn open(all: &[Clarification]) -> impl Iterator<Item = &Clarification> {
    let answered: HashSet<ClarificationId> = all.iter().filter_map(|one| one.reply_to).collect();
    all.iter()
        .filter(move |one| one.from_team.is_some() && !answered.contains(&one.id))
}

/// `GET /jury/clarifications/{contest}`
pub fn list(app: &App, (jury, Path(ext)): (Jury, Path<String>)) -> PageResult {
    let contest = by_ext(app, &ext)?;
    let problems = app.store.contest_problems(contest.id)?;
    let all = app.store.clarifications(contest.id)?;
    let address = format!("/jury/clarifications/{}", contest.ext);
    let choice = |p: &ContestProblem| (p.problem.to_string(), format!("{}: {}", p.label, p.name));
    let choices = options("none: general", problems.iter().map(choice));
    let waiting: Vec<&Clarification> = open(&all).collect();
    let body = html! {
        (region("waiting", "clarifications", &html! {
            h2 { (waiting.len()) " questions wait" }
            @for question in &waiting {
                article {
                    (shown(question, &problems))
                    (answer_form(&jury.caller, &address, question))
                }
            }
        }))
        h2 { "Announce" }
        form method="post" action=(address) {
            (csrf(&jury.caller))
            (select("problem", "Problem", &choices, ""))
            (input("text", "Text for all teams", "textarea", false))
            button.primary { "Send to all teams" }
        }
        (region("all", "clarifications", &html! {
            h2 { "All" }
            @for one in all.iter().rev() { article { (shown(one, &problems)) } }
            @if all.is_empty() { p { "There is none yet." } }
        }))
    };
    let title = format!("Clarifications of {}", contest.name);
    Ok(page(&jury.caller, "/jury/clarifications", &title, &body))
}

fn shown(one: &Clarification, problems: &[ContestProblem]) -> Markup {
    let about = one.problem.as_ref().map(|(id, ext)| {
        let label = problems.iter().find(|problem| problem.problem == *id);
        label.map_or(ext.as_str(), |problem| &problem.label)
    });
    let team = |team: &Option<(_, String)>, none: &str| {
        team.as_ref()
            .map_or(none.to_owned(), |(_, ext)| format!("team {ext}"))
    };
    let to = if one.from_team.is_some() {
        "the jury"
    } else {
        "all teams"
    };
    html! {
        p.quiet {
            "No. " (one.id) ", " (date(one.time_ms)) ", " (team(&one.from_team, "the jury")) " to "
            (team(&one.to_team, to)) ", problem " (about.unwrap_or("none"))
            @if let Some(question) = one.reply_to { ", answers no. " (question) }
        }
        pre { (one.text) }
    }
}

fn answer_form(caller: &Caller, address: &str, question: &Clarification) -> Markup {
    let id = question.id;
    html! {
        form method="post" action={ (address) "/" (id) "/answer" } {
            (csrf(caller))
            div.field {
                label for={ "canned-" (id) } { "Prepared answer" }
                select #{ "canned-" (id) } name="canned" {
                    option value="" { "none" }
                    @for canned in CANNED { option { (canned) } }
                }
            }
            div.field {
                label for={ "text-" (id) } { "or your own" }
                textarea #{ "text-" (id) } name="text" {}
            }
            button.primary name="to" value="team" { "Answer the team" }
            " " button name="to" value="all" { "Answer all teams" }
        }
    }
}

/// The text of an answer or announcement: the typed text, else the prepared one.
fn text(fields: &Fields) -> Result<String> {
    let own = fields.optional("text").or(fields.optional("canned"));
    let text = own.ok_or_else(|| bad_request("write an answer"))?;
    match text.len() <= MAX_TEXT {
        true => Ok(text.replace("\r\n", "\n")),
        false => Err(bad_request(format!(
            "the text has more than {MAX_TEXT} bytes"
        ))),
    }
}

/// `POST /jury/clarifications/{contest}/{id}/answer`: `to` is `team` or `all`.
pub fn answer(
    app: &App,
    (Path((ext, id)), form): (Path<(String, ClarificationId)>, Form<Jury>),
) -> Result<Redirect> {
    let to = format!("/jury/clarifications/{ext}");
    send_answer(app, &ext, id, form.by.user.id, &form.fields)?;
    Ok(Redirect::to(&to))
}

fn send_answer(
    app: &App,
    ext: &str,
    id: ClarificationId,
    by: UserId,
    fields: &Fields,
) -> Result<()> {
    let contest = by_ext(app, ext)?;
    let question = app.store.clarification(id)?;
    if question.contest != contest.id || question.from_team.is_none() {
        return Err(not_found(format!("no question {id} in {ext}")));
    }
    let to_team = match fields.get("to") {
        "all" => None,
        _ => question.from_team.map(|(team, _)| team),
    };
    app.store.add_clarification(&NewClarification {
        contest: contest.id,
        problem: question.problem.map(|(problem, _)| problem),
        from_team: None,
        to_team,
        reply_to: Some(id),
        text: text(fields)?,
        author: Some(by),
    })?;
    Ok(())
}

/// `POST /jury/clarifications/{contest}`: an announcement.
pub fn announce(app: &App, (Path(ext), form): (Path<String>, Form<Jury>)) -> Result<Redirect> {
    let to = format!("/jury/clarifications/{ext}");
    let contest = by_ext(app, &ext)?;
    let problem: Option<ProblemId> = form.fields.parse("problem")?;
    let of_contest = app.store.contest_problems(contest.id)?;
    if problem.is_some_and(|id| of_contest.iter().all(|own| own.problem != id)) {
        return Err(not_found("no such problem in the contest"));
    }
    app.store.add_clarification(&NewClarification {
        contest: contest.id,
        problem,
        from_team: None,
        to_team: None,
        reply_to: None,
        text: text(&form.fields)?,
        author: Some(form.by.user.id),
    })?;
    Ok(Redirect::to(&to))
}
