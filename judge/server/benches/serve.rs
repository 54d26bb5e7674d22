//! Judging through the server against `judge run` over the same submissions, and how long one
//! submission takes on an idle server.
//!
//! `cargo bench -p judge-server --bench serve` prints, for C++ programs that are compiled before, over
//! ten cases: the wall time of [`SUBMISSIONS`] submissions by both ways, which take turns, and the
//! median of the ratios; then, for single submissions, the time in the queue and the time from the
//! request to the verdict, and the server's resident memory.
//!
//! With `-- nats` the server has no workers of its own: one, then two `judge worker` with one core
//! take the submissions through a nats-server of this machine, against `judge run -j 1` and `-j 2`.

#[path = "../tests/server/common/mod.rs"]
#[allow(dead_code, unused_imports)]
mod common;
mod figures;

use common::{Data, NatsServer, Package, Server, Worker, judge};
use figures::{at, resident};
use judge_server::store::{JudgingState, Role, Store, SubmissionId};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use ureq::Agent;

/// Submissions of a round. No user may send more than 30 a minute.
const SUBMISSIONS: usize = 60;
const EACH: usize = 10;
const CASES: usize = 10;

fn main() {
    let is_trial = std::env::args().any(|arg| arg == "--test");
    let (rounds, singles) = if is_trial { (1, 2) } else { (7, 60) };
    let mut package = Package::new("sums").limit("memory: 256");
    for k in 0..CASES {
        package = package.case(
            &format!("secret/{k}"),
            &format!("{k} 7\n"),
            &format!("{}\n", k + 7),
        );
    }
    let data = Data::new(&[package]);
    let sources: Vec<String> = (0..SUBMISSIONS).map(source).collect();
    let files = write(&data.path().join("sources"), &sources);
    judge();
    if !std::env::args().any(|arg| arg == "nats") {
        let server = data.serve();
        compare(&server, &sources, &files, rounds, None);
        latency(&server, &sources, singles);
        return;
    }
    for workers in 1..=2 {
        let Some(nats) = NatsServer::start() else {
            return;
        };
        let server = data.serve_on(&nats);
        let names = (0..workers).map(|k| format!("w{k}"));
        let _workers: Vec<Worker> = names
            .map(|name| Worker::start(&data, &nats, &name))
            .collect();
        println!("{workers} workers through NATS");
        compare(&server, &sources, &files, rounds, Some(workers));
        latency(&server, &sources, singles);
    }
}

/// Prints the times of both ways, in turn, and the median of their ratios.
fn compare(
    server: &Server<'_>,
    sources: &[String],
    files: &[PathBuf],
    rounds: usize,
    jobs: Option<usize>,
) {
    // The first time compiles.
    through_server(server, sources, 0);
    by_command(server.data, files, jobs);
    let mut ratios = Vec::new();
    for round in 1..=rounds {
        let served = through_server(server, sources, round);
        let run = by_command(server.data, files, jobs);
        println!(
            "round {round}: server {:.3} s, judge run {:.3} s",
            served.as_secs_f64(),
            run.as_secs_f64()
        );
        ratios.push(run.as_secs_f64() / served.as_secs_f64());
    }
    println!(
        "throughput: {:.3} of judge run (median)",
        at(&mut ratios, 0.5)
    );
}

/// Prints how long single submissions take, and the server's memory.
fn latency(server: &Server<'_>, sources: &[String], singles: usize) {
    let (data, store) = (server.data, server.data.store());
    let (mut queued, mut whole) = (Vec::new(), Vec::new());
    for k in 0..singles {
        let user = format!("single-{}-{}", server.pid(), k / EACH);
        if k % EACH == 0 {
            data.user_with_token(&user, Role::Public, None);
        }
        let start = Instant::now();
        let id = send(server, &user, &sources[k % SUBMISSIONS]);
        let judging = finished(&store, id);
        whole.push(start.elapsed().as_secs_f64() * 1e3);
        queued.push((judging.0 - judging.1) as f64);
    }
    for (what, times) in [
        ("in the queue", &mut queued),
        ("request to verdict", &mut whole),
    ] {
        let [p50, p99] = [0.5, 0.99].map(|share| at(times, share));
        println!("{what}: {p50:.1} ms (median), {p99:.1} ms (p99)");
    }
    println!("server: {}", resident(server.pid()));
}

/// A program that differs from the others, so that each is compiled.
fn source(number: usize) -> String {
    format!(
        "// {number}\n#include <cstdio>\nint main() {{ int a, b; std::scanf(\"%d%d\", &a, &b); std::printf(\"%d\\n\", a + b); }}\n"
    )
}

fn write(dir: &Path, sources: &[String]) -> Vec<PathBuf> {
    fs::create_dir_all(dir).expect("a directory");
    let write = |(k, source): (usize, &String)| {
        let path = dir.join(format!("p{k}.cpp"));
        fs::write(&path, source).expect("a file");
        path
    };
    sources.iter().enumerate().map(write).collect()
}

/// Submits all, by several users at once, and waits for the last verdict.
fn through_server(server: &Server<'_>, sources: &[String], round: usize) -> Duration {
    let users: Vec<String> = (0..SUBMISSIONS / EACH)
        .map(|k| format!("user-{}-{round}-{k}", server.pid()))
        .collect();
    for name in &users {
        server.data.user_with_token(name, Role::Public, None);
    }
    let start = Instant::now();
    let sent: Vec<SubmissionId> = std::thread::scope(|scope| {
        let send_all = |(user, sources): (&'_ String, &'_ [String])| {
            let send = |source: &String| send(server, user, source);
            sources.iter().map(send).collect::<Vec<_>>()
        };
        let threads: Vec<_> = users
            .iter()
            .zip(sources.chunks(EACH))
            .map(|share| scope.spawn(move || send_all(share)))
            .collect();
        let ids = threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic"));
        ids.flatten().collect()
    });
    let store = server.data.store();
    for id in sent {
        finished(&store, id);
    }
    start.elapsed()
}

/// `judge run` over the same sources.
fn by_command(data: &Data, files: &[PathBuf], jobs: Option<usize>) -> Duration {
    let mut command = Command::new(judge());
    command.arg("run").arg(data.package("sums"));
    for file in files {
        command.arg("-s").arg(file);
    }
    if let Some(jobs) = jobs {
        command.arg("-j").arg(jobs.to_string());
    }
    command
        .args(["--no-history", "--format", "json"])
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let start = Instant::now();
    assert!(command.status().expect("judge starts").success());
    start.elapsed()
}

fn send(server: &Server<'_>, name: &str, source: &str) -> SubmissionId {
    let data = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, source);
    let body = json!({
        "problem": "sums", "language": "cpp",
        "files": [{"name": "a.cpp", "data": data}],
    });
    let mut answer = Agent::new_with_defaults()
        .post(format!("{}/api/practice/submissions", server.address))
        .header("Authorization", format!("Bearer {name}"))
        .header("Content-Type", "application/json")
        .send(body.to_string())
        .expect("it is accepted");
    let text = answer.body_mut().read_to_string().expect("text");
    let answer: Value = serde_json::from_str(&text).expect("JSON");
    let id = answer["id"].as_str().and_then(|id| id.parse().ok());
    SubmissionId(id.expect("an id"))
}

/// Waits for the verdict, which must be AC; returns when judging started and when it was requested.
fn finished(store: &Store, id: SubmissionId) -> (i64, i64) {
    loop {
        let judging = store.valid_judging(id).expect("a judging");
        if judging.state == JudgingState::Done {
            assert_eq!(judging.verdict.as_deref(), Some("AC"), "{judging:?}");
            let started = judging.started_ms.unwrap_or(judging.created_ms);
            return (started, judging.created_ms);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
