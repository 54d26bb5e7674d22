//! Pages for the jury and for admins. Everything works without JavaScript: links, and forms that post
//! and lead to a page.
//!
//! Every handler takes `Jury`, `Admin`, or a form or upload of one of them, which check the role first.
//! [`addresses`] lists all of them, so that a test can show that other roles are refused.
#![allow(clippy::needless_pass_by_value, reason = "handlers own what they get")]

mod balloons;
mod circumstances;
mod clarifications;
mod compare;
mod contest;
mod contest_languages;
mod contests;
mod decision;
mod frame;
mod groups;
mod import;
mod length;
mod organizations;
mod packages;
mod paste;
mod queue;
mod rejudge;
mod rejudging;
mod removal;
mod sheet;
mod source;
mod submission;
mod submissions;
mod teams;
mod users;
mod verification;

use crate::http::routes::{Routes, blocking};
use crate::http::{App, Jury};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::response::Redirect;
use axum::routing;

fn all() -> Routes {
    let upload = routing::post(blocking(packages::upload));
    let upload = upload.layer(DefaultBodyLimit::max(packages::MAX_UPLOAD));
    let package = routing::post(blocking(import::add));
    let package = package.layer(DefaultBodyLimit::max(import::MAX_UPLOAD));
    Routes::default()
        .get("/jury", |_, _: Jury| Ok(Redirect::to("/jury/submissions")))
        .get("/jury/submissions", submissions::list)
        .get("/jury/submissions/{id}", submission::page)
        .post("/jury/submissions/{id}/ignored", decision::set_ignored)
        .post("/jury/submissions/{id}/verdict", decision::set_verdict)
        .post("/jury/submissions/{id}/verification", verification::change)
        .get("/jury/rejudgings", rejudge::list)
        .post("/jury/rejudgings", rejudge::add)
        .get("/jury/rejudgings/new", rejudge::form)
        .get("/jury/rejudgings/{id}", rejudging::page)
        .post("/jury/rejudgings/{id}/apply", rejudging::apply)
        .post("/jury/rejudgings/{id}/drop", rejudging::drop_it)
        .get("/jury/clarifications", clarifications::contests)
        .get("/jury/clarifications/{contest}", clarifications::list)
        .post("/jury/clarifications/{contest}", clarifications::announce)
        .post(
            "/jury/clarifications/{contest}/{id}/answer",
            clarifications::answer,
        )
        .post(
            "/jury/clarifications/{contest}/{id}/about",
            clarifications::change_subject,
        )
        .post(
            "/jury/clarifications/{contest}/{id}/note",
            clarifications::add_note,
        )
        .get("/jury/contests", contests::list)
        .post("/jury/contests", contests::add)
        .get("/jury/contests/{contest}", contest::page_of)
        .post("/jury/contests/{contest}", contests::save)
        .get("/jury/contests/{contest}/balloons", balloons::list)
        .post("/jury/contests/{contest}/balloons", balloons::deliver)
        .post("/jury/contests/{contest}/clock", contest::change_clock)
        .post("/jury/contests/{contest}/delete", contest::delete)
        .post("/jury/contests/{contest}/reopen", contest::reopen)
        .post(
            "/jury/contests/{contest}/penalty",
            circumstances::set_penalty,
        )
        .post(
            "/jury/contests/{contest}/removed-time",
            circumstances::remove_time,
        )
        .post(
            "/jury/contests/{contest}/languages",
            contest_languages::save,
        )
        .post("/jury/contests/{contest}/problems", contest::set_problems)
        .post("/jury/contests/{contest}/teams", contest::set_teams)
        .get("/jury/import", import::form)
        .add("POST", "/jury/import", package)
        .get("/jury/users", users::list)
        .post("/jury/users", users::add)
        .post("/jury/users/several", users::add_several)
        .post("/jury/users/{id}/password", users::set_password)
        .post("/jury/users/{id}/disabled", users::set_disabled)
        .post("/jury/users/{id}/delete", users::delete)
        .get("/jury/teams", teams::list)
        .post("/jury/teams", teams::add)
        .get("/jury/teams/{id}", teams::form)
        .post("/jury/teams/{id}", teams::save)
        .post("/jury/teams/{id}/delete", teams::delete)
        .get("/jury/organizations", organizations::list)
        .post("/jury/organizations", organizations::add)
        .get("/jury/organizations/{id}", organizations::form)
        .post("/jury/organizations/{id}", organizations::save)
        .get("/jury/organizations/{id}/logo", organizations::logo)
        .post("/jury/organizations/{id}/logo", organizations::set_logo)
        .post(
            "/jury/organizations/{id}/logo/remove",
            organizations::remove_logo,
        )
        .get("/jury/groups", groups::list)
        .post("/jury/groups", groups::add)
        .get("/jury/groups/{id}", groups::form)
        .post("/jury/groups/{id}", groups::save)
        .get("/jury/packages", packages::list)
        .add("POST", "/jury/packages", upload)
        .post("/jury/packages/practice-data", packages::set_practice_data)
        .get("/jury/packages/{problem}", packages::versions)
        .post("/jury/packages/{problem}/version", packages::use_version)
        .post("/jury/packages/{problem}/limits", packages::set_limits)
        .post("/jury/packages/{problem}/delete", packages::delete)
        .get("/jury/uploads/{id}", packages::show)
        .post("/jury/uploads/{id}/publish", packages::publish)
        .get("/jury/queue", queue::show)
        .post("/jury/queue/retry", queue::retry)
        .post("/jury/queue/pause", queue::pause)
        .post("/jury/queue/resume", queue::resume)
}

/// All pages of the jury.
pub(crate) fn routes() -> Router<App> {
    all().router
}

/// The address of every page of the jury, with each method that it has.
pub fn addresses() -> Vec<(String, &'static str)> {
    all().addresses
}
