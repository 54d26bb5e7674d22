//! Problems for practice and the languages to submit in.

use crate::access::Viewer;
use crate::http::rights::{practice_problem, practice_problems};
use crate::http::{App, Caller, Result, internal, not_found, sent_file};
use crate::languages::Choice;
use crate::store::Problem;
use axum::Json;
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use judge_statement::{Rendered, Sample};
use serde_json::{Value, json};

pub fn languages(app: &App, (): ()) -> Result<Json<Value>> {
    let language = |choice: Choice| {
        json!({
            "id": choice.code,
            "name": choice.name,
            "extensions": choice.extensions,
        })
    };
    let languages = app.languages.allowed(None);
    Ok(Json(languages.into_iter().map(language).collect()))
}

/// A problem with the languages that are allowed and installed. A time limit of `null` is derived, and not known
/// yet.
fn shown(app: &App, problem: &Problem) -> Value {
    let version = &problem.version;
    let languages = app.languages.allowed(version.languages.as_deref());
    let languages = languages.into_iter().map(|choice| choice.code);
    json!({
        "id": problem.ext,
        "name": version.name,
        "time_limit_s": version.time_limit_s,
        "memory_limit_bytes": version.memory_limit,
        "code_limit_bytes": version.code_limit,
        "scoring": version.scoring,
        "languages": languages.collect::<Vec<_>>(),
    })
}

/// A problem that the viewer sees in practice mode. Blocks.
fn visible(app: &App, viewer: Viewer, ext: &str) -> Result<Problem> {
    let gone = || not_found(format!("there is no problem {ext:?}"));
    practice_problem(app, viewer, ext)?.ok_or_else(gone)
}

pub fn list(app: &App, caller: Caller) -> Result<Json<Vec<Value>>> {
    let problems = practice_problems(app, caller.viewer)?;
    let problems = problems.iter().map(|problem| shown(app, problem));
    Ok(Json(problems.collect()))
}

pub fn get(app: &App, (caller, Path(ext)): (Caller, Path<String>)) -> Result<Json<Value>> {
    Ok(Json(shown(app, &visible(app, caller.viewer, &ext)?)))
}

/// The statement as a part of an HTML page, or as PDF: English, or else the first.
pub fn statement(app: &App, (caller, Path(ext)): (Caller, Path<String>)) -> Result<Response> {
    let problem = visible(app, caller.viewer, &ext)?;
    let package = app.packages.read(&problem.version.tree);
    let package = package.map_err(internal)?;
    let all = judge_package::statements(&package.root);
    let english = all.iter().find(|file| file.language == "en");
    let none = || not_found("the problem has no statement");
    let file = english.or(all.first()).ok_or_else(none)?;
    let images = format!("/problems/{ext}/images/{}/", file.language);
    let (kind, content) = match judge_statement::render(&package, file, &images)? {
        Rendered::Html(text) => ("text/html; charset=utf-8", text.into_response()),
        Rendered::Pdf(path) => ("application/pdf", sent_file(&path)?),
    };
    Ok(([(header::CONTENT_TYPE, kind)], content).into_response())
}

pub fn samples(
    app: &App,
    (caller, Path(ext)): (Caller, Path<String>),
) -> Result<Json<Vec<Sample>>> {
    let problem = visible(app, caller.viewer, &ext)?;
    let package = app.packages.read(&problem.version.tree);
    Ok(Json(judge_statement::sample_files(
        &package.map_err(internal)?,
    )))
}
