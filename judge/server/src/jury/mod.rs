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
use crate::http::{App, Jury, Result};
use crate::http::{Of, Rule};
use axum::extract::{DefaultBodyLimit, FromRequest};
use axum::response::{IntoResponse, Redirect};
use axum::routing::{self, MethodRouter};
use axum::{Extension, Router};

/// Routes, each with the rule that [`Jury`] checks.
#[derive(Default)]
struct Ruled {
    routes: Routes,
    rules: Vec<Rule>,
}

impl Ruled {
    fn get<X, R, M>(self, rule: Rule, path: &str, handler: fn(&App, X) -> Result<R>) -> Self
    where
        X: FromRequest<App, M> + Send + 'static,
        R: IntoResponse + Send + 'static,
        M: 'static,
    {
        self.add(rule, "GET", path, routing::get(blocking(handler)))
    }

    fn post<X, R, M>(self, rule: Rule, path: &str, handler: fn(&App, X) -> Result<R>) -> Self
    where
        X: FromRequest<App, M> + Send + 'static,
        R: IntoResponse + Send + 'static,
        M: 'static,
    {
        self.add(rule, "POST", path, routing::post(blocking(handler)))
    }

    fn add(
        mut self,
        rule: Rule,
        method: &'static str,
        path: &str,
        handler: MethodRouter<App>,
    ) -> Self {
        self.rules.push(rule);
        self.routes = self
            .routes
            .add(method, path, handler.layer(Extension(rule)));
        self
    }
}

fn rule(action: Action, of: Of) -> Rule {
    Rule { action, of }
}

fn all() -> Ruled {
    use Action::{Deliver, Judge, Manage, Operate, SeeAll, SeeDeliveries};
    use Of::{Contest, Rejudging, Server, SomeContest, Submission};
    let upload = routing::post(blocking(uploads::upload));
    let upload = upload.layer(DefaultBodyLimit::max(uploads::MAX_UPLOAD));
    let package = routing::post(blocking(import::add));
    let package = package.layer(DefaultBodyLimit::max(import::MAX_UPLOAD));
    Ruled::default()
        .get(
            rule(SeeDeliveries, SomeContest),
            "/jury",
            |_, jury: Jury| {
                let sees_all = jury.caller.may_somewhere(SeeAll);
                let first = if sees_all {
                    "/jury/submissions"
                } else {
                    "/jury/balloons"
                };
                Ok(Redirect::to(first))
            },
        )
        .get(
            rule(SeeDeliveries, SomeContest),
            "/jury/balloons",
            balloons::contests,
        )
        .get(
            rule(SeeAll, SomeContest),
            "/jury/submissions",
            submissions::list,
        )
        .get(
            rule(SeeAll, Submission),
            "/jury/submissions/{id}",
            submission::page,
        )
        .get(
            rule(SeeAll, Submission),
            "/jury/submissions/{id}/source",
            source::archive,
        )
        .get(
            rule(SeeAll, Submission),
            "/jury/submissions/{id}/judgings/{judging}/cases/{case}/{file}",
            case_files::send,
        )
        .post(
            rule(Judge, Submission),
            "/jury/submissions/{id}/ignored",
            decision::set_ignored,
        )
        .post(
            rule(Judge, Submission),
            "/jury/submissions/{id}/verdict",
            decision::set_verdict,
        )
        .post(
            rule(Judge, Submission),
            "/jury/submissions/{id}/verification",
            verification::change,
        )
        .get(rule(SeeAll, SomeContest), "/jury/rejudgings", rejudge::list)
        .post(rule(Judge, SomeContest), "/jury/rejudgings", rejudge::add)
        .get(
            rule(Judge, SomeContest),
            "/jury/rejudgings/new",
            rejudge::form,
        )
        .get(
            rule(SeeAll, Rejudging),
            "/jury/rejudgings/{id}",
            rejudging::page,
        )
        .post(
            rule(Judge, Rejudging),
            "/jury/rejudgings/{id}/apply",
            rejudging::apply,
        )
        .post(
            rule(Judge, Rejudging),
            "/jury/rejudgings/{id}/drop",
            rejudging::drop_it,
        )
        .get(
            rule(SeeAll, SomeContest),
            "/jury/clarifications",
            clarifications::contests,
        )
        .get(
            rule(SeeAll, Contest),
            "/jury/clarifications/{contest}",
            clarifications::list,
        )
        .post(
            rule(Judge, Contest),
            "/jury/clarifications/{contest}",
            clarifications::announce,
        )
        .post(
            rule(Judge, Contest),
            "/jury/clarifications/{contest}/{id}/answer",
            clarifications::answer,
        )
        .post(
            rule(Judge, Contest),
            "/jury/clarifications/{contest}/{id}/about",
            clarifications::change_subject,
        )
        .post(
            rule(Judge, Contest),
            "/jury/clarifications/{contest}/{id}/note",
            clarifications::add_note,
        )
        .get(rule(Manage, Server), "/jury/contests", contests::list)
        .post(rule(Manage, Server), "/jury/contests", contests::add)
        .get(
            rule(Manage, Server),
            "/jury/contests/{contest}",
            contest::page_of,
        )
        .post(
            rule(Manage, Server),
            "/jury/contests/{contest}",
            contests::save,
        )
        .get(
            rule(SeeDeliveries, Contest),
            "/jury/contests/{contest}/balloons",
            balloons::list,
        )
        .post(
            rule(Deliver, Contest),
            "/jury/contests/{contest}/balloons",
            balloons::deliver,
        )
        .get(
            rule(SeeDeliveries, Contest),
            "/jury/contests/{contest}/prints",
            prints::list,
        )
        .post(
            rule(Deliver, Contest),
            "/jury/contests/{contest}/prints",
            prints::again,
        )
        .post(
            rule(Manage, Server),
            "/jury/contests/{contest}/clock",
            contest::change_clock,
        )
        .post(
            rule(Manage, Server),
            "/jury/contests/{contest}/delete",
            contest::delete,
        )
        .post(
            rule(Manage, Server),
            "/jury/contests/{contest}/reopen",
            contest::reopen,
        )
        .post(
            rule(Manage, Server),
            "/jury/contests/{contest}/penalty",
            circumstances::set_penalty,
        )
        .post(
            rule(Manage, Server),
            "/jury/contests/{contest}/removed-time",
            circumstances::remove_time,
        )
        .post(
            rule(Manage, Server),
            "/jury/contests/{contest}/languages",
            contest_languages::save,
        )
        .post(
            rule(Manage, Server),
            "/jury/contests/{contest}/roles",
            contest_roles::set,
        )
        .post(
            rule(Manage, Server),
            "/jury/contests/{contest}/problems",
            contest::set_problems,
        )
        .post(
            rule(Manage, Server),
            "/jury/contests/{contest}/teams",
            contest::set_teams,
        )
        .get(rule(Manage, Server), "/jury/import", import::form)
        .add(rule(Manage, Server), "POST", "/jury/import", package)
        .get(rule(Manage, Server), "/jury/users", users::list)
        .post(rule(Manage, Server), "/jury/users", users::add)
        .post(
            rule(Manage, Server),
            "/jury/users/several",
            users::add_several,
        )
        .post(
            rule(Manage, Server),
            "/jury/users/{id}/password",
            users::set_password,
        )
        .post(
            rule(Manage, Server),
            "/jury/users/{id}/disabled",
            users::set_disabled,
        )
        .post(
            rule(Manage, Server),
            "/jury/users/{id}/delete",
            users::delete,
        )
        .get(rule(Manage, Server), "/jury/teams", teams::list)
        .post(rule(Manage, Server), "/jury/teams", teams::add)
        .get(rule(Manage, Server), "/jury/teams/{id}", teams::form)
        .post(rule(Manage, Server), "/jury/teams/{id}", teams::save)
        .post(
            rule(Manage, Server),
            "/jury/teams/{id}/delete",
            teams::delete,
        )
        .get(
            rule(Manage, Server),
            "/jury/organizations",
            organizations::list,
        )
        .post(
            rule(Manage, Server),
            "/jury/organizations",
            organizations::add,
        )
        .get(
            rule(Manage, Server),
            "/jury/organizations/{id}",
            organizations::form,
        )
        .post(
            rule(Manage, Server),
            "/jury/organizations/{id}",
            organizations::save,
        )
        .get(
            rule(Manage, Server),
            "/jury/organizations/{id}/logo",
            organizations::logo,
        )
        .post(
            rule(Manage, Server),
            "/jury/organizations/{id}/logo",
            organizations::set_logo,
        )
        .post(
            rule(Manage, Server),
            "/jury/organizations/{id}/logo/remove",
            organizations::remove_logo,
        )
        .get(rule(Manage, Server), "/jury/groups", groups::list)
        .post(rule(Manage, Server), "/jury/groups", groups::add)
        .get(rule(Manage, Server), "/jury/groups/{id}", groups::form)
        .post(rule(Manage, Server), "/jury/groups/{id}", groups::save)
        .get(rule(Operate, Server), "/jury/packages", packages::list)
        .add(rule(Manage, Server), "POST", "/jury/packages", upload)
        .post(
            rule(Manage, Server),
            "/jury/packages/practice-data",
            packages::set_practice_data,
        )
        .get(
            rule(Operate, Server),
            "/jury/packages/{problem}",
            packages::versions,
        )
        .post(
            rule(Manage, Server),
            "/jury/packages/{problem}/version",
            packages::use_version,
        )
        .post(
            rule(Manage, Server),
            "/jury/packages/{problem}/limits",
            packages::set_limits,
        )
        .post(
            rule(Manage, Server),
            "/jury/packages/{problem}/delete",
            packages::delete,
        )
        .get(rule(Operate, Server), "/jury/uploads/{id}", uploads::show)
        .post(
            rule(Manage, Server),
            "/jury/uploads/{id}/publish",
            uploads::publish,
        )
        .get(rule(Operate, Server), "/jury/queue", queue::show)
        .post(rule(Operate, Server), "/jury/queue/retry", queue::retry)
        .post(rule(Operate, Server), "/jury/queue/pause", queue::pause)
        .post(rule(Operate, Server), "/jury/queue/resume", queue::resume)
}

/// All pages of the jury.
pub(crate) fn routes() -> Router<App> {
    all().routes.router
}

/// The address of every page of the jury, with each method that it has, and its rule.
pub fn addresses() -> Vec<(String, &'static str, Rule)> {
    let Ruled { routes, rules } = all();
    let addresses = routes.addresses.into_iter().zip(rules);
    addresses
        .map(|((address, method), rule)| (address, method, rule))
        .collect()
}
