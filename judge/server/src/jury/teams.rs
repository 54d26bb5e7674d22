//! Teams: the list, adding and changing one.

use super::frame::{checkbox, csrf, page};
use crate::contest_api::Id;
use crate::http::{Admin, App, Form, PageResult, Result, bad_request};
use crate::layout::{Table, input};
use crate::store::{Team, TeamId};
use axum::response::Redirect;
use maud::html;
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
        h2 { "Add or change a team" }
        form method="post" action="/jury/teams" {
            (csrf(&admin.caller))
            (input("id", "Id; that of a team above changes it", "text", true))
            (input("name", "Name", "text", true))
            (input("shown", "Name to show", "text", false))
            (checkbox("hidden", "Not on the public scoreboard", false))
            button.primary { "Save" }
        }
    };
    Ok(page(&admin.caller, "/jury/teams", "Teams", &body))
}

/// `POST /jury/teams`
pub fn put(app: &App, form: Form<Admin>) -> Result<Redirect> {
    let fields = &form.fields;
    let ext = fields.required("id", "Id")?;
    let before = app.store.team_by_ext(ext)?;
    app.store.put_team(&Team {
        name: fields.required("name", "Name")?.to_owned(),
        display_name: fields.owned("shown"),
        hidden: fields.ticked("hidden"),
        ..before.map_or_else(|| new(ext, ext), Ok)?
    })?;
    Ok(Redirect::to("/jury/teams"))
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
///
/// # Errors
///
/// When the id is none, or the store fails.
pub fn ensure(app: &App, ext: &str, name: &str) -> Result<TeamId> {
    match app.store.team_by_ext(ext)? {
        Some(team) => Ok(team.id),
        None => Ok(app.store.put_team(&new(ext, name)?)?),
    }
}
