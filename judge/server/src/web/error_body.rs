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

/// Writes the bodies of errors.
pub async fn write(State(app): State<App>, request: Request, next: Next) -> Response {
    let page = wants_page(request.headers());
    let to = request.uri().path_and_query().map(ToString::to_string);
    let (mut parts, content) = request.into_parts();
    let again = Request::from_parts(parts.clone(), content);
    let mut response = next.run(again).await;
    let Some(error) = response.extensions_mut().remove::<HttpError>() else {
        return response;
    };
    let HttpError {
        status, message, ..
    } = error;
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
