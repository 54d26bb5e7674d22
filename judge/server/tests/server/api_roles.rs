//! Visibility in the Contest API: every endpoint, as every role, in every state of a contest.

use crate::api_fixture::{Fixture, ROLES, SECRET, SOURCE, STATES, When};
use crate::in_process::{ask, eventually};
use axum::http::{Request, StatusCode, header};

/// For each state, what each role sees: the ids of a collection, or a status. `-`: nothing.
const TABLE: &str = "
Before   problems        nobody -        a -         b -         h -         jury sum      admin sum
Before   teams           nobody a,b      a a,b       b a,b       h a,b,h     jury a,b,h    admin a,b,h
Before   accounts        nobody 404      a 404       b 404       h 404       jury 404      admin a,admin,b,h,jury
Before   awards          nobody W,g      a W,g       b W,g       h W,g       jury W,F,g    admin W,F,g
Running  problems        nobody sum      a sum       b sum       h sum       jury sum      admin sum
Running  submissions     nobody 1,2,3    a 1,2,3     b 1,2,3     h 1,2,3,4   jury 1,2,3,4  admin 1,2,3,4
Running  judgements      nobody 1,2,3    a 1,2,3     b 1,2,3     h 1,2,3,4   jury 1,2,3,4  admin 1,2,3,4
Running  runs            nobody 404      a 404       b 404       h 404       jury 1-1,2-1,3-1,4-1  admin 1-1,2-1,3-1,4-1
Running  clarifications  nobody 2        a 1,2       b 2,3       h 2         jury 1,2,3    admin 1,2,3
Before   persons         nobody pa       a pa        b pa        h pa        jury pa,ph,ps admin pa,ph,ps
Running  persons         nobody pa       a pa        b pa        h pa        jury pa,ph,ps admin pa,ph,ps
Running  commentary      nobody 1        a 1         b 1         h 1         jury 1        admin 1
Ended    commentary      nobody 1        a 1         b 1         h 1         jury 1        admin 1
Frozen   submissions     nobody 1,2,3    a 1,2,3     b 1,2,3     h 1,2,3,4   jury 1,2,3,4  admin 1,2,3,4
Frozen   judgements      nobody 1,3      a 1,2,3     b 1,3       h 1,3,4     jury 1,2,3,4  admin 1,2,3,4
Frozen   clarifications  nobody 2        a 1,2       b 2,3       h 2         jury 1,2,3    admin 1,2,3
Ended    judgements      nobody 1,3      a 1,2,3     b 1,3       h 1,3,4     jury 1,2,3,4  admin 1,2,3,4
Ended    runs            nobody 404      a 404       b 404       h 404       jury 1-1,2-1,3-1,4-1  admin 1-1,2-1,3-1,4-1
Thawed   judgements      nobody 1,2,3    a 1,2,3     b 1,2,3     h 1,2,3,4   jury 1,2,3,4  admin 1,2,3,4
Thawed   runs            nobody 404      a 404       b 404       h 404       jury 1-1,2-1,3-1,4-1  admin 1-1,2-1,3-1,4-1
";

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
        for row in TABLE
            .lines()
            .filter(|row| row.starts_with(&format!("{when:?} ")))
        {
            let words: Vec<&str> = row.split_whitespace().collect();
            for pair in words[2..].chunks(2) {
                let now = seen(&fixture, pair[0], words[1]).await;
                assert_eq!(now, pair[1], "{when:?}: {} as {}", words[1], pair[0]);
            }
        }
    }
}

/// Statuses of single addresses, for [`ROLES`] in order.
#[tokio::test]
async fn files_and_single_objects_follow_the_same_rights() {
    let rows = [
        (
            When::Running,
            "/submissions/1/files",
            "403 200 403 403 200 200",
        ),
        (
            When::Running,
            "/submissions/4/files",
            "404 404 404 200 200 200",
        ),
        (When::Running, "/submissions/4", "404 404 404 200 200 200"),
        (When::Frozen, "/judgements/2", "404 200 404 404 200 200"),
        (When::Running, "/runs/1-1", "404 404 404 404 200 200"),
        (When::Before, "/problems/sum", "404 404 404 404 200 200"),
        (
            When::Before,
            "/problems/sum/attachments/tool.py",
            "404 404 404 404 200 200",
        ),
        (
            When::Running,
            "/problems/sum/attachments/tool.py",
            "200 200 200 200 200 200",
        ),
        (
            When::Running,
            "/problems/sum/attachments/..%2F1.in",
            "404 404 404 404 404 404",
        ),
        (
            When::Running,
            "/problems/sum/statement",
            "404 404 404 404 404 404",
        ),
        (When::Running, "/account", "404 200 200 200 200 200"),
        (
            When::Running,
            "/scoreboard?group_id=x",
            "404 404 404 404 404 404",
        ),
        (When::Running, "/doesnt-exist", "404 404 404 404 404 404"),
        (
            When::Running,
            "/event-feed?since_id=1",
            "400 400 400 400 400 400",
        ),
        (
            When::Running,
            "/event-feed?since_token=9999",
            "400 400 400 400 400 400",
        ),
    ];
    for (when, path, expected) in rows {
        let fixture = Fixture::new(when);
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
        assert_eq!(statuses.join(" "), expected, "{when:?} {path}");
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

#[tokio::test]
async fn writing_needs_the_right_role() {
    let clar = r#"{"text":"May I?"}"#;
    let forged = r#"{"text":"x","from_team_id":"b"}"#;
    let thaw = r#"{"id":"c","scoreboard_thaw_time":"2020-01-01T00:00:00Z"}"#;
    let start = r#"{"id":"c","start_time":null}"#;
    let rows = [
        (
            When::Running,
            "POST",
            "/clarifications",
            clar,
            "401 201 201 201 201 201",
        ),
        (
            When::Running,
            "POST",
            "/clarifications",
            forged,
            "401 403 201 403 403 201",
        ),
        (
            When::Before,
            "POST",
            "/clarifications",
            clar,
            "401 403 403 403 201 201",
        ),
        (
            When::Running,
            "POST",
            "/commentary",
            r#"{"message":"{teams:a} leads","tags":["lead"],"team_ids":["a"],"submission_ids":["1"]}"#,
            "401 403 403 403 201 201",
        ),
        (
            When::Running,
            "POST",
            "/commentary",
            r#"{"message":"hidden","team_ids":["h"]}"#,
            "401 403 403 403 400 400",
        ),
        (
            When::Running,
            "POST",
            "/commentary",
            r#"{"message":" "}"#,
            "401 403 403 403 400 400",
        ),
        (
            When::Running,
            "POST",
            "/awards",
            "{}",
            "405 405 405 405 405 405",
        ),
        (When::Running, "PATCH", "", thaw, "401 403 403 403 403 403"),
        (When::Ended, "PATCH", "", thaw, "401 403 403 403 403 200"),
        (When::Running, "PATCH", "", start, "401 403 403 403 403 403"),
        (When::Before, "PATCH", "", start, "401 403 403 403 403 200"),
        (
            When::Running,
            "PUT",
            "/submissions/9",
            "{}",
            "401 403 403 403 403 400",
        ),
        (
            When::Running,
            "POST",
            "/submissions",
            "{}",
            "401 400 400 400 400 400",
        ),
    ];
    let mut unchanged: Option<(When, Fixture)> = None;
    for (when, method, path, body, expected) in rows {
        let mut statuses = Vec::new();
        for role in ROLES {
            // What is refused changes nothing.
            let fixture = unchanged.take().filter(|(own, _)| *own == when);
            let (_, fixture) = fixture.unwrap_or_else(|| (when, Fixture::new(when)));
            let path = format!("/api/contests/c{path}");
            let (status, _) = fixture.send(role, method, &path, body).await;
            statuses.push(status.as_u16().to_string());
            unchanged = (!status.is_success()).then_some((when, fixture));
        }
        assert_eq!(
            statuses.join(" "),
            expected,
            "{when:?} {method} {path} {body}"
        );
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

fn zip_of(name: &str, content: &str) -> String {
    use base64::Engine;
    use std::io::Write;
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive
        .start_file(name, zip::write::SimpleFileOptions::default())
        .and_then(|()| Ok(archive.write_all(content.as_bytes())?))
        .expect("it is written");
    let bytes = archive.finish().expect("it is complete").into_inner();
    base64::prelude::BASE64_STANDARD.encode(bytes)
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
