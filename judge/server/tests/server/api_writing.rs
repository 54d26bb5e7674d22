//! Writing through the Contest API, as every role.

use crate::api_fixture::{Fixture, ROLES, STATES, When, rows, zip_of};
use axum::http::StatusCode;

/// For each state: method and address, the statuses for [`ROLES`] in order, the body.
const CHANGES: &str = include_str!("api_roles/changes.txt");

#[tokio::test]
async fn writing_needs_the_right_role() {
    for when in STATES {
        let mut unchanged: Option<Fixture> = None;
        for row in rows(CHANGES, when) {
            let columns: Vec<&str> = row.splitn(3, '|').map(str::trim).collect();
            let [request, expected, body] = columns[..] else {
                panic!("three columns: {row}");
            };
            let (method, path) = request.split_once(' ').unwrap_or((request, ""));
            let path = format!("/api/contests/c{path}");
            let mut statuses = Vec::new();
            for role in ROLES {
                // What is refused changes nothing.
                let fixture = unchanged.take().unwrap_or_else(|| Fixture::new(when));
                let (status, _) = fixture.send(role, method, &path, body).await;
                statuses.push(status.as_u16().to_string());
                unchanged = (!status.is_success()).then_some(fixture);
            }
            assert_eq!(statuses.join(" "), expected, "{when:?}: {row}");
        }
    }
}

#[tokio::test]
async fn too_many_questions_of_a_team_are_refused() {
    let fixture = Fixture::new(When::Running);
    let ask = async |role, times| {
        let mut statuses = Vec::new();
        for _ in 0..times {
            let path = "/api/contests/c/clarifications";
            let sent = fixture.send(role, "POST", path, r#"{"text":"x"}"#).await;
            statuses.push(sent.0.as_u16());
        }
        statuses
    };
    let asked = ask("a", 11).await;
    assert_eq!(asked[..10], [201; 10]);
    assert_eq!(asked[10], 429);
    assert_eq!(ask("b", 1).await, [201], "another team");
    assert_eq!(ask("jury", 11).await, [201; 11], "the jury is not limited");
}

#[tokio::test]
async fn admins_give_clarifications_ids_and_times() {
    let fixture = Fixture::new(When::Running);
    let path = "/api/contests/c/clarifications";
    let time = r#""time":"2026-01-01T00:00:00Z""#;
    for (role, method, id, more, expected) in [
        ("a", "POST", "", time, 400),
        ("jury", "POST", "", time, 400),
        ("jury", "PUT", "/77", r#""id":"77""#, 403),
        ("admin", "POST", "", r#""id":"77""#, 400),
        ("admin", "POST", "", r#""contest_time":"0:00:01""#, 400),
        ("admin", "POST", "", time, 201),
        ("admin", "PUT", "/77", r#""id":"77""#, 400),
        ("admin", "PUT", "/77", &format!(r#""id":"78",{time}"#), 409),
        ("admin", "PUT", "/x", &format!(r#""id":"x",{time}"#), 400),
        (
            "admin",
            "PUT",
            "/77",
            &format!(r#""id":"77","from_team_id":"b",{time}"#),
            201,
        ),
        ("admin", "PUT", "/77", &format!(r#""id":"77",{time}"#), 409),
    ] {
        let body = format!(r#"{{"text":"May I?",{more}}}"#);
        let (status, text) = fixture
            .send(role, method, &format!("{path}{id}"), &body)
            .await;
        assert_eq!(status.as_u16(), expected, "{role} {method} {body}: {text}");
    }
    let (status, text) = fixture.get("b", "/clarifications/77").await;
    assert_eq!(status, StatusCode::OK);
    let object: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(object["time"], "2026-01-01T00:00:00.000+00:00");
    assert_eq!(object["from_team_id"], "b");
    let (status, _) = fixture.get("a", "/clarifications/77").await;
    assert_eq!(status, StatusCode::NOT_FOUND, "it is of another team");
}

#[tokio::test]
async fn submissions_of_teams_and_of_admins() {
    let fixture = Fixture::new(When::Running);
    // A ZIP archive with the file a.cpp, `int main() {}`.
    let archive = zip_of("a.cpp", "int main() {}");
    let body = |more: &str| {
        format!(
            r#"{{"language_id":"cpp","problem_id":"sum","files":[{{"data":"{archive}"}}]{more}}}"#
        )
    };
    let path = "/api/contests/c/submissions";
    let rows = [
        ("a", "POST", "", body(""), 201),
        ("a", "POST", "", body(r#","team_id":"b""#), 403),
        (
            "a",
            "POST",
            "",
            body(r#","time":"2026-01-01T00:00:00Z""#),
            400,
        ),
        ("a", "POST", "", body(r#","id":"9""#), 400),
        ("a", "POST", "", body("").replace("\"sum\"", "\"x\""), 400),
        ("a", "POST", "", body("").replace("\"cpp\"", "\"x\""), 400),
        ("admin", "POST", "", body(r#","team_id":"b""#), 201),
        ("admin", "POST", "", body(r#","team_id":"x""#), 400),
        (
            "admin",
            "PUT",
            "/77",
            body(r#","team_id":"b","id":"77""#),
            400,
        ),
        (
            "admin",
            "PUT",
            "/77",
            body(r#","team_id":"b","id":"77","time":"2026-01-01T00:00:00Z""#),
            201,
        ),
        (
            "admin",
            "PUT",
            "/77",
            body(r#","team_id":"b","id":"77","time":"2026-01-01T00:00:00Z""#),
            409,
        ),
        (
            "admin",
            "PUT",
            "/78",
            body(r#","team_id":"b","id":"77","time":"2026-01-01T00:00:00Z""#),
            409,
        ),
    ];
    for (role, method, id, body, expected) in rows {
        let (status, text) = fixture
            .send(role, method, &format!("{path}{id}"), &body)
            .await;
        assert_eq!(status.as_u16(), expected, "{role} {method} {body}: {text}");
    }
    // More than a user may send in a minute.
    for id in 100..135 {
        let sent = body(&format!(
            r#","team_id":"b","id":"{id}","time":"2026-01-01T00:00:00Z""#
        ));
        let address = format!("{path}/{id}");
        let (status, text) = fixture.send("admin", "PUT", &address, &sent).await;
        assert_eq!(status, StatusCode::CREATED, "{text}");
    }
    let (status, text) = fixture.get("b", "/submissions/77").await;
    assert_eq!(status, StatusCode::OK);
    let object: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(object["time"], "2026-01-01T00:00:00.000+00:00");
    assert_eq!(object["team_id"], "b");
}
