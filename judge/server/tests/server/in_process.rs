//! A server without a network: requests, sessions, and a judge whose results the test chooses.

use super::common::STARTER;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::request::Builder;
use axum::http::{HeaderMap, StatusCode, header};
use judge_server::http::App;
use judge_server::queue::Priority;
use judge_server::secret;
use judge_server::store::{
    CaseRow, ContestId, Finished, JudgingId, NewSubmission, ProblemId, Recorded, SourceFile,
    Started, Store, SubmissionId, User, UserId, now_ms,
};
use std::time::Duration;
use tower::ServiceExt;

const HOUR: i64 = 3_600_000;

/// An answer of the server.
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    /// Where a redirect leads.
    pub location: String,
    pub body: String,
}

/// Waits until `wrong` returns `None`, for what threads of the server do; fails with its last text after this number of tries.
pub async fn eventually(tries: usize, wrong: impl AsyncFn() -> Option<String>) {
    let mut tried = 0;
    while let Some(wrong) = wrong().await {
        tried += 1;
        assert!(tried < tries, "{wrong}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The body of an answer with status 200, which is no text.
pub async fn bytes(router: &Router, request: Builder) -> Vec<u8> {
    let request = request.body(Body::empty()).expect("a request");
    let response = router.clone().oneshot(request).await.expect("an answer");
    assert_eq!(response.status(), StatusCode::OK);
    let bytes = to_bytes(response.into_body(), 1 << 24).await;
    bytes.expect("a body").into()
}

/// Sends a request.
pub async fn ask(router: &Router, request: Builder, body: impl Into<Body>) -> Answer {
    let request = request.body(body.into()).expect("a request");
    let sent = router.clone().oneshot(request).await;
    let response = sent.expect("an answer");
    let (status, headers) = (response.status(), response.headers().clone());
    let location = headers.get(header::LOCATION);
    let location = location.map_or("", |value| value.to_str().expect("text"));
    let bytes = to_bytes(response.into_body(), 1 << 24).await;
    Answer {
        status,
        location: location.to_owned(),
        headers,
        body: String::from_utf8_lossy(&bytes.expect("a body")).into_owned(),
    }
}

/// The fields of the form of a page that is posted to `action`, as a browser sends them; without the secret of forms.
pub fn form_fields(page: &str, action: &str) -> Vec<(String, String)> {
    let start = page.find(&format!("action=\"{action}\"")).expect("a form");
    let form = &page[start..];
    let form = &form[..form.find("</form>").expect("its end")];
    let attribute = |tag: &str, name: &str| {
        let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
        Some(unescaped(rest.split('"').next()?))
    };
    let tags = form.split('<').filter(|tag| tag.starts_with("input"));
    let mut fields: Vec<(String, String)> = tags
        .filter(|tag| !tag.contains("checkbox") || tag.contains(" checked"))
        .filter_map(|tag| {
            Some((
                attribute(tag, "name")?,
                attribute(tag, "value").unwrap_or_default(),
            ))
        })
        .collect();
    let mut name = None;
    for tag in form.split('<') {
        if tag.starts_with("select") {
            name = attribute(tag, "name");
        }
        if let (true, true, Some(name)) =
            (tag.starts_with("option"), tag.contains(" selected"), &name)
        {
            fields.push((name.clone(), attribute(tag, "value").unwrap_or_default()));
        }
    }
    fields.retain(|(name, _)| name != "csrf");
    fields
}

fn unescaped(text: &str) -> String {
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&amp;", "&"),
    ];
    let replace = |text: String, (entity, sign): (&str, &str)| text.replace(entity, sign);
    entities.into_iter().fold(text.to_owned(), replace)
}

/// A session of a browser; by default, not signed in.
#[derive(Clone, Default)]
pub struct Session {
    /// The secret in its cookie.
    pub secret: Option<String>,
    /// The secret of its forms.
    pub csrf: String,
}

impl Session {
    /// The session of a user with this name, which is started unless there is one.
    pub fn start(store: &Store, user: UserId, name: &str) -> Self {
        let (secret, csrf) = (format!("secret of {name}"), format!("csrf-{name}"));
        let hash = secret::hash(&secret);
        if store.session(&hash).expect("it is read").is_none() {
            let started = store.start_session(&hash, user, &csrf, now_ms() + HOUR);
            started.expect("it starts");
        }
        Session {
            secret: Some(secret),
            csrf,
        }
    }

    /// The request with the cookie.
    pub fn sign(&self, request: Builder) -> Builder {
        match &self.secret {
            Some(secret) => request.header(header::COOKIE, format!("judge_session={secret}")),
            None => request,
        }
    }
}

/// Adds a submission in C++ that waits, without the checks of the server.
pub fn add_submission(
    app: &App,
    user: &User,
    contest: Option<ContestId>,
    problem: ProblemId,
    source: &str,
    time_ms: Option<i64>,
) -> (SubmissionId, JudgingId) {
    let new = NewSubmission {
        contest,
        problem,
        user: user.id,
        team: user.team,
        language: "cpp".into(),
        entry_point: None,
        files: vec![SourceFile {
            name: "a.cpp".into(),
            blob: app.blobs.put(source.as_bytes()).expect("it is kept"),
            bytes: source.len() as u64,
        }],
        priority: Priority::Contest,
        id: None,
        time_ms,
    };
    app.store.submit(&new).expect("it is added")
}

/// Records the results of a judging: the compiler's message, those of cases, the verdict. `None`: the judging
/// is closed.
pub fn record_judging(
    store: &Store,
    judging: JudgingId,
    compiled: Option<String>,
    cases: impl IntoIterator<Item = CaseRow>,
    finished: Finished,
) -> Option<SubmissionId> {
    let started = store.start_judging(judging, &STARTER).expect("it starts");
    let Started::Work { attempt, work } = started else {
        return None;
    };
    let mut results = vec![Recorded::Compiled(compiled)];
    results.extend(cases.into_iter().map(Recorded::Case));
    results.push(Recorded::Finished(finished));
    let results: Vec<_> = results
        .into_iter()
        .map(|own| (judging, attempt, own))
        .collect();
    let accepted = store.record(&results).expect("they are recorded");
    assert!(accepted.iter().all(|accepted| *accepted), "{accepted:?}");
    Some(work.submission.id)
}
