//! Pages for people, on the components of `layout`. `access` decides what they show. Every page works
//! without JavaScript.

mod account;
mod board;
mod case_table;
mod clarifications;
mod contest;
mod errors;
pub(crate) mod parts;
mod place;
mod problem;
mod problem_files;
mod problem_text;
mod problems;
mod scoreboard;
mod sign_in;
mod source;
mod submission;
mod submission_live;
mod submissions;
mod submit_form;

pub(crate) use errors::error_page;
pub(crate) use sign_in::redirect as to_sign_in;

use crate::http::{App, Caller};
use crate::layout::{self, Link, User};
use axum::Router;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use maud::{Markup, html};

/// A link of the main navigation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Section {
    /// Problems for practice.
    Problems,
    /// Contests and everything in them.
    Contests,
    /// Submissions of the user.
    Submissions,
    /// Pages of the jury.
    Jury,
    /// None of them.
    Other,
}

/// All pages.
pub fn routes() -> Router<App> {
    Router::new()
        .route("/", get(|| async { Redirect::to("/problems") }))
        .route("/static/{name}", get(asset))
        .merge(account::routes())
        .merge(clarifications::routes())
        .merge(contest::routes())
        .merge(problem::routes())
        .merge(problem_files::routes())
        .merge(problems::routes())
        .merge(scoreboard::routes())
        .merge(sign_in::routes())
        .merge(submission::routes())
        .merge(submission_live::routes())
        .merge(submissions::routes())
        .merge(submit_form::routes())
}

/// A whole page: navigation, `title` as its heading, `body`.
pub fn page(caller: &Caller, section: Section, title: &str, body: &Markup) -> Markup {
    let link = |text, href, own| Link {
        text,
        href,
        current: section == own,
    };
    let mut links = vec![
        link("Problems", "/problems", Section::Problems),
        link("Contests", "/contests", Section::Contests),
    ];
    if caller.user.is_some() {
        links.push(link(
            "Your submissions",
            "/submissions",
            Section::Submissions,
        ));
    }
    if caller.viewer.is_jury() {
        links.push(link("Jury", "/jury", Section::Jury));
    }
    let user = caller.user.as_ref().map(|user| User {
        name: user.display_name.as_deref().unwrap_or(&user.name),
        csrf_token: caller.csrf.as_deref().unwrap_or_default(),
    });
    let body = html! { h1 { (title) } (body) };
    layout::page(title, &links, user, &body)
}

/// A static file, which never changes: its name contains its hash.
async fn asset(uri: axum::http::Uri, headers: HeaderMap) -> Response {
    let Some(asset) = layout::asset(uri.path()) else {
        let what = "there is no such file".to_owned();
        return crate::http::HttpError::NotFound(what).into_response();
    };
    let etag = format!("\"{}\"", asset.path);
    if headers
        .get(header::IF_NONE_MATCH)
        .is_some_and(|known| known.as_bytes() == etag.as_bytes())
    {
        return axum::http::StatusCode::NOT_MODIFIED.into_response();
    }
    let headers = [
        (header::CONTENT_TYPE, asset.mime),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::ETAG, etag.as_str()),
    ];
    (headers, asset.content).into_response()
}
