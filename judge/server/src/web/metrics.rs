//! `/metrics`, and what is measured of every request.

use super::held::Held;
use crate::access;
use crate::http::client::Client;
use crate::http::{App, Caller, Result, forbidden, internal, sign_in};
use crate::metrics::{Counted, METRICS};
use crate::queue::Priority;
use crate::store::now_ms;
use axum::Extension;
use axum::body::Body;
use axum::extract::{MatchedPath, Request};
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::time::Instant;

/// The metrics, for an admin or a process of this machine.
pub fn show(
    app: &App,
    (client, caller): (Option<Extension<Client>>, Caller),
) -> Result<impl IntoResponse + use<>> {
    let is_admin = access::manages(caller.viewer);
    if !is_admin && !client.is_some_and(|Extension(client)| client.is_local()) {
        return Err(match caller.user {
            None => sign_in(),
            Some(_) => forbidden("only an admin may do this"),
        });
    }
    read_queue(app)?;
    read_fleet(app);
    let text = METRICS.text().map_err(internal)?;
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind)], text))
}

/// Sets the figures of the queue.
fn read_queue(app: &App) -> Result<()> {
    let counts = app.queue.counts()?;
    METRICS.leased.set(counts.leased as i64);
    METRICS.parked.set(counts.parked as i64);
    let now = now_ms();
    for (priority, backlog) in Priority::ALL.iter().zip(app.queue.backlog()?) {
        let label = [("priority", priority.word())];
        METRICS
            .waiting
            .get_or_create(&label)
            .set(backlog.units as i64);
        let age_ms = backlog.since_ms.map_or(0, |since| now - since);
        METRICS.oldest.get_or_create(&label).set(age_ms / 1000);
    }
    Ok(())
}

/// Sets the figures of the workers on NATS.
fn read_fleet(app: &App) {
    METRICS.worker_units.clear();
    for worker in app.fleet.workers() {
        let labels = [
            ("name", worker.name),
            ("machine", worker.machine),
            ("version", worker.version),
        ];
        // Two processes may have one name.
        let gauge = METRICS.worker_units.get_or_create(&labels);
        gauge.inc_by(worker.doing.len() as i64);
    }
}

/// Counts a request and measures the time until the head of its response; counts open event streams.
pub async fn track(request: Request, next: Next) -> Response {
    let start = Instant::now();
    let path = request.extensions().get::<MatchedPath>();
    let route = class(request.method(), path.map_or("", MatchedPath::as_str));
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let client = request
        .extensions()
        .get::<Client>()
        .map(|client| client.address);
    let response = next.run(request).await;
    let status = response.status();
    let took = start.elapsed().as_secs_f64();
    let of_hundred = match status.as_u16() / 100 {
        1 => "1xx",
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    };
    let labels = [("route", route), ("status", of_hundred)];
    METRICS.requests.get_or_create(&labels).inc();
    METRICS
        .latency
        .get_or_create(&[("route", route)])
        .observe(took);
    // Without the query and without sign-in links, which are secrets.
    let path = match route {
        "sign-in" => "/sign-in",
        _ => uri.path(),
    };
    tracing::debug!(%method, path, status = status.as_u16(), seconds = took, ?client, "request");
    if route == "events" && status.is_success() {
        let listening = Counted::new(&METRICS.listeners);
        return response.map(|body| Body::new(Held::new(body, listening)));
    }
    response
}

/// The class of a route: few values, however many routes there are.
fn class(method: &Method, path: &str) -> &'static str {
    match path {
        "/healthz" | "/metrics" => "operation",
        "" => "none",
        _ if path.starts_with("/static/") => "static",
        _ if path.starts_with("/sign-") => "sign-in",
        _ if path.ends_with("/live") || path.ends_with("/event-feed") => "events",
        _ if method == Method::POST
            && (path.ends_with("/submit") || path.ends_with("/submissions")) =>
        {
            "submit"
        }
        _ if path.starts_with("/api") => "api",
        _ if path.starts_with("/jury") => "jury",
        _ => "page",
    }
}
