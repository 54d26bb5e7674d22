//! Who gets in: every address of the jury, as every role.

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
    for (address, methods) in addresses() {
        let path = filled(address);
        for method in methods {
            let answer = match *method {
                "GET" => site.get(who, &path).await,
                _ => site.post(who, &path, &[]).await,
            };
            found.push((format!("{method} {path}"), answer.status));
        }
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
    for (address, methods) in addresses() {
        if methods.contains(&"POST") {
            let path = filled(address);
            let answer = site
                .post_without_csrf(&admin, &path, &[("csrf", "wrong")])
                .await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
        }
    }
}
