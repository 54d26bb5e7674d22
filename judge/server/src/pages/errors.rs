//! Error pages: the reason, and advice.

use super::page;
use crate::http::Caller;
use axum::http::StatusCode;
use maud::{Markup, html};

pub fn error_page(caller: &Caller, status: StatusCode, message: &str) -> Markup {
    let (title, advice) = words(status);
    let message = sentence(message);
    // Errors about packages have a remedy of their own.
    let (message, remedy) = match message.split_once("\n  help: ") {
        Some((message, remedy)) => (message, Some(remedy)),
        None => (message.as_str(), None),
    };
    let body = html! {
        p.error { (message) "." }
        @if let Some(remedy) = remedy { p { "Help: " (remedy) "." } }
        p { (advice) }
        @if status == StatusCode::FORBIDDEN && caller.user.is_none() {
            p { a href="/sign-in" { "Sign in" } }
        }
        p.quiet { "Status " (status.as_u16()) }
    };
    page(caller, "", title, &body)
}

/// The message with an upper-case letter first, unless it begins with a name, such as that of a file.
fn sentence(message: &str) -> String {
    let first = message.split(' ').next().unwrap_or_default();
    let is_word = first.bytes().all(|byte| byte.is_ascii_alphabetic());
    let mut message = message.to_owned();
    if let Some(letter) = message.get_mut(..1).filter(|_| is_word) {
        letter.make_ascii_uppercase();
    }
    message
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
            "Go back and correct it: what you typed is still there. If it should be possible, load the page \
             again first, because something may have changed.",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_at_the_beginning_of_a_message_stay() {
        assert_eq!(sentence("choose one archive"), "Choose one archive");
        assert_eq!(sentence("six.zip: is broken"), "six.zip: is broken");
        assert_eq!(sentence("six: too long"), "six: too long");
        assert_eq!(sentence(""), "");
    }
}
