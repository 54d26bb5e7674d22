//! Contests: the list, the clock, and the objects that a contest has once.

use super::{Writer, invalid};
use crate::access;
use crate::contest_api::{RelTime, Scoreboard, Time};
use crate::contest_view::View;
use crate::http::{App, Caller, Fields, Result, bad_request, conflict, forbidden, not_found};
use crate::store::now_ms;
use axum::Json;
use axum::body::Bytes;
use axum::extract::Path;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::Value;

/// Neither the start nor a change of it may be closer than this.
const NOTICE_MS: i64 = 30_000;

pub fn list(app: &App, (caller, headers): (Caller, HeaderMap)) -> Result<Response> {
    let agent = headers
        .get(header::USER_AGENT)
        .and_then(|agent| agent.to_str().ok());
    let is_submit = agent.is_some_and(|agent| agent.starts_with("domjudge-submit-client"));
    let mut objects = Vec::new();
    for view in View::all(app, caller.viewer)? {
        let mut object = view.contest()?;
        if is_submit {
            if view.contest.is_over(view.now_ms) {
                continue;
            }
            // DOMjudge's client needs it; the Contest API does not have it.
            object["shortname"] = object["id"].clone();
        }
        objects.push(object);
    }
    Ok(([(header::VARY, "user-agent")], Json(objects)).into_response())
}

pub fn account(app: &App, (caller, Path(contest)): (Caller, Path<String>)) -> Result<Json<Value>> {
    let view = View::open(app, caller.viewer, &contest)?;
    let none = || not_found("you are not signed in");
    Ok(Json(view.account(&caller.user.ok_or_else(none)?)?))
}

pub fn scoreboard(
    app: &App,
    (caller, Path(contest), fields): (Caller, Path<String>, Fields),
) -> Result<Json<Scoreboard>> {
    let view = View::open(app, caller.viewer, &contest)?;
    Ok(Json(view.scoreboard(fields.optional("group_id"))?))
}

/// Body of a `PATCH` request: the properties of the contest to change.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Patch {
    id: String,
    #[serde(default, deserialize_with = "present")]
    start_time: Option<Option<Time>>,
    countdown_pause_time: Option<RelTime>,
    scoreboard_thaw_time: Option<Time>,
}

/// Distinguishes `null` from a missing property.
fn present<'de, D: serde::Deserializer<'de>>(
    from: D,
) -> std::result::Result<Option<Option<Time>>, D::Error> {
    Deserialize::deserialize(from).map(Some)
}

pub fn patch(
    app: &App,
    (by, Path(contest), body): (Writer, Path<String>, Bytes),
) -> Result<Json<Value>> {
    let view = View::open(app, by.caller.viewer, &contest)?;
    if !access::controls_clock(view.viewer) {
        return Err(forbidden("only admins change the clock of a contest"));
    }
    let patch: Patch = serde_json::from_slice(&body).map_err(|e| invalid(&e))?;
    if patch.id != view.contest.ext {
        return Err(conflict(format!(
            "`id` is {:?}, not {:?}",
            patch.id, view.contest.ext
        )));
    }
    match (patch.start_time, patch.scoreboard_thaw_time) {
        (Some(start), None) => set_start(&view, start, patch.countdown_pause_time)?,
        (None, Some(time)) if patch.countdown_pause_time.is_none() => thaw(&view, time)?,
        _ => {
            return Err(bad_request(
                "give either `start_time` or `scoreboard_thaw_time`",
            ));
        }
    }
    Ok(Json(View::open(app, view.viewer, &contest)?.contest()?))
}

fn set_start(view: &View<'_>, start: Option<Time>, pause: Option<RelTime>) -> Result<()> {
    let soon = now_ms() + NOTICE_MS;
    let forbidden = |what: &str| Err(forbidden(what));
    if view.contest.start_ms.is_some_and(|start| start <= soon) {
        return forbidden("the contest has started, or starts within 30 s");
    }
    if start.is_some_and(|start| start.millis() <= soon) {
        return forbidden("the new start is in the past, or within 30 s");
    }
    if start.is_some() && pause.is_some() {
        return Err(bad_request(
            "`countdown_pause_time` needs a `start_time` of null",
        ));
    }
    let mut contest = view.contest.clone();
    contest.start_ms = start.map(Time::millis);
    contest.countdown_pause_ms = pause.map(RelTime::millis);
    Ok(view.app.store.replace_contest(&view.contest, &contest)?)
}

/// Shows the frozen results now; a later time is not supported.
fn thaw(view: &View<'_>, time: Time) -> Result<()> {
    let now = now_ms();
    if time.millis() > now {
        return Err(forbidden(
            "a time to thaw in the future is not supported; send it when it has come",
        ));
    }
    let refused = |e| match e {
        crate::store::Error::Conflict(what) => forbidden(what),
        other => other.into(),
    };
    view.app.store.thaw(view.contest.id, now).map_err(refused)
}
