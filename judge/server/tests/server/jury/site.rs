//! A server with one problem, users of all roles, and a judge whose verdicts the test chooses.

use super::super::common::{
    labelled, multipart, new_app_that_prints, new_contest, new_team, new_user, urlencoded,
};
use super::super::in_process::{Answer, Session, ask, form_fields, record_judging};
use axum::Router;
use axum::body::Body;
use axum::http::request::Builder;
use axum::http::{Request, StatusCode, header};
use judge_core::verdict::Verdict;
use judge_server::http::App;
use judge_server::http::SentFile;
use judge_server::queue::{Lease, Leases};
use judge_server::store::{
    CaseRow, Contest, ContestId, Finished, ProblemId, Role, SqliteQueue, SubmissionId, TeamId,
    UnitId, UserId, now_ms,
};
use judge_server::submissions::{SentSubmission, submit};
use judge_server::web::router;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// A name that is dangerous where it is not escaped.
pub const HOSTILE: &str = "<script>alert('x')</script>\"&";

/// A signed-in user; by default, not signed in.
pub type Who = Session;

impl Who {
    /// The same user with the secret of another user's forms.
    pub fn with_csrf_of(&self, other: &Who) -> Who {
        Who {
            csrf: other.csrf.clone(),
            ..self.clone()
        }
    }
}

pub struct Site {
    pub app: App,
    pub queue: Arc<SqliteQueue>,
    router: Router,
    pub problem: ProblemId,
    pub contest: ContestId,
    pub team: TeamId,
    pub dir: TempDir,
}

impl Site {
    /// Has to be called in a runtime.
    pub fn new() -> Self {
        Site::that_prints(None)
    }

    /// The same, with a command that prints.
    pub fn that_prints(command: Option<&str>) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let languages = [["python3", "Python 3", "py"]];
        let (app, queue) = new_app_that_prints(dir.path(), &languages, command);
        let store = &app.store;
        let package = dir.path().join("sum");
        std::fs::create_dir(&package).expect("it is created");
        for (name, text) in [("1.in", "1 2\n"), ("1.ans", "3\n")] {
            std::fs::write(package.join(name), text).expect("it is written");
        }
        let version = app.packages.add(&package).expect("a package");
        let (problem, _) = store.put_version(&version).expect("it is added");
        store.set_practice(problem, true).expect("it is opened");
        let team = store.put_team(&new_team("t1", HOSTILE)).expect("a team");
        let contest = store.put_contest(&contest("c1")).expect("a contest");
        store
            .set_contest_problems(contest, &[labelled(problem, "A")])
            .and_then(|()| store.set_contest_teams(contest, &[team]))
            .expect("they are set");
        Site {
            router: router(app.clone()),
            app,
            queue,
            problem,
            contest,
            team,
            dir,
        }
    }

    /// The directory with its data.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Adds a user, who is of the team if that is the role.
    pub fn user(&self, name: &str, role: Role) -> UserId {
        let team = Some(self.team).filter(|_| role == Role::Team);
        let new = new_user(name, role, team);
        self.app.store.put_user(&new).expect("a user")
    }

    /// Adds a user and signs in.
    pub fn sign_in(&self, name: &str, role: Role) -> Who {
        Session::start(&self.app.store, self.user(name, role), name)
    }

    async fn send(&self, who: &Who, request: Builder, body: impl Into<Body>) -> Answer {
        ask(&self.router, who.sign(request), body).await
    }

    pub async fn get(&self, who: &Who, path: &str) -> Answer {
        self.send(who, Request::get(path), Body::empty()).await
    }

    /// The body of a page that the user may see.
    pub async fn page(&self, who: &Who, path: &str) -> String {
        let answer = self.get(who, path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.body);
        answer.body
    }

    /// Posts a form with its secret.
    pub async fn post(&self, who: &Who, path: &str, fields: &[(&str, &str)]) -> Answer {
        let mut all = vec![("csrf", who.csrf.as_str())];
        all.extend(fields);
        self.post_without_csrf(who, path, &all).await
    }

    /// Posts a form, and confirms it on the page that asks; the page has to say that nothing has changed yet.
    pub async fn confirmed(&self, who: &Who, path: &str, fields: &[(&str, &str)]) -> Answer {
        let asked = self.post(who, path, fields).await;
        if !asked.body.contains("name=\"confirm\"") {
            return asked;
        }
        assert_eq!(asked.status, StatusCode::CONFLICT, "{}", asked.body);
        assert!(
            asked.body.contains("Nothing has changed yet"),
            "{}",
            asked.body
        );
        let sent = form_fields(&asked.body, path);
        let sent: Vec<_> = sent.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        self.post(who, path, &sent).await
    }

    pub async fn post_without_csrf(
        &self,
        who: &Who,
        path: &str,
        fields: &[(&str, &str)],
    ) -> Answer {
        let request =
            Request::post(path).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send(who, request, urlencoded(fields)).await
    }

    /// Posts a form as a program that signs in with a token.
    pub async fn post_with_token(
        &self,
        token: &str,
        path: &str,
        fields: &[(&str, &str)],
    ) -> Answer {
        let request = Request::post(path)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::AUTHORIZATION, format!("Bearer {token}"));
        ask(&self.router, request, urlencoded(fields)).await
    }

    /// Posts files in a form.
    pub async fn upload(&self, who: &Who, path: &str, files: &[(&str, &[u8])]) -> Answer {
        let files: Vec<_> = files
            .iter()
            .map(|(name, content)| ("file", *name, *content))
            .collect();
        let (kind, body) = multipart(&[("csrf", &who.csrf)], &files);
        let request = Request::post(path).header(header::CONTENT_TYPE, kind);
        self.send(who, request, body).await
    }

    /// Posts fields in a form for files, without a file.
    pub async fn post_parts(&self, who: &Who, path: &str, fields: &[(&str, &str)]) -> Answer {
        let (kind, body) = multipart(fields, &[]);
        let request = Request::post(path).header(header::CONTENT_TYPE, kind);
        self.send(who, request, body).await
    }

    /// Imports files, and confirms the changes that the server asks about.
    pub async fn import(&self, who: &Who, files: &[(&str, &str)]) -> Answer {
        let sent: Vec<_> = files
            .iter()
            .map(|(name, text)| (*name, text.as_bytes()))
            .collect();
        let asked = self.upload(who, "/jury/import", &sent).await;
        if asked.status != StatusCode::CONFLICT {
            return asked;
        }
        let (_, rest) = asked
            .body
            .split_once("name=\"confirm\" value=\"")
            .expect("it asks");
        let confirm = rest.split('"').next().expect("a value");
        let fields: Vec<_> = files
            .iter()
            .enumerate()
            .flat_map(|(k, (name, text))| {
                [(format!("name-{k}"), *name), (format!("text-{k}"), *text)]
            })
            .collect();
        let mut all = vec![("csrf", who.csrf.as_str()), ("confirm", confirm)];
        all.extend(fields.iter().map(|(name, value)| (name.as_str(), *value)));
        self.post_parts(who, "/jury/import", &all).await
    }

    /// Submits to the contest, or for practice.
    pub fn submit(&self, user: UserId, contest: bool, source: &str) -> SubmissionId {
        self.submit_to(user, contest.then_some(self.contest), source)
    }

    /// Submits to a contest, or for practice.
    pub fn submit_to(
        &self,
        user: UserId,
        contest: Option<ContestId>,
        source: &str,
    ) -> SubmissionId {
        let store = &self.app.store;
        let sent = SentSubmission {
            contest: contest.map(|id| store.contest(id).expect("a contest")),
            problem: store.problem(self.problem).expect("a problem"),
            language: Some("python3".to_owned()),
            entry_point: None,
            once: false,
            files: vec![SentFile {
                name: "main.py".to_owned(),
                content: source.as_bytes().to_vec(),
            }],
        };
        let user = store.user(user).expect("a user");
        submit(&self.app, &user, &sent).expect("it is accepted").0
    }

    /// Takes the next unit, as a worker does.
    pub fn lease(&self) -> Option<Lease> {
        let leased = self.queue.lease("worker", Duration::from_secs(60));
        leased.expect("the queue works")
    }

    /// Judges the next unit of the queue; returns its submission.
    pub fn judge_next(&self, verdict: &str) -> Option<SubmissionId> {
        let lease = self.lease()?;
        self.judge(&lease, verdict)
    }

    /// Judges a leased unit; `None`: its judging is closed.
    pub fn judge(&self, lease: &Lease, verdict: &str) -> Option<SubmissionId> {
        let case = CaseRow {
            cpu_s: Some(0.125),
            wall_s: Some(0.25),
            memory: Some(3 << 20),
            message: Some(HOSTILE.to_owned()),
            ..CaseRow::new(0, Verdict::from_code(verdict).expect("a verdict"))
        };
        let finished = Finished {
            max_cpu_s: Some(0.125),
            time_limit_s: Some(1.0),
            ..Finished::new(Verdict::from_code(verdict).expect("a verdict"))
        };
        let unit: UnitId = lease.unit.id.parse().expect("an id");
        let id = unit.judging().expect("a judging");
        record_judging(&self.app.store, id, None, [case], finished)
    }

    /// Verdicts that count, by submission.
    pub fn verdicts(&self, ids: &[SubmissionId]) -> Vec<&'static str> {
        let verdict = |id: &SubmissionId| {
            let judging = self.app.store.valid_judging(*id).expect("a judging");
            judging.verdict.map_or("", Verdict::code)
        };
        ids.iter().map(verdict).collect()
    }
}

/// A contest that started an hour ago and takes five.
pub fn contest(ext: &str) -> Contest {
    new_contest(ext, "A contest", now_ms() - 3_600_000)
}
