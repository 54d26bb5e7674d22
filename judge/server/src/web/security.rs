//! Headers and limits that every response has.

use super::connections::PerAddress;
use super::{LIFE, error_body, unread};
use crate::http::App;
use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::set_header::SetResponseHeaderLayer;

/// No script or style inside pages, nothing from other sites, frames only for PDF documents.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      font-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'none'";

/// Adds them to the routes.
pub fn layers(routes: Router<App>, app: &App) -> Router<App> {
    let header = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    // An encoder for each listener of the event feed would take more memory than all the rest.
    let compressed =
        DefaultPredicate::new().and(NotForContentType::const_new("application/x-ndjson"));
    let time = app.idle * LIFE;
    let memory = PerAddress::of_responses();
    let routes = routes
        .layer(middleware::from_fn_with_state(
            app.clone(),
            error_body::write,
        ))
        // Before the encoder, whose output has no known size.
        .layer(middleware::from_fn(move |request, next| {
            unread::bounded(time, memory.clone(), request, next)
        }))
        .layer(CompressionLayer::new().compress_when(compressed))
        .layer(header(header::CONTENT_SECURITY_POLICY, POLICY))
        .layer(header(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(header::REFERRER_POLICY, "same-origin"))
        .layer(header(header::CACHE_CONTROL, "no-store"));
    match app.secure {
        true => routes.layer(header(
            header::STRICT_TRANSPORT_SECURITY,
            "max-age=31536000",
        )),
        false => routes,
    }
}
