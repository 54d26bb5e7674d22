//! Files: sources of submissions, statements and attachments of problems.

use crate::access;
use crate::contest_view::{self, View};
use crate::http::{
    App, Caller, Fields, IMAGE_POLICY, Result, forbidden, not_found, saved_as, sent_file,
};
use crate::store::{SubmissionId, Version};
use crate::submissions::source_archive;
use axum::extract::Path;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};

/// The type of the content and its name for the client, how long the client keeps it for this caller, and it.
type Download = (
    [(HeaderName, String); 2],
    [(HeaderName, &'static str); 2],
    Response,
);

/// For a file of a problem, whose package may get another version.
const FOR_MINUTES: &str = "private, max-age=300";
/// For what never changes at its address, such as the source of a submission.
const FOR_EVER: &str = "private, max-age=31536000, immutable";

/// Keeps a browser from showing what it has kept to the next one who signs in there.
const FOR_CALLER: (HeaderName, &str) = (header::VARY, "Cookie, Authorization");

fn download(mime: &str, name: &str, cached: &'static str, content: impl IntoResponse) -> Download {
    let cached = [(header::CACHE_CONTROL, cached), FOR_CALLER];
    (saved_as(mime, name), cached, content.into_response())
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
    if !access::sees_source(view.viewer, &submission) {
        return Err(forbidden(
            "only its team and the jury see the source of a submission",
        ));
    }
    let archive = source_archive(app, id)?;
    Ok(download("application/zip", "files.zip", FOR_EVER, archive))
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
        FOR_MINUTES,
        sent_file(&path)?,
    ))
}

/// The image of an organization of a team that the viewer may see. It is cached for ever with the address that pages have,
/// which names the content.
pub fn logo(
    app: &App,
    (caller, Path((contest, id)), fields): (Caller, Path<(String, String)>, Fields),
) -> Result<impl IntoResponse + use<>> {
    let view = View::open(app, caller.viewer, &contest)?;
    let none = || not_found(format!("there is no logo of {id:?}"));
    let organizations = view.seen_organizations()?;
    let found = organizations.into_iter().find(|own| own.ext == id);
    let logo = found.and_then(|own| own.logo).ok_or_else(none)?;
    let names_content = fields
        .optional("v")
        .is_some_and(|version| version.len() >= 16 && logo.blob.starts_with(version));
    let cached = match names_content {
        true => FOR_EVER,
        false => "private, no-cache",
    };
    let headers = [
        (header::CONTENT_TYPE, logo.mime),
        (header::CONTENT_SECURITY_POLICY, IMAGE_POLICY.to_owned()),
        (header::CACHE_CONTROL, cached.to_owned()),
    ];
    Ok((headers, app.blobs.get(&logo.blob)?))
}

pub fn attachment(
    app: &App,
    (caller, Path((contest, id, name))): (Caller, Path<(String, String, String)>),
) -> Result<impl IntoResponse + use<>> {
    let view = View::open(app, caller.viewer, &contest)?;
    let version = problem(&view, &id)?;
    let none = || not_found(format!("the problem has no attachment {name:?}"));
    let (path, mime) = contest_view::attachment(app, &version, &name).ok_or_else(none)?;
    Ok(download(mime, &name, FOR_MINUTES, sent_file(&path)?))
}
