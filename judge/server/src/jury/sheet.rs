//! Passwords on a sheet to print, shown once: the server keeps only their hashes.

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
    let rows: Vec<Vec<Markup>> = lines
        .iter()
        .map(|line| {
            vec![
                html! { code { (line.name) } },
                html! { (line.shown.as_deref().unwrap_or_default()) },
                html! { (line.team.as_deref().unwrap_or_default()) },
                html! { code { (line.password) } },
            ]
        })
        .collect();
    html! {
        @if !lines.is_empty() {
            p { "Print or copy this page now: the passwords are not shown again." }
            (crate::layout::table("Accounts", &["Sign in as", "Name", "Team", "Password"], &rows))
        }
    }
}
