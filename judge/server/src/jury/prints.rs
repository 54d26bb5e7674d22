//! Prints of a contest.

use super::contests::by_ext;
use super::frame::{button, date, page};
use crate::access::Action;
use crate::http::{App, Form, Jury, PageResult, Result, bad_request};
use crate::layout::{Table, region};
use crate::prints;
use crate::store::{Print, PrintId, PrintState, Team, TeamId};
use axum::extract::Path;
use axum::response::Redirect;
use maud::{Render, html};
use std::collections::HashMap;

/// `GET /jury/contests/{contest}/prints`: the latest first.
pub fn list(app: &App, (jury, Path(ext)): (Jury, Path<String>)) -> PageResult {
    let contest = by_ext(app, &ext)?;
    let prints = app.store.prints(contest.id, None)?;
    let teams = app.store.contest_teams(contest.id)?;
    let teams: HashMap<TeamId, &Team> = teams.iter().map(|team| (team.id, team)).collect();
    let team = |own: &Print| own.team.and_then(|team| teams.get(&team).copied());
    let address = format!("/jury/contests/{ext}/prints");
    let again = |own: &Print| {
        let id = own.id.to_string();
        button(&jury.caller, &address, "Print again", &[("print", &id)])
    };
    let table = Table::new("Prints", &prints)
        .column("Print", |own| own.id.to_string())
        .column("Team", |own| {
            html! { span.who { (team(own).map_or("jury", Team::shown_name)) } }
        })
        .column("Seat", |own| {
            let label = team(own).and_then(|team| team.label.as_deref());
            label.unwrap_or_default()
        })
        .column("File", |own| &own.name)
        .column("Pages", |own| own.pages)
        .column("Sent", |own| date(own.time_ms))
        .column("State", |own| {
            html! { (own.state.word()) @if let Some(why) = &own.failure { ": " (why) } }
        })
        .column("Print again", |own| {
            let is_over = matches!(own.state, PrintState::Printed | PrintState::Failed);
            html! { @if is_over && jury.may(Action::Deliver) { (again(own)) } }
        });
    let body = html! {
        @if !prints::is_on(app) {
            p.notice { "The server does not print: its operator has not started it with " code { "--print-command" } "." }
        }
        (region("prints", "judging", &table.render()))
    };
    let title = format!("Prints of {}", contest.name);
    Ok(page(&jury.caller, "/jury/balloons", &title, &body))
}

/// `POST /jury/contests/{contest}/prints`: `print`, which is printed again.
pub fn again(app: &App, (Path(ext), form): (Path<String>, Form<Jury>)) -> Result<Redirect> {
    let contest = by_ext(app, &ext)?;
    let id: Option<PrintId> = form.fields.parse("print")?;
    let id = id.ok_or_else(|| bad_request("name the print"))?;
    prints::again(app, &contest, id)?;
    Ok(Redirect::to(&format!("/jury/contests/{ext}/prints")))
}
