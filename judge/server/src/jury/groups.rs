//! Groups of teams, such as categories with ranks of their own: the list, adding and changing one, and its teams.

use super::frame::{checkbox, csrf, filled, link, new_id, page, was};
use super::teams::{chosen_teams, team_boxes};
use crate::http::{App, Fields, Form, Jury, PageResult, Result};
use crate::layout::{Table, input};
use crate::store::{Group, GroupId, Team};
use axum::extract::Path;
use axum::response::Redirect;
use maud::{Markup, html};

/// The area of these pages.
const AREA: &str = "/jury/teams";

/// `GET /jury/groups`
pub fn list(app: &App, jury: Jury) -> PageResult {
    let groups = app.store.groups()?;
    let teams = app.store.teams()?;
    let count = |own: &Group| {
        let members = teams.iter().filter(|team| team.groups.contains(&own.id));
        members.count()
    };
    let table = Table::new("Groups", &groups)
        .column("Group", |own| link("/jury/groups/", own.id, &own.name))
        .column("Id", |own| &own.ext)
        .column("Teams", count)
        .column("Scoreboard", |own| if own.hidden { "hidden" } else { "" });
    let body = html! {
        p.quiet { "The scoreboard shows the teams of a group alone, with their ranks among these." }
        (table)
        p.links { a href="/jury/import" { "Import from files" } " " a href="/jury/teams" { "Teams" } }
        h2 { "Add a group" }
        form method="post" action="/jury/groups" {
            (csrf(&jury.caller))
            (input("id", "Id", "text", true))
            (fields(&values(&Group::default())))
            button.primary { "Add" }
        }
    };
    Ok(page(&jury.caller, AREA, "Groups", &body))
}

/// The values of the fields of a group.
fn values(own: &Group) -> [(&'static str, String); 3] {
    let hidden = if own.hidden { "1" } else { "" };
    [
        ("name", own.name.clone()),
        ("icpc_id", own.icpc_id.clone().unwrap_or_default()),
        ("hidden", hidden.to_owned()),
    ]
}

fn fields([(_, name), (_, icpc_id), (_, hidden)]: &[(&str, String); 3]) -> Markup {
    html! {
        (filled("name", "Name", "text", name, true))
        (filled("icpc_id", "Id in the ICPC's system", "text", icpc_id, false))
        (checkbox("hidden", "Its teams are not on the public scoreboard", !hidden.is_empty()))
    }
}

fn of_form(fields: &Fields, before: Group) -> Result<Group> {
    Ok(Group {
        name: fields.required("name", "Name")?.to_owned(),
        icpc_id: fields.owned("icpc_id"),
        hidden: fields.ticked("hidden"),
        ..before
    })
}

/// `POST /jury/groups`
pub fn add(app: &App, form: Form<Jury>) -> Result<Redirect> {
    let new = Group {
        ext: new_id(&form.fields)?,
        ..Group::default()
    };
    let id = app.store.add_group(&of_form(&form.fields, new)?)?;
    Ok(Redirect::to(&format!("/jury/groups/{id}")))
}

/// `GET /jury/groups/{id}`
pub fn form(app: &App, (jury, Path(id)): (Jury, Path<GroupId>)) -> PageResult {
    let own = app.store.group(id)?;
    let teams = app.store.teams()?;
    let is_member = |team: &Team| team.groups.contains(&id);
    let values = values(&own);
    let body = html! {
        form method="post" action={ "/jury/groups/" (id) } {
            (csrf(&jury.caller))
            (was(&values))
            (fields(&values))
            h2 { "Teams" }
            (team_boxes(&teams, is_member))
            button.primary { "Save" }
        }
    };
    let title = format!("Group {}", own.name);
    Ok(page(&jury.caller, AREA, &title, &body))
}

/// `POST /jury/groups/{id}`: also a field `team` for each team, and `was-team` for each that was in the group when the page was
/// loaded.
pub fn save(app: &App, (Path(id), form): (Path<GroupId>, Form<Jury>)) -> Result<Redirect> {
    let before = app.store.group(id)?;
    let new = of_form(&form.fields.merged(&values(&before))?, before.clone())?;
    let (added, removed) = chosen_teams(app, &form.fields)?;
    app.store.replace_group(&before, &new, &added, &removed)?;
    Ok(Redirect::to("/jury/groups"))
}
