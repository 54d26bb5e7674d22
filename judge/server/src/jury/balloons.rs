//! Balloons: the first accepted submission of each team for each problem, and whether the balloon was
//! brought.

use super::contests::by_ext;
use super::form::JuryForm;
use super::frame::{button, date, page};
use crate::http::error::{AppState, PageResult};
use crate::http::{App, HttpError, Jury, Result};
use crate::layout;
use crate::store::{Contest, ContestProblem, Delivery, ProblemId, SubmissionId, Team, TeamId};
use axum::extract::Path;
use axum::response::Redirect;
use maud::{Markup, html};
use std::collections::HashSet;

/// A balloon to bring.
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

fn load(app: &App, ext: &str) -> Result<(Contest, Vec<Balloon>)> {
    let contest = by_ext(app, ext)?;
    let problems = app.store.contest_problems(contest.id)?;
    let teams = app.store.contest_teams(contest.id)?;
    let mut delivered = app.store.delivered_balloons(contest.id)?;
    let (mut solved, mut by_any) = (HashSet::new(), HashSet::new());
    let mut balloons = Vec::new();
    for result in app.store.contest_results(contest.id)? {
        let end = contest.end_ms().unwrap_or(i64::MAX);
        let counts = contest.has_started(result.time_ms) && result.time_ms < end;
        let team = teams.iter().find(|team| Some(team.id) == result.team);
        let problem = problems.iter().find(|own| own.problem == result.problem);
        let (Some(team), Some(problem), true) = (team, problem, counts) else {
            continue;
        };
        if result.verdict.as_deref() == Some("AC") && solved.insert((team.id, problem.problem)) {
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
    Ok((contest, balloons))
}

/// `GET /jury/contests/{contest}/balloons`: those to bring first.
pub async fn list(app: AppState, jury: Jury, Path(ext): Path<String>) -> PageResult {
    let (contest, balloons) = app.blocking(move |app| load(app, &ext)).await?;
    let address = format!("/jury/contests/{}/balloons", contest.ext);
    let row = |balloon: &Balloon| {
        let problem = &balloon.problem;
        let color = problem.color.as_ref().or(problem.rgb.as_ref());
        let (team, number) = (balloon.team.id.to_string(), problem.problem.to_string());
        let change = |what: &str, text: &str| {
            let fields = [("do", what), ("team", &team), ("problem", &number)];
            button(&jury.caller, &address, text, &fields)
        };
        vec![
            html! { (date(balloon.time_ms)) },
            html! { (problem.label) @if balloon.first { " first" } },
            html! { (color.map_or("", String::as_str)) },
            html! { (balloon.team.label.as_deref().unwrap_or_default()) },
            html! { (balloon.team.display_name.as_deref().unwrap_or(&balloon.team.name)) },
            html! { a href={ "/jury/submissions/" (balloon.submission) } { (balloon.submission) } },
            match &balloon.delivery {
                None => change("deliver", "Delivered"),
                Some(delivery) => html! {
                    (date(delivery.time_ms))
                    @if let Some(by) = &delivery.by { " by " (by) }
                    " " (change("undo", "Undo"))
                },
            },
        ]
    };
    let rows: Vec<Vec<Markup>> = balloons.iter().map(row).collect();
    let heads = [
        "Submitted",
        "Problem",
        "Colour",
        "Seat",
        "Team",
        "Submission",
        "Delivered",
    ];
    let open = balloons.iter().filter(|own| own.delivery.is_none()).count();
    let body = html! {
        p role="status" { (open) " to bring." }
        (layout::table("First accepted submissions", &heads, &rows))
    };
    let title = format!("Balloons of {}", contest.name);
    Ok(page(&jury.caller, "/jury/contests", &title, &body))
}

/// `POST /jury/contests/{contest}/balloons`: `team`, `problem`, and `do`: `deliver` or `undo`.
pub async fn deliver(app: AppState, Path(ext): Path<String>, form: JuryForm) -> Result<Redirect> {
    let to = format!("/jury/contests/{ext}/balloons");
    app.blocking(move |app| {
        let (contest, balloons) = load(app, &ext)?;
        let (team, problem): (Option<TeamId>, Option<ProblemId>) =
            (form.fields.parse("team")?, form.fields.parse("problem")?);
        let found = balloons.iter().find(|balloon| {
            Some(balloon.team.id) == team && Some(balloon.problem.problem) == problem
        });
        let gone = || HttpError::NotFound("there is no such balloon".to_owned());
        let Balloon { team, problem, .. } = found.ok_or_else(gone)?;
        let store = &app.store;
        match form.fields.get("do") {
            "deliver" => {
                let by = form.user.id;
                Ok(store.deliver_balloon(contest.id, team.id, problem.problem, by)?)
            }
            "undo" => Ok(store.undo_balloon(contest.id, team.id, problem.problem)?),
            other => {
                let what = format!("{other:?} is no change; it can be `deliver` or `undo`");
                Err(HttpError::BadRequest(what))
            }
        }
    })
    .await?;
    Ok(Redirect::to(&to))
}
