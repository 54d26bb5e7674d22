//! `POST printing/team`: prints a file for the caller's team. DOMjudge has this endpoint, and its client uses it.

use super::{Writer, invalid};
use crate::access;
use crate::contest_view::View;
use crate::http::{App, HttpError, Result, bad_request, read_body, read_fields};
use crate::prints::print;
use axum::Json;
use axum::extract::{FromRequest, Request};
use axum::http::header;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

/// The body of a request, a form or JSON. Other fields are ignored.
#[derive(Deserialize)]
pub struct SentPrint {
    #[serde(rename = "original-name")]
    name: String,
    /// The file in base64.
    #[serde(rename = "file-contents")]
    content: String,
    /// The id of the contest; may be missing if the caller prints in one only.
    contest: Option<String>,
}

impl FromRequest<App> for SentPrint {
    type Rejection = HttpError;

    async fn from_request(request: Request, app: &App) -> Result<Self> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        if kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json")) {
            let body = read_body(request, app).await?;
            return serde_json::from_slice(&body).map_err(|e| invalid(&e));
        }
        let fields = read_fields(request, app).await?;
        Ok(SentPrint {
            name: fields
                .required("original-name", "original-name")?
                .to_owned(),
            content: fields
                .required("file-contents", "file-contents")?
                .to_owned(),
            contest: fields.owned("contest"),
        })
    }
}

pub fn post(app: &App, (by, sent): (Writer, SentPrint)) -> Result<Json<Value>> {
    let wrong = |e| bad_request(format!("`file-contents` is not in base64: {e}"));
    let content = BASE64_STANDARD.decode(&sent.content).map_err(wrong)?;
    let view = contest(app, &by, sent.contest.as_deref())?;
    // Clients send the path that their user gave.
    let name = sent.name.rsplit(['/', '\\']).next().unwrap_or_default();
    let pages = print(app, &view, name, &content)?;
    let output = format!(
        "{name} is printed: {}",
        judge_core::figures::plural(pages, "page")
    );
    Ok(Json(json!({"success": true, "output": output})))
}

/// The contest with this id, or the only one in which the caller may print.
fn contest<'a>(app: &'a App, by: &Writer, ext: Option<&str>) -> Result<View<'a>> {
    let viewer = by.caller.viewer;
    if let Some(ext) = ext {
        return View::open(app, viewer, ext);
    }
    let mut found = View::all(app, viewer)?;
    found.retain(|view| {
        access::prints(view.viewer, view.place(), view.now_ms)
            && view.contest.is_running(view.now_ms)
    });
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(bad_request("you take part in no contest that is running")),
        _ => Err(bad_request(
            "several contests are running; name one in `contest`",
        )),
    }
}
