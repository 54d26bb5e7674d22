//! Passwords on a sheet to print, shown once: the server keeps only their hashes.

use crate::contest_package::Account;
use crate::layout::Table;
use maud::{Markup, html};

pub fn sheet(lines: &[(Account, String)]) -> Markup {
    let table = Table::new("Accounts", lines)
        .column("Sign in as", |(own, _)| html! { code { (own.user.name) } })
        .column("Name", |(own, _)| {
            own.user.display_name.as_deref().unwrap_or_default()
        })
        .column("Team", |(own, _)| own.team.as_deref().unwrap_or_default())
        .column("Password", |(_, password)| html! { code { (password) } });
    html! {
        @if !lines.is_empty() {
            p { "Print or copy this page now: the passwords are not shown again." }
            (table)
        }
    }
}
