//! The roles of accounts in a contest.

use super::contests::by_ext;
use super::frame::{button, csrf, select};
use crate::http::{App, Caller, Form, Jury, Result, bad_request};
use crate::layout::{Table, input};
use crate::store::{Contest, ContestRole};
use axum::extract::Path;
use axum::response::Redirect;
use maud::{Markup, html};

/// The roles with what they allow.
const ROLES: [(&str, &str); 4] = [
    (
        "spectator",
        "spectator: sees the contest, even if it is not public",
    ),
    ("balloons", "balloons: also brings balloons"),
    (
        "analyst",
        "analyst: sees everything that the jury sees, changes nothing",
    ),
    ("jury", "jury: judges and answers in this contest"),
];

/// The accounts with a role in the contest, and the form to give one.
pub fn forms(app: &App, caller: &Caller, address: &str, contest: &Contest) -> Result<Markup> {
    let roles = app.store.contest_roles_in(contest.id)?;
    let action = format!("{address}/roles");
    let table = Table::new("Accounts with a role in this contest", &roles)
        .column("Account", |(user, _)| &user.name)
        .column("Name", |(user, _)| {
            user.display_name.as_deref().unwrap_or_default()
        })
        .column("Role", |(_, role)| role.word())
        .column("Remove", |(user, _)| {
            button(
                caller,
                &action,
                "Remove",
                &[("account", &user.name), ("role", "")],
            )
        });
    Ok(html! {
        @if !roles.is_empty() { (table) }
        form method="post" action=(action) {
            (csrf(caller))
            (input("account", "Account (name to sign in with)", "text", true))
            (select("role", "Role in this contest", &ROLES, "analyst"))
            button { "Give the role" }
        }
    })
}

/// `POST /jury/contests/{contest}/roles`: `account`, and `role`, which is empty to remove it.
pub fn set(app: &App, (Path(ext), form): (Path<String>, Form<Jury>)) -> Result<Redirect> {
    let contest = by_ext(app, &ext)?;
    let name = form.fields.required("account", "Account")?;
    let unknown = || {
        bad_request(format!(
            "there is no account {name:?}; add it on the page Users"
        ))
    };
    let user = app.store.user_named(name)?.ok_or_else(unknown)?;
    let wrong = |word: &str| {
        bad_request(format!(
            "{word:?} is not a role: spectator, balloons, analyst or jury"
        ))
    };
    let role = form.fields.optional("role");
    let role = role.map(|word| ContestRole::from_word(word).ok_or_else(|| wrong(word)));
    app.store
        .set_contest_role(contest.id, user.id, role.transpose()?)?;
    Ok(Redirect::to(&format!("/jury/contests/{ext}")))
}
