//! Pages for the jury and for admins. Everything works without JavaScript: links, and forms that post
//! and lead to a page.
//!
//! Every handler takes `Jury`, `Admin` or a form of
//! `form`, which check the role first. [`addresses`] lists all of them, so that a test can show
//! that other roles are refused.

mod balloons;
mod clarifications;
mod compare;
mod contest;
mod contests;
mod form;
mod frame;
mod import;
mod packages;
mod paste;
mod queue;
mod rejudge;
mod rejudging;
mod sheet;
mod source;
mod submission;
mod submissions;
mod teams;
mod upload;
mod users;

use crate::http::App;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::response::Redirect;
use axum::routing::{MethodRouter, get, post};

/// An address, the methods that it has, and its handlers.
type Route = (&'static str, &'static [&'static str], MethodRouter<App>);

const GET: &[&str] = &["GET"];
const POST: &[&str] = &["POST"];
const BOTH: &[&str] = &["GET", "POST"];

fn table() -> Vec<Route> {
    vec![
        (
            "/jury",
            GET,
            get(|_: crate::http::Jury| async { Redirect::to("/jury/submissions") }),
        ),
        ("/jury/submissions", GET, get(submissions::list)),
        ("/jury/submissions/{id}", GET, get(submission::page)),
        (
            "/jury/rejudgings",
            BOTH,
            get(rejudge::list).post(rejudge::add),
        ),
        ("/jury/rejudgings/new", GET, get(rejudge::form)),
        ("/jury/rejudgings/{id}", GET, get(rejudging::page)),
        ("/jury/rejudgings/{id}/apply", POST, post(rejudging::apply)),
        ("/jury/rejudgings/{id}/drop", POST, post(rejudging::drop_it)),
        ("/jury/clarifications", GET, get(clarifications::contests)),
        (
            "/jury/clarifications/{contest}",
            BOTH,
            get(clarifications::list).post(clarifications::announce),
        ),
        (
            "/jury/clarifications/{contest}/{id}/answer",
            POST,
            post(clarifications::answer),
        ),
        (
            "/jury/contests/{contest}/balloons",
            BOTH,
            get(balloons::list).post(balloons::deliver),
        ),
        (
            "/jury/contests",
            BOTH,
            get(contests::list).post(contests::add),
        ),
        (
            "/jury/contests/{contest}",
            BOTH,
            get(contest::page_of).post(contests::save),
        ),
        (
            "/jury/contests/{contest}/clock",
            POST,
            post(contest::change_clock),
        ),
        (
            "/jury/contests/{contest}/problems",
            POST,
            post(contest::set_problems),
        ),
        (
            "/jury/contests/{contest}/teams",
            POST,
            post(contest::set_teams),
        ),
        ("/jury/import", BOTH, get(import::form).post(import::add)),
        ("/jury/users", BOTH, get(users::list).post(users::add)),
        ("/jury/users/several", POST, post(users::add_several)),
        ("/jury/users/{id}/password", POST, post(users::set_password)),
        ("/jury/users/{id}/disabled", POST, post(users::set_disabled)),
        ("/jury/teams", BOTH, get(teams::list).post(teams::put)),
        (
            "/jury/packages",
            BOTH,
            get(packages::list)
                .post(packages::upload)
                .layer(DefaultBodyLimit::max(packages::LARGEST)),
        ),
        (
            "/jury/packages/practice-data",
            POST,
            post(packages::set_practice_data),
        ),
        ("/jury/packages/{problem}", GET, get(packages::versions)),
        ("/jury/uploads/{id}", GET, get(packages::show)),
        ("/jury/uploads/{id}/publish", POST, post(packages::publish)),
        ("/jury/queue", GET, get(queue::show)),
        ("/jury/queue/retry", POST, post(queue::retry)),
    ]
}

/// All pages of the jury.
pub(crate) fn routes() -> Router<App> {
    let add = |router: Router<App>, (path, _, handlers): Route| router.route(path, handlers);
    table().into_iter().fold(Router::new(), add)
}

/// The address and the methods of every page of the jury.
pub fn addresses() -> Vec<(&'static str, &'static [&'static str])> {
    let address = |(path, methods, _): Route| (path, methods);
    table().into_iter().map(address).collect()
}
