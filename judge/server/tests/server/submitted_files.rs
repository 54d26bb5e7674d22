//! Names of submitted files, and requests that are too large.

use crate::in_process::ask;
use crate::page_fixture::{Fixture, HOUR};
use axum::http::{Request, StatusCode, header};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

/// Submits a file for practice through the API.
async fn send(fixture: &Fixture, language: &str, name: &str) -> (StatusCode, Value) {
    send_with(fixture, language, name, None).await
}

/// The same with an entry point.
async fn send_with(
    fixture: &Fixture,
    language: &str,
    name: &str,
    entry_point: Option<&str>,
) -> (StatusCode, Value) {
    let body = json!({
        "problem": "sum",
        "language": language,
        "entry_point": entry_point,
        "files": [{"name": name, "data": BASE64_STANDARD.encode("x")}],
    });
    post(fixture, "solo", &body).await
}

/// Sends the body of a submission as this user.
async fn post(fixture: &Fixture, user: &str, body: &Value) -> (StatusCode, Value) {
    let browser = fixture.browser(user);
    let request = Request::post("/api/practice/submissions")
        .header("X-CSRF-Token", &browser.session.csrf)
        .header(header::CONTENT_TYPE, "application/json");
    let answer = ask(
        &fixture.router,
        browser.session.sign(request),
        body.to_string(),
    )
    .await;
    let body = serde_json::from_str(&answer.body).expect("JSON");
    (answer.status, body)
}

#[tokio::test]
async fn files_are_stored_under_names_of_their_language() {
    let fixture = Fixture::started(HOUR);
    for (sent, stored) in [
        ("main.cpp", "main.cpp"),
        ("main.cpp.txt", "main.cpp"),
        ("noext", "noext.cpp"),
        ("x.CPP", "x.cpp"),
    ] {
        let (status, body) = send(&fixture, "cpp", sent).await;
        assert_eq!(status, StatusCode::CREATED, "{sent}: {body}");
        let id = body["id"].as_str().expect("an id");
        let page = fixture
            .browser("solo")
            .get(&format!("/submissions/{id}"))
            .await
            .body;
        assert!(page.contains(stored), "{sent}: {page}");
    }
    // The name says another language.
    let (status, body) = send(&fixture, "cpp", "main.py").await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
    assert!(
        body["message"]
            .as_str()
            .is_some_and(|text| text.contains(".cpp")),
        "{body}"
    );
}

#[tokio::test]
async fn an_unknown_id_is_refused_with_the_ids_that_exist() {
    let fixture = Fixture::started(HOUR);
    for (user, problem, contest, message) in [
        (
            "solo",
            "sun",
            None,
            "there is no problem \"sun\": the problems are sum",
        ),
        // It belongs to a contest that is not over.
        (
            "solo",
            "grid",
            None,
            "there is no problem \"grid\": the problems are sum",
        ),
        (
            "a",
            "B",
            Some("final"),
            "there is no problem \"B\": the problems are grid (A)",
        ),
        (
            "a",
            "A",
            Some("finals"),
            "there is no contest \"finals\": the contests are final",
        ),
    ] {
        let body = json!({
            "problem": problem,
            "contest": contest,
            "files": [{"name": "a.cpp", "data": BASE64_STANDARD.encode("x")}],
        });
        let (status, body) = post(&fixture, user, &body).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{body}");
        assert_eq!(body["message"], message, "{body}");
    }
}

#[tokio::test]
async fn before_its_start_a_contest_has_no_problem_to_name() {
    let fixture = Fixture::started(-HOUR);
    let body = json!({
        "problem": "grid",
        "contest": "final",
        "files": [{"name": "a.cpp", "data": BASE64_STANDARD.encode("x")}],
    });
    let (status, body) = post(&fixture, "a", &body).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "{body}");
    assert_eq!(
        body["message"],
        "there is no problem \"grid\": there is no problem that you may see"
    );
}

#[tokio::test]
async fn a_request_that_is_too_large_is_answered_in_json() {
    let fixture = Fixture::started(HOUR);
    let large = "x".repeat(3 << 20);
    for path in [
        "/api/practice/submissions",
        "/api/contests/final/clarifications",
        "/api/contests/final/commentary",
        "/api/contests/final/submissions",
        "/api/printing/team",
    ] {
        let browser = fixture.browser("jury");
        let request = Request::post(path)
            .header("X-CSRF-Token", &browser.session.csrf)
            .header(header::CONTENT_TYPE, "application/json");
        let answer = ask(
            &fixture.router,
            browser.session.sign(request),
            large.clone(),
        )
        .await;
        assert_eq!(
            answer.status,
            StatusCode::PAYLOAD_TOO_LARGE,
            "{path}: {}",
            answer.body
        );
        let body: Value = serde_json::from_str(&answer.body).expect("JSON");
        assert_eq!(body["code"], 413, "{path}: {body}");
        let message = body["message"].as_str().expect("a message");
        let has_remedy = message.contains("send less") || message.contains("shorten");
        assert!(has_remedy, "{path}: {message}");
    }
}

#[tokio::test]
async fn an_entry_point_is_a_name() {
    let fixture = Fixture::started(HOUR);
    let long = "x".repeat(200_000);
    for entry_point in [
        long.as_str(),
        "a\0b",
        "a\u{1b}[2Jb",
        "a\n::error::b",
        "a\u{202e}b",
    ] {
        let (status, body) = send_with(&fixture, "cpp", "main.cpp", Some(entry_point)).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
        let message = body["message"].as_str().unwrap_or_default();
        assert!(
            message.contains("entry point") && message.len() < 300,
            "{message}"
        );
    }
    for entry_point in ["main.cpp", "org.example.Main", ""] {
        let (status, body) = send_with(&fixture, "cpp", "main.cpp", Some(entry_point)).await;
        assert_eq!(status, StatusCode::CREATED, "{body}");
    }
}
