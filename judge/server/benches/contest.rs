//! A large contest: the scoreboard of 2,000 teams over 13 problems from 100,000 submissions, the end of a feed of
//! 400,000 events, and 1,000 listeners of the feed while 300 submissions a minute are judged.
//!
//! `cargo bench -p judge-server --bench contest` prints the time of each request, measured by its
//! client, the time from a submission to its verdict in the feed, and the server's resident memory.
//! `JUDGE_BENCH_LISTEN=0` leaves out the listeners.

#[path = "../tests/server/common/mod.rs"]
#[allow(dead_code, unused_imports)]
mod common;
mod figures;

use common::{Data, Package, STARTER, Server};
use figures::{at, resident};
use judge_core::verdict::Verdict;
use judge_server::queue::Priority;
use judge_server::store::{
    CaseRow, ContestId, ContestProblem, Finished, NewSubmission, Recorded, Role, SourceFile,
    Started, Store, TeamId, now_ms,
};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use ureq::Agent;

const TEAMS: usize = 2_000;
const PROBLEMS: usize = 13;
const CASES: usize = 10;
/// Results of cases of each initial submission, which has 1 + 2 + [`RESULTS`] events.
const RESULTS: usize = 1;
const SUBMISSIONS: usize = 100_000;
/// Submissions whose results are recorded together.
const TOGETHER: usize = 500;
/// Users that submit while others listen.
const USERS: usize = 300;
const LISTENERS: usize = 1_000;
/// One submission in this time: 300 a minute.
const PAUSE: Duration = Duration::from_millis(200);
const PROGRAM: &str = "#include <cstdio>\nint main() { int a, b; std::scanf(\"%d%d\", &a, &b); std::printf(\"%d\\n\", a + b); }\n";

fn main() {
    let is_trial = std::env::args().any(|arg| arg == "--test");
    let (submissions, rounds, sent, listeners) = match is_trial {
        true => (20, 1, 2, 10),
        false => (SUBMISSIONS, 21, 300, LISTENERS),
    };
    let data = Data::new(&(0..PROBLEMS).map(package).collect::<Vec<_>>());
    let (contest, team) = data.contest();
    let store = data.store();
    let teams = teams(&store, contest, team);
    for (k, team) in teams.iter().enumerate().take(USERS) {
        data.user_with_token(&format!("user{k}"), Role::Team, Some(*team));
    }
    data.user_with_token("boss", Role::Admin, None);
    submit_all(&store, contest, &teams, submissions);

    let server = data.serve();
    let begun = Instant::now();
    let feed = format!(
        "/api/contests/c/event-feed?stream=false&since_token={}",
        store.last_feed_row(contest).expect("the feed")
    );
    for path in [
        "/contests/c/scoreboard",
        "/api/contests/c/scoreboard",
        "/api/contests/c/awards",
        "/jury/submissions",
        &feed,
    ] {
        let (mut fresh, mut again) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            // A new result: nothing that was computed before is of use.
            submit_all(&store, contest, &teams, 1);
            fresh.push(milliseconds(|| get(&server, path)));
            again.push(milliseconds(|| get(&server, path)));
        }
        let [p50, p95] = [0.5, 0.95].map(|share| at(&mut fresh, share));
        let again = at(&mut again, 0.5);
        let path = path.split('?').next().unwrap_or_default();
        println!("{path}: {p50:.1} ms after a new result (p95 {p95:.1} ms), {again:.1} ms without");
    }
    let mut events = 0;
    let mut times: Vec<f64> = (0..rounds.min(5))
        .map(|_| {
            milliseconds(|| {
                let feed = get(&server, "/api/contests/c/event-feed?stream=false");
                events = feed.lines().filter(|line| !line.is_empty()).count();
            })
        })
        .collect();
    println!(
        "feed: {events} events in {:.0} ms (median)",
        at(&mut times, 0.5)
    );
    println!("memory: {}", resident(server.pid()));
    if std::env::var_os("JUDGE_BENCH_LISTEN").is_none_or(|value| value != "0") {
        listen(&server, listeners, sent);
    }
    println!("memory: {}", resident(server.pid()));
    println!("({:.0} s in all)", begun.elapsed().as_secs_f64());
}

/// One of the problems: to add two integers.
fn package(number: usize) -> Package {
    let package = Package::new(&format!("p{number:02}"));
    (0..CASES).fold(package, |package, k| {
        let (input, answer) = (format!("{k} 7\n"), format!("{}\n", k + 7));
        package.case(&format!("secret/{k}"), &input, &answer)
    })
}

/// The team of the contest, and others like it.
fn teams(store: &Store, contest: ContestId, first: TeamId) -> Vec<TeamId> {
    let model = store.team(first).expect("a team");
    let more = (1..TEAMS).map(|k| {
        let mut team = model.clone();
        team.id = TeamId(0);
        team.ext = format!("t{k}");
        team.name = format!("Team {k}");
        store.put_team(&team).expect("a team")
    });
    let teams: Vec<TeamId> = std::iter::once(first).chain(more).collect();
    store.set_contest_teams(contest, &teams).expect("teams");
    teams
}

/// Submissions with results, one of three accepted.
fn submit_all(store: &Store, contest: ContestId, teams: &[TeamId], count: usize) {
    let problems = store.contest_problems(contest).expect("problems");
    let user = store.user_named("boss").expect("read").expect("a user");
    let mut results = Vec::new();
    for k in 0..count {
        let problem: &ContestProblem = &problems[k * 7 % problems.len()];
        let new = NewSubmission {
            contest: Some(contest),
            problem: problem.problem,
            user: user.id,
            team: Some(teams[k * 31 % teams.len()]),
            language: "cpp".to_owned(),
            entry_point: None,
            files: vec![SourceFile {
                name: "a.cpp".to_owned(),
                blob: "0".repeat(64),
                bytes: 1,
            }],
            priority: Priority::Contest,
            id: None,
            time_ms: Some(now_ms()),
        };
        let (_, judging) = store.submit(&new).expect("a submission");
        let started = store.start_judging(judging, &STARTER).expect("started");
        let Started::Work { attempt, .. } = started else {
            panic!("{started:?}");
        };
        let verdict = if k % 3 == 0 { "AC" } else { "WA" };
        let case = |case| {
            Recorded::Case(CaseRow {
                cpu_s: Some(0.01),
                wall_s: Some(0.01),
                memory: Some(1 << 20),
                ..CaseRow::new(case, Verdict::from_code(verdict).expect("a verdict"))
            })
        };
        let finished = Recorded::Finished(Finished::new(
            Verdict::from_code(verdict).expect("a verdict"),
        ));
        let own = (0..RESULTS).map(case).chain([finished]);
        results.extend(own.map(|result| (judging, attempt, result)));
        if (k + 1) % TOGETHER == 0 || k + 1 == count {
            store.record(&results).expect("recorded");
            results.clear();
        }
    }
}

/// The body of an answer for the admin.
fn get(server: &Server<'_>, path: &str) -> String {
    let request = Agent::new_with_defaults().get(format!("{}{path}", server.address));
    let mut answer = request
        .header("Authorization", "Bearer boss")
        .call()
        .expect("an answer");
    let body = answer.body_mut().with_config().limit(1 << 30);
    body.read_to_string().expect("text")
}

fn milliseconds<T>(what: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    std::hint::black_box(what());
    start.elapsed().as_secs_f64() * 1e3
}

/// Observations of the listeners: the number of lines with a verdict, and when the first listener saw
/// the verdict of a submission.
#[derive(Default)]
struct Seen {
    lines: AtomicUsize,
    verdicts: Mutex<HashMap<String, Instant>>,
}

/// Submits at a steady rate while many listen.
fn listen(server: &Server<'_>, listeners: usize, count: usize) {
    let last = get(server, "/api/contests/c/event-feed?stream=false");
    let last = last.lines().rfind(|line| !line.is_empty()).expect("events");
    let last: Value = serde_json::from_str(last).expect("JSON");
    let token = last["token"].as_str().expect("a token");
    let path = format!("/api/contests/c/event-feed?since_token={token}");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let seen = Arc::new(Seen::default());
    let address = server.address.trim_start_matches("http://").to_owned();
    let (watched, request) = (
        seen.clone(),
        format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer boss\r\n\r\n"),
    );
    std::thread::spawn(move || {
        runtime.block_on(async {
            for k in 0..listeners {
                let stream = TcpStream::connect(&address).await.expect("a connection");
                tokio::spawn(follow(stream, request.clone(), watched.clone(), k == 0));
            }
            std::future::pending::<()>().await;
        });
    });
    std::thread::sleep(Duration::from_secs(3));

    let mut requested = HashMap::new();
    let start = Instant::now();
    for k in 0..count {
        let due = start + PAUSE * u32::try_from(k).unwrap_or(u32::MAX);
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        let now = Instant::now();
        requested.insert(submit(server, k), now);
    }
    // Number of lines that all listeners together have to see.
    let (all, until) = (listeners * count, Instant::now() + Duration::from_secs(60));
    while seen.lines.load(Ordering::Relaxed) < all && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    let late = start.elapsed();
    let verdicts = seen.verdicts.lock().expect("no panic");
    let mut times: Vec<f64> = requested
        .iter()
        .filter_map(|(id, sent)| Some((*verdicts.get(id)? - *sent).as_secs_f64() * 1e3))
        .collect();
    let lines = seen.lines.load(Ordering::Relaxed);
    println!(
        "{listeners} listeners saw {lines} of {all} verdicts in {:.1} s",
        late.as_secs_f64()
    );
    let [p50, p99] = [0.5, 0.99].map(|share| at(&mut times, share));
    println!(
        "submission to verdict in the feed: {p50:.0} ms (median), {p99:.0} ms (p99), {} of {count}",
        times.len()
    );
}

/// Submits by a team's user; returns the number.
fn submit(server: &Server<'_>, k: usize) -> String {
    let field = |name: &str, value: &str| {
        format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let code = "name=\"code[]\"; filename=\"a.cpp\"";
    let body = field("problem", "p00")
        + &field("language", "cpp")
        + &format!("--x\r\nContent-Disposition: form-data; {code}\r\n\r\n{PROGRAM}\r\n--x--\r\n");
    let mut answer = Agent::new_with_defaults()
        .post(format!("{}/api/contests/c/submissions", server.address))
        .header("Authorization", format!("Bearer user{}", k % USERS))
        .content_type("multipart/form-data; boundary=x")
        .send(body)
        .expect("it is accepted");
    let text = answer.body_mut().read_to_string().expect("text");
    let sent: Value = serde_json::from_str(&text).expect("JSON");
    sent["id"].as_str().expect("an id").to_owned()
}

/// Reads the feed to its end and counts verdicts.
async fn follow(stream: TcpStream, request: String, seen: Arc<Seen>, first: bool) {
    let mut unsent = request.as_bytes();
    while !unsent.is_empty() {
        stream.writable().await.expect("it stands");
        if let Ok(count) = stream.try_write(unsent) {
            unsent = &unsent[count..];
        }
    }
    let (mut rest, mut buffer) = (Vec::new(), vec![0; 16 << 10]);
    while stream.readable().await.is_ok() {
        match stream.try_read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => rest.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => continue,
            Err(_) => return,
        }
        let whole = rest.iter().rposition(|byte| *byte == b'\n');
        let lines: Vec<u8> = rest.drain(..whole.map_or(0, |end| end + 1)).collect();
        for line in lines.split(|byte| *byte == b'\n') {
            let Ok(line) = std::str::from_utf8(line) else {
                continue;
            };
            let is_verdict = line.contains("\"type\":\"judgements\"")
                && line.contains("\"judgement_type_id\":\"AC\"");
            if is_verdict {
                seen.lines.fetch_add(1, Ordering::Relaxed);
                if first {
                    let event: Value = serde_json::from_str(line).expect("JSON");
                    let id = event["data"]["submission_id"].as_str().expect("an id");
                    let mut verdicts = seen.verdicts.lock().expect("no panic");
                    verdicts.insert(id.to_owned(), Instant::now());
                }
            }
        }
    }
}
