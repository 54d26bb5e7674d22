//! Problems for practice: the list, and a problem with a form to submit.

use super::error::{AppState, PageResult};
use super::page::{csrf_field, page};
use super::submit::{Sent, SentFile, in_unfinished_contest, submit};
use super::{App, Caller, HttpError, Result, SignedIn};
use crate::access;
use crate::store::Problem;
use axum::Router;
use axum::extract::{Multipart, Path};
use axum::response::Redirect;
use axum::routing::{get, post};
use maud::html;

pub fn routes() -> Router<App> {
    Router::new()
        .route("/", get(|| async { Redirect::to("/problems") }))
        .route("/problems", get(list))
        .route("/problems/{problem}", get(problem))
        .route("/problems/{problem}/submit", post(submit_form))
}

async fn list(app: AppState, caller: Caller) -> PageResult {
    let viewer = caller.viewer;
    let problems = app
        .blocking(move |app| {
            let mut visible = Vec::new();
            for problem in app.store.problems()? {
                let unfinished = in_unfinished_contest(app, &problem)?;
                if access::sees_practice_problem(viewer, &problem, unfinished) {
                    visible.push(problem);
                }
            }
            Ok(visible)
        })
        .await?;
    let body = html! {
        ul {
            @for problem in &problems {
                li { a href={ "/problems/" (problem.ext) } { (problem.version.name) } }
            }
        }
        @if problems.is_empty() { p { "There is no problem yet." } }
    };
    Ok(page("Problems", viewer, caller.csrf.as_deref(), &body))
}

/// A problem that the caller sees in practice mode.
async fn visible(app: &App, caller: &Caller, ext: String) -> Result<Problem> {
    let viewer = caller.viewer;
    app.blocking(move |app| {
        let gone = || HttpError::NotFound(format!("no problem {ext}"));
        let problem = app.store.problem_by_ext(&ext)?.ok_or_else(gone)?;
        let unfinished = in_unfinished_contest(app, &problem)?;
        match access::sees_practice_problem(viewer, &problem, unfinished) {
            true => Ok(problem),
            false => Err(gone()),
        }
    })
    .await
}

async fn problem(app: AppState, caller: Caller, Path(ext): Path<String>) -> PageResult {
    let problem = visible(&app, &caller, ext).await?;
    let version = &problem.version;
    let body = html! {
        p {
            @match version.time_limit_s {
                Some(seconds) => { (seconds) " s" }
                None => "time limit derived from the jury's programs"
            }
            ", " (version.memory_limit >> 20) " MiB"
        }
        @if caller.user.is_some() {
            form method="post" action={ "/problems/" (problem.ext) "/submit" } enctype="multipart/form-data" {
                (csrf_field(caller.csrf.as_deref()))
                p { label { "Language "
                    select name="language" {
                        option value="" { "by the file's name" }
                        @for choice in app.languages.allowed(version.languages.as_deref()) {
                            option value=(choice.code) { (choice.name) }
                        }
                    }
                } }
                p { label { "File " input type="file" name="file"; } }
                p { label { "or paste the program" br; textarea name="source" rows="16" cols="80" {} } }
                button { "Submit" }
            }
        } @else {
            p { a href="/sign-in" { "Sign in" } " to submit." }
        }
    };
    Ok(page(
        &version.name,
        caller.viewer,
        caller.csrf.as_deref(),
        &body,
    ))
}

async fn submit_form(
    app: AppState,
    signed_in: SignedIn,
    Path(ext): Path<String>,
    form: Multipart,
) -> Result<Redirect> {
    let problem = visible(&app, &signed_in.caller, ext).await?;
    let sent = read_form(&app, &signed_in.caller, problem, form).await?;
    let user = signed_in.user;
    let (id, _) = app.blocking(move |app| submit(app, &user, sent)).await?;
    Ok(Redirect::to(&format!("/submissions/{id}")))
}

/// Reads the form of a problem: `csrf`, `language`, and `file` (several) or `source`.
async fn read_form(
    app: &App,
    caller: &Caller,
    problem: Problem,
    mut form: Multipart,
) -> Result<Sent> {
    let mut sent = Sent {
        contest: None,
        problem,
        language: None,
        entry_point: None,
        files: Vec::new(),
    };
    let wrong = |e: axum::extract::multipart::MultipartError| HttpError::BadRequest(e.body_text());
    let (mut csrf, mut pasted) = (String::new(), String::new());
    while let Some(field) = form.next_field().await.map_err(wrong)? {
        let name = field.name().unwrap_or_default().to_owned();
        let file_name = field
            .file_name()
            .map(str::to_owned)
            .filter(|name| !name.is_empty());
        match (name.as_str(), file_name) {
            ("csrf", _) => csrf = field.text().await.map_err(wrong)?,
            ("language", _) => sent.language = Some(field.text().await.map_err(wrong)?),
            ("entry_point", _) => sent.entry_point = Some(field.text().await.map_err(wrong)?),
            ("source", _) => pasted = field.text().await.map_err(wrong)?,
            ("file", Some(name)) => {
                let content = field.bytes().await.map_err(wrong)?.to_vec();
                sent.files.push(SentFile { name, content });
            }
            _ => {}
        }
    }
    caller.check_csrf(&csrf)?;
    if sent.files.is_empty() && !pasted.trim().is_empty() {
        let choice = sent
            .language
            .as_deref()
            .and_then(|code| app.languages.get(code));
        let choice = choice.ok_or_else(|| HttpError::BadRequest("choose a language".to_owned()))?;
        let extension = choice
            .extensions
            .first()
            .map_or("txt", |own| own.trim_start_matches('.'));
        sent.files.push(SentFile {
            name: format!("main.{extension}"),
            content: pasted.replace("\r\n", "\n").into_bytes(),
        });
    }
    Ok(sent)
}
