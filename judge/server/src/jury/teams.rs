//! Teams: the list, adding and changing one.

use super::frame::{button, checkbox, csrf, filled, link, page, was};
use crate::contest_api::Id;
use crate::http::{Admin, App, Fields, Form, PageResult, Result, bad_request, conflict};
use crate::layout::{Table, input};
use crate::store::{Removable, Team, TeamId};
use axum::extract::Path;
use axum::response::{Redirect, Response};
use maud::{Markup, html};
use std::collections::HashMap;

/// `GET /jury/teams`
pub fn list(app: &App, admin: Admin) -> PageResult {
    let teams = app.store.teams()?;
    let organizations = app.store.organizations()?;
    let users = app.store.users()?;
    let names: HashMap<_, &str> = organizations
        .iter()
        .map(|own| (own.id, own.name.as_str()))
        .collect();
    let organization = |team: &Team| names.get(&team.organization?).copied();
    let members = |team: &Team| {
        let own = users.iter().filter(|user| user.team == Some(team.id));
        own.map(|user| user.name.as_str()).collect::<Vec<_>>()
    };
    let table = Table::new("Teams", &teams)
        .column("Team", |own| {
            html! { a href={ "/jury/submissions?team=" (own.id) } { (own.ext) } }
        })
        .column("Change", |own| link("/jury/teams/", own.id, "Change"))
        .column("Name", |own| &own.name)
        .column("Shown as", |own| {
            own.display_name.as_deref().unwrap_or_default()
        })
        .column("Organization", |own| organization(own).unwrap_or_default())
        .column("Users", |own| members(own).join(", "))
        .column("Scoreboard", |own| if own.hidden { "hidden" } else { "" });
    let body = html! {
        (table)
        p { a href="/jury/import" { "Import from files" } }
        h2 { "Add a team" }
        form method="post" action="/jury/teams" {
            (csrf(&admin.caller))
            input type="hidden" name="new" value="1";
            (input("id", "Id", "text", true))
            (fields(&values(&Team::default())))
            button.primary { "Add" }
        }
    };
    Ok(page(&admin.caller, "/jury/teams", "Teams", &body))
}

/// The values of the fields of a team.
fn values(team: &Team) -> [(&'static str, String); 3] {
    let hidden = if team.hidden { "1" } else { "" };
    [
        ("name", team.name.clone()),
        ("shown", team.display_name.clone().unwrap_or_default()),
        ("hidden", hidden.to_owned()),
    ]
}

fn fields([(_, name), (_, shown), (_, hidden)]: &[(&str, String); 3]) -> Markup {
    html! {
        (filled("name", "Name", "text", name, true))
        (filled("shown", "Name to show", "text", shown, false))
        (checkbox("hidden", "Not on the public scoreboard", !hidden.is_empty()))
    }
}

fn team_of_form(fields: &Fields, before: Team) -> Result<Team> {
    Ok(Team {
        name: fields.required("name", "Name")?.to_owned(),
        display_name: fields.owned("shown"),
        hidden: fields.ticked("hidden"),
        ..before
    })
}

/// `POST /jury/teams`: the form of the page, with `new`, only adds; without it, a program may also change a team.
pub fn add(app: &App, form: Form<Admin>) -> Result<Redirect> {
    let ext = form.fields.required("id", "Id")?;
    let before = app.store.team_by_ext(ext)?;
    if before.is_some() && form.fields.ticked("new") {
        return Err(conflict(format!(
            "there is a team {ext:?} already; change it on its page"
        )));
    }
    let before = before.map_or_else(|| new(ext, ext), Ok)?;
    app.store.put_team(&team_of_form(&form.fields, before)?)?;
    Ok(Redirect::to("/jury/teams"))
}

/// `GET /jury/teams/{id}`
pub fn form(app: &App, (admin, Path(id)): (Admin, Path<TeamId>)) -> PageResult {
    let team = app.store.team(id)?;
    let values = values(&team);
    let body = html! {
        form method="post" action={ "/jury/teams/" (id) } {
            (csrf(&admin.caller))
            (was(&values))
            (fields(&values))
            button.primary { "Save" }
        }
        h2 { "Delete" }
        (button(&admin.caller, &format!("/jury/teams/{id}/delete"), "Delete the team", &[]))
    };
    let title = format!("Team {}", team.ext);
    Ok(page(&admin.caller, "/jury/teams", &title, &body))
}

/// `POST /jury/teams/{id}`
pub fn save(app: &App, (Path(id), form): (Path<TeamId>, Form<Admin>)) -> Result<Redirect> {
    let before = app.store.team(id)?;
    let fields = form.fields.merged(&values(&before))?;
    app.store
        .replace_team(&before, &team_of_form(&fields, before.clone())?)?;
    Ok(Redirect::to("/jury/teams"))
}

/// `POST /jury/teams/{id}/delete`
pub fn delete(app: &App, (Path(id), form): (Path<TeamId>, Form<Admin>)) -> Result<Response> {
    let title = format!("Delete the team {}", app.store.team(id)?.shown_name());
    let back = format!("/jury/teams/{id}");
    super::removal::remove(
        app,
        &form,
        Removable::Team(id),
        "/jury/teams",
        &title,
        &back,
    )
}

fn new(ext: &str, name: &str) -> Result<Team> {
    let ext = Id::new(ext).map_err(|e| bad_request(e.to_string()))?;
    Ok(Team {
        ext: ext.into(),
        name: name.to_owned(),
        ..Team::default()
    })
}

/// The team with this id, which is added if it does not exist. Blocks.
/// Fails when the id is invalid, or the store fails.
pub fn ensure(app: &App, ext: &str, name: &str) -> Result<TeamId> {
    match app.store.team_by_ext(ext)? {
        Some(team) => Ok(team.id),
        None => Ok(app.store.put_team(&new(ext, name)?)?),
    }
}
