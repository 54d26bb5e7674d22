//! Exceptional circumstances of a contest: time that does not count, and penalty that the jury adds.

use super::contests::{by_ext, moment};
use super::frame::{button, csrf, filled, moment_field, options, select};
use super::reveal::ask_to_reveal;
use crate::http::{App, Caller, Form, Jury, Result, bad_request, conflict};
use crate::layout::Table;
use crate::store::{Contest, Team, TeamId};
use crate::zone;
use axum::extract::Path;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};

/// Maximum minutes of a penalty that is added.
const MAX_MINUTES: i64 = 100_000;

/// The removed intervals, and a form for another one.
pub fn removed_time(caller: &Caller, address: &str, contest: &Contest) -> Markup {
    let zone = contest.tz();
    let action = format!("{address}/removed-time");
    let table = Table::new("Removed time", &contest.removed_time.0)
        .column("From", |(from, _)| zone::text(zone, *from))
        .column("Until", |(_, until)| zone::text(zone, *until))
        .column("", |(from, _)| {
            let fields = [("restore", &*from.to_string())];
            button(caller, &action, "Restore", &fields)
        });
    html! {
        p.quiet {
            "Time that does not count, such as a power failure: submissions in it have the contest time of its beginning, and the \
             contest ends later by its length. It can be restored."
        }
        @if !contest.removed_time.0.is_empty() { (table) }
        form method="post" action=(action) {
            (csrf(caller))
            (moment_field("from", &format!("From (time in {zone})"), ""))
            (moment_field("until", &format!("Until (time in {zone})"), ""))
            button { "Remove this time" }
        }
    }
}

/// `POST /jury/contests/{contest}/removed-time`: `from` and `until`, or `restore`: the beginning of an interval in milliseconds.
pub fn remove_time(app: &App, (Path(ext), form): (Path<String>, Form<Jury>)) -> Result<Response> {
    let before = by_ext(app, &ext)?;
    let mut new = before.clone();
    let fields = &form.fields;
    if let Some(restored) = fields.parse::<i64>("restore")? {
        new.removed_time.0.retain(|(from, _)| *from != restored);
    } else {
        let missing = || bad_request("fill in the beginning and the end of the time");
        let from = moment(fields, "from", before.tz())?.ok_or_else(missing)?;
        let until = moment(fields, "until", before.tz())?.ok_or_else(missing)?;
        if !new.removed_time.add(from, until) {
            return Err(conflict(
                "the time is empty, or overlaps time that is removed already",
            ));
        }
    }
    let back = format!("/jury/contests/{ext}");
    if let Some(page) = ask_to_reveal(app, &form, &before, &new, &format!("{back}/removed-time"))? {
        return Ok(page);
    }
    app.store.replace_contest(&before, &new)?;
    Ok(Redirect::to(&back).into_response())
}

/// The penalties that were added, and a form for another one.
pub fn penalties(
    caller: &Caller,
    address: &str,
    teams: &[Team],
    penalties: &[(TeamId, i64)],
) -> Markup {
    let name = |id: &TeamId| {
        let team = teams.iter().find(|team| team.id == *id);
        team.map_or("", Team::shown_name)
    };
    let table = Table::new("Added penalties", penalties)
        .column("Team", |(team, _)| name(team))
        .column("Minutes", |(_, ms)| ms / 60_000);
    let choice = |team: &Team| (team.id.to_string(), team.shown_name().to_owned());
    let choices = options("choose", teams.iter().map(choice));
    html! {
        @if !penalties.is_empty() { (table) }
        form method="post" action={ (address) "/penalty" } {
            (csrf(caller))
            (select("team", "Team", &choices, ""))
            (filled("minutes", "Minutes that are added to its penalty time; may be negative; 0: none", "number", "0", true))
            button { "Set the added penalty" }
        }
    }
}

/// `POST /jury/contests/{contest}/penalty`: `team` and `minutes`.
pub fn set_penalty(app: &App, (Path(ext), form): (Path<String>, Form<Jury>)) -> Result<Redirect> {
    let contest = by_ext(app, &ext)?;
    let team: Option<TeamId> = form.fields.parse("team")?;
    let team = team.ok_or_else(|| bad_request("choose a team"))?;
    let minutes: i64 = form.fields.parse("minutes")?.unwrap_or(0);
    if minutes.abs() > MAX_MINUTES {
        return Err(bad_request(format!(
            "at most {MAX_MINUTES} minutes are added"
        )));
    }
    app.store
        .set_extra_penalty(contest.id, team, minutes * 60_000)?;
    Ok(Redirect::to(&format!("/jury/contests/{ext}")))
}
