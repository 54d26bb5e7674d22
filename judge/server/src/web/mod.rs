//! The web server: all routes, what every response has, and listening.

mod connections;
mod error_body;
mod health;
mod held;
mod listen;
mod metrics;
mod security;
mod seldom;
mod serve;
mod unread;

pub(crate) use listen::{Listen, Tls};
pub(crate) use serve::serve;

use crate::http::routes::blocking;
use crate::http::{App, BODY_LIMIT, not_allowed, not_found};
use crate::{api, jury, pages};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::get;

/// The life of the stream of a live page, and of a response that its client does not read, in times that a connection may be
/// idle: 5 minutes.
const LIFE: u32 = 4;

/// The addresses of pages and endpoints, each with a method that it has; those of the jury are in [`jury::addresses`].
pub fn addresses() -> Vec<(String, &'static str)> {
    [pages::addresses(), api::addresses()].concat()
}

/// All routes. Has to be called in a runtime, where it starts the tasks of the event feed.
pub fn router(app: App) -> Router {
    api::start(&app);
    let routes = Router::new()
        .route("/healthz", get(blocking(health::health)))
        .route("/metrics", get(blocking(metrics::show)))
        .merge(pages::routes())
        .merge(jury::routes())
        .merge(api::routes(&app))
        .fallback(|| async { not_found("there is no such page") })
        .method_not_allowed_fallback(|| async { not_allowed() })
        .layer(DefaultBodyLimit::max(BODY_LIMIT));
    security::layers(routes, &app).with_state(app)
}
