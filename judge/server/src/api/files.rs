//! Files: sources of submissions, statements and attachments of problems.

use super::view::{self, View};
use crate::access;
use crate::http::error::AppState;
use crate::http::{Caller, HttpError, Result};
use crate::store::{SourceFile, SubmissionId, Version};
use axum::extract::Path;
use axum::http::header;
use axum::response::IntoResponse;
use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The type of the content, its name for the client, and it.
type Download = ([(header::HeaderName, String); 2], Vec<u8>);

fn download(mime: &str, name: &str, content: Vec<u8>) -> Download {
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers = [
        (header::CONTENT_TYPE, mime.to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    (headers, content)
}

pub async fn sources(
    app: AppState,
    caller: Caller,
    Path((contest, id)): Path<(String, String)>,
) -> Result<impl IntoResponse> {
    let file = app.blocking(move |app| {
        let view = View::open(app, caller.viewer, &contest)?;
        let gone = || HttpError::NotFound(format!("there is no submission {id:?}"));
        let id: SubmissionId = id.parse().map_err(|_| gone())?;
        let submission = app.store.submission(id)?;
        if submission.contest != Some(view.contest.id) || !view.sees_submission(&submission) {
            return Err(gone());
        }
        if !access::sees_source(caller.viewer, &submission) {
            let what = "only its team and the jury see the source of a submission";
            return Err(HttpError::Forbidden(what.to_owned()));
        }
        let mut files = Vec::new();
        for SourceFile { name, blob, .. } in app.store.submission_files(id)? {
            files.push((name, app.blobs.get(&blob)?));
        }
        let archive = zip(&files).map_err(|e| HttpError::Internal(e.to_string()))?;
        Ok(download("application/zip", "files.zip", archive))
    });
    file.await
}

fn zip(files: &[(String, Vec<u8>)]) -> zip::result::ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        archive.start_file(name, SimpleFileOptions::default())?;
        archive.write_all(content)?;
    }
    Ok(archive.finish()?.into_inner())
}

/// The version of a problem that the viewer may see in the contest.
fn problem(view: &View<'_>, id: &str) -> Result<Version> {
    let gone = || HttpError::NotFound(format!("there is no problem {id:?}"));
    if !access::sees_contest_problems(view.viewer, view.place(), view.now_ms) {
        return Err(gone());
    }
    let problems = view.app.store.contest_problems(view.contest.id)?;
    let found = problems
        .iter()
        .find(|problem| problem.ext == id)
        .ok_or_else(gone)?;
    Ok(view.app.store.problem(found.problem)?.version)
}

pub async fn statement(
    app: AppState,
    caller: Caller,
    Path((contest, id)): Path<(String, String)>,
) -> Result<impl IntoResponse> {
    let file = app.blocking(move |app| {
        let view = View::open(app, caller.viewer, &contest)?;
        let version = problem(&view, &id)?;
        let none = || HttpError::NotFound("the problem has no statement as PDF".to_owned());
        let path = view::statement(app, &version).ok_or_else(none)?;
        Ok(download(
            "application/pdf",
            &format!("{id}.pdf"),
            std::fs::read(path)?,
        ))
    });
    file.await
}

pub async fn attachment(
    app: AppState,
    caller: Caller,
    Path((contest, id, name)): Path<(String, String, String)>,
) -> Result<impl IntoResponse> {
    let file = app.blocking(move |app| {
        let view = View::open(app, caller.viewer, &contest)?;
        let version = problem(&view, &id)?;
        let none = || HttpError::NotFound(format!("the problem has no attachment {name:?}"));
        let (path, mime) = view::attachment(app, &version, &name).ok_or_else(none)?;
        Ok(download(mime, &name, std::fs::read(path)?))
    });
    file.await
}
