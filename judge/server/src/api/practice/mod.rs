//! The server's own endpoints: problems, samples, submissions and their verdicts as they come.
//! `openapi.json` describes them, and a test compares the two.

mod problems;
mod submissions;

use crate::http::App;
use crate::http::routes::Routes;
use axum::Router;
use axum::http::header;
use axum::routing::get;

/// The description of the endpoints, OpenAPI 3.1.
pub const OPENAPI: &str = include_str!("openapi.json");

fn all() -> Routes {
    Routes::default()
        .get("/api/openapi.json", |_, (): ()| {
            Ok(([(header::CONTENT_TYPE, "application/json")], OPENAPI))
        })
        .get("/api/practice/languages", problems::languages)
        .get("/api/practice/problems", problems::list)
        .get("/api/practice/problems/{problem}", problems::get)
        .get(
            "/api/practice/problems/{problem}/statement",
            problems::statement,
        )
        .get(
            "/api/practice/problems/{problem}/samples",
            problems::samples,
        )
        .get("/api/practice/submissions", submissions::list)
        .post("/api/practice/submissions", submissions::post)
        .get("/api/practice/submissions/{submission}", submissions::get)
        .add(
            "GET",
            "/api/practice/submissions/{submission}/events",
            get(submissions::events),
        )
}

/// All addresses, each with a method that it has.
pub fn addresses() -> Vec<(String, &'static str)> {
    all().addresses
}

/// All endpoints.
pub(crate) fn routes() -> Router<App> {
    all().router
}
