//! The frame of the jury's pages, and parts that several of them use.

pub(crate) use crate::pages::parts::{
    contest_time, csrf_field as csrf, date, date_of, filled, options, progress as verdict, select,
    select_several,
};

pub(crate) use crate::pages::confirm::Question;
pub(crate) use judge_core::figures::plural;

use crate::access::{self, Action};
use crate::contest_api::Id;
use crate::http::{Caller, Fields, Form, Jury, Result, bad_request};
use crate::pages::framed;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use std::fmt::Display;

/// The areas of the jury's pages: text, address, the action that its first page needs, and whether a role of a contest is
/// enough.
const AREAS: [(&str, &str, Action, bool); 9] = [
    ("Submissions", "/jury/submissions", Action::SeeAll, true),
    ("Rejudgings", "/jury/rejudgings", Action::SeeAll, true),
    (
        "Clarifications",
        "/jury/clarifications",
        Action::SeeAll,
        true,
    ),
    ("Balloons", "/jury/balloons", Action::SeeDeliveries, true),
    ("Packages", "/jury/packages", Action::Operate, false),
    ("Queue", "/jury/queue", Action::Operate, false),
    ("Contests", "/jury/contests", Action::Manage, false),
    ("Teams", "/jury/teams", Action::Manage, false),
    ("Users", "/jury/users", Action::Manage, false),
];

/// A page of the area with the address `area`.
pub fn page(caller: &Caller, area: &str, title: &str, body: &Markup) -> Markup {
    let mut links = vec![("Problems", "/problems"), ("Scoreboards", "/contests")];
    let visible = AREAS
        .iter()
        .filter(|(_, _, action, in_contest)| match in_contest {
            true => caller.may_somewhere(*action),
            false => access::may(caller.viewer, *action),
        });
    links.extend(visible.map(|(text, href, ..)| (*text, *href)));
    framed(caller, &links, area, title, body)
}

/// The page of an area that asks before something is changed that cannot be undone; `None`: the form has the answer.
pub fn asked(form: &Form<Jury>, area: &str, title: &str, asks: &Question<'_>) -> Option<Response> {
    let caller = &form.by.caller;
    let body = asks.unanswered(caller, &form.fields)?;
    let page = page(caller, area, title, &body);
    // Nothing was done, as a program sees by the status.
    Some((StatusCode::CONFLICT, page).into_response())
}

/// The id that a form gives to a new object.
pub fn new_id(fields: &Fields) -> Result<String> {
    let id = Id::new(fields.required("id", "Id")?);
    id.map(Id::into).map_err(|e| bad_request(e.to_string()))
}

/// The box that a form has for yes and no.
pub fn checkbox(name: &str, label: &str, checked: bool) -> Markup {
    html! {
        div.field { label { input type="checkbox" name=(name) value="1" checked[checked]; " " (label) } }
    }
}

/// A field for a time with seconds, which browsers show with a calendar.
pub fn moment_field(name: &str, label: &str, value: &str) -> Markup {
    html! {
        div.field {
            label for=(name) { (label) }
            input #(name) name=(name) type="datetime-local" step="1" value=(value);
        }
    }
}

/// The values that a form was filled with, for [`crate::http::Fields::merged`].
pub fn was(values: &[(&str, String)]) -> Markup {
    html! {
        @for (name, value) in values { input type="hidden" name={ "was-" (name) } value=(value); }
    }
}

/// A link to an object, whose address is `base` and its id.
pub fn link(base: &str, id: impl Display, text: impl Display) -> Markup {
    html! { a href={ (base) (id) } { (text) } }
}

/// A form of one button that posts to `action`.
pub fn button(caller: &Caller, action: &str, text: &str, fields: &[(&str, &str)]) -> Markup {
    html! {
        form method="post" action=(action) {
            (csrf(caller))
            @for (name, value) in fields { input type="hidden" name=(name) value=(value); }
            button { (text) }
        }
    }
}

/// How long ago a point in time was: `45 s`, `12 min`, `3 h`, `5 d`.
pub fn age(now_ms: i64, then_ms: i64) -> String {
    match (now_ms - then_ms).max(0) / 1000 {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds @ 120..7200 => format!("{} min", seconds / 60),
        seconds @ 7200..172_800 => format!("{} h", seconds / 3600),
        seconds => format!("{} d", seconds / 86_400),
    }
}

/// Seconds with milliseconds, or nothing.
pub fn seconds(seconds: Option<f64>) -> Markup {
    html! { @if let Some(seconds) = seconds { span.number { (format!("{seconds:.3} s")) } } }
}

/// The part of a limit that a time takes, or nothing.
pub fn percent(seconds: Option<f64>, limit: Option<f64>) -> Markup {
    let share = seconds.zip(limit);
    html! { @if let Some((cpu, limit)) = share { (format!("{:.0} %", 100.0 * cpu / limit)) } }
}

/// Bytes in MiB, or nothing.
pub fn memory(bytes: Option<u64>) -> Markup {
    html! { @if let Some(bytes) = bytes {
        span.number { (format!("{:.1} MiB", bytes as f64 / 1_048_576.0)) }
    } }
}
