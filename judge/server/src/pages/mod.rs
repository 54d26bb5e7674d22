//! Pages for people, on the components of `layout`. `access` decides what they show. Every page works
//! without JavaScript.
#![allow(clippy::needless_pass_by_value, reason = "handlers own what they get")]

mod account;
mod board;
mod board_query;
mod case_table;
pub(crate) mod clarifications;
pub(crate) mod confirm;
mod contest;
mod errors;
mod exports;
mod highlight;
mod live;
pub(crate) mod parts;
mod print;
mod problem;
mod problem_files;
mod problem_place;
mod problems;
mod scoreboard;
mod sign_in;
pub(crate) mod source;
mod statistics;
pub(crate) mod subject;
mod submission;
mod submission_live;
mod submissions;
mod submit_form;

pub(crate) use errors::error_page;
pub(crate) use sign_in::redirect as to_sign_in;

use crate::access::Action;
use crate::http::routes::{Routes, blocking};
use crate::http::{ANYBODY_LIMIT, App, Caller, Result, not_found};
use crate::layout::{self, Link, User};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{MethodRouter, get, post};
use maud::{Markup, html};

pub fn routes() -> Router<App> {
    all().router
}

/// The address of every page, with each method that it has.
pub fn addresses() -> Vec<(String, &'static str)> {
    all().addresses
}

fn all() -> Routes {
    let small = |handler: MethodRouter<App>| handler.layer(DefaultBodyLimit::max(ANYBODY_LIMIT));
    let edited = post(blocking(submit_form::highlight));
    let edited = edited.layer(DefaultBodyLimit::max(highlight::MAX_EDITED));
    Routes::default()
        .get("/", |_, (): ()| Ok(Redirect::to("/problems")))
        .get("/static/{name}", asset)
        .get("/account", account::shown)
        .post("/account/password", account::change_password)
        .post("/account/sessions/end-others", account::end_others)
        .post("/account/tokens", account::add_token)
        .post("/account/tokens/remove", account::remove_token)
        .get("/contests", contest::list)
        .get("/contests/{contest}", contest::overview)
        .get("/contests/{contest}/clarifications", clarifications::list)
        .post("/contests/{contest}/clarifications", clarifications::send)
        .get("/contests/{contest}/problems/{label}", problem::in_contest)
        .post(
            "/contests/{contest}/problems/{label}/submit",
            submit_form::in_contest,
        )
        .get("/contests/{contest}/print", print::form)
        .post("/contests/{contest}/print", print::send)
        .get("/contests/{contest}/results.tsv", exports::results)
        .get("/contests/{contest}/scoreboard", scoreboard::shown)
        .get("/contests/{contest}/scoreboard.csv", exports::csv)
        .get("/contests/{contest}/scoreboard.zip", exports::archive)
        .add(
            "GET",
            "/contests/{contest}/scoreboard/live",
            get(scoreboard::live),
        )
        .get("/contests/{contest}/standings.csv", exports::standings_form)
        .get("/contests/{contest}/statistics", statistics::shown)
        .add("POST", "/highlight", edited)
        .add("GET", "/live", get(live::live))
        .get("/problems", problems::list)
        .get("/problems/{problem}", problem::for_practice)
        .get(
            "/problems/{problem}/attachments/{name}",
            problem_files::attachment,
        )
        .get(
            "/problems/{problem}/images/{language}/{name}",
            problem_files::image,
        )
        .get(
            "/problems/{problem}/statement/{language}",
            problem_files::document,
        )
        .post("/problems/{problem}/submit", submit_form::for_practice)
        .get("/sign-in", sign_in::form)
        .add("POST", "/sign-in", small(post(blocking(sign_in::sign_in))))
        .get("/sign-in/{secret}", sign_in::link)
        .post("/sign-in/{secret}", sign_in::use_link)
        .add(
            "POST",
            "/sign-out",
            small(post(blocking(sign_in::sign_out))),
        )
        .get("/submissions", submissions::own)
        .get("/submissions/{id}", submission::shown)
        .add("GET", "/submissions/{id}/live", get(submission_live::live))
}

/// A whole page of the area with the address `area`; `title` is its heading.
pub fn page(caller: &Caller, area: &str, title: &str, body: &Markup) -> Markup {
    let mut links = vec![("Problems", "/problems"), ("Contests", "/contests")];
    if caller.user.is_some() {
        links.push(("Your submissions", "/submissions"));
    }
    if caller.may_somewhere(Action::SeeDeliveries) {
        links.push(("Jury", "/jury"));
    }
    framed(caller, &links, area, title, body)
}

/// A whole page with these links (text and address) to areas; `area` is the current one.
pub(crate) fn framed(
    caller: &Caller,
    links: &[(&str, &str)],
    area: &str,
    title: &str,
    body: &Markup,
) -> Markup {
    let links = links.iter().map(|(text, href)| Link {
        text,
        href,
        current: *href == area,
    });
    let links: Vec<Link<'_>> = links.collect();
    let user = caller.user.as_ref().map(|user| User {
        name: user.shown_name(),
        csrf_token: caller.csrf.as_deref().unwrap_or_default(),
    });
    layout::page(title, &links, user, &html! { h1 { (title) } (body) })
}

/// A static file. It is cached forever, because its name contains its hash.
fn asset(_: &App, (uri, headers): (Uri, HeaderMap)) -> Result<Response> {
    let gone = || not_found("there is no such file");
    let asset = layout::asset(uri.path()).ok_or_else(gone)?;
    let etag = format!("\"{}\"", asset.path);
    let known = headers.get(header::IF_NONE_MATCH);
    if known.is_some_and(|known| known.as_bytes() == etag.as_bytes()) {
        return Ok(StatusCode::NOT_MODIFIED.into_response());
    }
    let headers = [
        (header::CONTENT_TYPE, asset.mime),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::ETAG, etag.as_str()),
    ];
    Ok((headers, asset.content).into_response())
}
