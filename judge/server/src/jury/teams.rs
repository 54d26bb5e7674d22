//! Teams: the list, adding and changing one.

use super::form::AdminForm;
use super::frame::{csrf, page};
use crate::contest_api::Id;
use crate::http::error::{AppState, PageResult};
use crate::http::{Admin, App, HttpError, Result};
use crate::layout::{self, Field};
use crate::store::{Team, TeamId};
use axum::response::Redirect;
use maud::{Markup, html};
use std::collections::HashMap;

/// `GET /jury/teams`
pub async fn list(app: AppState, admin: Admin) -> PageResult {
    let (teams, organizations, users) = app
        .blocking(|app| {
            Ok((
                app.store.teams()?,
                app.store.organizations()?,
                app.store.users()?,
            ))
        })
        .await?;
    let names: HashMap<_, &str> = organizations
        .iter()
        .map(|own| (own.id, own.name.as_str()))
        .collect();
    let row = |team: &Team| {
        let organization = team.organization.and_then(|id| names.get(&id).copied());
        let members: Vec<&str> = users
            .iter()
            .filter(|user| user.team == Some(team.id))
            .map(|user| user.name.as_str())
            .collect();
        vec![
            html! { a href={ "/jury/submissions?team=" (team.id) } { (team.ext) } },
            html! { (team.name) },
            html! { (team.display_name.as_deref().unwrap_or_default()) },
            html! { (organization.unwrap_or_default()) },
            html! { (members.join(", ")) },
            html! { @if team.hidden { "hidden" } },
        ]
    };
    let rows: Vec<Vec<Markup>> = teams.iter().map(row).collect();
    let field = |name, label, required| {
        layout::field(&Field {
            name,
            label,
            kind: "text",
            value: "",
            error: None,
            required,
        })
    };
    let heads = [
        "Team",
        "Name",
        "Shown as",
        "Organization",
        "Users",
        "Scoreboard",
    ];
    let body = html! {
        (layout::table("Teams", &heads, &rows))
        p { a href="/jury/import" { "Import from files" } }
        h2 { "Add or change a team" }
        form method="post" action="/jury/teams" {
            (csrf(&admin.caller))
            (field("id", "Id; that of a team above changes it", true))
            (field("name", "Name", true))
            (field("shown", "Name to show", false))
            div.field { label { input type="checkbox" name="hidden" value="1"; " Not on the public scoreboard" } }
            button.primary { "Save" }
        }
    };
    Ok(page(&admin.caller, "/jury/teams", "Teams", &body))
}

/// `POST /jury/teams`
pub async fn put(app: AppState, form: AdminForm) -> Result<Redirect> {
    app.blocking(move |app| {
        let fields = &form.fields;
        let ext = fields.required("id", "Id")?;
        let before = app.store.team_by_ext(ext)?;
        app.store.put_team(&Team {
            name: fields.required("name", "Name")?.to_owned(),
            display_name: fields.optional("shown").map(str::to_owned),
            hidden: fields.ticked("hidden"),
            ..before.map_or_else(|| new(ext, ext), Ok)?
        })?;
        Ok(())
    })
    .await?;
    Ok(Redirect::to("/jury/teams"))
}

fn new(ext: &str, name: &str) -> Result<Team> {
    let ext = Id::new(ext).map_err(|e| HttpError::BadRequest(e.to_string()))?;
    Ok(Team {
        id: TeamId(0),
        ext: ext.into(),
        name: name.to_owned(),
        display_name: None,
        label: None,
        organization: None,
        groups: Vec::new(),
        hidden: false,
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
