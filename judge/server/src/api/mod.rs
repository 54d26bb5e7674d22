//! What programs speak: the ICPC Contest API (version [`VERSION`]) under `/api` and
//! `/api/v4`, and the server's own endpoints for practice.

mod clarifications;
mod collections;
mod commentary;
mod contests;
mod feed;
mod files;
pub mod practice;
mod submissions;
pub(crate) mod view;

pub(crate) use feed::start;

use crate::contest_api::{ApiInformation, Id, Language, Provider, VERSION, VERSION_URL};
use crate::http::{App, Caller, HttpError, Result};
use crate::store::SubmissionId;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::Value;
use tower_http::set_header::SetResponseHeaderLayer;

/// All endpoints.
pub(crate) fn routes() -> Router<App> {
    // Clients of DOMjudge may use its versioned addresses.
    Router::new()
        .merge(contest_api("/api"))
        .merge(contest_api("/api/v4"))
        .merge(practice::routes())
        // DOMjudge's client prints this address.
        .route("/team/submission/{id}", get(submission_page))
        .layer(SetResponseHeaderLayer::if_not_present(
            header::ACCESS_CONTROL_ALLOW_ORIGIN,
            HeaderValue::from_static("*"),
        ))
}

fn contest_api(base: &str) -> Router<App> {
    let at = |path: &str| format!("{base}{path}");
    let of_contest = |path: &str| format!("{base}/contests/{{contest}}{path}");
    Router::new()
        .route(base, get(information))
        .route(&at("/"), get(information))
        .route(&at("/contests"), get(contests::list))
        .route(&of_contest(""), get(contests::get).patch(contests::patch))
        .route(&of_contest("/access"), get(contests::access))
        .route(&of_contest("/account"), get(contests::account))
        .route(&of_contest("/state"), get(contests::state))
        .route(&of_contest("/scoreboard"), get(contests::scoreboard))
        .route(&of_contest("/event-feed"), get(feed::event_feed))
        .route(
            &of_contest("/submissions"),
            get(submissions::list).post(submissions::post),
        )
        .route(
            &of_contest("/submissions/{id}"),
            get(submissions::get).put(submissions::put),
        )
        .route(&of_contest("/submissions/{id}/files"), get(files::sources))
        .route(
            &of_contest("/problems/{id}/statement"),
            get(files::statement),
        )
        .route(
            &of_contest("/problems/{id}/attachments/{name}"),
            get(files::attachment),
        )
        .route(
            &of_contest("/clarifications"),
            get(clarifications::list).post(clarifications::post),
        )
        .route(
            &of_contest("/commentary"),
            get(commentary::list).post(commentary::post),
        )
        .route(&of_contest("/{kind}"), get(collections::list))
        .route(&of_contest("/{kind}/{id}"), get(collections::get))
}

async fn submission_page(Path(id): Path<SubmissionId>) -> Redirect {
    Redirect::permanent(&format!("/submissions/{id}"))
}

async fn information() -> Json<ApiInformation> {
    Json(ApiInformation {
        version: VERSION.to_owned(),
        version_url: VERSION_URL.to_owned(),
        provider: Some(Provider {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            logo: None,
        }),
    })
}

/// The languages of the server. None requires an entry point: the judge finds it.
fn languages(app: &App) -> Result<Vec<Language>> {
    let language = |choice: crate::languages::Choice| {
        Ok(Language {
            id: Id::new(choice.code)?,
            name: choice.name,
            entry_point_required: false,
            entry_point_name: None,
            extensions: choice.extensions,
            compiler: None,
            runner: None,
        })
    };
    app.languages
        .allowed(None)
        .into_iter()
        .map(language)
        .collect()
}

/// A body that is not JSON of the right form.
fn invalid(error: &serde_json::Error) -> HttpError {
    HttpError::BadRequest(format!("the body is invalid: {error}"))
}

/// A browser that sends its cookie has to send the secret of its session as well.
fn check_csrf(caller: &Caller, headers: &HeaderMap) -> Result<()> {
    let sent = headers
        .get("x-csrf-token")
        .and_then(|value| value.to_str().ok());
    caller.check_csrf(sent.unwrap_or_default())
}

/// The response to a request that created an object; `location` is relative to the base.
fn created(location: &str, object: Value) -> impl IntoResponse + use<> {
    let location = [(header::LOCATION, format!("/api/{location}"))];
    (StatusCode::CREATED, location, Json(object))
}
