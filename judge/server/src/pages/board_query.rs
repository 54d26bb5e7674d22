//! The part of a scoreboard's address after `?`: the teams that are shown, and the form of the page.

use super::parts::{options, select};
use crate::boards::{Board, BoardFilter};
use crate::contest_api;
use crate::contest_view::View;
use crate::http::{Fields, Result, not_found};
use crate::layout::encoded;
use crate::store::{Organization, Role};
use maud::{Markup, html};
use std::collections::BTreeSet;

/// The names of the filter.
const NAMES: [&str; 3] = ["group", "organization", "country"];

/// How the page looks, and whose results it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// As usual, with the results that the viewer may see.
    Usual,
    /// With the results that spectators see.
    Public,
    /// The same in large type and without navigation.
    Projector,
}

impl Look {
    pub fn of(fields: &Fields) -> Self {
        match fields.get("view") {
            "public" => Look::Public,
            "projector" => Look::Projector,
            _ => Look::Usual,
        }
    }

    /// The contest as the results are shown: to the viewer, or to spectators.
    pub fn seen<'a>(self, view: View<'a>) -> View<'a> {
        match self {
            Look::Usual => view,
            // The viewer may see the contest, also one that is not public.
            Look::Public | Look::Projector => View::as_role(view.app, view.contest, Role::Public),
        }
    }

    fn word(self) -> Option<&'static str> {
        match self {
            Look::Usual => None,
            Look::Public => Some("public"),
            Look::Projector => Some("projector"),
        }
    }
}

/// An address with the filter of these fields, in this look.
pub fn address(path: &str, fields: &Fields, look: Look) -> String {
    let filter = NAMES.iter().filter_map(|name| {
        let value = fields.optional(name)?;
        Some(format!("{name}={}", encoded(value)))
    });
    let look = look.word().map(|word| format!("view={word}"));
    let pairs: Vec<String> = filter.chain(look).collect();
    match pairs.is_empty() {
        true => path.to_owned(),
        false => format!("{path}?{}", pairs.join("&")),
    }
}

/// The filter that the fields describe.
/// Fails with `NotFound` for a group, an organization or a country that no visible team has.
pub fn filter(view: &View<'_>, fields: &Fields) -> Result<BoardFilter> {
    let mut filter = BoardFilter::default();
    let unknown =
        |what: &str, name: &str| not_found(format!("no team belongs to the {what} {name:?}"));
    if let Some(ext) = fields.optional("group") {
        let groups = view.seen_groups()?;
        let found = groups.iter().find(|own| own.ext == ext);
        filter.group = Some(found.ok_or_else(|| unknown("group", ext))?.id);
    }
    if fields.optional("organization").is_none() && fields.optional("country").is_none() {
        return Ok(filter);
    }
    let board = view.board()?;
    let organizations = seen_organizations(&board);
    if let Some(ext) = fields.optional("organization") {
        let found = organizations.iter().find(|own| own.ext == ext);
        filter.organization = Some(found.ok_or_else(|| unknown("organization", ext))?.id);
    }
    if let Some(code) = fields.optional("country") {
        let has = |own: &&Organization| own.country.as_deref() == Some(code);
        if !organizations.iter().any(has) {
            return Err(unknown("country", code));
        }
        filter.country = Some(code.to_owned());
    }
    Ok(filter)
}

/// The organizations of the teams on a board, by name.
fn seen_organizations(board: &Board) -> Vec<&Organization> {
    let teams = board.rows.iter().map(|row| &board.teams[row.team]);
    let used: BTreeSet<_> = teams.filter_map(|team| team.organization).collect();
    let seen = board.organizations.iter();
    let mut seen: Vec<&Organization> = seen.filter(|own| used.contains(&own.id)).collect();
    seen.sort_by_key(|own| own.name.to_lowercase());
    seen
}

/// The form that filters teams, with a field for each property that has more than one value.
pub fn form(view: &View<'_>, own: &str, fields: &Fields, look: Look) -> Result<Markup> {
    let board = view.board()?;
    let organizations = seen_organizations(&board);
    let groups = view.seen_groups()?.into_iter();
    let groups = groups.map(|own| (own.ext, own.name));
    let countries: BTreeSet<&String> = organizations
        .iter()
        .filter_map(|own| own.country.as_ref())
        .collect();
    let country = |code: &&String| {
        let flag = contest_api::flag(code).unwrap_or_default();
        ((*code).clone(), format!("{flag} {code}"))
    };
    let countries = countries.iter().map(country);
    let of = |own: &&Organization| (own.ext.clone(), own.name.clone());
    let kinds = [
        ("group", "Group", options("all", groups)),
        (
            "organization",
            "Organization",
            options("all", organizations.iter().map(of)),
        ),
        ("country", "Country", options("all", countries)),
    ];
    let is_used = NAMES.iter().any(|name| fields.optional(name).is_some());
    // The first option is for all.
    let has_choice = kinds.iter().any(|(_, _, choices)| choices.len() > 2);
    Ok(html! {
        @if has_choice || is_used {
            form.filter method="get" action=(own) {
                @for (name, label, choices) in &kinds {
                    @if choices.len() > 2 || fields.optional(name).is_some() {
                        (select(name, label, choices, fields.get(name)))
                    }
                }
                @if let Some(word) = look.word() { input type="hidden" name="view" value=(word); }
                button { "Show" }
                @if is_used { a href=(address(own, &Fields::default(), look)) { "Show all teams" } }
            }
        }
    })
}
