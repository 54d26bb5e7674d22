//! Teams: the list, adding and changing one.

use super::frame::{button, checkbox, csrf, filled, link, options, page, select, was};
use crate::contest_api::Id;
use crate::http::{App, Fields, Form, Jury, PageResult, Result, bad_request, not_found};
use crate::layout::{Table, input};
use crate::store::{Organization, Removable, Team, TeamId};
use axum::extract::Path;
use axum::response::{Redirect, Response};
use maud::{Markup, html};
use std::collections::HashMap;

/// `GET /jury/teams`
pub fn list(app: &App, jury: Jury) -> PageResult {
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
        .column("Name", |own| html! { span.who { (own.name) } })
        .column("Shown as", |own| {
            own.display_name.as_deref().unwrap_or_default()
        })
        .column("Organization", |own| organization(own).unwrap_or_default())
        .column("Users", |own| members(own).join(", "))
        .column("Scoreboard", |own| if own.hidden { "hidden" } else { "" });
    let body = html! {
        (table)
        p.links {
            a href="/jury/import" { "Import from files" } " " a href="/jury/organizations" { "Organizations" } " "
            a href="/jury/groups" { "Groups" }
        }
        h2 { "Add a team" }
        form method="post" action="/jury/teams" {
            (csrf(&jury.caller))
            input type="hidden" name="new" value="1";
            (input("id", "Id", "text", true))
            (fields(&values(&Team::default(), &organizations), &organizations))
            button.primary { "Add" }
        }
    };
    Ok(page(&jury.caller, "/jury/teams", "Teams", &body))
}

/// The values of the fields of a team.
fn values(team: &Team, organizations: &[Organization]) -> [(&'static str, String); 6] {
    let hidden = if team.hidden { "1" } else { "" };
    let mut known = organizations.iter();
    let organization = known.find(|own| Some(own.id) == team.organization);
    [
        ("name", team.name.clone()),
        ("shown", team.display_name.clone().unwrap_or_default()),
        ("label", team.label.clone().unwrap_or_default()),
        (
            "organization",
            organization.map_or_else(String::new, |own| own.ext.clone()),
        ),
        ("icpc_id", team.icpc_id.clone().unwrap_or_default()),
        ("hidden", hidden.to_owned()),
    ]
}

fn fields(
    [
        (_, name),
        (_, shown),
        (_, label),
        (_, organization),
        (_, icpc_id),
        (_, hidden),
    ]: &[(&str, String); 6],
    organizations: &[Organization],
) -> Markup {
    let choice = |own: &Organization| (own.ext.clone(), own.name.clone());
    let choices = options("none", organizations.iter().map(choice));
    html! {
        (filled("name", "Name", "text", name, true))
        (filled("shown", "Name to show", "text", shown, false))
        (filled("label", "Seat", "text", label, false))
        (select("organization", "Organization", &choices, organization))
        (filled("icpc_id", "Id in the ICPC's system", "text", icpc_id, false))
        (checkbox("hidden", "Not on the public scoreboard", !hidden.is_empty()))
    }
}

fn team_of_form(fields: &Fields, organizations: &[Organization], before: Team) -> Result<Team> {
    let chosen = fields.optional("organization").map(|ext| {
        let found = organizations.iter().find(|own| own.ext == ext);
        let gone = || not_found(format!("no organization {ext}"));
        found.map(|own| own.id).ok_or_else(gone)
    });
    // A form that a program sends may lack fields; these stay unchanged.
    let has = |name| fields.0.iter().any(|(own, _)| own == name);
    Ok(Team {
        organization: match has("organization") {
            true => chosen.transpose()?,
            false => before.organization,
        },
        label: match has("label") {
            true => fields.owned("label"),
            false => before.label.clone(),
        },
        name: fields.required("name", "Name")?.to_owned(),
        display_name: fields.owned("shown"),
        icpc_id: match has("icpc_id") {
            true => fields.owned("icpc_id"),
            false => before.icpc_id.clone(),
        },
        hidden: fields.ticked("hidden"),
        ..before
    })
}

/// `POST /jury/teams`: the form of the page, with `new`, only adds; without it, a program may also change a team.
pub fn add(app: &App, form: Form<Jury>) -> Result<Redirect> {
    let ext = form.fields.required("id", "Id")?;
    let only_adds = form.fields.ticked("new");
    let before = app.store.team_by_ext(ext)?.filter(|_| !only_adds);
    let before = before.map_or_else(|| new(ext, ext), Ok)?;
    let organizations = app.store.organizations()?;
    let team = team_of_form(&form.fields, &organizations, before)?;
    match only_adds {
        true => app.store.add_team(&team)?,
        false => app.store.put_team(&team)?,
    };
    Ok(Redirect::to("/jury/teams"))
}

/// `GET /jury/teams/{id}`
pub fn form(app: &App, (jury, Path(id)): (Jury, Path<TeamId>)) -> PageResult {
    let team = app.store.team(id)?;
    let organizations = app.store.organizations()?;
    let values = values(&team, &organizations);
    let body = html! {
        form method="post" action={ "/jury/teams/" (id) } {
            (csrf(&jury.caller))
            (was(&values))
            (fields(&values, &organizations))
            button.primary { "Save" }
        }
        h2 { "Delete" }
        (button(&jury.caller, &format!("/jury/teams/{id}/delete"), "Delete the team", &[]))
    };
    let title = format!("Team {}: {}", team.ext, team.shown_name());
    Ok(page(&jury.caller, "/jury/teams", &title, &body))
}

/// `POST /jury/teams/{id}`
pub fn save(app: &App, (Path(id), form): (Path<TeamId>, Form<Jury>)) -> Result<Redirect> {
    let before = app.store.team(id)?;
    let organizations = app.store.organizations()?;
    let fields = form.fields.merged(&values(&before, &organizations))?;
    let new = team_of_form(&fields, &organizations, before.clone())?;
    app.store.replace_team(&before, &new)?;
    Ok(Redirect::to("/jury/teams"))
}

/// A box for each team, and the teams that are members now.
pub fn team_boxes(teams: &[Team], is_member: impl Fn(&Team) -> bool) -> Markup {
    html! {
        @for team in teams.iter().filter(|team| is_member(team)) {
            input type="hidden" name="was-team" value=(team.id);
        }
        ul {
            @for team in teams {
                li { label {
                    input type="checkbox" name="team" value=(team.id) checked[is_member(team)];
                    " " (team.ext) ": " (team.shown_name())
                } }
            }
        }
    }
}

/// The teams that a form with [`team_boxes`] adds, and those that it removes.
pub fn chosen_teams(app: &App, fields: &Fields) -> Result<(Vec<TeamId>, Vec<TeamId>)> {
    let teams: Vec<TeamId> = fields.parse_all("team")?;
    let was: Vec<TeamId> = fields.parse_all("was-team")?;
    let known = app.store.teams()?;
    if let Some(id) = teams
        .iter()
        .find(|id| known.iter().all(|team| team.id != **id))
    {
        return Err(not_found(format!("no team {id}")));
    }
    let without = |all: &[TeamId], others: &[TeamId]| {
        let rest = all.iter().filter(|team| !others.contains(team));
        rest.copied().collect::<Vec<_>>()
    };
    Ok((without(&teams, &was), without(&was, &teams)))
}

/// `POST /jury/teams/{id}/delete`
pub fn delete(app: &App, (Path(id), form): (Path<TeamId>, Form<Jury>)) -> Result<Response> {
    let title = format!("Delete the team {}", app.store.team(id)?.shown_name());
    super::removal::remove(app, &form, Removable::Team(id), id, &title)
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
