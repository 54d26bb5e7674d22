//! Error pages: the reason, and advice.

use super::page;
use crate::http::Caller;
use axum::http::StatusCode;
use maud::{Markup, html};

/// The page of an error; `message` says what is wrong.
pub fn error_page(caller: &Caller, status: StatusCode, message: &str) -> Markup {
    let (title, advice) = words(status);
    let mut message = message.to_owned();
    if let Some(first) = message.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let body = html! {
        p.error { (message) "." }
        p { (advice) }
        @if status == StatusCode::FORBIDDEN && caller.user.is_none() {
            p { a href="/sign-in" { "Sign in" } }
        }
        p.quiet { "Status " (status.as_u16()) }
    };
    page(caller, "", title, &body)
}

fn words(status: StatusCode) -> (&'static str, &'static str) {
    match status {
        StatusCode::BAD_REQUEST => (
            "The request is wrong",
            "Go back, correct it, and send it again. What you typed is still there.",
        ),
        StatusCode::FORBIDDEN => (
            "Not allowed",
            "If you should be allowed to do this, sign in as another user, or ask the jury.",
        ),
        StatusCode::NOT_FOUND => (
            "Not found",
            "The address may be mistyped, or the page may not be open to you now. Try the lists above.",
        ),
        StatusCode::METHOD_NOT_ALLOWED => (
            "Not possible",
            "This address is for forms. Open the page with the form first.",
        ),
        StatusCode::CONFLICT => (
            "Not possible now",
            "Something has changed in the meantime. Go back and load the page again.",
        ),
        StatusCode::PAYLOAD_TOO_LARGE => (
            "Too large",
            "Shorten what you send, for example by computing tables instead of listing them.",
        ),
        StatusCode::TOO_MANY_REQUESTS => (
            "Too many requests",
            "Wait, go back, and send it again. What you typed is still there.",
        ),
        _ => (
            "The server failed",
            "Try again. If it fails again, send the time of day to those who run the server.",
        ),
    }
}
