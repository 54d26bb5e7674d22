//! A server with a contest, and a browser without JavaScript.

use super::common::{labelled, multipart, new_app, new_contest, new_team, new_user};
use super::in_process::{Answer, Session, add_submission, ask, bytes, record_judging};
use axum::Router;
use axum::body::Body;
use axum::http::request::Builder;
use axum::http::{Request, header};
use judge_core::results::{CaseImage, Details, Excerpt, ExcerptLine, KeptOutput};
use judge_core::verdict::Verdict;
use judge_server::http::App;
use judge_server::store::*;
use judge_server::web::router;
use std::path::Path;
use std::sync::Arc;

/// In the input of the secret case.
pub const SECRET: &str = "SECRET-INPUT";
/// In the input of the sample.
pub const SAMPLE: &str = "SAMPLE-INPUT";
/// The images of the secret case: for the judges, and for the team.
pub const JUDGE_IMAGE: &str = "data:image/png;base64,SlVER0U=";
pub const TEAM_IMAGE: &str = "data:image/png;base64,VEVBTQ==";
/// In every source.
pub const SOURCE: &str = "SOURCE-OF-A-TEAM";
/// A name that would be a script.
pub const HOSTILE: &str = "<script>alert(1)</script>";

pub const HOUR: i64 = 3_600_000;

/// The callers: somebody who is not signed in, the teams `a` and `b` of the contest, a team `c` that
/// does not take part, a user without a team, the jury.
pub const ROLES: [&str; 6] = ["-", "a", "b", "c", "solo", "jury"];

/// A server with the problems `sum` (practice) and `grid` (contest `final` as A).
pub struct Fixture {
    pub app: App,
    pub queue: Arc<SqliteQueue>,
    pub router: Router,
    pub contest: ContestId,
    _dir: tempfile::TempDir,
}

impl Fixture {
    /// The contest started this long ago; 5 hours, the last one frozen.
    pub fn started(ago_ms: i64) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let languages = [["cpp", "C++", ".cpp"], ["python3", "Python 3", ".py"]];
        let (app, queue) = new_app(dir.path(), &languages);
        let contest = fill(&app, dir.path(), now_ms() - ago_ms);
        Fixture {
            router: router(app.clone()),
            app,
            queue,
            contest,
            _dir: dir,
        }
    }

    /// A browser that is signed in as this user; `-`: not signed in.
    pub fn browser(&self, name: &str) -> Browser<'_> {
        let session = match name {
            "-" => Session::default(),
            name => Session::start(&self.app.store, self.user(name).id, name),
        };
        Browser {
            fixture: self,
            session,
        }
    }

    pub fn user(&self, name: &str) -> User {
        let found = self.app.store.user_named(name).expect("it is read");
        found.expect("there is the user")
    }

    /// Adds a submission that is judged: a sample and a secret case, both with a diagnosis.
    pub fn judged(&self, user: &str, contest: bool, verdict: &str) -> SubmissionId {
        let (id, judging) = self.waiting(user, contest);
        let case = |case: usize, text: &str| CaseRow {
            cpu_s: Some(0.25),
            memory: Some(3 << 20),
            message: Some(format!("{text} {HOSTILE}")),
            diagnosis: Some(Box::new(diagnosis(text))),
            ..CaseRow::new(case, Verdict::from_code(verdict).expect("a verdict"))
        };
        let finished = Finished {
            max_cpu_s: Some(0.25),
            ..Finished::new(Verdict::from_code(verdict).expect("a verdict"))
        };
        let message = Some(format!("compiler says {HOSTILE}"));
        let cases = [case(0, SAMPLE), case(1, SECRET)];
        let judged = record_judging(&self.app.store, judging, message, cases, finished);
        assert_eq!(judged, Some(id));
        id
    }

    /// Adds a submission that waits.
    pub fn waiting(&self, user: &str, contest: bool) -> (SubmissionId, JudgingId) {
        let user = self.user(user);
        let source = format!("{SOURCE} {HOSTILE}\nline 2");
        let ext = if contest { "grid" } else { "sum" };
        let problem = self.app.store.problem_by_ext(ext).expect("it is read");
        let problem = problem.expect("a problem").id;
        let contest = contest.then_some(self.contest);
        add_submission(&self.app, &user, contest, problem, &source, None)
    }
}

fn image(for_team: bool, uri: &str) -> CaseImage {
    CaseImage {
        name: format!("image {HOSTILE}"),
        for_team,
        uri: Some(uri.into()),
    }
}

fn diagnosis(text: &str) -> Details {
    let excerpt = |text: &str, mark| Excerpt {
        bytes: text.len() as u64,
        lines: vec![ExcerptLine {
            number: 1,
            text: text.into(),
            mark,
        }],
        more: false,
    };
    Details {
        input_note: None,
        difference: None,
        input: Some(excerpt(text, None)),
        expected: Some(excerpt("answer 3", Some([7, 8]))),
        found: Some(excerpt("answer 4", Some([7, 8]))),
        board: None,
        output: Some(KeptOutput {
            base64: "YW5zd2VyIDQK".into(),
            bytes: 100,
        }),
        dialogue: None,
        standard_error: None,
        team_message: None,
        images: match text {
            SECRET => vec![image(false, JUDGE_IMAGE), image(true, TEAM_IMAGE)],
            _ => Vec::new(),
        },
    }
}

/// A browser without JavaScript.
pub struct Browser<'a> {
    fixture: &'a Fixture,
    pub session: Session,
}

impl Browser<'_> {
    pub async fn get(&self, path: &str) -> Answer {
        self.send(Request::get(path), Body::empty()).await
    }

    pub async fn bytes(&self, path: &str) -> Vec<u8> {
        let request = self.session.sign(Request::get(path));
        bytes(&self.fixture.router, request).await
    }

    /// Sends a form with the secret of the session; values are encoded already.
    pub async fn post(&self, path: &str, form: &str) -> Answer {
        let csrf = &self.session.csrf;
        self.post_with(path, &format!("csrf={csrf}&{form}")).await
    }

    /// Sends a form as it is.
    pub async fn post_with(&self, path: &str, form: &str) -> Answer {
        let kind = "application/x-www-form-urlencoded";
        let request = Request::post(path).header(header::CONTENT_TYPE, kind);
        self.send(request, form.to_owned()).await
    }

    /// Submits a file; `csrf` as given.
    pub async fn submit(&self, path: &str, csrf: &str, name: &str, content: &str) -> Answer {
        let fields = [("csrf", csrf), ("language", "")];
        let (kind, body) = multipart(&fields, &[("file", name, content.as_bytes())]);
        let request = Request::post(path).header(header::CONTENT_TYPE, kind);
        self.send(request, body).await
    }

    async fn send(&self, request: Builder, body: impl Into<Body>) -> Answer {
        let request = request.header(header::ACCEPT, "text/html");
        ask(&self.fixture.router, self.session.sign(request), body).await
    }
}

/// Writes a package in the ICPC format: adds two numbers.
pub fn write_package(dir: &Path) {
    for (name, text) in [
        (
            "problem.yaml",
            "problem_format_version: 2025-09\nname: Sum of <two>\nlimits:\n  time_limit: 2.0\n",
        ),
        (
            "statement/problem.en.md",
            "Add $a+b$.\n\n![picture](a.svg)\n\n<script>alert(1)</script>\n",
        ),
        (
            "statement/a.svg",
            "<svg xmlns='http://www.w3.org/2000/svg'/>",
        ),
        ("data/sample/1.in", "1 2\n"),
        ("data/sample/1.ans", "3\n"),
        ("data/secret/1.in", "20 22\n"),
        ("data/secret/1.ans", "42\n"),
    ] {
        let path = dir.join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("it is created");
        std::fs::write(path, text).expect("it is written");
    }
}

fn fill(app: &App, dir: &Path, start_ms: i64) -> ContestId {
    let store = &app.store;
    let mut problems = Vec::new();
    for ext in ["sum", "grid"] {
        write_package(&dir.join(ext));
        let version = app.packages.add(&dir.join(ext)).expect("it is added");
        problems.push(store.put_version(&version).expect("it is added").0);
    }
    store.set_practice(problems[0], true).expect("it is set");
    let mut teams = Vec::new();
    for ext in ["a", "b", "c"] {
        let team = new_team(ext, &format!("Team {ext} {HOSTILE}"));
        teams.push(store.put_team(&team).expect("it is added"));
    }
    for (name, role, team) in [
        ("a", Role::Team, Some(teams[0])),
        ("b", Role::Team, Some(teams[1])),
        ("c", Role::Team, Some(teams[2])),
        ("solo", Role::Public, None),
        ("jury", Role::Jury, None),
    ] {
        let user = NewUser {
            display_name: Some(format!("{name} {HOSTILE}")),
            ..new_user(name, role, team)
        };
        store.put_user(&user).expect("it is added");
    }
    let contest = Contest {
        freeze_ms: Some(HOUR),
        ..new_contest("final", &format!("Final {HOSTILE}"), start_ms)
    };
    let contest = store.put_contest(&contest).expect("it is added");
    let of_contest = [ContestProblem {
        rgb: Some("#ff0000".into()),
        color: Some("red".into()),
        ..labelled(problems[1], "A")
    }];
    store
        .set_contest_problems(contest, &of_contest)
        .expect("set");
    store.set_contest_teams(contest, &teams[..2]).expect("set");
    contest
}
