//! A large submission that one worker judges, against one that a server on NATS divides between workers.
//!
//! `cargo bench -p judge-server --bench divided` has two servers, each with a nats-server of its own: one with
//! one `judge worker`, one with `-- --workers N` (2) of them, each with one core. They judge in turn a
//! C++ program that sleeps for [`CASE_S`] in each of [`CASES`] cases, so that other work on the machine matters
//! little. It prints the time from the request to the verdict, the median of the ratios, and what messages
//! cost: CPU time of server and nats-server as a share of the time of the programs, and messages of
//! nats-server. With `-- --cold` each submission is compiled, on each worker.
//!
//! `-- --command` has rows by slots instead: 1, 2, 4 and so on up to `--workers N` (16) workers, over which
//! `judge run --nats` divides a program that sleeps for [`COMMAND_CASE_S`] in each of [`COMMAND_CASES`] cases. The
//! ideal is the time that the programs slept, divided by the slots.

#[path = "../tests/server/common/mod.rs"]
#[allow(dead_code, unused_imports)]
mod common;
#[path = "figures/cpu.rs"]
#[allow(dead_code)]
mod cpu;
#[allow(dead_code)]
mod figures;
#[path = "figures/nats.rs"]
mod nats;
#[path = "figures/practice.rs"]
mod practice;

use common::{Data, NatsServer, Package, Server, Worker, judge_server};
use figures::at;
use judge_server::store::Role;
use nats::{Processes, free_port, messages};
use practice::{finished, send};
use std::time::{Duration, Instant};

const CASES: usize = 40;
/// Seconds that the program takes in each case.
const CASE_S: f64 = 0.1;

const COMMAND_CASES: usize = 128;
const COMMAND_CASE_S: f64 = 0.18;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let has = |name: &str| args.iter().any(|arg| arg == name);
    let workers = args.iter().skip_while(|arg| *arg != "--workers").nth(1);
    let workers = workers.map(|text| text.parse().expect("a number"));
    let rounds = if has("--test") { 1 } else { 15 };
    if has("--command") {
        return by_slots(workers.unwrap_or(16), rounds.min(3));
    }
    let workers = workers.unwrap_or(2);
    let package = package_of(CASES);
    let data = [1, 2].map(|_| Data::new(std::slice::from_ref(&package)));
    let [Some(one), Some(some)] = [(&data[0], 1), (&data[1], workers)].map(Site::start) else {
        return;
    };
    // The first one compiles, and shows what a case takes.
    for site in [&one, &some] {
        site.judge(0, false);
    }
    let begin = [&one, &some].map(Site::figures);
    let mut ratios = Vec::new();
    let mut times = [Vec::new(), Vec::new()];
    for round in 1..=rounds {
        let [of_one, of_some] = [&one, &some].map(|site| site.judge(round, has("--cold")));
        ratios.push(of_one / of_some);
        times[0].push(of_one);
        times[1].push(of_some);
    }
    for ((site, begin), times) in [&one, &some].into_iter().zip(begin).zip(&mut times) {
        let [p50, p90] = [0.5, 0.9].map(|share| at(times, share));
        println!(
            "{} workers: request to verdict {p50:.2} s (median), {p90:.2} s (90 %)",
            site.workers.len()
        );
        site.print(&begin, rounds);
    }
    println!("ratio of the times: {:.2} (median)", at(&mut ratios, 0.5));
}

/// A package whose programs copy their input.
fn package_of(cases: usize) -> Package {
    (0..cases).fold(Package::new("echo"), |package, k| {
        let text = format!("{k}\n");
        package.case(&format!("secret/{k:03}"), &text, &text)
    })
}

/// A C++ program that sleeps in each case and copies its input.
fn sleeper(comment: &str, seconds: f64) -> String {
    format!(
        "// {comment}\n#include <cstdio>\n#include <unistd.h>\nint main() {{ usleep({}); int n; \
         std::scanf(\"%d\", &n); std::printf(\"%d\\n\", n); }}\n",
        seconds * 1e6
    )
}

/// Prints the time of `judge run --nats` by the number of workers with one core each.
fn by_slots(most: usize, rounds: usize) {
    let data = Data::new(&[package_of(COMMAND_CASES)]);
    let program = data.path().with_file_name("sleeper.cpp");
    std::fs::write(&program, sleeper("", COMMAND_CASE_S)).expect("a program");
    let package = data.package("echo");
    println!(
        "| slots | time, median | ideal | ideal of the time, median | messages to nats-server |"
    );
    println!("|---|---|---|---|---|");
    for slots in
        std::iter::successors(Some(1), |slots| Some(2 * slots)).take_while(|own| *own <= most)
    {
        let monitor = free_port().to_string();
        let Some(nats) = NatsServer::start_with(&["--http_port", &monitor]) else {
            return;
        };
        let names = (0..slots).map(|k| format!("w{k}"));
        let workers: Vec<Worker> = names
            .map(|name| Worker::start(&data, &nats, &name))
            .collect();
        let judge = || {
            let start = Instant::now();
            let output = judge_server()
                .args(["run", "--nats", &nats.url()])
                .args([&package, &program])
                .output()
                .expect("it starts");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{said}");
            start.elapsed().as_secs_f64()
        };
        // Compiles, and waits for the workers.
        judge();
        let before = messages(&monitor);
        let mut times: Vec<f64> = (0..rounds).map(|_| judge()).collect();
        let sent = (messages(&monitor)[0] - before[0]) / rounds as f64;
        let ideal = COMMAND_CASES as f64 * COMMAND_CASE_S / slots as f64;
        let median = at(&mut times, 0.5);
        println!(
            "| {slots} | {median:.2} s | {ideal:.2} s | {:.2} | {sent:.0} |",
            ideal / median
        );
        drop(workers);
    }
}

/// A server with its workers.
struct Site<'d> {
    server: Server<'d>,
    workers: Vec<Worker>,
    nats: NatsServer,
    monitor: String,
}

/// CPU seconds of each process, and messages, so far.
type Figures = (Vec<(&'static str, f64)>, [f64; 2]);

impl<'d> Site<'d> {
    fn start((data, workers): (&'d Data, usize)) -> Option<Self> {
        let monitor = free_port().to_string();
        let nats = NatsServer::start_with(&["--http_port", &monitor])?;
        let server = data.serve_on(&nats);
        let names = (0..workers).map(|k| format!("w{k}"));
        let site = Site {
            workers: names
                .map(|name| Worker::start(data, &nats, &name))
                .collect(),
            server,
            nats,
            monitor,
        };
        let admin = site.server.admin();
        let heard = || {
            admin
                .page("/metrics")
                .matches("judge_worker_units{")
                .count()
        };
        while heard() < workers {
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(site)
    }

    /// Seconds from the request to the verdict.
    fn judge(&self, round: usize, is_new: bool) -> f64 {
        let user = format!("user{round}");
        let data = self.server.data;
        data.user_with_token(&user, Role::Public, None);
        let store = data.store();
        let number = if is_new { round } else { 0 };
        let source = sleeper(&format!("{number} {}", self.workers.len()), CASE_S);
        let start = Instant::now();
        let id = send(&self.server, &user, "echo", &source);
        finished(&store, id, Duration::from_millis(2));
        start.elapsed().as_secs_f64()
    }

    fn figures(&self) -> Figures {
        let mut processes = vec![
            ("server", self.server.pid()),
            ("nats-server", self.nats.pid()),
        ];
        processes.extend(self.workers.iter().map(|worker| ("workers", worker.pid())));
        (Processes(&processes).cpu(), messages(&self.monitor))
    }

    /// Prints what was spent since `before` on each of some submissions.
    fn print(&self, before: &Figures, submissions: usize) {
        let (cpu, sent) = self.figures();
        let each = submissions as f64;
        for ((name, after), (_, before)) in cpu.iter().zip(&before.0) {
            let spent = (after - before) / each;
            let share = 100.0 * spent / (CASES as f64 * CASE_S);
            println!(
                "  {name}: {:.1} ms of CPU for each submission, {share:.2} % of the programs' time",
                1e3 * spent
            );
        }
        let [to, from] = [0, 1].map(|k| (sent[k] - before.1[k]) / each);
        println!("  nats-server: {to:.1} messages to it and {from:.1} from it for each submission");
    }
}
