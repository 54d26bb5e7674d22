//! Balloons: the first accepted submission of each team for each problem, and whether the balloon was
//! brought.

use super::contests::by_ext;
use super::frame::{button, date, link, page};
use crate::access::Action;
use crate::http::{App, Form, Jury, PageResult, Result, bad_request, not_found};
use crate::layout::{Table, region};
use crate::store::{Contest, ContestProblem, Delivery, ProblemId, SubmissionId, Team, TeamId};
use axum::extract::Path;
use axum::response::Redirect;
use judge_core::verdict::Verdict;
use maud::{Markup, html};
use std::collections::{HashMap, HashSet};

struct Balloon {
    submission: SubmissionId,
    time_ms: i64,
    problem: ContestProblem,
    team: Team,
    /// No team solved the problem earlier.
    first: bool,
    /// It was brought.
    delivery: Option<Delivery>,
}

/// A balloon that was brought, and whose submission is no longer accepted.
struct Unearned {
    problem: ContestProblem,
    team: Team,
    delivery: Delivery,
}

struct Balloons {
    contest: Contest,
    earned: Vec<Balloon>,
    /// By time of delivery.
    unearned: Vec<Unearned>,
}

fn load(app: &App, ext: &str) -> Result<Balloons> {
    let contest = by_ext(app, ext)?;
    let problems = app.store.contest_problems(contest.id)?;
    let teams = app.store.contest_teams(contest.id)?;
    let mut delivered = app.store.delivered_balloons(contest.id)?;
    let (mut solved, mut by_any) = (HashSet::new(), HashSet::new());
    let mut balloons = Vec::new();
    let teams: HashMap<TeamId, Team> = teams.into_iter().map(|team| (team.id, team)).collect();
    let results = app.store.contest_results(contest.id)?.into_iter();
    let accepted = results
        .filter(|own| own.verdict == Some(Verdict::Accepted) && !own.is_unverified(&contest));
    for result in accepted {
        let end = contest.end_ms().unwrap_or(i64::MAX);
        let counts = contest.has_started(result.time_ms) && result.time_ms < end;
        let team = result.team.and_then(|team| teams.get(&team));
        let problem = problems.iter().find(|own| own.problem == result.problem);
        let (Some(team), Some(problem), true) = (team, problem, counts) else {
            continue;
        };
        if solved.insert((team.id, problem.problem)) {
            balloons.push(Balloon {
                delivery: delivered.remove(&(team.id, problem.problem)),
                first: by_any.insert(problem.problem),
                team: team.clone(),
                problem: problem.clone(),
                submission: result.submission,
                time_ms: result.time_ms,
            });
        }
    }
    // The team that waits longest goes first; brought balloons come last, the latest of them first.
    balloons.sort_by_key(|balloon| match &balloon.delivery {
        None => (false, balloon.time_ms),
        Some(delivery) => (true, -delivery.time_ms),
    });
    let unearned = delivered
        .into_iter()
        .filter_map(|((team, problem), delivery)| {
            let mut problems = problems.iter();
            Some(Unearned {
                problem: problems.find(|own| own.problem == problem)?.clone(),
                team: teams.get(&team)?.clone(),
                delivery,
            })
        });
    let mut unearned: Vec<Unearned> = unearned.collect();
    unearned.sort_by_key(|own| own.delivery.time_ms);
    Ok(Balloons {
        contest,
        earned: balloons,
        unearned,
    })
}

/// When and by whom a balloon was brought.
fn shown_delivery(delivery: &Delivery) -> Markup {
    html! { (date(delivery.time_ms)) @if let Some(by) = &delivery.by { " by " (by) } }
}

/// The area of these pages.
const AREA: &str = "/jury/balloons";

/// `GET /jury/balloons`: the contests.
pub fn contests(app: &App, jury: Jury) -> PageResult {
    let mut contests = app.store.contests()?;
    contests.retain(|contest| jury.shows(contest.id));
    let of = |ext: &str, what: &str, text: &str| {
        html! { a href={ "/jury/contests/" (ext) "/" (what) } { (text) } }
    };
    let table = Table::new("Balloons and prints by contest", &contests)
        .column("Contest", |contest| &contest.name)
        .column("Balloons", |contest| {
            of(&contest.ext, "balloons", "Balloons")
        })
        .column("Prints", |contest| of(&contest.ext, "prints", "Prints"));
    Ok(page(&jury.caller, AREA, "Balloons", &html! { (table) }))
}

/// `GET /jury/contests/{contest}/balloons`: those to bring first.
pub fn list(app: &App, (jury, Path(ext)): (Jury, Path<String>)) -> PageResult {
    let Balloons {
        contest,
        earned,
        unearned,
    } = load(app, &ext)?;
    let address = format!("/jury/contests/{}/balloons", contest.ext);
    let brings = jury.may(Action::Deliver);
    let change = |team: &Team, problem: &ContestProblem, what: &str, text: &str| {
        let (team, problem) = (team.id.to_string(), problem.problem.to_string());
        let fields = [("do", what), ("team", &team), ("problem", &problem)];
        html! { @if brings { (button(&jury.caller, &address, text, &fields)) } }
    };
    let table = Table::new("First accepted submissions", &earned)
        .column("Balloon", |Balloon { problem, first, .. }| {
            let color = problem.color.as_ref().or(problem.rgb.as_ref());
            html! {
                (problem.label) @if *first { " first" }
                @if let Some(color) = color { ", " (color) }
            }
        })
        .column("Seat", |own| own.team.label.as_deref().unwrap_or_default())
        .column("Team", |own| own.team.shown_name())
        .column("Delivered", |own| match &own.delivery {
            None => change(&own.team, &own.problem, "deliver", "Delivered"),
            Some(delivery) => html! {
                (shown_delivery(delivery)) " " (change(&own.team, &own.problem, "undo", "Undo"))
            },
        })
        .column("Submitted", |own| date(own.time_ms))
        .column("Submission", |own| match jury.may(Action::SeeAll) {
            true => link("/jury/submissions/", own.submission, own.submission),
            false => html! { (own.submission) },
        });
    let taken_back = Table::new("Delivered, and no longer accepted", &unearned)
        .column("Balloon", |own| &own.problem.label)
        .column("Seat", |own| own.team.label.as_deref().unwrap_or_default())
        .column("Team", |own| own.team.shown_name())
        .column("Delivered", |own| shown_delivery(&own.delivery))
        .column("", |own| {
            change(&own.team, &own.problem, "undo", "Taken back")
        });
    let open = earned.iter().filter(|own| own.delivery.is_none()).count();
    let body = html! {
        (region("balloons", "judging", &html! {
            p role="status" { (open) " to bring." }
            (table)
            @if !unearned.is_empty() {
                h2 { "Delivered, and no longer accepted" }
                (taken_back)
            }
        }))
    };
    let title = format!("Balloons of {}", contest.name);
    Ok(page(&jury.caller, AREA, &title, &body))
}

/// `POST /jury/contests/{contest}/balloons`: `team`, `problem`, and `do`: `deliver` or `undo`.
pub fn deliver(app: &App, (Path(ext), form): (Path<String>, Form<Jury>)) -> Result<Redirect> {
    let to = format!("/jury/contests/{ext}/balloons");
    let Balloons {
        contest,
        earned,
        unearned,
    } = load(app, &ext)?;
    let (team, problem): (Option<TeamId>, Option<ProblemId>) =
        (form.fields.parse("team")?, form.fields.parse("problem")?);
    let is_meant = |own: &(TeamId, ProblemId)| (Some(own.0), Some(own.1)) == (team, problem);
    let earned = earned.iter().map(|own| (own.team.id, own.problem.problem));
    let mut unearned = unearned
        .iter()
        .map(|own| (own.team.id, own.problem.problem));
    let undone = || {
        unearned
            .find(is_meant)
            .filter(|_| form.fields.get("do") == "undo")
    };
    let found = earned.into_iter().find(is_meant).or_else(undone);
    let (team, problem) = found.ok_or_else(|| not_found("there is no such balloon"))?;
    let store = &app.store;
    match form.fields.get("do") {
        "deliver" => {
            let by = form.by.user.id;
            store.deliver_balloon(contest.id, team, problem, by)?;
        }
        "undo" => store.undo_balloon(contest.id, team, problem)?,
        other => {
            let what = format!("{other:?} is no change; it can be `deliver` or `undo`");
            return Err(bad_request(what));
        }
    }
    Ok(Redirect::to(&to))
}
