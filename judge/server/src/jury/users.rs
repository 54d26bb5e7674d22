//! Users: the list, adding one or several, passwords.

use super::frame::{Question, asked, button, csrf, options, page, plural, select};
use super::paste::{self, role};
use super::sheet::sheet;
use crate::contest_api::Id;
use crate::contest_package::Account;
use crate::http::{App, Fields, Form, Jury, PageResult, Result, bad_request, conflict};
use crate::layout::{Table, input};
use crate::store::{NewUser, Removable, Role, Team, TeamId, User, UserId};
use axum::extract::Path;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use std::collections::HashMap;

/// The area of these pages.
const AREA: &str = "/jury/users";

/// `GET /jury/users`
pub fn list(app: &App, jury: Jury) -> PageResult {
    let users = app.store.users()?;
    let teams = app.store.teams()?;
    let exts: HashMap<TeamId, &str> = teams
        .iter()
        .map(|team| (team.id, team.ext.as_str()))
        .collect();
    let caller = &jury.caller;
    let own = |user: &User| format!("/jury/users/{}", user.id);
    let team = |user: &User| exts.get(&user.team?).copied();
    let table = Table::new("Users", &users)
        .column("Sign in as", |user| &user.name)
        .column("Name", |user| {
            user.display_name.as_deref().unwrap_or_default()
        })
        .column("Role", |user| user.role.word())
        .column("Team", |user| team(user).unwrap_or_default())
        .column("State", |user| match (user.disabled, &user.password_hash) {
            (true, _) => "disabled",
            (false, None) => "no password",
            (false, Some(_)) => "",
        })
        .column("Password", |user| {
            button(
                caller,
                &format!("{}/password", own(user)),
                "New password",
                &[],
            )
        })
        .column("Access", |user| {
            let (text, value) = match user.disabled {
                true => ("Allow", ""),
                false => ("Disable", "1"),
            };
            let fields = [("disabled", value)];
            html! {
                @if user.id != jury.user.id {
                    (button(caller, &format!("{}/disabled", own(user)), text, &fields))
                }
            }
        })
        .column("Delete", |user| {
            html! {
                @if user.id != jury.user.id {
                    (button(caller, &format!("{}/delete", own(user)), "Delete", &[]))
                }
            }
        });
    let body = html! {
        (table)
        p.quiet { "A new password ends the sessions of the user, and removes their tokens and unused sign-in links." }
        h2 { "Add a user" }
        form method="post" action="/jury/users" { (csrf(caller)) (fields_of_one(&teams)) button.primary { "Add" } }
        h2 { "Add several users" }
        p {
            "A line for each, with commas, semicolons or tabs between the columns: name to sign in with, name to show, \
             role (public, team, jury or admin), id of the team, password. The last three may be missing: \
             then the role is team if there is a team, otherwise public, and a password is generated. \
             A team that does not exist is added."
        }
        form method="post" action="/jury/users/several" {
            (csrf(caller))
            (input("table", "Table", "textarea", true))
            button.primary { "Add" }
        }
    };
    Ok(page(caller, "/jury/users", "Users", &body))
}

fn fields_of_one(teams: &[Team]) -> Markup {
    let roles: Vec<_> = Role::ALL
        .iter()
        .map(|role| (role.word(), role.word()))
        .collect();
    let team = |team: &Team| (team.ext.clone(), format!("{}: {}", team.ext, team.name));
    let teams = options("none", teams.iter().map(team));
    html! {
        (input("name", "Name to sign in with", "text", true))
        (input("shown", "Name to show", "text", false))
        (select("role", "Role", &roles, "team"))
        (select("team", "Team", &teams, ""))
        (input("password", "Password; empty: one is generated", "password", false))
    }
}

fn read_one(fields: &Fields) -> Result<Account> {
    let name = fields.required("name", "Name to sign in with")?;
    let password = Some(fields.text("password")).filter(|text| !text.is_empty());
    Ok(Account {
        user: NewUser {
            ext: name.to_owned(),
            name: name.to_owned(),
            display_name: fields.owned("shown"),
            role: role(fields.get("role"))?,
            ..NewUser::default()
        },
        password: password.map(str::to_owned),
        team: fields.owned("team"),
        in_contest: None,
    })
}

/// `POST /jury/users`
pub fn add(app: &App, form: Form<Jury>) -> PageResult {
    let wanted = read_one(&form.fields)?;
    let lines = add_all(app, vec![wanted])?;
    Ok(page(&form.by.caller, AREA, "Added", &sheet(&lines)))
}

/// `POST /jury/users/several`
pub fn add_several(app: &App, form: Form<Jury>) -> PageResult {
    let wanted = paste::users(form.fields.text("table"))?;
    let lines = add_all(app, wanted)?;
    let body =
        html! { p role="status" { "Added: " (plural(lines.len(), "user")) "." } (sheet(&lines)) };
    Ok(page(&form.by.caller, "/jury/users", "Added", &body))
}

/// Adds users, after all of them were checked; returns them with their passwords. Blocks.
fn add_all(app: &App, wanted: Vec<Account>) -> Result<Vec<(Account, String)>> {
    for (k, Account { user, team, .. }) in wanted.iter().enumerate() {
        for id in [Some(&user.name), team.as_ref()].into_iter().flatten() {
            Id::new(id.as_str()).map_err(|e| bad_request(e.to_string()))?;
        }
        let mut earlier = wanted[..k].iter();
        let twice = earlier.any(|other| other.user.name == user.name);
        if twice || app.store.user_named(&user.name)?.is_some() {
            return Err(conflict(format!("there is a user {:?} already", user.name)));
        }
        // An import may give a user another id than its name.
        if let Some(other) = app.store.user_by_ext(&user.ext)? {
            return Err(conflict(format!(
                "there is a user with the id {:?} already, who signs in as {:?}; choose another name",
                user.ext, other.name
            )));
        }
        if user.role == Role::Team && team.is_none() {
            return Err(bad_request(format!("choose a team for {:?}", user.name)));
        }
    }
    let mut added = Vec::new();
    for account in wanted {
        let name = &account.user.name;
        let shown = account.user.display_name.as_ref().unwrap_or(name);
        let team = account.team.as_deref();
        let team = team.map(|ext| super::teams::ensure(app, ext, shown));
        let (password, user) = account.with_password(team.transpose()?)?;
        app.store.add_user(&user)?;
        added.push((account, password));
    }
    Ok(added)
}

/// `POST /jury/users/{id}/delete`
pub fn delete(app: &App, (Path(id), form): (Path<UserId>, Form<Jury>)) -> Result<Response> {
    if id == form.by.user.id {
        return Err(conflict("you cannot delete yourself"));
    }
    let title = format!("Delete the user {}", app.store.user(id)?.name);
    super::removal::remove(app, &form, Removable::User(id), id, &title)
}

/// `POST /jury/users/{id}/password`: generates one and shows it once.
pub fn set_password(app: &App, (Path(id), form): (Path<UserId>, Form<Jury>)) -> Result<Response> {
    let user = app.store.user(id)?;
    let sessions = app.store.sessions_of(id)?.len();
    let tokens = app.store.tokens(id)?.len();
    let mut changes = vec![match user.password_hash {
        Some(_) => format!(
            "The present password of {} is not valid any more.",
            user.name
        ),
        None => format!("{} gets a password, and can sign in with it.", user.name),
    }];
    changes.push(format!(
        "{} and {} end; unused sign-in links are removed.",
        plural(sessions, "session"),
        plural(tokens, "token")
    ));
    let question = Question {
        action: &format!("/jury/users/{id}/password"),
        changes,
        button: "Make a new password",
        back: AREA,
    };
    let title = format!("New password of {}", user.name);
    if let Some(page) = asked(&form, AREA, &title, &question) {
        return Ok(page);
    }
    let account = Account {
        user: NewUser {
            name: user.name,
            display_name: user.display_name,
            ..NewUser::default()
        },
        ..Account::default()
    };
    let (password, with_hash) = account.with_password(None)?;
    app.store
        .set_password(id, with_hash.password_hash.as_deref())?;
    let (caller, title) = (&form.by.caller, "New password");
    Ok(page(caller, "/jury/users", title, &sheet(&[(account, password)])).into_response())
}

/// `POST /jury/users/{id}/disabled`: the field `disabled` is empty to allow.
pub fn set_disabled(app: &App, (Path(id), form): (Path<UserId>, Form<Jury>)) -> Result<Redirect> {
    if id == form.by.user.id {
        return Err(conflict("you cannot disable yourself"));
    }
    let disabled = form.fields.ticked("disabled");
    app.store.set_disabled(id, disabled)?;
    Ok(Redirect::to("/jury/users"))
}
