//! The HTTP interface for programs: the ICPC Contest API under `/api` and `/api/v4`, its older versions under addresses such as
//! `/api/2023-06`, and the server's own endpoints for practice.
#![allow(clippy::needless_pass_by_value, reason = "handlers own what they get")]

mod clarifications;
mod collections;
mod commentary;
mod contests;
mod feed;
mod files;
pub mod practice;
mod printing;
mod submissions;
mod versions;

pub(crate) use feed::start;

use crate::access;
use crate::contest_api::{ApiInformation, ApiVersion, ObjectType, Provider, RelTime, Time};
use crate::contest_view::View;
use crate::http::routes::{Routes, blocking};
use crate::http::{App, Caller, HttpError, Result, SignedIn, bad_request, conflict, forbidden};
use crate::store::{SubmissionId, User};
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Redirect};
use axum::routing::{get, patch, put};
use axum::{Json, Router};
use collections::{collection, object};
use serde_json::Value;
use tower_http::set_header::SetResponseHeaderLayer;

/// All endpoints.
pub(crate) fn routes(app: &App) -> Router<App> {
    // Clients of DOMjudge may use its versioned addresses.
    let newest = Router::new()
        .merge(contest_api("/api").router)
        .merge(contest_api("/api/v4").router);
    let versions = ApiVersion::ALL.iter().copied();
    let older = versions.filter(|version| *version < ApiVersion::NEWEST);
    older
        .fold(newest, |all, version| all.merge(older_api(app, version)))
        .merge(practice::routes())
        // DOMjudge's client prints this address.
        .route("/team/submission/{id}", get(submission_page))
        .layer(SetResponseHeaderLayer::if_not_present(
            header::ACCESS_CONTROL_ALLOW_ORIGIN,
            HeaderValue::from_static("*"),
        ))
}

type OfContest = (Caller, Path<String>);

/// The address of every endpoint, with each method that it has.
pub fn addresses() -> Vec<(String, &'static str)> {
    let mut addresses = contest_api("/api").addresses;
    addresses.extend(practice::addresses());
    addresses
}

/// The Contest API in an older version.
fn older_api(app: &App, version: ApiVersion) -> Router<App> {
    let base = versions::base(version);
    let mut routes = contest_api(&base);
    let persons = ObjectType::Persons;
    if let Some(name) = version
        .type_name(persons)
        .filter(|name| *name != persons.word())
    {
        let path = format!("{base}/contests/{{contest}}/{name}");
        routes = routes
            .get(&path, |app, of| collection(app, of, ObjectType::Persons))
            .get(&format!("{path}/{{id}}"), |app, of| {
                object(app, of, ObjectType::Persons)
            });
    }
    let change = from_fn_with_state((app.clone(), version), versions::change);
    routes.router.route_layer(change)
}

fn contest_api(base: &str) -> Routes {
    fn view<'a>(app: &'a App, (caller, Path(contest)): &OfContest) -> Result<View<'a>> {
        View::open(app, caller.viewer, contest)
    }
    let at = |path: &str| format!("{base}/contests/{{contest}}{path}");
    Routes::default()
        .get(base, information)
        .get(&format!("{base}/"), information)
        .get(&format!("{base}/contests"), contests::list)
        .get(&at(""), |app, of: OfContest| {
            Ok(Json(view(app, &of)?.contest()?))
        })
        .add("PATCH", &at(""), patch(blocking(contests::patch)))
        .get(&at("/access"), |app, of: OfContest| {
            Ok(Json(view(app, &of)?.access()?))
        })
        .get(&at("/account"), contests::account)
        .get(&at("/state"), |app, of: OfContest| {
            Ok(Json(view(app, &of)?.state()?))
        })
        .get(&at("/scoreboard"), contests::scoreboard)
        .add("GET", &at("/event-feed"), get(feed::event_feed))
        .get(&at("/submissions"), |app, of| {
            collection(app, of, ObjectType::Submissions)
        })
        .post(&at("/submissions"), submissions::post)
        .get(&at("/submissions/{id}"), |app, of| {
            object(app, of, ObjectType::Submissions)
        })
        .add(
            "PUT",
            &at("/submissions/{id}"),
            put(blocking(submissions::put)),
        )
        .get(&at("/submissions/{id}/files"), files::sources)
        .get(&at("/organizations/{id}/logo"), files::logo)
        .get(&at("/problems/{id}/statement"), files::statement)
        .get(&at("/problems/{id}/attachments/{name}"), files::attachment)
        .get(&at("/clarifications"), |app, of| {
            collection(app, of, ObjectType::Clarifications)
        })
        .post(&at("/clarifications"), clarifications::post)
        .get(&at("/clarifications/{id}"), |app, of| {
            object(app, of, ObjectType::Clarifications)
        })
        .add(
            "PUT",
            &at("/clarifications/{id}"),
            put(blocking(clarifications::put)),
        )
        .get(&at("/commentary"), |app, of| {
            collection(app, of, ObjectType::Commentary)
        })
        .post(&at("/commentary"), commentary::post)
        .post(&format!("{base}/printing/team"), printing::post)
        .get(&at("/{kind}"), collections::list)
        .get(&at("/{kind}/{id}"), collections::get)
}

async fn submission_page(Path(id): Path<SubmissionId>) -> Redirect {
    Redirect::permanent(&format!("/submissions/{id}"))
}

fn information(_: &App, (): ()) -> Result<Json<ApiInformation>> {
    Ok(Json(ApiInformation {
        version: ApiVersion::NEWEST.word().to_owned(),
        version_url: ApiVersion::NEWEST.url(),
        provider: Some(Provider {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    }))
}

/// A body that is not JSON of the right form.
fn invalid(error: &serde_json::Error) -> HttpError {
    bad_request(format!("the body is invalid: {error}"))
}

/// A user who changes something. A browser that sends its cookie has to send the secret of its session as well.
pub struct Writer {
    caller: Caller,
    user: User,
}

impl FromRequestParts<App> for Writer {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let SignedIn { caller, user } = SignedIn::from_request_parts(parts, app).await?;
        let sent = parts.headers.get("x-csrf-token");
        let sent = sent.and_then(|value| value.to_str().ok());
        caller.check_csrf(sent.unwrap_or_default())?;
        Ok(Writer { caller, user })
    }
}

/// A writer who may choose the id of an object; refused before the body is read.
pub struct Chooser(Writer);

impl FromRequestParts<App> for Chooser {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let by = Writer::from_request_parts(parts, app).await?;
        if !access::acts_for_teams(by.caller.viewer) {
            return Err(forbidden("only admins choose the id; use POST"));
        }
        Ok(Chooser(by))
    }
}

/// Refuses the id of an object that is sent by POST.
fn without_id(id: Option<&String>) -> Result<()> {
    match id {
        Some(_) => Err(bad_request(
            "`id` is given by the server; use PUT to choose one",
        )),
        None => Ok(()),
    }
}

/// Checks that the id of an object that is sent by PUT is that of the address.
fn with_id(id: Option<&String>, of_address: &String) -> Result<()> {
    match id == Some(of_address) {
        true => Ok(()),
        false => {
            let id = id.map_or("", String::as_str);
            Err(conflict(format!("`id` is {id:?}, not {of_address:?}")))
        }
    }
}

/// Checks the times of an object: only admins give one, which is no contest time.
fn may_give_times(
    view: &View<'_>,
    time: Option<Time>,
    contest_time: Option<RelTime>,
) -> Result<()> {
    if contest_time.is_some() {
        return Err(bad_request(
            "`contest_time` follows from `time`; leave it out",
        ));
    }
    if time.is_some() && !access::acts_for_teams(view.viewer) {
        return Err(bad_request("`time` is given by the server"));
    }
    Ok(())
}

/// The number of an object that the caller chose.
fn number(id: &str) -> Result<i64> {
    let number = id.parse().ok();
    let number = number.filter(|id| (1..=i64::from(u32::MAX)).contains(id));
    number.ok_or_else(|| {
        bad_request("`id` has to be a number from 1 to 4294967295 that is not in use")
    })
}

/// The response to a request that created an object; `location` is relative to the base.
fn created(location: &str, object: Value) -> impl IntoResponse + use<> {
    let location = [(header::LOCATION, format!("/api/{location}"))];
    (StatusCode::CREATED, location, Json(object))
}
