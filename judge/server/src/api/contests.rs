//! Contests: the list, the clock, and the objects that a contest has once.

use super::invalid;
use super::view::View;
use crate::access;
use crate::contest_api::{RelTime, Scoreboard, Time};
use crate::http::error::AppState;
use crate::http::{Caller, HttpError, Result, SignedIn};
use crate::store::now_ms;
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::Value;

/// Neither the start nor a change of it may be closer than this.
const NOTICE_MS: i64 = 30_000;

pub async fn list(app: AppState, caller: Caller, headers: HeaderMap) -> Result<Response> {
    let agent = headers
        .get(header::USER_AGENT)
        .and_then(|agent| agent.to_str().ok());
    let is_submit = agent.is_some_and(|agent| agent.starts_with("domjudge-submit-client"));
    let contests = app.blocking(move |app| {
        let mut objects = Vec::new();
        for contest in app.store.contests()? {
            let Some(view) = View::of(app, caller.viewer, contest)? else {
                continue;
            };
            let is_over = view.contest.end_ms().is_some_and(|end| view.now_ms >= end);
            let mut object = view.contest()?;
            if is_submit {
                if is_over {
                    continue;
                }
                // DOMjudge's client needs it; the Contest API does not have it.
                object["shortname"] = object["id"].clone();
            }
            objects.push(object);
        }
        Ok(objects)
    });
    Ok(([(header::VARY, "user-agent")], Json(contests.await?)).into_response())
}

macro_rules! singletons {
    ($($name:ident;)*) => {$(
        pub async fn $name(
            app: AppState,
            caller: Caller,
            Path(contest): Path<String>,
        ) -> Result<Json<Value>> {
            let object = app.blocking(move |app| View::open(app, caller.viewer, &contest)?.$name());
            Ok(Json(object.await?))
        }
    )*};
}

singletons! {
    access;
    state;
}

pub async fn get(
    app: AppState,
    caller: Caller,
    Path(contest): Path<String>,
) -> Result<Json<Value>> {
    let object = app.blocking(move |app| View::open(app, caller.viewer, &contest)?.contest());
    Ok(Json(object.await?))
}

pub async fn account(
    app: AppState,
    caller: Caller,
    Path(contest): Path<String>,
) -> Result<Json<Value>> {
    let object = app.blocking(move |app| {
        let view = View::open(app, caller.viewer, &contest)?;
        let none = || HttpError::NotFound("you are not signed in".to_owned());
        view.account(&caller.user.ok_or_else(none)?)
    });
    Ok(Json(object.await?))
}

#[derive(Deserialize)]
pub struct Group {
    group_id: Option<String>,
}

pub async fn scoreboard(
    app: AppState,
    caller: Caller,
    Path(contest): Path<String>,
    Query(group): Query<Group>,
) -> Result<Json<Scoreboard>> {
    let board = app.blocking(move |app| {
        View::open(app, caller.viewer, &contest)?.scoreboard(group.group_id.as_deref())
    });
    Ok(Json(board.await?))
}

/// What `PATCH` changes.
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

pub async fn patch(
    app: AppState,
    signed_in: SignedIn,
    headers: HeaderMap,
    Path(contest): Path<String>,
    body: Bytes,
) -> Result<Json<Value>> {
    super::check_csrf(&signed_in.caller, &headers)?;
    let changed = app.blocking(move |app| {
        let view = View::open(app, signed_in.caller.viewer, &contest)?;
        if !access::controls_clock(view.viewer) {
            let what = "only admins change the clock of a contest";
            return Err(HttpError::Forbidden(what.to_owned()));
        }
        let patch: Patch = serde_json::from_slice(&body).map_err(|e| invalid(&e))?;
        if patch.id != view.contest.ext {
            let what = format!("`id` is {:?}, not {:?}", patch.id, view.contest.ext);
            return Err(HttpError::Conflict(what));
        }
        match (patch.start_time, patch.scoreboard_thaw_time) {
            (Some(start), None) => set_start(&view, start, patch.countdown_pause_time)?,
            (None, Some(time)) if patch.countdown_pause_time.is_none() => thaw(&view, time)?,
            _ => {
                let what = "give either `start_time` or `scoreboard_thaw_time`";
                return Err(HttpError::BadRequest(what.to_owned()));
            }
        }
        View::open(app, view.viewer, &contest)?.contest()
    });
    Ok(Json(changed.await?))
}

fn set_start(view: &View<'_>, start: Option<Time>, pause: Option<RelTime>) -> Result<()> {
    let soon = now_ms() + NOTICE_MS;
    let forbidden = |what: &str| Err(HttpError::Forbidden(what.to_owned()));
    if view.contest.start_ms.is_some_and(|start| start <= soon) {
        return forbidden("the contest has started, or starts within 30 s");
    }
    if start.is_some_and(|start| start.millis() <= soon) {
        return forbidden("the new start is in the past, or within 30 s");
    }
    if start.is_some() && pause.is_some() {
        let what = "`countdown_pause_time` needs a `start_time` of null";
        return Err(HttpError::BadRequest(what.to_owned()));
    }
    let mut contest = view.contest.clone();
    contest.start_ms = start.map(Time::millis);
    contest.countdown_pause_ms = pause.map(RelTime::millis);
    Ok(view.app.store.put_contest(&contest).map(drop)?)
}

/// Shows the frozen results now; a later time is not supported.
fn thaw(view: &View<'_>, time: Time) -> Result<()> {
    let now = now_ms();
    if time.millis() > now {
        let what = "a time to thaw in the future is not supported; send it when it has come";
        return Err(HttpError::Forbidden(what.to_owned()));
    }
    let refused = |e| match e {
        crate::store::Error::Conflict(what) => HttpError::Forbidden(what),
        other => other.into(),
    };
    view.app.store.thaw(view.contest.id, now).map_err(refused)
}
