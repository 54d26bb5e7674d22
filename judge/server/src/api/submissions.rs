//! Submissions: reading, and sending as JSON or as DOMjudge's client does.

use super::clarifications::team;
use super::{Chooser, Writer, created, invalid, may_give_times, number, with_id, without_id};
use crate::access;
use crate::contest_api::{RelTime, Time};
use crate::contest_view::View;
use crate::http::{
    App, Fields, HttpError, Result, SentFile, bad_request, forbidden, read_body, read_parts,
    too_large,
};
use crate::store::{Problem, SubmissionId};
use crate::submissions::{OnBehalf, SentSubmission, submit_as};
use axum::extract::{FromRequest, Path, Request};
use axum::http::header;
use axum::response::IntoResponse;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::Value;
use std::io::{Cursor, Read};

/// Maximum number of files of an archive, and maximum size of all of them, unpacked.
const MAX_FILES: usize = 100;
const MAX_BYTES: u64 = 4 << 20;

/// A submission as clients send it.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Posted {
    id: Option<String>,
    language_id: String,
    problem_id: String,
    team_id: Option<String>,
    time: Option<Time>,
    contest_time: Option<RelTime>,
    entry_point: Option<String>,
    #[serde(default)]
    files: Vec<Archive>,
    #[serde(rename = "reaction")]
    _reaction: Option<Value>,
    #[serde(skip)]
    unpacked: Vec<SentFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Archive {
    data: String,
    mime: Option<String>,
    #[serde(rename = "filename")]
    _filename: Option<String>,
}

pub fn post(
    app: &App,
    (by, Path(contest), posted): (Writer, Path<String>, Posted),
) -> Result<impl IntoResponse + use<>> {
    without_id(posted.id.as_ref())?;
    add(app, &by, &contest, posted)
}

pub fn put(
    app: &App,
    (Chooser(by), Path((contest, id)), posted): (Chooser, Path<(String, String)>, Posted),
) -> Result<impl IntoResponse + use<>> {
    with_id(posted.id.as_ref(), &id)?;
    add(app, &by, &contest, posted)
}

impl FromRequest<App> for Posted {
    type Rejection = HttpError;

    async fn from_request(request: Request, app: &App) -> Result<Self> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        if kind.is_some_and(|kind| kind.as_bytes().starts_with(b"multipart/form-data")) {
            let (fields, files) = read_parts(request, app, |_| Ok(())).await?;
            return form_fields(fields, files);
        }
        let body = read_body(request, app).await?;
        let mut posted: Posted = serde_json::from_slice(&body).map_err(|e| invalid(&e))?;
        let [archive] = &posted.files[..] else {
            return Err(bad_request("`files` needs one archive"));
        };
        posted.unpacked = unpack(archive)?;
        Ok(posted)
    }
}

/// The fields of DOMjudge's client: `problem`, `language`, `entry_point`, and `code[]` for each file.
fn form_fields(fields: Fields, files: Vec<(String, SentFile)>) -> Result<Posted> {
    let unknown = |name| {
        Err(bad_request(format!(
            "the form has an unknown field {name:?}"
        )))
    };
    let mut posted = Posted::default();
    for (name, text) in fields.0 {
        match name.as_str() {
            "problem" | "problem_id" => posted.problem_id = text,
            "language" | "language_id" => posted.language_id = text,
            "entry_point" => posted.entry_point = Some(text),
            _ => return unknown(name),
        }
    }
    for (name, file) in files {
        match name.as_str() {
            "code[]" | "code" => posted.unpacked.push(file),
            _ => return unknown(name),
        }
    }
    Ok(posted)
}

/// The files of an archive, all in its root; bounded while they are unpacked.
fn unpack(archive: &Archive) -> Result<Vec<SentFile>> {
    let wrong = |what: String| bad_request(format!("`files`: {what}"));
    if archive
        .mime
        .as_ref()
        .is_some_and(|mime| mime != "application/zip")
    {
        return Err(wrong("only application/zip is accepted".to_owned()));
    }
    let data = BASE64_STANDARD
        .decode(&archive.data)
        .map_err(|e| wrong(e.to_string()))?;
    let mut zip = zip::ZipArchive::new(Cursor::new(data)).map_err(|e| wrong(e.to_string()))?;
    if zip.len() > MAX_FILES {
        return Err(wrong(format!("more than {MAX_FILES} files")));
    }
    let mut left = MAX_BYTES;
    let mut files = Vec::new();
    for k in 0..zip.len() {
        let file = zip.by_index(k).map_err(|e| wrong(e.to_string()))?;
        if !file.is_file() {
            return Err(wrong("only files are allowed in the archive".to_owned()));
        }
        let name = file.name().map_err(|e| wrong(e.to_string()))?.into_owned();
        let mut content = Vec::new();
        // One byte past the rest, to notice what is larger.
        let read = file.take(left + 1).read_to_end(&mut content);
        read.map_err(|e| wrong(format!("{name:?}: {e}")))?;
        left = left
            .checked_sub(content.len() as u64)
            .ok_or_else(|| too_large(format!("the files have more than {MAX_BYTES} bytes")))?;
        files.push(SentFile { name, content });
    }
    Ok(files)
}

fn add(app: &App, by: &Writer, contest: &str, posted: Posted) -> Result<impl IntoResponse + use<>> {
    let view = View::open(app, by.caller.viewer, contest)?;
    let on_behalf = on_behalf(&view, &posted)?;
    let sent = SentSubmission {
        problem: problem(&view, &posted.problem_id)?,
        contest: Some(view.contest.clone()),
        language: Some(posted.language_id),
        entry_point: posted.entry_point,
        files: posted.unpacked,
        once: false,
    };
    let (id, _) = submit_as(app, &by.user, &sent, on_behalf)?;
    let object = view.submission(&app.store.submission(id)?)?;
    let location = format!("contests/{contest}/submissions/{id}");
    Ok(created(&location, object))
}

/// For whom the caller submits: teams for themselves, admins for a team.
fn on_behalf(view: &View<'_>, posted: &Posted) -> Result<Option<OnBehalf>> {
    let refused = |what: &str| bad_request(what);
    may_give_times(view, posted.time, posted.contest_time)?;
    let own = view.viewer.team.map(|id| view.app.store.team(id));
    let own = own.transpose()?;
    if !access::acts_for_teams(view.viewer) {
        let own = own.map(|team| team.ext);
        if posted.team_id.is_some() && posted.team_id != own {
            return Err(forbidden("`team_id` is not your team"));
        }
        return Ok(None);
    }
    let id = posted.id.as_deref().map(number).transpose()?;
    let id = id.map(SubmissionId);
    match (&posted.team_id, posted.time) {
        (Some(ext), time) if time.is_some() || id.is_none() => Ok(Some(OnBehalf {
            team: team(view, ext)?,
            time_ms: time.map(Time::millis),
            id,
        })),
        (Some(_), _) => Err(refused("`time` is required with an `id`")),
        (None, None) if id.is_none() => Ok(None),
        (None, _) => Err(refused("`team_id` is required with a `time` or an `id`")),
    }
}

/// A problem of the contest, by its id or its label.
fn problem(view: &View<'_>, id: &str) -> Result<Problem> {
    let unknown = || bad_request(format!("there is no problem {id:?} in the contest"));
    let found = view.contest_problem(id)?.ok_or_else(unknown)?;
    Ok(view.app.store.problem(found.problem)?)
}
