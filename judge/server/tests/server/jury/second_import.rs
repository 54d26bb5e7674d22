//! Imports into a site that has a running contest.

use super::site::{Site, Who};
use crate::in_process::Answer;
use axum::http::StatusCode;
use judge_server::store::{Contest, Role};

async fn upload(site: &Site, admin: &Who, name: &str, text: &str) -> Answer {
    site.upload(admin, "/jury/import", &[(name, text.as_bytes())])
        .await
}

fn contest(site: &Site) -> Contest {
    site.app.store.contest(site.contest).expect("a contest")
}

/// The contest in JSON, as a file of the package says it: only some of its settings.
fn file(start: &str, duration: &str) -> String {
    format!(
        r#"{{"id": "c1", "name": "A contest", "start_time": {start}, "duration": "{duration}"}}"#
    )
}

#[tokio::test]
async fn a_running_contest_keeps_its_start_without_one_in_the_file() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let member = site.user("team", Role::Team);
    site.submit(member, true, "x");
    let before = contest(&site);
    let answer = upload(&site, &admin, "contest.json", &file("null", "5:00:00")).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert_eq!(contest(&site), before);
    // A later start would give the submission a negative time.
    let later = file("\"2090-01-01T00:00:00Z\"", "5:00:00");
    let answer = site.import(&admin, &[("contest.json", &later)]).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.body);
    assert!(answer.body.contains("keep the start"), "{}", answer.body);
    assert_eq!(contest(&site), before);
}

#[tokio::test]
async fn changes_are_shown_and_made_when_they_are_confirmed() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let before = contest(&site);
    let longer = file("null", "6:00:00");
    let asked = upload(&site, &admin, "contest.json", &longer).await;
    assert_eq!(asked.status, StatusCode::CONFLICT, "{}", asked.body);
    assert!(
        asked.body.contains("contest c1: duration: 5:00:00"),
        "{}",
        asked.body
    );
    assert_eq!(contest(&site), before);
    let made = site.import(&admin, &[("contest.json", &longer)]).await;
    assert_eq!(made.status, StatusCode::OK, "{}", made.body);
    assert_eq!(contest(&site).duration_ms, 6 * 3_600_000);
}

#[tokio::test]
async fn a_team_alone_joins_the_contest_that_is_not_over() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let teams = r#"[{"id": "t7", "name": "Late"}]"#;
    let answer = upload(&site, &admin, "teams.json", teams).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    let members = site.app.store.contest_teams(site.contest).expect("teams");
    let members: Vec<_> = members.iter().map(|team| team.ext.as_str()).collect();
    assert_eq!(members, ["t1", "t7"]);
    // With two of them, somebody has to choose.
    let other = super::site::contest("c2");
    site.app.store.put_contest(&other).expect("it is added");
    let another = r#"[{"id": "t8", "name": "Later"}]"#;
    let answer = upload(&site, &admin, "teams.json", another).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.body);
    assert!(
        answer.body.contains("c1") && answer.body.contains("c2"),
        "{}",
        answer.body
    );
}

#[tokio::test]
async fn an_account_without_a_password_in_the_file_keeps_its_own() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let file = "- id: eve\n  username: eve\n  type: judge\n";
    let hash = || {
        let eve = site.app.store.user_named("eve").expect("it is read");
        eve.expect("a user").password_hash
    };
    let first = upload(&site, &admin, "accounts.yaml", file).await;
    assert_eq!(first.status, StatusCode::OK, "{}", first.body);
    let before = hash();
    let second = upload(&site, &admin, "accounts.yaml", file).await;
    assert_eq!(second.status, StatusCode::OK, "{}", second.body);
    assert_eq!(hash(), before);
}

#[tokio::test]
async fn another_role_in_the_contest_is_shown_before_it_is_given() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let file = |kind: &str| format!("- id: eve\n  username: eve\n  type: {kind}\n");
    let first = upload(&site, &admin, "accounts.yaml", &file("spectator")).await;
    assert_eq!(first.status, StatusCode::OK, "{}", first.body);
    let second = upload(&site, &admin, "accounts.yaml", &file("analyst")).await;
    assert_eq!(second.status, StatusCode::CONFLICT, "{}", second.body);
    let change = "account eve in contest c1: role:";
    assert!(second.body.contains(change), "{}", second.body);
}

#[tokio::test]
async fn names_are_lines_of_text_and_countries_have_codes() {
    let site = Site::new();
    let admin = site.sign_in("admin", Role::Admin);
    let long = "x".repeat(201);
    for (name, text, place) in [
        (
            "teams.json",
            format!(r#"[{{"id": "t", "name": "{long}"}}]"#),
            "teams.json:1:",
        ),
        (
            "teams.json",
            r#"[{"id": "t", "name": "a\u0000b"}]"#.to_owned(),
            "teams.json:1:",
        ),
        (
            "groups.json",
            r#"[{"id": "g", "name": "a\nb"}]"#.to_owned(),
            "groups.json:1:",
        ),
        (
            "organizations.json",
            r#"[{"id": "o", "name": "O", "country": "Germany"}]"#.to_owned(),
            "organizations.json:1:",
        ),
        (
            "teams.tsv",
            "teams\t1\n7\t1\t\tA\tU\tU\tXX\n".to_owned(),
            "teams.tsv:2:",
        ),
        (
            "accounts.tsv",
            "accounts\t1\njudge\tJ\u{202e}\tjudge1\tx\n".to_owned(),
            "accounts.tsv:2:",
        ),
    ] {
        let answer = upload(&site, &admin, name, &text).await;
        assert_eq!(
            answer.status,
            StatusCode::BAD_REQUEST,
            "{name}: {}",
            answer.body
        );
        assert!(answer.body.contains(place), "{name}: {}", answer.body);
    }
    // The same names in forms.
    for (path, fields) in [
        ("/jury/teams", vec![("id", "t9"), ("name", "a\u{7}b")]),
        (
            "/jury/users",
            vec![("name", "bob"), ("shown", long.as_str()), ("role", "jury")],
        ),
        (
            "/jury/contests/c1/problems",
            vec![("problem-0", "sum"), ("label-0", long.as_str())],
        ),
        (
            "/jury/contests/c1",
            vec![
                ("name", "a\nb"),
                ("duration", "5:00:00"),
                ("start", "2030-01-02T10:00"),
            ],
        ),
    ] {
        let answer = site.post(&admin, path, &fields).await;
        assert_eq!(
            answer.status,
            StatusCode::BAD_REQUEST,
            "{path}: {}",
            answer.body
        );
    }
}
