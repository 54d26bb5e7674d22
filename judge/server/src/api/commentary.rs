//! Commentary: reading, and posting by the jury.

use super::{Writer, created, invalid};
use crate::access;
use crate::contest_api::ObjectType;
use crate::contest_view::View;
use crate::http::{App, Result, bad_request, forbidden};
use crate::store::{CommentContent, Role};
use axum::body::Bytes;
use axum::extract::Path;
use axum::response::IntoResponse;
use std::collections::HashSet;

/// Maximum bytes of a message.
const MAX_MESSAGE: usize = 10_000;
/// Maximum number of tags or ids of a list, and maximum bytes of a tag.
const MAX_TAGS: usize = 100;

pub fn post(
    app: &App,
    (by, Path(contest), body): (Writer, Path<String>, Bytes),
) -> Result<impl IntoResponse + use<>> {
    let view = View::open(app, by.caller.viewer, &contest)?;
    if !access::comments(view.viewer) {
        return Err(forbidden("only the jury comments on a contest"));
    }
    let content: CommentContent = serde_json::from_slice(&body).map_err(|e| invalid(&e))?;
    if content.message.trim().is_empty() || content.message.len() > MAX_MESSAGE {
        return Err(bad_request(format!(
            "`message` needs 1 to {MAX_MESSAGE} bytes"
        )));
    }
    if content.tags.len() > MAX_TAGS || content.tags.iter().any(|tag| tag.len() > MAX_TAGS) {
        return Err(bad_request(format!(
            "`tags` are at most {MAX_TAGS}, of {MAX_TAGS} bytes"
        )));
    }
    known(&view, ObjectType::Teams, &content.teams)?;
    known(&view, ObjectType::Problems, &content.problems)?;
    known(&view, ObjectType::Submissions, &content.submissions)?;
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
    let objects = View::as_role(view.app, view.contest.clone(), Role::Public).collection(kind)?;
    let public: HashSet<&str> = objects.iter().filter_map(|o| o["id"].as_str()).collect();
    match ids.iter().find(|id| !public.contains(id.as_str())) {
        Some(unknown) => Err(bad_request(format!(
            "spectators see no {unknown:?} in {}",
            kind.word()
        ))),
        None => Ok(()),
    }
}
