//! Errors of handlers: a status and a message. `web` writes them as the client accepts.

use super::App;
use crate::contest_api::InvalidId;
use crate::packages;
use crate::queue::QueueError;
use crate::secret::Busy;
use crate::store;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::fmt::Display;

/// Why a request failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HttpError {
    pub status: StatusCode,
    /// The text for the client.
    pub message: String,
    /// A text that is logged and not sent.
    cause: Option<String>,
    /// The client may try again after these seconds.
    retry_after: Option<u64>,
}

impl HttpError {
    /// The text for the operator.
    pub(crate) fn into_text(self) -> String {
        self.cause.unwrap_or(self.message)
    }
}

/// The result of a handler.
pub type Result<T> = std::result::Result<T, HttpError>;

fn refused(status: StatusCode, message: impl Into<String>) -> HttpError {
    HttpError {
        status,
        message: message.into(),
        cause: None,
        retry_after: None,
    }
}

/// 400: the request is wrong.
pub fn bad_request(what: impl Into<String>) -> HttpError {
    refused(StatusCode::BAD_REQUEST, what)
}

/// 401: the caller is not signed in; a page redirects to the form for it.
pub fn sign_in() -> HttpError {
    refused(StatusCode::UNAUTHORIZED, "sign in first")
}

/// 403: the caller may not do this. For what the caller must not know to exist, use [`not_found`].
pub fn forbidden(what: impl Into<String>) -> HttpError {
    refused(StatusCode::FORBIDDEN, what)
}

/// 404: there is none, or none that the caller may know of.
pub fn not_found(what: impl Into<String>) -> HttpError {
    refused(StatusCode::NOT_FOUND, what)
}

/// 405: the address has no such method.
pub fn not_allowed() -> HttpError {
    let message = "this address has no such method";
    refused(StatusCode::METHOD_NOT_ALLOWED, message)
}

/// 409: contradicts the present state.
pub fn conflict(what: impl Into<String>) -> HttpError {
    refused(StatusCode::CONFLICT, what)
}

/// 413: the request is too large.
pub fn too_large(what: impl Into<String>) -> HttpError {
    refused(StatusCode::PAYLOAD_TOO_LARGE, what)
}

/// 429: too many requests; the client may try again after these seconds.
pub fn too_many(seconds: u64) -> HttpError {
    let message = format!("too many requests; try again in {seconds} s");
    HttpError {
        retry_after: Some(seconds),
        ..refused(StatusCode::TOO_MANY_REQUESTS, message)
    }
}

/// 503: the server has too much to do now; the client may try again soon.
fn busy() -> HttpError {
    const SECONDS: u64 = 2;
    let message = format!("many people sign in at the moment; try again in {SECONDS} s");
    HttpError {
        retry_after: Some(SECONDS),
        ..refused(StatusCode::SERVICE_UNAVAILABLE, message)
    }
}

/// 500: the cause is logged and not sent.
#[allow(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub fn internal(cause: impl ToString) -> HttpError {
    let message = "the server failed; its log says why";
    HttpError {
        cause: Some(cause.to_string()),
        ..refused(StatusCode::INTERNAL_SERVER_ERROR, message)
    }
}

/// 507: there is no room, and nothing was saved; the cause is logged and not sent.
fn no_room(message: &str, cause: String) -> HttpError {
    HttpError {
        cause: Some(cause),
        ..refused(StatusCode::INSUFFICIENT_STORAGE, message)
    }
}

/// The disk with the data is full.
fn disk_full(cause: &dyn Display) -> HttpError {
    let message = "the server's disk is full and nothing was saved: keep your work, and try again when the \
                   operator has made room";
    no_room(message, cause.to_string())
}

/// No temporary files can be written.
#[allow(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub fn no_temporary_files(cause: impl ToString) -> HttpError {
    let message = "the server has no room for temporary files and nothing was saved: ask its operator to make \
                   room, and try again";
    no_room(message, cause.to_string())
}

impl From<store::Error> for HttpError {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::NotFound(what) => not_found(what),
            store::Error::Conflict(what) => conflict(what),
            store::Error::Invalid(what) => bad_request(what),
            full if full.is_disk_full() => disk_full(&full),
            other => internal(other),
        }
    }
}

impl From<std::io::Error> for HttpError {
    fn from(error: std::io::Error) -> Self {
        match judge_os::is_disk_full(&error) {
            true => disk_full(&error),
            false => internal(error),
        }
    }
}

impl From<Busy> for HttpError {
    fn from(_: Busy) -> Self {
        busy()
    }
}

impl From<packages::Error> for HttpError {
    fn from(error: packages::Error) -> Self {
        match error {
            packages::Error::Package(defect) => bad_request(defect),
            packages::Error::NoTemporaryFiles(why) => no_temporary_files(why),
            packages::Error::Io(error) => error.into(),
        }
    }
}

macro_rules! internal_errors {
    ($($error:ty),*) => {$(
        impl From<$error> for HttpError {
            fn from(error: $error) -> Self {
                internal(error)
            }
        }
    )*};
}

internal_errors!(InvalidId, QueueError, serde_json::Error);

impl IntoResponse for HttpError {
    /// Without a body: `web`, which knows what the client accepts, writes it.
    fn into_response(self) -> Response {
        if let Some(cause) = &self.cause {
            tracing::error!("a request failed: {cause}");
        }
        let mut response = self.status.into_response();
        if let Some(seconds) = self.retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, seconds.into());
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// A shorthand of handlers that render a page.
pub type PageResult = Result<maud::Markup>;

/// The state of handlers, for the modules of pages.
pub type AppState = State<App>;
