//! Submissions: sending one, and its verdicts as they come.

use super::super::{Writer, invalid};
use crate::access::Viewer;
use crate::contest_view::View;
use crate::http::error::AppState;
use crate::http::rights::{practice_problem, practice_problems};
use crate::http::{App, Caller, HttpError, Result, SentFile, SignedIn, bad_request, not_found};
use crate::store::{CaseRow, Contest, Problem, SubmissionFilter, SubmissionId};
use crate::submissions::{SeenSubmission, SentSubmission, Update, follow, is_final, load, submit};
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

/// Maximum number of submissions of a list.
const MAX_LISTED: usize = 100;

/// A submission with what the caller may see of its results: what is not shown is `null`. It is finished when
/// nothing changes any more, unless it is judged again.
fn shown(seen: &SeenSubmission) -> Value {
    let case = |(name, row): &(String, CaseRow)| {
        json!({
            "name": name,
            "verdict": row.verdict,
            "cpu_s": row.cpu_s,
            "memory_bytes": row.memory,
            "message": row.message,
        })
    };
    let submission = &seen.submission;
    let judging = seen.judging.as_ref();
    json!({
        "id": submission.id.to_string(),
        "problem": submission.problem_ext,
        "contest": seen.contest.as_ref().map(|contest| &contest.ext),
        "language": submission.language,
        "time_ms": submission.time_ms,
        "state": judging.map(|judging| judging.state),
        "verdict": judging.map(|judging| &judging.verdict),
        "score": judging.map(|judging| judging.score),
        "max_cpu_s": judging.map(|judging| judging.max_cpu_s),
        "max_memory_bytes": judging.map(|judging| judging.max_memory),
        "compile_message": judging.map(|judging| &judging.compile_message),
        "reason": judging.map(|judging| &judging.reason),
        "case_count": seen.case_names.as_ref().map(Vec::len),
        "cases": seen.cases.iter().map(case).collect::<Vec<_>>(),
        "finished": is_final(seen),
    })
}

#[derive(Deserialize)]
pub struct Page {
    /// Only smaller numbers: the next page.
    before: Option<SubmissionId>,
}

/// The caller's own submissions, the latest first.
pub fn list(
    app: &App,
    (signed_in, Query(page)): (SignedIn, Query<Page>),
) -> Result<Json<Vec<Value>>> {
    let filter = SubmissionFilter {
        user: Some(signed_in.user.id),
        before: page.before,
        ..SubmissionFilter::default()
    };
    let viewer = signed_in.caller.viewer;
    let own = app.store.submissions(&filter, MAX_LISTED)?;
    let all = own
        .iter()
        .map(|own| Ok(shown(&load(app, viewer, own.id)?)))
        .collect::<Result<_>>()?;
    Ok(Json(all))
}

pub fn get(app: &App, (caller, Path(id)): (Caller, Path<String>)) -> Result<Json<Value>> {
    let id = number(&id)?;
    Ok(Json(shown(&load(app, caller.viewer, id)?)))
}

fn number(id: &str) -> Result<SubmissionId> {
    let unknown = |_| not_found(format!("no submission {id}"));
    id.parse().map_err(unknown)
}

/// Body of a request that submits a program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Posted {
    problem: String,
    contest: Option<String>,
    language: Option<String>,
    entry_point: Option<String>,
    files: Vec<PostedFile>,
}

/// A file; `data` is base64.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PostedFile {
    name: String,
    data: String,
}

pub fn post(app: &App, (by, body): (Writer, Bytes)) -> Result<impl IntoResponse + use<>> {
    let posted: Posted = serde_json::from_slice(&body).map_err(|e| invalid(&e))?;
    let (contest, problem) = place(app, by.caller.viewer, &posted)?;
    let mut files = Vec::new();
    for file in posted.files {
        let content = BASE64_STANDARD.decode(&file.data);
        let wrong = |e| bad_request(format!("{:?}: `data`: {e}", file.name));
        let content = content.map_err(wrong)?;
        files.push(SentFile {
            name: file.name,
            content,
        });
    }
    let sent = SentSubmission {
        contest,
        problem,
        language: posted.language,
        entry_point: posted.entry_point,
        files,
        once: false,
    };
    let (id, _) = submit(app, &by.user, &sent)?;
    let submission = shown(&load(app, by.caller.viewer, id)?);
    let location = [(header::LOCATION, format!("/api/practice/submissions/{id}"))];
    Ok((StatusCode::CREATED, location, Json(submission)))
}

/// The contest and the problem, by its id or its label in the contest. What the caller may not see does
/// not exist here; [`submit`] checks the rights to submit.
fn place(app: &App, viewer: Viewer, posted: &Posted) -> Result<(Option<Contest>, Problem)> {
    let name = &posted.problem;
    let Some(contest) = &posted.contest else {
        if let Some(problem) = practice_problem(app, viewer, name)? {
            return Ok((None, problem));
        }
        let known = practice_problems(app, viewer)?.into_iter();
        let known = known.map(|problem| problem.ext).collect();
        return Err(unknown("problem", name, known));
    };
    let Some(view) = View::find(app, viewer, contest)? else {
        let known = View::all(app, viewer)?.into_iter();
        let known = known.map(|view| view.contest.ext).collect();
        return Err(unknown("contest", contest, known));
    };
    let Some(found) = view.contest_problem(name)? else {
        let known = view.contest_problems()?.into_iter();
        let known = known.map(|problem| format!("{} ({})", problem.ext, problem.label));
        return Err(unknown("problem", name, known.collect()));
    };
    Ok((Some(view.contest), app.store.problem(found.problem)?))
}

/// Maximum number of ids in an error.
const MAX_NAMED: usize = 30;

/// The error for an id that is not among those that the caller may see.
fn unknown(what: &str, name: &str, mut known: Vec<String>) -> HttpError {
    let more = known.len().saturating_sub(MAX_NAMED);
    known.truncate(MAX_NAMED);
    if more > 0 {
        known.push(format!("{more} more"));
    }
    let known = match known.is_empty() {
        true => format!("there is no {what} that you may see"),
        false => format!("the {what}s are {}", known.join(", ")),
    };
    not_found(format!("there is no {what} {name:?}: {known}"))
}

/// Sends the submission now and after every change, until it is finished.
pub async fn events(
    app: AppState,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<impl IntoResponse + use<>> {
    let (id, viewer) = (number(&id)?, caller.viewer);
    let read = move |app: &App| {
        let seen = load(app, viewer, id)?;
        Ok(Update {
            data: shown(&seen).to_string(),
            is_final: is_final(&seen),
            again: None,
        })
    };
    follow(app.0, id, "submission", None, read).await
}
