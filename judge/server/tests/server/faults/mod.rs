//! Submissions are judged while workers, the server and nats-server are killed by SIGKILL at random;
//! workers also hang, are stopped for longer than a lease, or are replaced.
//!
//! `check_log.py` then compares the server's log of events with what was sent and what ran: nothing is
//! lost, nothing counts twice, and the scoreboard follows from the log.
//!
//! A short form runs with the other tests. `make faults` sets `RUNS`, the number of results of cases
//! with a fake sandbox; with the real one there are a hundredth of them. `SEED` chooses other victims.
//!
//! Beside it: single faults, one test each.

mod clocks;
mod cluster;
mod fake_worker;
mod full_disk;
mod partition;
mod program;
mod submitter;

use crate::common::{Data, LEASE, NatsServer, Server, Worker};
use judge_server::store::Role;
use program::problem;
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};
use submitter::{End, Load, Target};

/// Seconds without an acknowledgement or a verdict after which the test fails.
const STUCK: Duration = Duration::from_secs(180);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sandbox {
    Fake,
    Real,
}

/// A number from the environment.
fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().expect("a number"))
}

#[test]
fn with_a_fake_sandbox_nothing_is_lost_or_counts_twice() {
    let (runs, pause) = match number("RUNS") {
        Some(runs) => (runs as usize, 1500..4500),
        None => (1500, 200..800),
    };
    run(Sandbox::Fake, runs, pause);
}

#[test]
fn with_the_real_sandbox_nothing_is_lost_or_counts_twice() {
    let (runs, pause) = match number("RUNS") {
        Some(runs) => ((runs / 100) as usize, 1500..4500),
        None => (100, 200..800),
    };
    run(Sandbox::Real, runs, pause);
}

/// Sends submissions until they have this number of runs, and kills something after each `pause` in
/// milliseconds until all are judged.
fn run(sandbox: Sandbox, runs: usize, pause: std::ops::Range<u64>) {
    let Some(nats) = NatsServer::start() else {
        return;
    };
    let (workers, users) = match sandbox {
        Sandbox::Fake => (3, (runs / 1000).clamp(20, 1000)),
        Sandbox::Real => (2, 20),
    };
    let data = Data::new(&["p1", "p2", "p3", "p4", "p5", "p6"].map(problem));
    let teams: Vec<String> = (0..users).map(|k| format!("t{k}")).collect();
    let (_, ids) = data.contest_of(&teams);
    for (name, id) in teams.iter().zip(ids) {
        data.user_with_token(name, Role::Team, Some(id));
    }
    data.user_with_token("jury", Role::Admin, None);
    let dir = data.path().with_file_name("log-of-runs");
    fs::create_dir(&dir).expect("a directory");
    let start = Instant::now();
    let mut site = Site {
        sandbox,
        dir: &dir,
        random: Random(number("SEED").unwrap_or(1)),
        server: Some(data.serve_on(&nats)),
        workers: Vec::new(),
        data: &data,
        nats,
        next: Vec::new(),
        struck: BTreeMap::new(),
    };
    for k in 0..workers {
        let worker = site.start_worker(k);
        site.workers.push(Some(worker));
    }
    let target = Target::new(&site.server().address, runs);
    let load = Load {
        target: &target,
        most_open: match sandbox {
            Sandbox::Fake => 1500,
            Sandbox::Real => 100,
        },
        teams: &teams,
        dir: &dir,
    };
    thread::scope(|scope| {
        load.start(scope, &data);
        // Also ends those threads if this one panics.
        let _end = End(&target);
        while !target.is_over() {
            assert!(
                target.quiet() < STUCK,
                "nothing happens any more: {}",
                data.log()
            );
            let rest = site.random.within(pause.clone());
            let until = Instant::now() + Duration::from_millis(rest);
            while Instant::now() < until && !target.is_over() {
                thread::sleep(Duration::from_millis(10));
            }
            if !target.is_over() {
                site.strike(&target);
            }
            if site.next.is_empty() {
                target.allow_end();
            }
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} submissions acknowledged and judged in {seconds:.0} s; struck: {:?}",
        target.sent.load(Ordering::SeqCst),
        site.struck
    );
    site.check();
}

/// Random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        // A linear congruential generator: its upper bits are random enough to choose victims.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn within(&mut self, range: std::ops::Range<u64>) -> u64 {
        range.start + self.below(range.end - range.start)
    }
}

/// What is done to a process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Strike {
    KillServer,
    KillNats,
    KillWorker,
    /// It hangs for longer than a lease.
    StopWorker,
    /// It ends after SIGTERM, while another one with its name has started.
    ReplaceWorker,
}

/// All processes.
struct Site<'d> {
    sandbox: Sandbox,
    /// For logs.
    dir: &'d Path,
    random: Random,
    data: &'d Data,
    server: Option<Server<'d>>,
    workers: Vec<Option<Worker>>,
    nats: NatsServer,
    /// What is done next, from the end.
    next: Vec<Strike>,
    struck: BTreeMap<Strike, usize>,
}

impl<'d> Site<'d> {
    fn server(&self) -> &Server<'d> {
        self.server.as_ref().expect("it runs")
    }

    fn start_worker(&self, k: usize) -> Worker {
        let name = format!("w{k}");
        match self.sandbox {
            Sandbox::Fake => fake_worker::start(self.data, &self.nats, &name, self.dir),
            Sandbox::Real => Worker::start(self.data, &self.nats, &name),
        }
    }

    /// What is done next: in random order, each as often as any other.
    fn choose(&mut self) -> Strike {
        if self.next.is_empty() {
            use Strike::*;
            self.next = vec![KillServer, KillNats, KillWorker, KillWorker, StopWorker];
            if self.sandbox == Sandbox::Real {
                self.next.push(ReplaceWorker);
            }
            for k in (1..self.next.len()).rev() {
                let other = self.random.below(k as u64 + 1) as usize;
                self.next.swap(k, other);
            }
        }
        self.next.pop().expect("it was filled")
    }

    /// Kills a process, or lets one hang, and starts it again.
    fn strike(&mut self, target: &Target) {
        let k = self.random.below(self.workers.len() as u64) as usize;
        let rest = Duration::from_millis(self.random.below(1500));
        let strike = self.choose();
        *self.struck.entry(strike).or_default() += 1;
        match strike {
            Strike::KillServer => {
                self.server.take().expect("it runs").kill();
                thread::sleep(rest);
                self.server = Some(self.data.serve_on(&self.nats));
                target.set_address(&self.server().address);
            }
            Strike::KillNats => {
                self.nats.kill();
                thread::sleep(rest);
                self.nats.restart();
            }
            Strike::KillWorker => {
                self.workers[k].take().expect("it runs").kill();
                self.workers[k] = Some(self.start_worker(k));
            }
            Strike::StopWorker => {
                let worker = self.workers[k].as_ref().expect("it runs");
                worker.signal(Signal::STOP);
                thread::sleep(LEASE + rest);
                worker.signal(Signal::CONT);
            }
            Strike::ReplaceWorker => {
                let old = self.workers[k].take().expect("it runs");
                old.signal(Signal::TERM);
                self.workers[k] = Some(self.start_worker(k));
                let status = old.ended();
                // It may not have listened to signals yet.
                let is_early = status.signal() == Some(Signal::TERM.as_raw());
                assert!(status.success() || is_early, "{status}");
            }
        }
    }

    /// Compares the logs.
    fn check(self) {
        let fetch = |path: &str, name: &str| {
            let url = format!("{}{path}", self.server().address);
            let answer = ureq::get(url).header("Authorization", "Bearer jury").call();
            let mut body = answer.expect("an answer").into_body().into_reader();
            let mut file = File::create(self.dir.join(name)).expect("a file");
            std::io::copy(&mut body, &mut file).expect("it is read");
        };
        fetch("/api/contests/c/event-feed?stream=false", "feed.ndjson");
        fetch("/api/contests/c/scoreboard", "scoreboard.json");
        let output = check_log(self.dir);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        println!("{}{}", text(&output.stdout), text(&output.stderr));
        if !output.status.success() {
            let kept = std::env::temp_dir().join(format!("judge-faults-{}", std::process::id()));
            // Best effort: the logs say why.
            let _ = fs::rename(self.data.path().parent().expect("a directory"), &kept);
            panic!("the logs differ; they are kept in {}", kept.display());
        }
        if number("RUNS").is_none() {
            self.check_damaged();
        }
    }

    /// The script finds what it looks for.
    fn check_damaged(&self) {
        let is_refused = |name: &str, damage: &dyn Fn(&str) -> String| {
            let path = self.dir.join(name);
            let whole = fs::read_to_string(&path).expect("it was written");
            let damaged = damage(&whole);
            assert_ne!(whole, damaged, "{name}");
            fs::write(&path, damaged).expect("it is written");
            assert!(!check_log(self.dir).status.success(), "{name}");
            fs::write(&path, whole).expect("it is written");
        };
        // Without the last event of this type.
        let lost = |kind: &'static str| {
            move |feed: &str| {
                let kind = format!("\"type\":\"{kind}\"");
                let lines: Vec<&str> = feed.lines().collect();
                let last = lines.iter().rposition(|line| line.contains(&kind));
                let others = lines.iter().enumerate().filter(|(k, _)| Some(*k) != last);
                others.map(|(_, line)| format!("{line}\n")).collect()
            }
        };
        is_refused("feed.ndjson", &lost("runs"));
        is_refused("feed.ndjson", &lost("submissions"));
        is_refused("feed.ndjson", &lost("judgements"));
        is_refused("scoreboard.json", &|board| {
            board.replacen("\"num_judged\":", "\"num_judged\":1", 1)
        });
    }
}

fn check_log(dir: &Path) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/server/faults/check_log.py");
    let output = Command::new("python3").arg(script).arg(dir).output();
    output.expect("python3 starts")
}
