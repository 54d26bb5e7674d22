//! Balloons: the first accepted submission of each team for each problem.

use super::contests::by_ext;
use super::frame::{date, page};
use crate::http::error::{AppState, PageResult};
use crate::http::{App, Jury, Result};
use crate::layout;
use crate::store::{Contest, ContestProblem, SubmissionId, Team};
use axum::extract::Path;
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
}

fn load(app: &App, ext: &str) -> Result<(Contest, Vec<Balloon>)> {
    let contest = by_ext(app, ext)?;
    let problems = app.store.contest_problems(contest.id)?;
    let teams = app.store.contest_teams(contest.id)?;
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
                first: by_any.insert(problem.problem),
                team: team.clone(),
                problem: problem.clone(),
                submission: result.submission,
                time_ms: result.time_ms,
            });
        }
    }
    balloons.reverse();
    Ok((contest, balloons))
}

/// `GET /jury/contests/{contest}/balloons`, the latest first.
pub async fn list(app: AppState, jury: Jury, Path(ext): Path<String>) -> PageResult {
    let (contest, balloons) = app.blocking(move |app| load(app, &ext)).await?;
    let row = |balloon: &Balloon| {
        let problem = &balloon.problem;
        let color = problem.color.as_ref().or(problem.rgb.as_ref());
        vec![
            html! { (date(balloon.time_ms)) },
            html! { (problem.label) @if balloon.first { " first" } },
            html! { (color.map_or("", String::as_str)) },
            html! { (balloon.team.label.as_deref().unwrap_or_default()) },
            html! { (balloon.team.display_name.as_deref().unwrap_or(&balloon.team.name)) },
            html! { a href={ "/jury/submissions/" (balloon.submission) } { (balloon.submission) } },
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
    ];
    let body = layout::table("First accepted submissions", &heads, &rows);
    let title = format!("Balloons of {}", contest.name);
    Ok(page(&jury.caller, "/jury/contests", &title, &body))
}
