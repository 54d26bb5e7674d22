//! Problems for practice and the languages to submit in.

use crate::access::{self, Viewer};
use crate::http::submit::in_unfinished_contest;
use crate::http::{App, Caller, HttpError, Result, not_found};
use crate::statement::{self, Rendered};
use crate::store;
use axum::Json;
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// A language to submit in.
#[derive(Serialize)]
pub struct Language {
    id: String,
    name: String,
    extensions: Vec<String>,
}

pub fn languages(app: &App, (): ()) -> Result<Json<Vec<Language>>> {
    let language = |choice: crate::languages::Choice| Language {
        id: choice.code,
        name: choice.name,
        extensions: choice.extensions,
    };
    let languages = app.languages.allowed(None);
    Ok(Json(languages.into_iter().map(language).collect()))
}

/// A problem.
#[derive(Serialize)]
pub struct Problem {
    id: String,
    name: String,
    /// CPU seconds per case; `null`: derived, and not known yet.
    time_limit_s: Option<f64>,
    memory_limit_bytes: u64,
    /// Bytes of source code.
    code_limit_bytes: Option<u64>,
    scoring: bool,
    /// Ids of the languages that are allowed and installed.
    languages: Vec<String>,
}

fn shown(app: &App, problem: store::Problem) -> Problem {
    let version = problem.version;
    let languages = app.languages.allowed(version.languages.as_deref());
    Problem {
        languages: languages.into_iter().map(|choice| choice.code).collect(),
        id: problem.ext,
        name: version.name,
        time_limit_s: version.time_limit_s,
        memory_limit_bytes: version.memory_limit,
        code_limit_bytes: version.code_limit,
        scoring: version.scoring,
    }
}

fn sees(app: &App, viewer: Viewer, problem: &store::Problem) -> Result<bool> {
    let unfinished = in_unfinished_contest(app, problem)?;
    Ok(access::sees_practice_problem(viewer, problem, unfinished))
}

/// A problem that the viewer sees in practice mode. Blocks.
fn visible(app: &App, viewer: Viewer, ext: &str) -> Result<store::Problem> {
    let gone = || not_found(format!("there is no problem {ext:?}"));
    let problem = app.store.problem_by_ext(ext)?.ok_or_else(gone)?;
    match sees(app, viewer, &problem)? {
        true => Ok(problem),
        false => Err(gone()),
    }
}

pub fn list(app: &App, caller: Caller) -> Result<Json<Vec<Problem>>> {
    let mut problems = Vec::new();
    for problem in app.store.problems()? {
        if sees(app, caller.viewer, &problem)? {
            problems.push(shown(app, problem));
        }
    }
    Ok(Json(problems))
}

pub fn get(app: &App, (caller, Path(ext)): (Caller, Path<String>)) -> Result<Json<Problem>> {
    Ok(Json(shown(app, visible(app, caller.viewer, &ext)?)))
}

/// The statement as a part of an HTML page, or as PDF: English, or else the first.
pub fn statement(app: &App, (caller, Path(ext)): (Caller, Path<String>)) -> Result<Response> {
    let problem = visible(app, caller.viewer, &ext)?;
    let package = app.packages.read(&problem.version.tree);
    let package = package.map_err(HttpError::Internal)?;
    let all = judge_package::statements(&package);
    let english = all.iter().find(|file| file.language == "en");
    let none = || not_found("the problem has no statement");
    let file = english.or(all.first()).ok_or_else(none)?;
    let images = format!("/problems/{ext}/images/{}/", file.language);
    let (kind, content) = match statement::render(&package, file, &images)? {
        Rendered::Html(text) => ("text/html; charset=utf-8", text.into_bytes()),
        Rendered::Pdf(path) => ("application/pdf", std::fs::read(path)?),
    };
    Ok(([(header::CONTENT_TYPE, kind)], content).into_response())
}

/// A sample.
#[derive(Serialize)]
pub struct Sample {
    name: String,
    input: String,
    answer: Option<String>,
    /// The input or the answer was cut because it is long.
    cut: bool,
}

pub fn samples(
    app: &App,
    (caller, Path(ext)): (Caller, Path<String>),
) -> Result<Json<Vec<Sample>>> {
    let problem = visible(app, caller.viewer, &ext)?;
    let package = app.packages.read(&problem.version.tree);
    let samples = statement::samples(&package.map_err(HttpError::Internal)?);
    let sample = |sample: statement::Sample| Sample {
        name: sample.name,
        input: sample.input,
        answer: sample.answer,
        cut: sample.cut,
    };
    Ok(Json(samples.into_iter().map(sample).collect()))
}
