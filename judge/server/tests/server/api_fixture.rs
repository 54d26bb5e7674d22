//! A contest in a given state, and requests to the server.

use super::common::{labelled, new_app, new_contest, new_team, new_user};
use super::in_process::{add_submission, ask, record_judging};
use axum::Router;
use axum::http::{Request, StatusCode, header};
use judge_core::verdict::Verdict;
use judge_server::http::App;
use judge_server::packages::Packages;
use judge_server::secret;
use judge_server::store::*;
use judge_server::web::router;
use serde_json::Value;

/// A message about secret cases, which no output for spectators and teams may contain.
pub const SECRET: &str = "SECRET-DATA";
/// The source of every submission.
pub const SOURCE: &str = "int main() { /* SOURCE */ }";

const HOUR: i64 = 3_600_000;

/// When the contest is looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum When {
    Before,
    Running,
    Frozen,
    Ended,
    Thawed,
}

pub const STATES: [When; 5] = [
    When::Before,
    When::Running,
    When::Frozen,
    When::Ended,
    When::Thawed,
];

/// The callers. Teams `a` and `b` take part; submissions 1 and 2 are of `a`, 3 of `b`, 4 of the hidden
/// team `h`.
pub const ROLES: [&str; 6] = ["nobody", "a", "b", "h", "jury", "admin"];

/// A server with the contest `c`: 5 hours, the last one frozen.
pub struct Fixture {
    pub app: App,
    pub router: Router,
    pub contest: ContestId,
    dir: tempfile::TempDir,
}

impl Fixture {
    pub fn new(when: When) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let (app, _) = new_app(dir.path(), &[["cpp", "C++", "cpp"]]);
        let contest = fill(&app.store, &app.packages, dir.path(), when);
        let fixture = Fixture {
            router: router(app.clone()),
            app,
            contest,
            dir,
        };
        if when > When::Before {
            fixture.submissions(when);
            fixture.clarifications();
        }
        if when == When::Thawed {
            fixture
                .app
                .store
                .thaw(contest, now_ms())
                .expect("it is over");
        }
        fixture
    }

    /// The directory of the packages' snapshots.
    pub fn packages(&self) -> std::path::PathBuf {
        self.dir.path().join("packages")
    }

    fn start(&self) -> i64 {
        let contest = self.app.store.contest(self.contest).expect("it is there");
        contest.start_ms.expect("it is set")
    }

    /// Submits for the team of a user, and judges with one case.
    pub fn submit(&self, user: &str, time_ms: i64, verdict: &str) -> (SubmissionId, JudgingId) {
        let store = &self.app.store;
        let user = store.user_named(user).expect("it is read").expect("a user");
        let problem = store
            .problem_by_ext("sum")
            .expect("it is read")
            .expect("a problem");
        let contest = Some(self.contest);
        let (id, judging) =
            add_submission(&self.app, &user, contest, problem.id, SOURCE, Some(time_ms));
        self.judge(judging, verdict);
        (id, judging)
    }

    pub fn judge(&self, judging: JudgingId, verdict: &str) {
        let case = CaseRow {
            cpu_s: Some(0.012_345),
            message: Some(SECRET.into()),
            ..CaseRow::new(0, Verdict::from_code(verdict).expect("a verdict"))
        };
        let finished = Finished {
            max_cpu_s: Some(0.012_345),
            ..Finished::new(Verdict::from_code(verdict).expect("a verdict"))
        };
        let compiled = Some(SECRET.into());
        let judged = record_judging(&self.app.store, judging, compiled, [case], finished);
        assert!(judged.is_some(), "it is closed");
    }

    /// Adds accounts with a role in the contest: `spectator`, `balloons`, `analyst` and `judge`.
    pub fn add_contest_roles(&self) {
        let store = &self.app.store;
        for role in ContestRole::ALL {
            let name = match role {
                ContestRole::Jury => "judge",
                role => role.word(),
            };
            add_user(store, name, Role::Public, None);
            let user = store.user_named(name).expect("read").expect("a user").id;
            store
                .set_contest_role(self.contest, user, Some(*role))
                .expect("it is set");
        }
    }

    fn submissions(&self, when: When) {
        let start = self.start();
        self.submit("a", start + 1000, "WA");
        if when >= When::Frozen {
            self.submit("a", start + 4 * HOUR + 1000, "AC");
        } else {
            self.submit("a", start + 2000, "AC");
        }
        self.submit("b", start + 3000, "RTE");
        self.submit("h", start + 4000, "AC");
    }

    /// 1: a question of `a`; 2: the answer to all; 3: a message to `b`.
    fn clarifications(&self) {
        let store = &self.app.store;
        let team = |ext| {
            store
                .team_by_ext(ext)
                .expect("it is read")
                .map(|team| team.id)
        };
        let add = |from_team, to_team, reply_to, text: &str| {
            let new = NewClarification {
                contest: self.contest,
                problem: None,
                category: None,
                from_team,
                to_team,
                reply_to,
                text: text.into(),
                author: None,
                ..Default::default()
            };
            store.add_clarification(&new).expect("it is added")
        };
        let content = CommentContent {
            message: "{teams:a} submits".into(),
            tags: vec!["submission".into()],
            teams: vec!["a".into()],
            submissions: vec!["1".into()],
            ..CommentContent::default()
        };
        let jury = store.user_named("jury").expect("read").expect("a user").id;
        store
            .add_comment(self.contest, jury, content)
            .expect("it is added");
        let question = add(team("a"), None, None, "private question");
        add(None, None, Some(question), "answer to all");
        add(None, team("b"), None, "only for b");
    }

    /// The response to a request.
    pub async fn send(
        &self,
        role: &str,
        method: &str,
        path: &str,
        body: &str,
    ) -> (StatusCode, String) {
        let mut request = Request::builder().method(method).uri(path);
        if role != "nobody" {
            request = request.header(header::AUTHORIZATION, format!("Bearer token-{role}"));
        }
        let request = request.header(header::CONTENT_TYPE, "application/json");
        let answer = ask(&self.router, request, body.to_owned()).await;
        (answer.status, answer.body)
    }

    /// `GET` under the contest.
    pub async fn get(&self, role: &str, path: &str) -> (StatusCode, String) {
        self.send(role, "GET", &format!("/api/contests/c{path}"), "")
            .await
    }

    /// The objects of a collection, or the status.
    pub async fn collection(&self, role: &str, kind: &str) -> Result<Vec<Value>, StatusCode> {
        match self.get(role, &format!("/{kind}")).await {
            (StatusCode::OK, text) => Ok(serde_json::from_str(&text).expect("an array")),
            (status, _) => Err(status),
        }
    }

    /// The lines of the feed so far, after a token.
    pub async fn feed(&self, role: &str, since: &str) -> Vec<Value> {
        let path = format!("/event-feed?stream=false{since}");
        let (status, text) = self.get(role, &path).await;
        assert_eq!(status, StatusCode::OK, "{text}");
        let lines = text.lines().filter(|line| !line.is_empty());
        lines
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }
}

/// A problem, two visible teams and a hidden one, a user of each, the jury, an admin, the contest.
fn fill(store: &Store, packages: &Packages, dir: &std::path::Path, when: When) -> ContestId {
    let package = dir.join("sum");
    std::fs::create_dir_all(package.join("attachments")).expect("it is created");
    for (name, text) in [
        ("1.in", "1 2\n"),
        ("1.ans", "3\n"),
        ("attachments/tool.py", "pass\n"),
    ] {
        std::fs::write(package.join(name), text).expect("it is written");
    }
    let version = packages.add(&package).expect("it is added");
    let (problem, _) = store.put_version(&version).expect("it is added");
    store.set_practice(problem, true).expect("it is open");
    let organization = store
        .put_organization(&Organization {
            id: OrganizationId(0),
            ext: "o".into(),
            icpc_id: None,
            name: "O".into(),
            formal_name: None,
            country: None,
            logo: None,
        })
        .expect("it is added");
    let group = store.put_group(&Group {
        id: GroupId(0),
        ext: "g".into(),
        icpc_id: None,
        name: "G".into(),
        hidden: false,
    });
    let group = group.expect("it is added");
    let mut teams = Vec::new();
    for ext in ["a", "b", "h"] {
        let team = Team {
            organization: Some(organization),
            groups: vec![group],
            hidden: ext == "h",
            ..new_team(ext, &format!("Team {ext}"))
        };
        let team = store.put_team(&team).expect("it is added");
        teams.push(team);
        if ext != "b" {
            add_person(store, &format!("p{ext}"), vec![team]);
        }
        add_user(store, ext, Role::Team, Some(team));
    }
    add_person(store, "ps", Vec::new());
    add_user(store, "jury", Role::Jury, None);
    add_user(store, "admin", Role::Admin, None);
    let now = now_ms();
    let start = match when {
        When::Before => now + HOUR,
        When::Running => now - HOUR,
        When::Frozen => now - 4 * HOUR - 60_000,
        When::Ended | When::Thawed => now - 6 * HOUR,
    };
    let contest = store.put_contest(&Contest {
        freeze_ms: Some(HOUR),
        ..new_contest("c", "Contest", start)
    });
    let contest = contest.expect("it is added");
    let problems = [labelled(problem, "A")];
    store.set_contest_problems(contest, &problems).expect("set");
    store.set_contest_teams(contest, &teams).expect("set");
    contest
}

fn add_person(store: &Store, ext: &str, teams: Vec<TeamId>) {
    let person = Person {
        id: PersonId(0),
        ext: ext.into(),
        name: "Ann".into(),
        role: PersonRole::Contestant,
        title: None,
        email: Some("ann@example.org".into()),
        sex: Some("female".into()),
        icpc_id: None,
        teams,
    };
    let added = store.write(|tx| tx.put_person(&person));
    added.expect("it is added");
}

fn add_user(store: &Store, name: &str, role: Role, team: Option<TeamId>) {
    let user = store.put_user(&new_user(name, role, team));
    let hash = secret::hash(&format!("token-{name}"));
    store
        .add_token(&hash, user.expect("it is added"), "test")
        .expect("it is added");
}

/// The rows of a table for a state of the contest, without its name.
pub fn rows(table: &'static str, when: When) -> impl Iterator<Item = &'static str> {
    let state = format!("{when:?} ");
    let rows = table.lines();
    rows.filter_map(move |row| Some(row.strip_prefix(&state)?.trim_start()))
}

/// A zip archive with one file, in base64.
pub fn zip_of(name: &str, content: &str) -> String {
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
