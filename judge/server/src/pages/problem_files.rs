//! Files of a problem: images of statements, PDF documents, attachments.

use crate::contest_view::View;
use crate::http::rights::sees_practice;
use crate::http::{App, Caller, HttpError, IMAGE_POLICY, Result, internal, not_found, sent_file};
use crate::statement::Text;
use crate::store::Problem;
use axum::extract::Path;
use axum::http::header;
use axum::response::IntoResponse;
use judge_statement::Rendered;
use std::path::PathBuf;
use std::sync::Arc;

pub fn image(
    app: &App,
    (caller, Path((problem, language, name))): (Caller, Path<(String, String, String)>),
) -> Result<impl IntoResponse + use<>> {
    let text = visible_text(app, &caller, &problem)?;
    let mut of_language = text
        .statements
        .iter()
        .filter(|statement| statement.language == language);
    let found = of_language.find_map(|statement| statement.images.get(&name));
    let path = found.ok_or_else(|| gone(&name))?;
    let kind = mime(&name);
    let content = sent_file(path)?;
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, IMAGE_POLICY),
        (header::CACHE_CONTROL, "private, max-age=600"),
    ];
    Ok((headers, content))
}

pub fn document(
    app: &App,
    (caller, Path((problem, language))): (Caller, Path<(String, String)>),
) -> Result<impl IntoResponse + use<>> {
    let text = visible_text(app, &caller, &problem)?;
    let path = text.statements.iter().find_map(|statement| {
        let Rendered::Pdf(path) = &statement.content else {
            return None;
        };
        (statement.language == language).then_some(path)
    });
    let content = sent_file(path.ok_or_else(|| gone(&language))?)?;
    let headers = [
        // The page of the problem shows it in a frame.
        (header::CONTENT_SECURITY_POLICY, "frame-ancestors 'self'"),
        (header::CONTENT_TYPE, "application/pdf"),
        (
            header::CONTENT_DISPOSITION,
            "inline; filename=\"statement.pdf\"",
        ),
    ];
    Ok((headers, content))
}

pub fn attachment(
    app: &App,
    (caller, Path((problem, name))): (Caller, Path<(String, String)>),
) -> Result<impl IntoResponse + use<>> {
    let text = visible_text(app, &caller, &problem)?;
    let path: &PathBuf = text.attachments.get(&name).ok_or_else(|| gone(&name))?;
    let content = sent_file(path)?;
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream"),
        (header::CONTENT_DISPOSITION, "attachment"),
    ];
    Ok((headers, content))
}

/// The text of a problem that the caller sees for practice or in a contest.
fn visible_text(app: &App, caller: &Caller, ext: &str) -> Result<Arc<Text>> {
    let problem = app.store.problem_by_ext(ext)?.ok_or_else(|| gone(ext))?;
    if sees_practice(app, caller.viewer, &problem)? {
        return text(app, &problem);
    }
    for id in app.store.contests_with(problem.id)? {
        let view = View::of(app, caller.viewer, app.store.contest(id)?)?;
        if view.is_some_and(|view| view.sees_problems()) {
            return text(app, &problem);
        }
    }
    Err(gone(ext))
}

fn gone(name: &str) -> HttpError {
    not_found(format!("there is no file {name}"))
}

fn mime(name: &str) -> &'static str {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    match extension.unwrap_or_default().to_ascii_lowercase().as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "svg" => "image/svg+xml",
        "gif" => "image/gif",
        "webp" => "image/webp",
        _ => "application/octet-stream",
    }
}

/// The text of a problem's present version.
pub fn text(app: &App, problem: &Problem) -> Result<Arc<Text>> {
    let text = app.texts().text(&app.packages, problem);
    text.map_err(internal)
}
