//! Submissions: reading, and sending as JSON or as DOMjudge's client does.

use super::clarifications::team;
use super::collections::{Filter, collection, object};
use super::view::View;
use super::{check_csrf, created, invalid};
use crate::access;
use crate::contest_api::{ObjectType, RelTime, Time};
use crate::http::error::AppState;
use crate::http::submit::{OnBehalf, Sent, SentFile, submit_as};
use crate::http::{App, Caller, HttpError, Result, SignedIn};
use crate::store::{Problem, SubmissionId};
use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, Multipart, Path, Query, Request};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::Value;
use std::io::{Cursor, Read};

/// Files of an archive, and their size together, unpacked.
const MOST_FILES: usize = 100;
const MOST_BYTES: u64 = 4 << 20;

pub async fn list(
    app: AppState,
    caller: Caller,
    Path(contest): Path<String>,
    Query(filter): Filter,
) -> Result<Json<Vec<Value>>> {
    collection(&app, caller, contest, ObjectType::Submissions, filter).await
}

pub async fn get(
    app: AppState,
    caller: Caller,
    Path((contest, id)): Path<(String, String)>,
) -> Result<Json<Value>> {
    object(&app, caller, contest, ObjectType::Submissions, id).await
}

/// A submission as clients send it.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Posted {
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

pub async fn post(
    app: AppState,
    signed_in: SignedIn,
    headers: HeaderMap,
    Path(contest): Path<String>,
    request: Request,
) -> Result<Response> {
    let posted = read(&app, &headers, request).await?;
    if posted.id.is_some() {
        let what = "`id` is given by the server; use PUT to choose one";
        return Err(HttpError::BadRequest(what.to_owned()));
    }
    add(&app, signed_in, &headers, contest, posted).await
}

pub async fn put(
    app: AppState,
    signed_in: SignedIn,
    headers: HeaderMap,
    Path((contest, id)): Path<(String, String)>,
    request: Request,
) -> Result<Response> {
    if !access::acts_for_teams(signed_in.caller.viewer) {
        let what = "only admins choose the id of a submission; use POST";
        return Err(HttpError::Forbidden(what.to_owned()));
    }
    let posted = read(&app, &headers, request).await?;
    if posted.id.as_ref() != Some(&id) {
        let what = format!("`id` is {:?}, not {id:?}", posted.id.unwrap_or_default());
        return Err(HttpError::Conflict(what));
    }
    add(&app, signed_in, &headers, contest, posted).await
}

async fn read(app: &App, headers: &HeaderMap, request: Request) -> Result<Posted> {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    if kind.is_some_and(|kind| kind.starts_with("multipart/form-data")) {
        let form = Multipart::from_request(request, app).await;
        return form_fields(form.map_err(|e| HttpError::BadRequest(e.body_text()))?).await;
    }
    let body = Bytes::from_request(request, app).await;
    let body = body.map_err(|e| HttpError::TooLarge(e.body_text()))?;
    let mut posted: Posted = serde_json::from_slice(&body).map_err(|e| invalid(&e))?;
    let [archive] = &posted.files[..] else {
        let what = "`files` needs one archive";
        return Err(HttpError::BadRequest(what.to_owned()));
    };
    posted.unpacked = unpack(archive)?;
    Ok(posted)
}

/// The fields of DOMjudge's client: `problem`, `language`, `entry_point`, and `code[]` for each file.
async fn form_fields(mut form: Multipart) -> Result<Posted> {
    let wrong = |e: axum::extract::multipart::MultipartError| HttpError::BadRequest(e.body_text());
    let mut posted = Posted::default();
    while let Some(field) = form.next_field().await.map_err(wrong)? {
        let name = field.name().unwrap_or_default().to_owned();
        match name.as_str() {
            "problem" | "problem_id" => posted.problem_id = field.text().await.map_err(wrong)?,
            "language" | "language_id" => posted.language_id = field.text().await.map_err(wrong)?,
            "entry_point" => posted.entry_point = Some(field.text().await.map_err(wrong)?),
            "code[]" | "code" => {
                let name = field.file_name().unwrap_or_default().to_owned();
                let content = field.bytes().await.map_err(wrong)?.to_vec();
                posted.unpacked.push(SentFile { name, content });
            }
            _ => {
                let what = format!("the form has an unknown field {name:?}");
                return Err(HttpError::BadRequest(what));
            }
        }
    }
    Ok(posted)
}

/// The files of an archive, all in its root; bounded while they are unpacked.
fn unpack(archive: &Archive) -> Result<Vec<SentFile>> {
    let wrong = |what: String| HttpError::BadRequest(format!("`files`: {what}"));
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
    if zip.len() > MOST_FILES {
        return Err(wrong(format!("more than {MOST_FILES} files")));
    }
    let mut left = MOST_BYTES;
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
        left = left.checked_sub(content.len() as u64).ok_or_else(|| {
            HttpError::TooLarge(format!("the files have more than {MOST_BYTES} bytes"))
        })?;
        files.push(SentFile { name, content });
    }
    Ok(files)
}

async fn add(
    app: &App,
    signed_in: SignedIn,
    headers: &HeaderMap,
    contest: String,
    posted: Posted,
) -> Result<Response> {
    check_csrf(&signed_in.caller, headers)?;
    let added = app.blocking(move |app| {
        let view = View::open(app, signed_in.caller.viewer, &contest)?;
        let on_behalf = on_behalf(&view, &posted)?;
        let sent = Sent {
            problem: problem(&view, &posted.problem_id)?,
            contest: Some(view.contest.clone()),
            language: Some(posted.language_id),
            entry_point: posted.entry_point,
            files: posted.unpacked,
        };
        let (id, _) = submit_as(app, &signed_in.user, sent, on_behalf)?;
        let object = view.submission(&app.store.submission(id)?)?;
        Ok((format!("contests/{contest}/submissions/{id}"), object))
    });
    let (location, object) = added.await?;
    Ok(created(&location, object).into_response())
}

/// For whom the caller submits: teams for themselves, admins for a team.
fn on_behalf(view: &View<'_>, posted: &Posted) -> Result<Option<OnBehalf>> {
    let refused = |what: &str| HttpError::BadRequest(what.to_owned());
    if posted.contest_time.is_some() {
        return Err(refused("`contest_time` follows from `time`; leave it out"));
    }
    let own = view
        .viewer
        .team
        .map(|id| view.app.store.team(id))
        .transpose()?;
    if !access::acts_for_teams(view.viewer) {
        if posted.time.is_some() {
            return Err(refused("`time` is given by the server"));
        }
        let own = own.map(|team| team.ext);
        if posted.team_id.is_some() && posted.team_id != own {
            let what = "`team_id` is not your team";
            return Err(HttpError::Forbidden(what.to_owned()));
        }
        return Ok(None);
    }
    let id = posted.id.as_deref().map(|id| {
        let number = id
            .parse()
            .ok()
            .filter(|id| *id > 0 && *id <= i64::from(u32::MAX));
        let wrong = || refused("`id` has to be a number from 1 to 4294967295 that is not in use");
        number.map(SubmissionId).ok_or_else(wrong)
    });
    let id = id.transpose()?;
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
    let unknown = || HttpError::BadRequest(format!("there is no problem {id:?} in the contest"));
    if !access::sees_contest_problems(view.viewer, view.place(), view.now_ms) {
        return Err(unknown());
    }
    let problems = view.app.store.contest_problems(view.contest.id)?;
    let by_id = problems.iter().find(|problem| problem.ext == id);
    let found = by_id.or_else(|| problems.iter().find(|problem| problem.label == id));
    Ok(view.app.store.problem(found.ok_or_else(unknown)?.problem)?)
}
