//! The server's own endpoints: problems, samples, submissions and their verdicts as they come.
//! `openapi.json` describes them, and a test compares the two.

mod problems;
mod submissions;

use crate::http::App;
use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::{MethodRouter, get};

/// The description of the endpoints, OpenAPI 3.1.
pub const OPENAPI: &str = include_str!("openapi.json");

/// An address, the methods that it has, and its handlers.
type Route = (&'static str, &'static [&'static str], MethodRouter<App>);

const GET: &[&str] = &["get"];

fn table() -> Vec<Route> {
    vec![
        ("/api/openapi.json", GET, get(openapi)),
        ("/api/practice/languages", GET, get(problems::languages)),
        ("/api/practice/problems", GET, get(problems::list)),
        ("/api/practice/problems/{problem}", GET, get(problems::get)),
        (
            "/api/practice/problems/{problem}/statement",
            GET,
            get(problems::statement),
        ),
        (
            "/api/practice/problems/{problem}/samples",
            GET,
            get(problems::samples),
        ),
        (
            "/api/practice/submissions",
            &["get", "post"],
            get(submissions::list).post(submissions::post),
        ),
        (
            "/api/practice/submissions/{submission}",
            GET,
            get(submissions::get),
        ),
        (
            "/api/practice/submissions/{submission}/events",
            GET,
            get(submissions::events),
        ),
    ]
}

/// All addresses with their methods, in lower case.
pub fn addresses() -> Vec<(&'static str, &'static [&'static str])> {
    let addresses = table()
        .into_iter()
        .map(|(path, methods, _)| (path, methods));
    addresses.collect()
}

/// All endpoints.
pub(crate) fn routes() -> Router<App> {
    let add = |router: Router<App>, (path, _, handlers): Route| router.route(path, handlers);
    table().into_iter().fold(Router::new(), add)
}

async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
}
