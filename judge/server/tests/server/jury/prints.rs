//! Printing for teams, and the jury's list of prints.

use super::super::common::{Data, judge_server, new_team, new_user, sum, until};
use super::site::{HOSTILE, Site, Who, contest};
use axum::http::StatusCode;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use judge_server::secret;
use judge_server::store::{Contest, ContestRole, Role, Team};
use std::fs;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

const PAGE: &str = "/contests/c1/print";
const LIST: &str = "/jury/contests/c1/prints";

/// A command that copies each text and its variables to files of a directory.
fn copying(dir: &TempDir) -> String {
    let script = dir.path().join("print.sh");
    let variables = "$JUDGE_PRINT_TEAM|$JUDGE_PRINT_LOCATION|$JUDGE_PRINT_FILE|$JUDGE_PRINT_PAGES";
    let text = format!(
        "cat > {0}/text-$JUDGE_PRINT_ID\nprintf %s \"{variables}\" >> {0}/facts\n",
        dir.path().display()
    );
    fs::write(&script, text).expect("it is written");
    format!("sh {}", script.display())
}

/// A site that prints by [`copying`], and its team, with a seat.
fn printing() -> (Site, TempDir, Who) {
    let dir = tempfile::tempdir().expect("a directory");
    let site = Site::that_prints(Some(&copying(&dir)));
    let seated = Team {
        label: Some("Room 7".to_owned()),
        ..new_team("t1", HOSTILE)
    };
    site.app.store.put_team(&seated).expect("it is changed");
    let team = site.sign_in("team", Role::Team);
    (site, dir, team)
}

/// Waits until no print waits any more; returns the page with the states.
async fn ended(site: &Site, who: &Who, path: &str) -> String {
    for _ in 0..6000 {
        let page = site.page(who, path).await;
        if !page.contains(">waiting<") && !page.contains(">printing<") {
            return page;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the prints of {path} do not end");
}

fn read(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).expect("it was printed")
}

#[tokio::test]
async fn a_team_prints_and_the_jury_prints_again() {
    let (site, dir, team) = printing();
    let overview = site.page(&team, "/contests/c1").await;
    assert!(overview.contains(&format!("href=\"{PAGE}\"")), "{overview}");
    let name = "$(touch evil); a.cpp";
    let sent = site
        .upload(&team, PAGE, &[(name, b"int main() {}\n\x1b[1m")])
        .await;
    assert_eq!(sent.status, StatusCode::SEE_OTHER, "{}", sent.body);
    let page = ended(&site, &team, PAGE).await;
    assert!(page.contains(">printed<"), "{page}");
    let text = read(dir.path(), "text-1");
    assert!(
        text.starts_with(&format!("{HOSTILE} | Room 7 | {name} | ")),
        "{text}"
    );
    assert!(
        text.ends_with(" | page 1 of 1\n\n   1 int main() {}\n   2 ?[1m\n"),
        "{text}"
    );
    assert_eq!(
        read(dir.path(), "facts"),
        format!("{HOSTILE}|Room 7|{name}|1")
    );
    // Only runners, analysts and the jury see the list.
    let with_role = |name: &str, role| {
        let user = site.user(name, Role::Public);
        let set = site
            .app
            .store
            .set_contest_role(site.contest, user, Some(role));
        set.expect("it is set");
        Who::start(&site.app.store, user, name)
    };
    let runner = with_role("runner", ContestRole::Balloons);
    let analyst = with_role("analyst", ContestRole::Analyst);
    let list = site.page(&runner, LIST).await;
    assert!(
        list.contains("Room 7") && list.contains("Print again</button>"),
        "{list}"
    );
    let list = site.page(&analyst, LIST).await;
    assert!(
        list.contains("Room 7") && !list.contains("Print again</button>"),
        "{list}"
    );
    let again = site.post(&runner, LIST, &[("print", "1")]).await;
    assert_eq!(again.status, StatusCode::SEE_OTHER, "{}", again.body);
    ended(&site, &runner, LIST).await;
    assert_eq!(read(dir.path(), "facts").matches("Room 7").count(), 2);
    let unknown = site.post(&runner, LIST, &[("print", "9")]).await;
    assert_eq!(unknown.status, StatusCode::CONFLICT, "{}", unknown.body);
}

#[tokio::test]
async fn prints_have_limits() {
    let (site, _dir, team) = printing();
    let store = &site.app.store;
    let long = "x\n".repeat(20 * 60 + 1);
    let large = "x".repeat((256 << 10) + 1);
    for (text, expected) in [
        ("", StatusCode::BAD_REQUEST),
        (" \n", StatusCode::BAD_REQUEST),
        (&long, StatusCode::PAYLOAD_TOO_LARGE),
        (&large, StatusCode::PAYLOAD_TOO_LARGE),
    ] {
        let fields = [("csrf", team.csrf.as_str()), ("text", text)];
        let answer = site.post_parts(&team, PAGE, &fields).await;
        assert_eq!(
            answer.status,
            expected,
            "{} bytes: {}",
            text.len(),
            answer.body
        );
    }
    // Another team, which does not take part.
    let other = store.put_team(&new_team("t2", "Others")).expect("a team");
    let other = store.put_user(&new_user("other", Role::Team, Some(other)));
    let other = Who::start(store, other.expect("a user"), "other");
    let files: [(&str, &[u8]); 1] = [("a.txt", b"x")];
    assert_eq!(
        site.upload(&other, PAGE, &files).await.status,
        StatusCode::FORBIDDEN
    );
    let mut statuses = Vec::new();
    for _ in 0..6 {
        statuses.push(site.upload(&team, PAGE, &files).await.status);
    }
    assert_eq!(statuses[..5], [StatusCode::SEE_OTHER; 5]);
    assert_eq!(statuses[5], StatusCode::TOO_MANY_REQUESTS);
    assert!(
        !site.page(&other, PAGE).await.contains("a.txt"),
        "prints of others"
    );
    let over = Contest {
        start_ms: Some(0),
        ..contest("c1")
    };
    store.put_contest(&over).expect("it is changed");
    let late = site.upload(&team, PAGE, &files).await;
    assert_eq!(late.status, StatusCode::FORBIDDEN, "{}", late.body);
}

#[tokio::test]
async fn a_command_that_fails_is_shown_to_the_jury() {
    let site = Site::that_prints(Some("false"));
    let team = site.sign_in("team", Role::Team);
    let sent = site.upload(&team, PAGE, &[("a.txt", b"x")]).await;
    assert_eq!(sent.status, StatusCode::SEE_OTHER, "{}", sent.body);
    let page = ended(&site, &team, PAGE).await;
    assert!(
        page.contains(">failed<") && !page.contains("exit status"),
        "{page}"
    );
    let jury = site.sign_in("jury", Role::Jury);
    let list = site.page(&jury, LIST).await;
    assert!(list.contains("failed: false: exit status: 1"), "{list}");
}

#[tokio::test]
async fn a_server_without_a_command_does_not_print() {
    let site = Site::new();
    let team = site.sign_in("team", Role::Team);
    assert_eq!(site.get(&team, PAGE).await.status, StatusCode::NOT_FOUND);
    let sent = site.upload(&team, PAGE, &[("a.txt", b"x")]).await;
    assert_eq!(sent.status, StatusCode::NOT_FOUND, "{}", sent.body);
    let overview = site.page(&team, "/contests/c1").await;
    assert!(!overview.contains(PAGE), "{overview}");
    let jury = site.sign_in("jury", Role::Jury);
    let list = site.page(&jury, LIST).await;
    assert!(list.contains("--print-command"), "{list}");
}

/// As DOMjudge's client sends it.
#[tokio::test]
async fn programs_print() {
    let (site, dir, _) = printing();
    let store = &site.app.store;
    let user = store
        .user_named("team")
        .expect("it is read")
        .expect("a user");
    let hash = secret::hash("token");
    store
        .add_token(&hash, user.id, "test")
        .expect("it is added");
    let content = BASE64_STANDARD.encode("print(1)\n");
    for path in ["/api/printing/team", "/api/v4/printing/team"] {
        let fields = [
            ("original-name", "dir/a.py"),
            ("file-contents", content.as_str()),
        ];
        let sent = site.post_with_token("token", path, &fields).await;
        assert_eq!(sent.status, StatusCode::OK, "{}", sent.body);
        assert!(sent.body.contains("\"success\":true"), "{}", sent.body);
        assert!(
            sent.body.contains("a.py is printed: 1 page"),
            "{}",
            sent.body
        );
    }
    for (name, content, contest, expected) in [
        ("a.py", "?", "", StatusCode::BAD_REQUEST),
        ("a.py", &content, "none", StatusCode::NOT_FOUND),
        ("", &content, "c1", StatusCode::BAD_REQUEST),
    ] {
        let fields = [
            ("original-name", name),
            ("file-contents", content),
            ("contest", contest),
        ];
        let sent = site
            .post_with_token("token", "/api/printing/team", &fields)
            .await;
        assert_eq!(sent.status, expected, "{name} {contest}: {}", sent.body);
    }
    let who = Who::start(store, user.id, "team");
    ended(&site, &who, PAGE).await;
    assert!(read(dir.path(), "text-2").contains(" | a.py | "));
}

/// `judge submit --print`.
#[test]
fn the_command_prints_its_files() {
    let data = Data::new(&[sum("sum")]);
    let (_, team) = data.contest();
    data.user_with_token("ada", Role::Team, Some(team));
    let dir = tempfile::tempdir().expect("a directory");
    for name in ["a.py", "b.py"] {
        fs::write(dir.path().join(name), format!("print('{name}')\n")).expect("it is written");
    }
    let printed = |address: &str, files: &[&str]| {
        let mut command = judge_server();
        command.args(["submit", "-P", "--server", address]);
        let files = files.iter().map(|name| dir.path().join(name));
        let output = command.args(files).env("JUDGE_TOKEN", "ada").output();
        let output = output.expect("it runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    };
    let server = data.serve_with(&["--print-command", &copying(&dir)]);
    let both = printed(&server.address, &["a.py", "b.py"]);
    let lines = "a.py is printed: 1 page\nb.py is printed: 1 page\n";
    assert_eq!(both, (Some(0), lines.to_owned(), String::new()));
    until("both are printed", || {
        let facts = fs::read_to_string(dir.path().join("facts"));
        facts.is_ok_and(|facts| facts.ends_with("|b.py|1"))
    });
    assert!(read(dir.path(), "text-1").ends_with("   1 print('a.py')\n"));
    assert!(read(dir.path(), "text-2").ends_with("   1 print('b.py')\n"));

    let (status, _, error) = printed(&server.address, &["none.py"]);
    assert_eq!(status, Some(2));
    assert!(error.contains("none.py: "), "{error}");
    drop(server);
    let server = data.serve();
    let (status, _, error) = printed(&server.address, &["a.py"]);
    assert_eq!(status, Some(2));
    assert!(error.contains("does not print"), "{error}");
}
