//! Commentary: reading, and posting by the jury.

use super::view::View;
use super::{Writer, created, invalid};
use crate::access;
use crate::contest_api::ObjectType;
use crate::http::{App, Result, bad_request, forbidden};
use crate::store::CommentContent;
use axum::body::Bytes;
use axum::extract::Path;
use axum::response::IntoResponse;
use serde::Deserialize;
use std::collections::HashSet;

/// The longest message, in bytes.
const LONGEST: usize = 10_000;
/// The most tags or ids of a list.
const MOST: usize = 100;

/// Body of a request that creates a comment; the server sets times and ids.
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

pub fn post(
    app: &App,
    (by, Path(contest), body): (Writer, Path<String>, Bytes),
) -> Result<impl IntoResponse + use<>> {
    let view = View::open(app, by.caller.viewer, &contest)?;
    if !access::comments(view.viewer) {
        return Err(forbidden("only the jury comments on a contest"));
    }
    let sent: Sent = serde_json::from_slice(&body).map_err(|e| invalid(&e))?;
    if sent.message.trim().is_empty() || sent.message.len() > LONGEST {
        return Err(bad_request(format!("`message` needs 1 to {LONGEST} bytes")));
    }
    if sent.tags.len() > MOST || sent.tags.iter().any(|tag| tag.len() > MOST) {
        return Err(bad_request(format!(
            "`tags` are at most {MOST}, of {MOST} bytes"
        )));
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
        .add_comment(view.contest.id, by.user.id, content)?;
    let object = view.comment(&added)?;
    let location = format!("contests/{contest}/commentary/{}", added.id);
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
        Some(unknown) => Err(bad_request(format!(
            "spectators see no {unknown:?} in {}",
            kind.word()
        ))),
        None => Ok(()),
    }
}
