//! Commentary: reading, and posting by the jury.

use super::collections::{Filter, collection};
use super::view::View;
use super::{check_csrf, created, invalid};
use crate::access;
use crate::contest_api::ObjectType;
use crate::http::error::AppState;
use crate::http::{Caller, HttpError, Result, SignedIn};
use crate::store::CommentContent;
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query};
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashSet;

/// The longest message, in bytes.
const LONGEST: usize = 10_000;
/// The most tags or ids of a list.
const MOST: usize = 100;

pub async fn list(
    app: AppState,
    caller: Caller,
    Path(contest): Path<String>,
    Query(filter): Filter,
) -> Result<Json<Vec<Value>>> {
    collection(&app, caller, contest, ObjectType::Commentary, filter).await
}

/// What a client sends; times and ids are the server's.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sent {
    message: String,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    team_ids: Vec<String>,
    #[serde(default)]
    problem_ids: Vec<String>,
    #[serde(default)]
    submission_ids: Vec<String>,
}

pub async fn post(
    app: AppState,
    signed_in: SignedIn,
    headers: HeaderMap,
    Path(contest): Path<String>,
    body: Bytes,
) -> Result<impl IntoResponse> {
    check_csrf(&signed_in.caller, &headers)?;
    let added = app.blocking(move |app| {
        let view = View::open(app, signed_in.caller.viewer, &contest)?;
        if !access::comments(view.viewer) {
            let what = "only the jury comments on a contest";
            return Err(HttpError::Forbidden(what.to_owned()));
        }
        let sent: Sent = serde_json::from_slice(&body).map_err(|e| invalid(&e))?;
        if sent.message.trim().is_empty() || sent.message.len() > LONGEST {
            let what = format!("`message` needs 1 to {LONGEST} bytes");
            return Err(HttpError::BadRequest(what));
        }
        if sent.tags.len() > MOST || sent.tags.iter().any(|tag| tag.len() > MOST) {
            let what = format!("`tags` are at most {MOST}, of {MOST} bytes");
            return Err(HttpError::BadRequest(what));
        }
        known(&view, ObjectType::Teams, &sent.team_ids)?;
        known(&view, ObjectType::Problems, &sent.problem_ids)?;
        known(&view, ObjectType::Submissions, &sent.submission_ids)?;
        let content = CommentContent {
            message: sent.message,
            tags: sent.tags,
            teams: sent.team_ids,
            problems: sent.problem_ids,
            submissions: sent.submission_ids,
        };
        let added = app
            .store
            .add_comment(view.contest.id, signed_in.user.id, content)?;
        let object = view.comment(&added)?;
        Ok((
            format!("contests/{contest}/commentary/{}", added.id),
            object,
        ))
    });
    let (location, object) = added.await?;
    Ok(created(&location, object))
}

/// Refuses ids that the contest does not have, or that spectators may not see: everybody reads the
/// comment.
fn known(view: &View<'_>, kind: ObjectType, ids: &[String]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let objects = view.of_spectators().collection(kind)?;
    let public: HashSet<&str> = objects.iter().filter_map(|o| o["id"].as_str()).collect();
    match ids.iter().find(|id| !public.contains(id.as_str())) {
        Some(unknown) => Err(HttpError::BadRequest(format!(
            "spectators see no {unknown:?} in {}",
            kind.word()
        ))),
        None => Ok(()),
    }
}
