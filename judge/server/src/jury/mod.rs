//! Pages for the jury and for admins. Everything works without JavaScript: links, and forms that post
//! and lead to a page.
//!
//! Every handler takes `Jury`, or a form or upload of it, which first checks the rule of the route.
//! [`addresses`] lists all of them, so that a test can show that other roles are refused.
#![allow(clippy::needless_pass_by_value, reason = "handlers own what they get")]

mod balloons;
mod case_files;
mod circumstances;
mod clarifications;
mod compare;
mod contest;
mod contest_clock;
mod contest_languages;
mod contest_roles;
mod contests;
mod decision;
mod frame;
mod groups;
mod import;
mod length;
mod organizations;
mod packages;
mod paste;
mod prints;
mod queue;
mod rejudge;
mod rejudging;
mod removal;
mod reveal;
mod run_again;
mod sheet;
mod source;
mod submission;
mod submissions;
mod teams;
mod uploads;
mod users;
mod verification;

use crate::access::Action;
use crate::http::routes::{Routes, blocking};
use crate::http::{App, Jury, Of, Result, Rule};
use axum::response::Redirect;
use axum::routing::post;
use axum::{Extension, Router};

/// Groups of pages, each with the rule that [`Jury`] checks.
fn all() -> Vec<(Rule, Routes)> {
    use Action::{Deliver, Judge, Manage, Operate, SeeAll, SeeDeliveries};
    use Of::{Contest, Rejudging, Server, SomeContest, Submission};
    let rule = |action, of| Rule { action, of };
    let upload = post(blocking(uploads::upload));
    let upload = uploads::MAX_UPLOAD.of(upload);
    let package = post(blocking(import::add));
    let package = import::MAX_UPLOAD.of(package);
    vec![
        (
            rule(SeeDeliveries, SomeContest),
            Routes::default()
                .get("/jury", first)
                .get("/jury/balloons", balloons::contests),
        ),
        (
            rule(SeeDeliveries, Contest),
            Routes::default()
                .get("/jury/contests/{contest}/balloons", balloons::list)
                .get("/jury/contests/{contest}/prints", prints::list),
        ),
        (
            rule(Deliver, Contest),
            Routes::default()
                .post("/jury/contests/{contest}/balloons", balloons::deliver)
                .post("/jury/contests/{contest}/prints", prints::again),
        ),
        (
            rule(SeeAll, SomeContest),
            Routes::default()
                .get("/jury/submissions", submissions::list)
                .get("/jury/rejudgings", rejudge::list)
                .get("/jury/clarifications", clarifications::contests),
        ),
        (
            rule(SeeAll, Submission),
            Routes::default()
                .get("/jury/submissions/{id}", submission::page)
                .get("/jury/submissions/{id}/source", source::archive)
                .get(
                    "/jury/submissions/{id}/judgings/{judging}/cases/{case}/{file}",
                    case_files::send,
                ),
        ),
        (
            rule(SeeAll, Rejudging),
            Routes::default().get("/jury/rejudgings/{id}", rejudging::page),
        ),
        (
            rule(SeeAll, Contest),
            Routes::default().get("/jury/clarifications/{contest}", clarifications::list),
        ),
        (
            rule(Judge, SomeContest),
            Routes::default()
                .post("/jury/rejudgings", rejudge::add)
                .get("/jury/rejudgings/new", rejudge::form),
        ),
        (
            rule(Judge, Submission),
            Routes::default()
                .post("/jury/submissions/{id}/ignored", decision::set_ignored)
                .post("/jury/submissions/{id}/verdict", decision::set_verdict)
                .post(
                    "/jury/submissions/{id}/judgings/{judging}/again",
                    run_again::run,
                )
                .post("/jury/submissions/{id}/verification", verification::change),
        ),
        (
            rule(Judge, Rejudging),
            Routes::default()
                .post("/jury/rejudgings/{id}/apply", rejudging::apply)
                .post("/jury/rejudgings/{id}/drop", rejudging::drop_it),
        ),
        (
            rule(Judge, Contest),
            Routes::default()
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
                ),
        ),
        (
            rule(Operate, Server),
            Routes::default()
                .get("/jury/packages", packages::list)
                .get("/jury/packages/{problem}", packages::versions)
                .get("/jury/uploads/{id}", uploads::show)
                .get("/jury/queue", queue::show)
                .post("/jury/queue/retry", queue::retry)
                .post("/jury/queue/pause", queue::pause)
                .post("/jury/queue/resume", queue::resume),
        ),
        (
            rule(Manage, Server),
            Routes::default()
                .get("/jury/contests", contests::list)
                .post("/jury/contests", contests::add)
                .get("/jury/contests/{contest}", contest::page_of)
                .post("/jury/contests/{contest}", contests::save)
                .post("/jury/contests/{contest}/clock", contest_clock::change)
                .post("/jury/contests/{contest}/delete", contest::delete)
                .post("/jury/contests/{contest}/reopen", contest_clock::reopen)
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
                .post("/jury/contests/{contest}/roles", contest_roles::set)
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
                .add("POST", "/jury/packages", upload)
                .post("/jury/packages/practice-data", packages::set_practice_data)
                .post("/jury/packages/{problem}/version", packages::use_version)
                .post("/jury/packages/{problem}/limits", packages::set_limits)
                .post("/jury/packages/{problem}/delete", packages::delete)
                .post("/jury/uploads/{id}/publish", uploads::publish),
        ),
    ]
}

/// `GET /jury`: leads to the first page that the caller may see.
fn first(_: &App, jury: Jury) -> Result<Redirect> {
    Ok(Redirect::to(
        match jury.caller.may_somewhere(Action::SeeAll) {
            true => "/jury/submissions",
            false => "/jury/balloons",
        },
    ))
}

/// All pages of the jury.
pub(crate) fn routes() -> Router<App> {
    let groups = all().into_iter();
    groups.fold(Router::new(), |pages, (rule, routes)| {
        pages.merge(routes.router.route_layer(Extension(rule)))
    })
}

/// The address of every page of the jury, with each method that it has, and its rule.
pub fn addresses() -> Vec<(String, &'static str, Rule)> {
    let groups = all().into_iter();
    let addresses = groups.flat_map(|(rule, routes)| {
        let own = routes.addresses.into_iter();
        own.map(move |(address, method)| (address, method, rule))
    });
    addresses.collect()
}
