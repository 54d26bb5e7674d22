//! Passwords on a sheet to print, shown once: the server keeps only their hashes.

use crate::layout::Table;
use maud::{Markup, html};

/// An account and its password.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The name to sign in with.
    pub name: String,
    /// The name to show.
    pub shown: Option<String>,
    /// The id of its team.
    pub team: Option<String>,
    /// The password in clear.
    pub password: String,
}

/// The sheet.
pub fn sheet(lines: &[Line]) -> Markup {
    let table = Table::new("Accounts", lines)
        .column("Sign in as", |line| html! { code { (line.name) } })
        .column("Name", |line| line.shown.as_deref().unwrap_or_default())
        .column("Team", |line| line.team.as_deref().unwrap_or_default())
        .column("Password", |line| html! { code { (line.password) } });
    html! {
        @if !lines.is_empty() {
            p { "Print or copy this page now: the passwords are not shown again." }
            (table)
        }
    }
}
