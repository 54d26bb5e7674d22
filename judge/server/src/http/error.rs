//! Errors of handlers: a status and a message. `web` writes them as the client accepts.

use super::App;
use crate::queue::QueueError;
use crate::store;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::io::ErrorKind;

/// Why a request failed. The text is for the client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HttpError {
    /// 400: the request is wrong.
    BadRequest(String),
    /// 401: who is not signed in may not; pages send to the sign-in.
    SignIn,
    /// 403: may not. For what the caller must not know to exist, use `NotFound`.
    Forbidden(String),
    /// 404.
    NotFound(String),
    /// 405: the address has no such method.
    NotAllowed,
    /// 409: contradicts the present state.
    Conflict(String),
    /// 413.
    TooLarge(String),
    /// 429: too many requests; try again after these seconds.
    TooMany(u64),
    /// 500: the text is logged and not sent.
    Internal(String),
    /// 507: the disk is full, and nothing was saved; the text is logged and not sent.
    DiskFull(String),
}

/// 400: the request is wrong.
pub fn bad_request(what: impl Into<String>) -> HttpError {
    HttpError::BadRequest(what.into())
}

/// 403: the caller may not do this.
pub fn forbidden(what: impl Into<String>) -> HttpError {
    HttpError::Forbidden(what.into())
}

/// 404: there is none, or none that the caller may know of.
pub fn not_found(what: impl Into<String>) -> HttpError {
    HttpError::NotFound(what.into())
}

/// 409: contradicts the present state.
pub fn conflict(what: impl Into<String>) -> HttpError {
    HttpError::Conflict(what.into())
}

/// 413: the request is too large.
pub fn too_large(what: impl Into<String>) -> HttpError {
    HttpError::TooLarge(what.into())
}

/// The result of a handler.
pub type Result<T> = std::result::Result<T, HttpError>;

impl HttpError {
    /// The status of the response.
    pub fn status(&self) -> StatusCode {
        match self {
            HttpError::BadRequest(_) => StatusCode::BAD_REQUEST,
            HttpError::SignIn => StatusCode::UNAUTHORIZED,
            HttpError::Forbidden(_) => StatusCode::FORBIDDEN,
            HttpError::NotFound(_) => StatusCode::NOT_FOUND,
            HttpError::NotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            HttpError::Conflict(_) => StatusCode::CONFLICT,
            HttpError::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            HttpError::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            HttpError::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
            HttpError::DiskFull(_) => StatusCode::INSUFFICIENT_STORAGE,
        }
    }

    /// The text for the client.
    pub fn message(&self) -> String {
        match self {
            HttpError::BadRequest(what)
            | HttpError::Forbidden(what)
            | HttpError::NotFound(what)
            | HttpError::Conflict(what)
            | HttpError::TooLarge(what) => what.clone(),
            HttpError::SignIn => "sign in first".to_owned(),
            HttpError::NotAllowed => "this address has no such method".to_owned(),
            HttpError::TooMany(seconds) => format!("too many requests; try again in {seconds} s"),
            HttpError::Internal(_) => "the server failed; its log says why".to_owned(),
            HttpError::DiskFull(_) => {
                "the server's disk is full and nothing was saved: keep your work, and \
                                       try again when the operator has made room"
                    .to_owned()
            }
        }
    }
}

impl From<store::Error> for HttpError {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::NotFound(what) => HttpError::NotFound(what),
            store::Error::Conflict(what) => HttpError::Conflict(what),
            full if full.is_disk_full() => HttpError::DiskFull(full.to_string()),
            other => HttpError::Internal(other.to_string()),
        }
    }
}

impl From<serde_json::Error> for HttpError {
    fn from(error: serde_json::Error) -> Self {
        HttpError::Internal(error.to_string())
    }
}

impl From<QueueError> for HttpError {
    fn from(error: QueueError) -> Self {
        HttpError::Internal(error.to_string())
    }
}

impl From<std::io::Error> for HttpError {
    fn from(error: std::io::Error) -> Self {
        let text = error.to_string();
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => HttpError::DiskFull(text),
            _ => HttpError::Internal(text),
        }
    }
}

impl IntoResponse for HttpError {
    /// Without a body: `web`, which knows what the client accepts, writes it.
    fn into_response(self) -> Response {
        if let HttpError::Internal(what) | HttpError::DiskFull(what) = &self {
            tracing::error!("a request failed: {what}");
        }
        let mut response = self.status().into_response();
        if let HttpError::TooMany(seconds) = self {
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
