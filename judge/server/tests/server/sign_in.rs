//! Signing in by password while many do.

use crate::common::{new_app, new_user};
use crate::in_process::ask;
use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use judge_server::http::App;
use judge_server::secret::hash_password;
use judge_server::store::{NewUser, Role};
use judge_server::web::router;
use tempfile::TempDir;
use tokio::task::JoinSet;

const RIGHT: &str = "the right one";

/// A server that was started just now, with the user `ann`.
fn server() -> (TempDir, App, Router) {
    let dir = tempfile::tempdir().expect("a directory");
    let (app, _) = new_app(dir.path(), &[]);
    let ann = NewUser {
        password_hash: Some(hash_password(RIGHT).expect("a hash")),
        ..new_user("ann", Role::Public, None)
    };
    app.store.put_user(&ann).expect("it is added");
    let router = router(app.clone());
    (dir, app, router)
}

/// The statuses of requests with basic authentication that are sent together.
async fn statuses(router: &Router, passwords: Vec<String>) -> Vec<StatusCode> {
    let mut requests = JoinSet::new();
    for password in passwords {
        let router = router.clone();
        requests.spawn(async move {
            let credentials = BASE64_STANDARD.encode(format!("ann:{password}"));
            let request = Request::get("/account")
                .header(header::AUTHORIZATION, format!("Basic {credentials}"));
            ask(&router, request, Body::empty()).await.status
        });
    }
    requests.join_all().await
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_of_a_user_may_all_begin_at_once() {
    let (_dir, app, router) = server();
    let right = vec![RIGHT.to_owned(); 30];
    let found = statuses(&router, right.clone()).await;
    assert_eq!(found, [StatusCode::OK; 30]);
    // They did not use up the attempts of somebody who mistypes.
    let wrong = statuses(&router, vec!["wrong".to_owned()]).await;
    assert_eq!(wrong, [StatusCode::UNAUTHORIZED]);
    let ann = app.store.user_named("ann").expect("it is read");
    let new = hash_password("another").expect("a hash");
    let changed = app.store.set_password(ann.expect("ann").id, Some(&new));
    changed.expect("it is set");
    let found = statuses(&router, right[..1].to_vec()).await;
    assert_eq!(found, [StatusCode::UNAUTHORIZED], "the old password");
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_passwords_are_counted_before_their_hashes_are_computed() {
    let (_dir, _app, router) = server();
    let wrong = (0..30).map(|k| format!("wrong {k}")).collect();
    let found = statuses(&router, wrong).await;
    let count = |status| found.iter().filter(|own| **own == status).count();
    assert_eq!(count(StatusCode::UNAUTHORIZED), 10, "{found:?}");
    assert_eq!(count(StatusCode::TOO_MANY_REQUESTS), 20, "{found:?}");
}

#[tokio::test]
async fn another_site_cannot_sign_a_browser_in() {
    let (_dir, _app, router) = server();
    let form = format!("name=ann&password={}", RIGHT.replace(' ', "+"));
    let sign_in = async |site: Option<&str>, address: &str, body: String| {
        let mut request = Request::post(address)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        if let Some(site) = site {
            request = request.header("sec-fetch-site", site);
        }
        ask(&router, request, body).await
    };
    for site in ["cross-site", "same-site"] {
        let answer = sign_in(Some(site), "/sign-in", form.clone()).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{site}");
        assert!(!answer.headers.contains_key(header::SET_COOKIE), "{site}");
        let answer = sign_in(Some(site), "/sign-in/x", String::new()).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{site}");
    }
    // From the form itself, from an address that the user typed, and from a browser that does not say.
    for site in [Some("same-origin"), Some("none"), None] {
        let answer = sign_in(site, "/sign-in", form.clone()).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{site:?}");
    }
}

/// Reading a million fields takes a second in which the server answers no other request.
#[tokio::test]
async fn forms_of_a_million_fields_are_not_read() {
    let (_dir, _app, router) = server();
    let sent = async |address: &str, kind: &str, body: String| {
        let credentials = BASE64_STANDARD.encode(format!("ann:{RIGHT}"));
        let mut request = Request::post(address).header(header::CONTENT_TYPE, kind);
        if address.starts_with("/account") || address.starts_with("/problems") {
            request = request.header(header::AUTHORIZATION, format!("Basic {credentials}"));
        }
        let answer = ask(&router, request, body).await;
        assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE, "{address}");
        answer.body
    };
    let form = "application/x-www-form-urlencoded";
    let many = "a&".repeat(1 << 20);
    for address in ["/sign-in", "/sign-out"] {
        sent(address, form, many.clone()).await;
    }
    let part = "--X\r\ncontent-disposition: form-data; name=a\r\n\r\n\r\n";
    for (address, kind, body) in [
        ("/account/tokens", form, "a&".repeat(20_000)),
        (
            "/problems/x/submit",
            "multipart/form-data; boundary=X",
            part.repeat(20_001),
        ),
    ] {
        let text = sent(address, kind, body).await;
        assert!(text.contains("more than 20000 fields"), "{text}");
    }
}

#[tokio::test]
async fn a_user_has_a_bounded_number_of_sessions() {
    let (_dir, app, _router) = server();
    let ann = app.store.user_named("ann").expect("it is read");
    let ann = ann.expect("ann").id;
    for k in 0..1001 {
        let started = app
            .store
            .start_session(&format!("hash {k}"), ann, "x", i64::MAX);
        started.expect("it starts");
    }
    let is_open = |k| {
        app.store
            .session(&format!("hash {k}"))
            .expect("read")
            .is_some()
    };
    let open = (0..1001).filter(|k| is_open(*k)).count();
    assert_eq!((open, is_open(1000)), (1000, true));
}
