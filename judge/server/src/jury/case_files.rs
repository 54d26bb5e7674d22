//! The files of a case that was judged: input and answer of the package, the kept output, the validator's feedback.

use crate::http::{App, Jury, Result, internal, not_found, saved_as, streamed};
use crate::store::{CaseRow, Judging, JudgingId, SubmissionId};
use axum::body::Body;
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use judge_core::results::KeptOutput;
use judge_package::TestCase;
use maud::{Markup, html};
use std::fs::File;

/// Links to the files of a case. `data` is the case of the package, if this process has it.
pub fn links(judging: &Judging, case: &CaseRow, data: Option<&TestCase>) -> Markup {
    let base = format!(
        "/jury/submissions/{}/judgings/{}/cases/{}",
        judging.submission, judging.id, case.case
    );
    let kept = output(case).and_then(|own| Some((own.bytes, content(own)?.len() as u64)));
    html! {
        @match data {
            None => "input and answer are not here: the package generates them",
            Some(data) => {
                a href={ (base) "/input" } { "input" }
                @if data.answer.is_some() { " " a href={ (base) "/answer" } { "answer" } }
            }
        }
        @if let Some((all, kept)) = kept {
            " " a href={ (base) "/output" } { "output" }
            @if kept < all { ", cut: " (kept) " of " (all) " bytes" }
        }
        @if case.message.is_some() { " " a href={ (base) "/feedback" } { "feedback" } }
    }
}

fn output(case: &CaseRow) -> Option<&KeptOutput> {
    case.diagnosis.as_ref()?.output.as_ref()
}

fn content(output: &KeptOutput) -> Option<Vec<u8>> {
    BASE64.decode(&output.base64).ok()
}

/// `GET /jury/submissions/{id}/judgings/{judging}/cases/{case}/{file}`
pub fn send(
    app: &App,
    (_, Path((id, judging, case, file))): (Jury, Path<(SubmissionId, JudgingId, usize, String)>),
) -> Result<Response> {
    let gone = || {
        not_found(format!(
            "judging {judging} of submission {id} has no such file"
        ))
    };
    let judging = app.store.judging(judging)?;
    let results = app.store.case_results(judging.id)?;
    let result = results.into_iter().find(|own| own.case == case);
    let result = result
        .filter(|_| judging.submission == id)
        .ok_or_else(gone)?;
    let version = app.store.version(judging.version)?;
    let name = version.cases.get(case).ok_or_else(gone)?;
    let (ending, length, body) = match file.as_str() {
        "input" | "answer" => {
            let package = app.packages.get_ready(&version.tree).map_err(internal)?;
            let package = package.ok_or_else(|| {
                not_found("the package generates its test data, which this process has not done since it started")
            })?;
            let cases = package.judged_cases();
            let of_name = |own: &&&TestCase| own.name == *name;
            let found = cases.get(case).filter(of_name).ok_or_else(gone)?;
            let (path, ending) = match file.as_str() {
                "input" => (Some(&found.input), "in"),
                _ => (found.answer.as_ref(), "ans"),
            };
            let path = path.ok_or_else(|| not_found(format!("{name} has no answer file")))?;
            // A problem whose submissions are outputs may have no inputs.
            let file = File::open(path).map_err(|_| gone())?;
            (ending, file.metadata()?.len(), streamed(file))
        }
        "output" => {
            let content = output(&result).and_then(content).ok_or_else(gone)?;
            ("out", content.len() as u64, Body::from(content))
        }
        "feedback" => {
            let message = result.message.clone().ok_or_else(gone)?;
            ("txt", message.len() as u64, Body::from(message))
        }
        _ => return Err(gone()),
    };
    let name = format!("{}.{ending}", plain(name));
    let headers = saved_as("application/octet-stream", &name);
    let length = [(header::CONTENT_LENGTH, length.to_string())];
    Ok((headers, length, body).into_response())
}

/// The name of a case in that of a file.
pub fn plain(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.replace(|c| !plain(c), "-")
}
