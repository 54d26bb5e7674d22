//! Judging through the server against `judge run` over the same submissions, and how long one
//! submission takes on an idle server.
//!
//! `cargo bench -p judge-server --bench serve` prints, for C++ programs that are compiled before, over
//! ten cases: the wall time of [`SUBMISSIONS`] submissions by both ways, which take turns, and the
//! median of the ratios; then, for single submissions, the time in the queue and the time from the
//! request to the verdict, and the server's resident memory.
//!
//! With `-- nats` the server has no workers of its own: one, then two, then four `judge worker` with
//! one core take the submissions through a nats-server of this machine, against `judge run` with as
//! many jobs. It also prints, for each submission, the CPU time of each process and the messages of
//! nats-server, which depend less on what else the machine does.

#[path = "../tests/server/common/mod.rs"]
#[allow(dead_code, unused_imports)]
mod common;
#[path = "figures/cpu.rs"]
mod cpu;
mod figures;
#[path = "figures/nats.rs"]
mod nats;
#[path = "figures/practice.rs"]
mod practice;

use common::{Data, NatsServer, Package, Server, Worker, judge};
use figures::{at, resident};
use judge_server::store::{Role, SubmissionId};
use nats::{Processes, free_port, messages};
use practice::{finished, send};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

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
        let processes = [("server", server.pid())];
        compare(
            &server,
            &sources,
            &files,
            rounds,
            None,
            &Processes(&processes),
        );
        latency(&server, &sources, singles);
        return;
    }
    for workers in [1, 2, 4] {
        let monitor = free_port().to_string();
        let Some(nats) = NatsServer::start_with(&["--http_port", &monitor]) else {
            return;
        };
        let server = data.serve_on(&nats);
        let names = (0..workers).map(|k| format!("w{k}"));
        let all: Vec<Worker> = names
            .map(|name| Worker::start(&data, &nats, &name))
            .collect();
        let mut processes = vec![("server", server.pid()), ("nats-server", nats.pid())];
        processes.extend(all.iter().map(|worker| ("worker", worker.pid())));
        println!("{workers} workers through NATS");
        let before = messages(&monitor);
        let processes = Processes(&processes);
        compare(&server, &sources, &files, rounds, Some(workers), &processes);
        let after = messages(&monitor);
        let judged = ((rounds + 1) * SUBMISSIONS) as f64;
        let [sent, received] = [0, 1].map(|k| (after[k] - before[k]) / judged);
        println!(
            "nats-server: {sent:.1} messages to it and {received:.1} from it for each submission"
        );
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
    processes: &Processes<'_>,
) {
    // The first time compiles.
    through_server(server, sources, 0);
    by_command(server.data, files, jobs);
    let mut ratios = Vec::new();
    let mut spent: Vec<(&str, f64)> = Vec::new();
    for round in 1..=rounds {
        let before = processes.cpu();
        let served = through_server(server, sources, round);
        let after = processes.cpu();
        let before_run = cpu::of_ended_children();
        let run = by_command(server.data, files, jobs);
        let of_run = cpu::of_ended_children() - before_run;
        let of_processes = after.iter().zip(&before);
        let round_spent = of_processes.map(|((name, after), (_, before))| (*name, after - before));
        add(&mut spent, round_spent.chain([("judge run", of_run)]));
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
    for (name, seconds) in spent {
        let each = seconds * 1e3 / (rounds * SUBMISSIONS) as f64;
        println!("{name}: {each:.2} ms of CPU for each submission");
    }
}

fn add<'n>(sums: &mut Vec<(&'n str, f64)>, more: impl Iterator<Item = (&'n str, f64)>) {
    for (k, (name, value)) in more.enumerate() {
        match sums.get_mut(k) {
            Some((_, sum)) => *sum += value,
            None => sums.push((name, value)),
        }
    }
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
        let id = send(server, &user, "sums", &sources[k % SUBMISSIONS]);
        let judging = finished(&store, id, Duration::from_millis(1));
        whole.push(start.elapsed().as_secs_f64() * 1e3);
        let started = judging.started_ms.unwrap_or(judging.created_ms);
        queued.push((started - judging.created_ms) as f64);
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
            let send = |source: &String| send(server, user, "sums", source);
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
        finished(&store, id, Duration::from_millis(5));
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
