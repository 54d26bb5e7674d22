//! Visibility in the Contest API: every endpoint, as every role, in every state of a contest.

use crate::api_fixture::{Fixture, ROLES, SECRET, SOURCE, STATES, When, rows, zip_of};
use crate::in_process::{ask, eventually};
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use tower::ServiceExt;

/// For each state, what each role sees: the ids of a collection, or a status. `-`: nothing.
const COLLECTIONS: &str = include_str!("api_roles/collections.txt");

/// For each state, the statuses of single addresses for [`ROLES`] in order.
const ADDRESSES: &str = include_str!("api_roles/addresses.txt");

/// The ids of a collection that a role sees, or the status that refuses it.
pub async fn seen(fixture: &Fixture, role: &str, kind: &str) -> String {
    match fixture.collection(role, kind).await {
        Err(status) => status.as_u16().to_string(),
        Ok(objects) if objects.is_empty() => "-".to_owned(),
        Ok(objects) => {
            let ids = objects
                .iter()
                .map(|object| object["id"].as_str().expect("an id"));
            let short = |id| match id {
                "winner" => "W",
                "first-to-solve-sum" => "F",
                "group-winner-g" => "g",
                id => id,
            };
            ids.map(short).collect::<Vec<_>>().join(",")
        }
    }
}

#[tokio::test]
async fn collections_show_what_the_table_says() {
    for when in STATES {
        let fixture = Fixture::new(when);
        for row in rows(COLLECTIONS, when) {
            let words: Vec<&str> = row.split_whitespace().collect();
            for pair in words[1..].chunks(2) {
                let now = seen(&fixture, pair[0], words[0]).await;
                assert_eq!(now, pair[1], "{when:?}: {} as {}", words[0], pair[0]);
            }
        }
    }
}

#[tokio::test]
async fn files_and_single_objects_follow_the_same_rights() {
    for when in STATES {
        let fixture = Fixture::new(when);
        for row in rows(ADDRESSES, when) {
            let (path, expected) = row.split_once(' ').expect("two columns");
            let mut statuses = Vec::new();
            for role in ROLES {
                let (status, text) = fixture.get(role, path).await;
                if !status.is_success() {
                    let error: serde_json::Value = serde_json::from_str(&text).expect("an object");
                    assert_eq!(error["code"], status.as_u16(), "{path}");
                    assert!(error["message"].is_string(), "{path}");
                }
                statuses.push(status.as_u16().to_string());
            }
            assert_eq!(statuses.join(" "), expected.trim(), "{when:?} {path}");
        }
    }
}

/// All output for a role: collections, singletons, feed.
async fn everything(fixture: &Fixture, role: &str) -> String {
    let mut text = String::new();
    for path in [
        "",
        "/access",
        "/state",
        "/scoreboard",
        "/judgement-types",
        "/languages",
        "/problems",
        "/groups",
        "/organizations",
        "/teams",
        "/accounts",
        "/submissions",
        "/judgements",
        "/runs",
        "/clarifications",
        "/awards",
        "/persons",
        "/commentary",
        "/event-feed?stream=false",
    ] {
        text += &fixture.get(role, path).await.1;
    }
    text
}

#[tokio::test]
async fn nothing_leaks() {
    for when in STATES {
        let fixture = Fixture::new(when);
        for role in ROLES {
            let all = everything(&fixture, role).await;
            let jury = matches!(role, "jury" | "admin");
            assert!(
                !all.contains(SECRET) && !all.contains(SOURCE),
                "{when:?} {role}"
            );
            assert!(!all.contains("password"), "{when:?} {role}");
            if !jury {
                assert!(
                    !all.contains("Team h") || role == "h",
                    "{when:?} {role}: the hidden team"
                );
                let private = all.contains("private question");
                assert!(
                    !private || role == "a",
                    "{when:?} {role}: another team's question"
                );
                assert!(!all.contains("\"runs\""), "{when:?} {role}: runs");
                let names_question = all.contains("\"reply_to_id\":\"1\"");
                assert!(
                    !names_question || role == "a",
                    "{when:?} {role}: the id of a question"
                );
            }
            assert_eq!(
                all.contains("ann@example.org"),
                jury,
                "{when:?} {role}: an address"
            );
            let own_source = matches!(role, "a" | "b" | "h") || jury;
            let files = all.contains("/submissions/1/files");
            assert!(
                !files || role == "a" || jury,
                "{when:?} {role}: files of others"
            );
            assert_eq!(
                all.contains("/files\""),
                own_source && when > When::Before,
                "{when:?} {role}"
            );
            if matches!(when, When::Frozen | When::Ended) && !jury {
                let board = fixture.get(role, "/scoreboard").await.1;
                assert!(
                    !board.contains("\"solved\":true"),
                    "{when:?} {role}: {board}"
                );
            }
        }
    }
}

/// Each role of a contest, and the account that sees the same there.
const LIKE: [(&str, &str); 4] = [
    ("spectator", "nobody"),
    ("balloons", "nobody"),
    ("analyst", "jury"),
    ("judge", "jury"),
];

/// Awards and the like are announced by a thread, also between the reads of two feeds.
async fn the_feeds_are_equal(fixture: &Fixture, role: &str, like: &str, when: When) {
    eventually(500, async || {
        let (own, expected) = (fixture.feed(role, "").await, fixture.feed(like, "").await);
        (own != expected)
            .then(|| format!("{when:?}: the feed as {role}: {own:#?}, as {like}: {expected:#?}"))
    })
    .await;
}

#[tokio::test]
async fn roles_of_a_contest_see_what_those_of_the_server_see() {
    for when in STATES {
        let fixture = Fixture::new(when);
        fixture.add_contest_roles();
        for (role, like) in LIKE {
            for kind in [
                "problems",
                "teams",
                "persons",
                "submissions",
                "judgements",
                "runs",
                "clarifications",
                "commentary",
                "awards",
                "groups",
                "accounts",
            ] {
                let (own, expected) = (
                    seen(&fixture, role, kind).await,
                    seen(&fixture, like, kind).await,
                );
                assert_eq!(own, expected, "{when:?}: {kind} as {role}");
            }
            the_feeds_are_equal(&fixture, role, like, when).await;
            let board = |role| fixture.get(role, "/scoreboard");
            let rows = |text: &str| text.split_once("\"rows\"").map(|(_, rows)| rows.to_owned());
            let (own, expected) = (board(role).await.1, board(like).await.1);
            assert_eq!(
                rows(&own),
                rows(&expected),
                "{when:?}: the scoreboard as {role}"
            );
        }
    }
}

#[tokio::test]
async fn roles_of_a_contest_change_what_the_table_says() {
    let fixture = Fixture::new(When::Running);
    fixture.add_contest_roles();
    let source = zip_of("a.cpp", "int main() {}");
    let source =
        format!(r#"{{"language_id":"cpp","problem_id":"sum","files":[{{"data":"{source}"}}]}}"#);
    let start = r#"{"id":"c","start_time":null}"#;
    // Statuses for the roles of LIKE, in order.
    for (method, path, body, expected) in [
        ("GET", "/submissions/1/files", "", [403, 403, 200, 200]),
        (
            "POST",
            "/clarifications",
            r#"{"text":"All"}"#,
            [403, 403, 403, 201],
        ),
        (
            "POST",
            "/commentary",
            r#"{"message":"x"}"#,
            [403, 403, 403, 201],
        ),
        ("POST", "/submissions", &source, [403, 403, 403, 201]),
        ("PATCH", "", start, [403, 403, 403, 403]),
        ("PUT", "/submissions/9", "{}", [403, 403, 403, 403]),
    ] {
        for ((role, _), expected) in LIKE.into_iter().zip(expected) {
            let path = format!("/api/contests/c{path}");
            let (status, text) = fixture.send(role, method, &path, body).await;
            assert_eq!(status.as_u16(), expected, "{role}: {method} {path}: {text}");
        }
    }
    for (role, kind) in [
        ("spectator", "null"),
        ("balloons", "\"staff\""),
        ("analyst", "\"analyst\""),
        ("judge", "\"judge\""),
    ] {
        let (_, account) = fixture.get(role, "/account").await;
        assert!(account.contains(&format!("\"type\":{kind}")), "{account}");
    }
    let accounts = seen(&fixture, "admin", "accounts").await;
    assert_eq!(
        accounts,
        "a,admin,analyst,b,balloons,h,judge,jury,spectator"
    );
    let (_, access) = fixture.get("judge", "/access").await;
    assert!(
        access.contains(r#"["post_clar","post_comment"]"#),
        "{access}"
    );
    let (_, access) = fixture.get("analyst", "/access").await;
    assert!(access.contains(r#""capabilities":[]"#), "{access}");
}

/// A PDF in the package's own directory is one: Hydro and others have no directory for statements. A link
/// out of the package is none.
#[tokio::test]
async fn the_statement_of_the_api_is_that_of_the_page() {
    let fixture = Fixture::new(When::Running);
    let store = &fixture.app.store;
    let problem = store
        .problem_by_ext("sum")
        .expect("read")
        .expect("a problem");
    let snapshot = fixture.packages().join(&problem.version.tree).join("sum");
    std::fs::create_dir(snapshot.join("statement")).expect("it is created");
    std::os::unix::fs::symlink("/etc/passwd", snapshot.join("statement/problem.en.pdf"))
        .expect("a link");
    let path = "/problems/sum/statement";
    assert_eq!(fixture.get("a", path).await.0, StatusCode::NOT_FOUND);
    std::fs::write(snapshot.join("problem.pdf"), "%PDF").expect("it is written");
    assert_eq!(
        fixture.get("a", path).await,
        (StatusCode::OK, "%PDF".to_owned())
    );
}

/// The next user of a browser is not shown what it has kept for the one before.
#[tokio::test]
async fn files_that_a_browser_keeps_are_of_its_user() {
    let fixture = Fixture::new(When::Running);
    for path in ["/submissions/1/files", "/problems/sum/attachments/tool.py"] {
        let request = Request::get(format!("/api/contests/c{path}"))
            .header(header::AUTHORIZATION, "Bearer token-a")
            .header(header::CONTENT_TYPE, "application/json");
        let answer = ask(&fixture.router, request, "").await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        let all = answer.headers.get_all(header::VARY).iter();
        let all: Vec<String> = all
            .map(|value| String::from_utf8_lossy(value.as_bytes()).to_lowercase())
            .collect();
        let all = all.join(", ");
        assert!(
            all.contains("cookie") && all.contains("authorization"),
            "{path}: {all}"
        );
    }
}

/// Many clients may read large files slowly.
#[tokio::test]
async fn files_of_a_problem_are_read_while_they_are_sent() {
    let fixture = Fixture::new(When::Running);
    let problem = fixture.app.store.problem_by_ext("sum").expect("read");
    let tree = problem.expect("a problem").version.tree;
    let snapshot = fixture.packages().join(tree).join("sum");
    let large = vec![b'a'; 1 << 20];
    std::fs::create_dir(snapshot.join("statement")).expect("it is created");
    std::fs::write(snapshot.join("statement/problem.en.pdf"), "").expect("it is written");
    for (name, path) in [
        (
            "attachments/tool.py",
            "/api/contests/c/problems/sum/attachments/tool.py",
        ),
        ("attachments/tool.py", "/problems/sum/attachments/tool.py"),
        (
            "statement/problem.en.pdf",
            "/api/contests/c/problems/sum/statement",
        ),
        ("statement/problem.en.pdf", "/problems/sum/statement/en"),
        (
            "statement/problem.en.pdf",
            "/api/practice/problems/sum/statement",
        ),
    ] {
        std::fs::write(snapshot.join(name), &large).expect("it is written");
        let request = Request::get(path).header(header::AUTHORIZATION, "Bearer token-admin");
        let request = request.body(Body::empty()).expect("a request");
        let response = fixture.router.clone().oneshot(request).await;
        let response = response.expect("an answer");
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        assert_eq!(
            response.headers()[header::CONTENT_LENGTH],
            "1048576",
            "{path}"
        );
        let changed = [&large[1..], b"b"].concat();
        std::fs::write(snapshot.join(name), changed).expect("it is written");
        let body = to_bytes(response.into_body(), 2 << 20)
            .await
            .expect("a body");
        assert_eq!((body.len(), body.last()), (1 << 20, Some(&b'b')), "{path}");
    }
}
