//! Users: the list, adding one or several, passwords.

use super::form::{AdminForm, Fields};
use super::frame::{button, csrf, page, select};
use super::paste::{self, Wanted, role};
use super::sheet::{Line, sheet};
use crate::contest_api::Id;
use crate::http::error::{AppState, PageResult};
use crate::http::{Admin, App, HttpError, Result};
use crate::layout::{self, Field};
use crate::secret;
use crate::store::{NewUser, Role, TeamId, User, UserId};
use axum::extract::Path;
use axum::response::Redirect;
use maud::{Markup, html};
use std::collections::HashMap;

/// `GET /jury/users`
pub async fn list(app: AppState, admin: Admin) -> PageResult {
    let (users, teams) = app
        .blocking(|app| Ok((app.store.users()?, app.store.teams()?)))
        .await?;
    let exts: HashMap<TeamId, &str> = teams
        .iter()
        .map(|team| (team.id, team.ext.as_str()))
        .collect();
    let caller = &admin.caller;
    let row = |user: &User| {
        let own = format!("/jury/users/{}", user.id);
        let (text, value) = match user.disabled {
            true => ("Allow", ""),
            false => ("Disable", "1"),
        };
        vec![
            html! { (user.name) },
            html! { (user.display_name.as_deref().unwrap_or_default()) },
            html! { (user.role.word()) },
            html! { (user.team.and_then(|team| exts.get(&team).copied()).unwrap_or_default()) },
            html! { @if user.disabled { "disabled" } @else if user.password_hash.is_none() { "no password" } },
            button(caller, &format!("{own}/password"), "New password", &[]),
            html! {
                @if user.id != admin.user.id {
                    (button(caller, &format!("{own}/disabled"), text, &[("disabled", value)]))
                }
            },
        ]
    };
    let rows: Vec<Vec<Markup>> = users.iter().map(row).collect();
    let heads = [
        "Sign in as",
        "Name",
        "Role",
        "Team",
        "State",
        "Password",
        "Access",
    ];
    let body = html! {
        (layout::table("Users", &heads, &rows))
        h2 { "Add a user" }
        form method="post" action="/jury/users" { (csrf(caller)) (fields_of_one(&teams)) button.primary { "Add" } }
        h2 { "Add several users" }
        p {
            "A line for each, with commas or tabs between the columns: name to sign in with, name to show, \
             role (public, team, jury or admin), id of the team, password. The last three may be missing: \
             then the role is team if there is a team, otherwise public, and a password is generated. \
             A team that does not exist is added."
        }
        form method="post" action="/jury/users/several" {
            (csrf(caller))
            (layout::field(&Field {
                name: "table",
                label: "Table",
                kind: "textarea",
                value: "",
                error: None,
                required: true,
            }))
            button.primary { "Add" }
        }
    };
    Ok(page(caller, "/jury/users", "Users", &body))
}

fn fields_of_one(teams: &[crate::store::Team]) -> Markup {
    let field = |name, label, kind, required| {
        layout::field(&Field {
            name,
            label,
            kind,
            value: "",
            error: None,
            required,
        })
    };
    let roles: Vec<(String, String)> = Role::ALL
        .iter()
        .map(|role| (role.word().to_owned(), role.word().to_owned()))
        .collect();
    let mut choices = vec![(String::new(), "none".to_owned())];
    choices.extend(
        teams
            .iter()
            .map(|team| (team.ext.clone(), format!("{}: {}", team.ext, team.name))),
    );
    html! {
        (field("name", "Name to sign in with", "text", true))
        (field("shown", "Name to show", "text", false))
        (select("role", "Role", &roles, "team"))
        (select("team", "Team", &choices, ""))
        (field("password", "Password; empty: one is generated", "password", false))
    }
}

fn read_one(fields: &Fields) -> Result<Wanted> {
    Ok(Wanted {
        name: fields.required("name", "Name to sign in with")?.to_owned(),
        shown: fields.optional("shown").map(str::to_owned),
        role: role(fields.get("role"))?,
        team: fields.optional("team").map(str::to_owned),
        password: Some(fields.text("password"))
            .filter(|text| !text.is_empty())
            .map(str::to_owned),
    })
}

/// `POST /jury/users`
pub async fn add(app: AppState, form: AdminForm) -> PageResult {
    let wanted = read_one(&form.fields)?;
    let lines = app.blocking(move |app| add_all(app, &[wanted])).await?;
    Ok(page(&form.caller, "/jury/users", "Added", &sheet(&lines)))
}

/// `POST /jury/users/several`
pub async fn add_several(app: AppState, form: AdminForm) -> PageResult {
    let wanted = paste::users(form.fields.text("table"))?;
    let lines = app.blocking(move |app| add_all(app, &wanted)).await?;
    let body = html! { p role="status" { (lines.len()) " users were added." } (sheet(&lines)) };
    Ok(page(&form.caller, "/jury/users", "Added", &body))
}

/// Adds users, after all of them were checked. Blocks.
fn add_all(app: &App, wanted: &[Wanted]) -> Result<Vec<Line>> {
    for (k, user) in wanted.iter().enumerate() {
        let ids = [Some(&user.name), user.team.as_ref()];
        for id in ids.into_iter().flatten() {
            Id::new(id.as_str()).map_err(|e| HttpError::BadRequest(e.to_string()))?;
        }
        let twice = wanted[..k].iter().any(|other| other.name == user.name);
        if twice || app.store.user_named(&user.name)?.is_some() {
            let what = format!("there is a user {:?} already", user.name);
            return Err(HttpError::Conflict(what));
        }
        if user.role == Role::Team && user.team.is_none() {
            return Err(HttpError::BadRequest(format!(
                "choose a team for {:?}",
                user.name
            )));
        }
    }
    let mut lines = Vec::new();
    for user in wanted {
        let password = match &user.password {
            Some(password) => password.clone(),
            None => secret::password()?,
        };
        let hash = secret::hash_password(&password)?;
        let shown = user.shown.as_ref().unwrap_or(&user.name);
        let team = user
            .team
            .as_deref()
            .map(|ext| super::teams::ensure(app, ext, shown));
        app.store.put_user(&NewUser {
            ext: user.name.clone(),
            name: user.name.clone(),
            display_name: user.shown.clone(),
            role: user.role,
            team: team.transpose()?,
            password_hash: Some(hash),
        })?;
        lines.push(Line {
            name: user.name.clone(),
            shown: user.shown.clone(),
            team: user.team.clone(),
            password,
        });
    }
    Ok(lines)
}

/// `POST /jury/users/{id}/password`: generates one and shows it once.
pub async fn set_password(app: AppState, Path(id): Path<UserId>, form: AdminForm) -> PageResult {
    let line = app
        .blocking(move |app| {
            let user = app.store.user(id)?;
            let password = secret::password()?;
            let hash = secret::hash_password(&password)?;
            app.store.set_password(id, Some(&hash))?;
            Ok(Line {
                name: user.name,
                shown: user.display_name,
                team: None,
                password,
            })
        })
        .await?;
    Ok(page(
        &form.caller,
        "/jury/users",
        "New password",
        &sheet(&[line]),
    ))
}

/// `POST /jury/users/{id}/disabled`: the field `disabled` is empty to allow.
pub async fn set_disabled(
    app: AppState,
    Path(id): Path<UserId>,
    form: AdminForm,
) -> Result<Redirect> {
    if id == form.user.id {
        let what = "you cannot disable yourself";
        return Err(HttpError::Conflict(what.to_owned()));
    }
    let disabled = form.fields.ticked("disabled");
    app.blocking(move |app| Ok(app.store.set_disabled(id, disabled)?))
        .await?;
    Ok(Redirect::to("/jury/users"))
}
