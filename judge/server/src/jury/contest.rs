//! A contest: its problems and teams, and the forms for everything else.

use super::circumstances;
use super::contest_clock;
use super::contest_languages;
use super::contest_roles;
use super::contests::{by_ext, form, phase};
use super::frame::{Question, asked, button, csrf, date_of, page};
use super::teams::{chosen_teams, team_boxes as boxes};
use crate::contest_api::Time;
use crate::contest_package::is_rgb;
use crate::http::{
    App, Caller, Fields, Form, Jury, PageResult, Result, bad_request, conflict, not_found,
};
use crate::layout;
use crate::store::{Contest, ContestProblem, Problem, ProblemId, Removable, Team, TeamId, now_ms};
use axum::extract::Path;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use std::collections::HashSet;

/// The area of these pages.
const AREA: &str = "/jury/contests";

/// Empty rows for new problems.
const SPARE: usize = 3;

/// `GET /jury/contests/{contest}`
pub fn page_of(app: &App, (jury, Path(ext)): (Jury, Path<String>)) -> PageResult {
    let contest = by_ext(app, &ext)?;
    let own = app.store.contest_problems(contest.id)?;
    let members = app.store.contest_teams(contest.id)?;
    let known = app.store.problems()?;
    let teams = app.store.teams()?;
    let caller = &jury.caller;
    let address = format!("/jury/contests/{}", contest.ext);
    let extra = app.store.extra_penalties(contest.id)?;
    let penalties = circumstances::penalties(caller, &address, &members, &extra);
    let members: HashSet<TeamId> = members.iter().map(|team| team.id).collect();
    let body = html! {
        p role="status" { (contest.ext) ": " (phase(&contest, now_ms())) }
        (times(&contest))
        p.links {
            a href={ "/jury/submissions?contest=" (contest.id) } { "Submissions" } " "
            a href={ "/jury/clarifications/" (contest.ext) } { "Clarifications" } " "
            a href={ (address) "/balloons" } { "Balloons" } " "
            a href={ (address) "/prints" } { "Prints" }
        }
        h2 { "Clock" }
        (contest_clock::forms(caller, &address, &contest, &app.store.reopenings(contest.id)?))
        h2 { "Problems" }
        (problems(caller, &address, &own, &known))
        h2 { "Teams" }
        (team_boxes(caller, &address, &members, &teams))
        h2 { "Roles" }
        (contest_roles::forms(app, caller, &address, &contest)?)
        h2 { "Languages" }
        (contest_languages::form(caller, &address, &contest, &app.languages.allowed(None)))
        h2 { "Settings" }
        (form(caller, &address, Some(&contest), contest.tz()))
        h2 { "Exceptional circumstances" }
        (circumstances::removed_time(caller, &address, &contest))
        (penalties)
        h2 { "Delete" }
        (button(caller, &format!("{address}/delete"), "Delete the contest", &[]))
    };
    Ok(page(caller, "/jury/contests", &contest.name, &body))
}

/// The time that is left, and the times that follow from the settings.
fn times(contest: &Contest) -> Markup {
    let Some((start, end)) = contest.start_ms.zip(contest.end_ms()) else {
        return html! {};
    };
    let [from, until, now] = [start, end, now_ms()].map(Time::from_millis);
    html! {
        p {
            (layout::clock(from, until, now)) ". Start: " (date_of(contest, start))
            @if let Some(freeze) = contest.freezes_ms() { ", frozen from " (date_of(contest, freeze)) }
            ", end: " (date_of(contest, end))
        }
    }
}

/// `POST /jury/contests/{contest}/delete`
pub fn delete(app: &App, (Path(ext), form): (Path<String>, Form<Jury>)) -> Result<Response> {
    let contest = by_ext(app, &ext)?;
    let title = format!("Delete the contest {}", contest.name);
    super::removal::remove(app, &form, Removable::Contest(contest.id), ext, &title)
}

/// A row of fields for each problem, and some empty ones.
fn problems(caller: &Caller, address: &str, own: &[ContestProblem], known: &[Problem]) -> Markup {
    let input = |k: usize, name: &str, label: &str, value: &str| {
        html! { input name={ (name) "-" (k) } aria-label={ (label) " " (k + 1) } value=(value) size="8"; }
    };
    let row = |k: usize| {
        let problem = own.get(k);
        let or_empty = |value: fn(&ContestProblem) -> &Option<String>| {
            problem
                .and_then(|problem| value(problem).as_deref())
                .unwrap_or_default()
        };
        vec![
            input(
                k,
                "label",
                "Label",
                problem.map_or("", |problem| &problem.label),
            ),
            html! {
                select name={ "problem-" (k) } aria-label={ "Problem " (k + 1) } {
                    option value="" { "none" }
                    @for choice in known {
                        option value=(choice.ext) selected[problem.is_some_and(|p| p.ext == choice.ext)] {
                            (choice.ext) ": " (choice.version.name)
                        }
                    }
                }
            },
            input(k, "rgb", "Colour", or_empty(|problem| &problem.rgb)),
            input(
                k,
                "color",
                "Name of the colour",
                or_empty(|problem| &problem.color),
            ),
        ]
    };
    let rows: Vec<Vec<Markup>> = (0..own.len() + SPARE).map(row).collect();
    html! {
        form method="post" action={ (address) "/problems" } {
            (csrf(caller))
            input type="hidden" name="was" value=(text_of(own));
            (layout::table("Problems", &["Label", "Problem", "Colour (#rrggbb)", "Its name"], &rows))
            button { "Save the problems" }
        }
    }
}

/// `POST /jury/contests/{contest}/problems`: fields `label-K`, `problem-K`, `rgb-K`, `color-K`; `was`: the problems when
/// the page was loaded.
pub fn set_problems(app: &App, (Path(ext), form): (Path<String>, Form<Jury>)) -> Result<Response> {
    let to = format!("/jury/contests/{ext}");
    let contest = by_ext(app, &ext)?;
    let before = app.store.contest_problems(contest.id)?;
    let was = form.fields.text("was");
    let problems = read_problems(app, &form.fields)?;
    let (sent, now) = (text_of(&problems), text_of(&before));
    // A program sends no `was`.
    if !was.is_empty() && was != now && sent != now {
        if sent == was {
            return Ok(Redirect::to(&to).into_response());
        }
        return Err(conflict(
            "the problems were changed meanwhile; load the page again",
        ));
    }
    let kept: HashSet<ProblemId> = problems.iter().map(|own| own.problem).collect();
    let removed = before.iter().filter(|own| !kept.contains(&own.problem));
    let removed: Vec<String> = removed
        .map(|own| format!("The contest loses the problem {} {}.", own.label, own.name))
        .collect();
    let action = format!("{to}/problems");
    if let Some(page) = ask_to_remove(&form, &contest, &action, &to, removed) {
        return Ok(page);
    }
    app.store
        .replace_contest_problems(contest.id, &before, &problems)?;
    Ok(Redirect::to(&to).into_response())
}

/// The page that asks before problems or teams are removed from a contest; `None`: none is, or the form has the answer.
fn ask_to_remove(
    form: &Form<Jury>,
    contest: &Contest,
    action: &str,
    back: &str,
    changes: Vec<String>,
) -> Option<Response> {
    let question = Question {
        action,
        button: "Remove",
        back,
        changes,
    };
    let title = format!("Remove from {}", contest.name);
    let has_changes = !question.changes.is_empty();
    has_changes.then(|| asked(form, AREA, &title, &question))?
}

/// The problems as a text, to notice changes.
fn text_of(problems: &[ContestProblem]) -> String {
    let line = |own: &ContestProblem| {
        let or_empty = |text: &Option<String>| text.clone().unwrap_or_default();
        [
            own.ext.clone(),
            own.label.clone(),
            or_empty(&own.rgb),
            or_empty(&own.color),
        ]
        .join(" ")
    };
    match problems {
        [] => "none".to_owned(),
        _ => problems.iter().map(line).collect::<Vec<_>>().join("; "),
    }
}

fn read_problems(app: &App, fields: &Fields) -> Result<Vec<ContestProblem>> {
    let wrong = |what: String| Err(bad_request(what));
    let mut problems: Vec<ContestProblem> = Vec::new();
    for (name, ext) in &fields.0 {
        let Some(k) = name.strip_prefix("problem-").filter(|_| !ext.is_empty()) else {
            continue;
        };
        let gone = || not_found(format!("no problem {ext}"));
        let problem = app.store.problem_by_ext(ext)?.ok_or_else(gone)?;
        let label = fields.get(&format!("label-{k}"));
        let rgb = fields.optional(&format!("rgb-{k}"));
        if label.is_empty() {
            return wrong(format!("give the problem {ext} a label, such as A"));
        }
        if problems
            .iter()
            .any(|other| other.label == label || other.ext == *ext)
        {
            return wrong(format!(
                "the label {label:?} or the problem {ext} is there twice"
            ));
        }
        if let Some(rgb) = rgb.filter(|rgb| !is_rgb(rgb)) {
            return wrong(format!("{rgb:?} is not a colour like #ff0000"));
        }
        problems.push(ContestProblem {
            problem: problem.id,
            ext: ext.clone(),
            name: String::new(),
            label: label.to_owned(),
            rgb: rgb.map(str::to_owned),
            color: fields.optional(&format!("color-{k}")).map(str::to_owned),
        });
    }
    Ok(problems)
}

fn team_boxes(caller: &Caller, address: &str, members: &HashSet<TeamId>, teams: &[Team]) -> Markup {
    html! {
        p { (members.len()) " of " (teams.len()) " teams take part." }
        @if !teams.is_empty() {
            details {
                summary { "Choose teams" }
                form method="post" action={ (address) "/teams" } {
                    (csrf(caller))
                    (boxes(teams, |team| members.contains(&team.id)))
                    button { "Save the teams" }
                }
            }
        }
    }
}

/// `POST /jury/contests/{contest}/teams`: a field `team` for each, `was-team` for each that took part when the page was
/// loaded. Only the differences are changed.
pub fn set_teams(app: &App, (Path(ext), form): (Path<String>, Form<Jury>)) -> Result<Response> {
    let to = format!("/jury/contests/{ext}");
    let contest = by_ext(app, &ext)?;
    let known = app.store.teams()?;
    let (added, removed) = chosen_teams(app, &form.fields)?;
    let lost = known.iter().filter(|team| removed.contains(&team.id));
    let text = |team: &Team| {
        format!(
            "The contest loses the team {}: {}.",
            team.ext,
            team.shown_name()
        )
    };
    let lost = lost.map(text).collect();
    if let Some(page) = ask_to_remove(&form, &contest, &format!("{to}/teams"), &to, lost) {
        return Ok(page);
    }
    app.store
        .change_contest_teams(contest.id, &added, &removed)?;
    Ok(Redirect::to(&to).into_response())
}
