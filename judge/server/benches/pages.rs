//! Open pages: 5,000 pages of submissions that are being judged, while 200 results a second are recorded.
//!
//! `cargo bench -p judge-server --bench pages` prints the CPU time of the process with and without the pages, and the
//! time from a result to the event of its page. The server runs in this process, without a network.

#[path = "../tests/server/common/mod.rs"]
#[allow(dead_code, unused_imports)]
mod common;
#[path = "figures/cpu.rs"]
#[allow(dead_code)]
mod cpu;
#[allow(dead_code)]
mod figures;

use axum::body::Body;
use axum::http::{Request, header};
use common::{STARTER, new_app, new_user};
use figures::{at, resident};
use judge_core::verdict::Verdict;
use judge_server::http::App;
use judge_server::queue::Priority;
use judge_server::secret;
use judge_server::store::{
    CaseRow, JudgingId, NewSubmission, ProblemId, Recorded, Role, SourceFile, Started,
    SubmissionId, UserId, now_ms,
};
use judge_server::web::router;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio_stream::StreamExt;
use tower::ServiceExt;

const PAGES: usize = 5_000;
const CASES: usize = 50;
/// One result in this time: 200 a second.
const PAUSE: Duration = Duration::from_millis(5);
const RESULTS: usize = 4_000;

/// A submission that is being judged, and its attempt.
type Running = (SubmissionId, JudgingId, i64);

/// Events of the pages.
#[derive(Default)]
struct Seen {
    count: AtomicUsize,
    /// When the recording of the last result of each submission began, until its page has an event.
    recorded: Mutex<Vec<Option<Instant>>>,
    delays_ms: Mutex<Vec<f64>>,
}

fn main() {
    let is_trial = std::env::args().any(|arg| arg == "--test");
    let (pages, results) = if is_trial { (20, 40) } else { (PAGES, RESULTS) };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let dir = tempfile::tempdir().expect("a directory");
    let (app, _queue) = new_app(dir.path(), &[["cpp", "C++", "cpp"]]);
    let problem = problem(&app, dir.path());
    let jury = app.store.put_user(&new_user("jury", Role::Jury, None));
    let jury = jury.expect("a user");
    let hash = secret::hash("secret");
    let session = app
        .store
        .start_session(&hash, jury, "csrf", now_ms() + 3_600_000);
    session.expect("a session");
    let running: Vec<Running> = (0..pages).map(|_| start(&app, problem, jury)).collect();
    let seen = Arc::new(Seen::default());
    seen.recorded.lock().expect("no panic").resize(pages, None);

    let alone = record(&app, &running, results, 0, &seen);
    seen.recorded.lock().expect("no panic").fill(None);
    runtime.block_on(open(&app, &running, &seen));
    let opened = seen.count.load(Ordering::Relaxed);
    println!("{pages} pages are open; {}", resident(std::process::id()));
    let with_pages = record(&app, &running, results, 1, &seen);
    std::thread::sleep(Duration::from_secs(2));
    let events = seen.count.load(Ordering::Relaxed) - opened;
    let mut delays = seen.delays_ms.lock().expect("no panic").clone();
    println!("{results} results without pages: {alone:.2} s of CPU time");
    println!(
        "{results} results with {pages} pages: {with_pages:.2} s of CPU time, {events} events"
    );
    println!(
        "result to event: {:.1} ms (median), {:.1} ms (p99)",
        at(&mut delays, 0.5),
        at(&mut delays, 0.99)
    );
    runtime.shutdown_background();
}

/// A problem with many cases.
fn problem(app: &App, dir: &std::path::Path) -> ProblemId {
    let package = dir.join("sum");
    std::fs::create_dir(&package).expect("it is created");
    for case in 0..CASES {
        for (end, text) in [("in", "1 2\n"), ("ans", "3\n")] {
            let file = package.join(format!("{case:02}.{end}"));
            std::fs::write(file, text).expect("it is written");
        }
    }
    let version = app.packages.add(&package).expect("a package");
    app.store.put_version(&version).expect("it is added").0
}

/// Adds a submission and starts its judging.
fn start(app: &App, problem: ProblemId, user: UserId) -> Running {
    let new = NewSubmission {
        contest: None,
        problem,
        user,
        team: None,
        language: "cpp".to_owned(),
        entry_point: None,
        files: vec![SourceFile {
            name: "a.cpp".to_owned(),
            blob: "0".repeat(64),
            bytes: 1,
        }],
        priority: Priority::Practice,
        id: None,
        time_ms: None,
    };
    let (id, judging) = app.store.submit(&new).expect("a submission");
    match app.store.start_judging(judging, &STARTER).expect("started") {
        Started::Work { attempt, .. } => (id, judging, attempt),
        closed => panic!("{closed:?}"),
    }
}

/// Opens a page of each submission, which waits for its events.
async fn open(app: &App, running: &[Running], seen: &Arc<Seen>) {
    let router = router(app.clone());
    for (k, (id, ..)) in running.iter().enumerate() {
        let request = Request::get(format!("/submissions/{id}/live"))
            .header(header::COOKIE, "judge_session=secret")
            .body(Body::empty());
        let answer = router.clone().oneshot(request.expect("a request")).await;
        let mut events = answer.expect("an answer").into_body().into_data_stream();
        assert!(events.next().await.is_some_and(|first| first.is_ok()));
        let seen = seen.clone();
        tokio::spawn(async move {
            while let Some(Ok(event)) = events.next().await {
                // A comment keeps the connection alive.
                if event.starts_with(b":") {
                    continue;
                }
                seen.count.fetch_add(1, Ordering::Relaxed);
                let recorded = seen.recorded.lock().expect("no panic")[k].take();
                if let Some(recorded) = recorded {
                    let delay = recorded.elapsed().as_secs_f64() * 1e3;
                    seen.delays_ms.lock().expect("no panic").push(delay);
                }
            }
        });
    }
}

/// Records results at a steady rate, of one submission after the other; returns the CPU seconds.
fn record(app: &App, running: &[Running], results: usize, round: usize, seen: &Seen) -> f64 {
    let (begin, start) = (cpu::of_tree(std::process::id()), Instant::now());
    let cases = results.div_ceil(running.len());
    for k in 0..results {
        let due = start + PAUSE * u32::try_from(k).unwrap_or(u32::MAX);
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        let (_, judging, attempt) = running[k % running.len()];
        let case = Recorded::Case(CaseRow {
            cpu_s: Some(0.01),
            ..CaseRow::new(round * cases + k / running.len(), Verdict::Accepted)
        });
        // Before, because the event may arrive first.
        seen.recorded.lock().expect("no panic")[k % running.len()] = Some(Instant::now());
        let recorded = app
            .store
            .record(&[(judging, attempt, case)])
            .expect("recorded");
        assert!(recorded[0]);
    }
    cpu::of_tree(std::process::id()) - begin
}
