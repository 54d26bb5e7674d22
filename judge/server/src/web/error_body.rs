//! The bodies of errors: a page or JSON, as the client accepts.

use crate::contest_api::ErrorBody;
use crate::http::{App, Caller, HttpError};
use crate::pages;
use axum::Json;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Whether the client wants a page: browsers list `text/html`, programs do not.
fn wants_page(headers: &HeaderMap) -> bool {
    let accept = headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/html"))
}

/// Maximum bytes of the text of an error of the framework.
const MAX_TEXT: usize = 1 << 10;

/// Whether this is an error of the framework, for example about a request that is too large. Its body is plain text.
fn is_plain_error(response: &Response) -> bool {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_text = kind.is_none_or(|kind| kind.as_bytes().starts_with(b"text/plain"));
    (status.is_client_error() || status.is_server_error()) && is_text
}

fn plain_message(status: StatusCode, text: &str) -> String {
    match status {
        StatusCode::PAYLOAD_TOO_LARGE => {
            "the request is larger than this server accepts; shorten it".to_owned()
        }
        _ if text.is_empty() => status.canonical_reason().unwrap_or("error").to_lowercase(),
        _ => text.to_owned(),
    }
}

/// Writes the bodies of errors.
pub async fn write(State(app): State<App>, request: Request, next: Next) -> Response {
    let page = wants_page(request.headers());
    let to = request.uri().path_and_query().map(ToString::to_string);
    let (mut parts, content) = request.into_parts();
    let again = Request::from_parts(parts.clone(), content);
    let mut response = next.run(again).await;
    let (status, message) = match response.extensions_mut().remove::<HttpError>() {
        Some(HttpError {
            status, message, ..
        }) => (status, message),
        None if is_plain_error(&response) => {
            let status = response.status();
            let text = axum::body::to_bytes(std::mem::take(response.body_mut()), MAX_TEXT).await;
            let text = text.unwrap_or_default();
            (
                status,
                plain_message(status, &String::from_utf8_lossy(&text)),
            )
        }
        None => return response,
    };
    let mut with_body = match page {
        true if status == StatusCode::UNAUTHORIZED => {
            let to = to.unwrap_or_default();
            return pages::to_sign_in(&to).into_response();
        }
        true => {
            let caller = Caller::from_request_parts(&mut parts, &app).await;
            let caller = caller.unwrap_or(Caller::ANONYMOUS);
            (status, pages::error_page(&caller, status, &message)).into_response()
        }
        false => (
            status,
            Json(ErrorBody {
                code: status.as_u16(),
                message,
            }),
        )
            .into_response(),
    };
    if status == StatusCode::UNAUTHORIZED {
        let challenge = HeaderValue::from_static("Basic realm=\"judge\"");
        with_body
            .headers_mut()
            .insert(header::WWW_AUTHENTICATE, challenge);
    }
    if let Some(after) = response.headers_mut().remove(header::RETRY_AFTER) {
        with_body.headers_mut().insert(header::RETRY_AFTER, after);
    }
    with_body
}
