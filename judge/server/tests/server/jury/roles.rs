//! Access to the jury's pages: every address, as every role.

use super::site::{Site, Who};
use axum::http::StatusCode;
use judge_server::jury::addresses;
use judge_server::store::Role;

fn filled(address: &str) -> String {
    let mut filled = String::new();
    for part in address.split('/').skip(1) {
        let value = if part.starts_with('{') { "1" } else { part };
        filled = format!("{filled}/{value}");
    }
    filled
}

/// The status of every address, with the secret of forms.
async fn statuses(site: &Site, who: &Who) -> Vec<(String, StatusCode)> {
    let mut found = Vec::new();
    for (address, method) in addresses() {
        let path = filled(&address);
        let answer = match method {
            "GET" => site.get(who, &path).await,
            _ => site.post(who, &path, &[]).await,
        };
        found.push((format!("{method} {path}"), answer.status));
    }
    found
}

#[tokio::test]
async fn only_the_jury_gets_in() {
    let site = Site::new();
    for (who, expected) in [
        (Who::default(), StatusCode::UNAUTHORIZED),
        (site.sign_in("visitor", Role::Public), StatusCode::FORBIDDEN),
        (site.sign_in("team", Role::Team), StatusCode::FORBIDDEN),
    ] {
        for (what, status) in statuses(&site, &who).await {
            assert_eq!(status, expected, "{what}");
        }
    }
    // What only admins may do, for the jury: at least users and contests.
    let jury = site.sign_in("jury", Role::Jury);
    let refused: Vec<String> = statuses(&site, &jury)
        .await
        .into_iter()
        .filter(|(_, status)| *status == StatusCode::FORBIDDEN)
        .map(|(what, _)| what)
        .collect();
    for what in [
        "GET /jury/users",
        "POST /jury/users/1/password",
        "POST /jury/contests",
        "POST /jury/contests/1/clock",
        "POST /jury/import",
    ] {
        assert!(
            refused.iter().any(|refused| refused == what),
            "{what}: {refused:?}"
        );
    }
    assert!(
        !refused.iter().any(|what| what.contains("/rejudgings")),
        "{refused:?}"
    );
    let admin = site.sign_in("admin", Role::Admin);
    for (what, status) in statuses(&site, &admin).await {
        assert_ne!(status, StatusCode::FORBIDDEN, "{what}");
        assert_ne!(status, StatusCode::UNAUTHORIZED, "{what}");
        assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{what}");
    }
}

#[tokio::test]
async fn forms_of_other_sites_are_refused() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    for (address, method) in addresses() {
        if method != "POST" {
            continue;
        }
        let path = filled(&address);
        let wrong = [("csrf", "wrong")];
        let form = site.post_without_csrf(&admin, &path, &wrong).await;
        // Addresses that take files refuse other forms, with any secret.
        let takes_files = form.status == StatusCode::BAD_REQUEST;
        let forged = Who::default().with_csrf_of(&admin);
        let upload = site.upload(&forged, &path, &[("a", b"b")]).await;
        assert_eq!(upload.status, StatusCode::UNAUTHORIZED, "{path}");
        let other = admin.with_csrf_of(&Who::default());
        let upload = site.upload(&other, &path, &[("a", b"b")]).await;
        let refused = if takes_files { upload } else { form };
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{path}");
    }
}
