//! Files: sources of submissions, statements and attachments of problems.

use crate::access;
use crate::contest_view::{self, View};
use crate::http::{App, Caller, Result, forbidden, internal, not_found};
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

pub fn sources(
    app: &App,
    (caller, Path((contest, id))): (Caller, Path<(String, String)>),
) -> Result<impl IntoResponse + use<>> {
    let view = View::open(app, caller.viewer, &contest)?;
    let gone = || not_found(format!("there is no submission {id:?}"));
    let id: SubmissionId = id.parse().map_err(|_| gone())?;
    let submission = app.store.submission(id)?;
    if submission.contest != Some(view.contest.id) || !view.sees_submission(&submission) {
        return Err(gone());
    }
    if !access::sees_source(caller.viewer, &submission) {
        return Err(forbidden(
            "only its team and the jury see the source of a submission",
        ));
    }
    let mut files = Vec::new();
    for SourceFile { name, blob, .. } in app.store.submission_files(id)? {
        files.push((name, app.blobs.get(&blob)?));
    }
    let archive = zip(&files).map_err(internal)?;
    Ok(download("application/zip", "files.zip", archive))
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
    let gone = || not_found(format!("there is no problem {id:?}"));
    let problems = view.contest_problems()?;
    let found = problems
        .iter()
        .find(|problem| problem.ext == id)
        .ok_or_else(gone)?;
    Ok(view.app.store.problem(found.problem)?.version)
}

pub fn statement(
    app: &App,
    (caller, Path((contest, id))): (Caller, Path<(String, String)>),
) -> Result<impl IntoResponse + use<>> {
    let view = View::open(app, caller.viewer, &contest)?;
    let version = problem(&view, &id)?;
    let none = || not_found("the problem has no statement as PDF");
    let path = contest_view::statement(app, &version).ok_or_else(none)?;
    Ok(download(
        "application/pdf",
        &format!("{id}.pdf"),
        std::fs::read(path)?,
    ))
}

pub fn attachment(
    app: &App,
    (caller, Path((contest, id, name))): (Caller, Path<(String, String, String)>),
) -> Result<impl IntoResponse + use<>> {
    let view = View::open(app, caller.viewer, &contest)?;
    let version = problem(&view, &id)?;
    let none = || not_found(format!("the problem has no attachment {name:?}"));
    let (path, mime) = contest_view::attachment(app, &version, &name).ok_or_else(none)?;
    Ok(download(mime, &name, std::fs::read(path)?))
}
