//! Submissions are judged while workers, the server and nats-server are killed by SIGKILL at random;
//! workers also hang, are stopped for longer than a lease, or are replaced.
//!
//! `check_log.py` then compares the server's log of events with what was sent and what ran: nothing is
//! lost, nothing counts twice, and the scoreboard follows from the log.
//!
//! A short form runs with the other tests. `make faults` sets `RUNS`, the number of results of cases
//! with a fake sandbox; with the real one there are a hundredth of them, and of submissions that several
//! workers judge a thousandth. `SEED` chooses other victims.
//!
//! With `CALM=1` nothing is struck: the CPU time of each process shows what a submission costs.
//! `WORKERS` is the number of worker processes.
//!
//! A contest is another form: 200 teams submit at a steady rate, feeds and pages are followed and read meanwhile
//! (`audience.rs`), the server's clock is set and its disk is full now and then. `MINUTES` is its length, `RATE` its submissions per
//! second, `LISTENERS` the number of listeners of the feed.
//!
//! Beside it: single faults, one test each.

mod audience;
mod check;
mod clocks;
mod cluster;
mod fake_worker;
#[path = "../../../benches/figures/mod.rs"]
mod figures;
mod full_disk;
mod measure;
mod partition;
mod program;
mod site;
mod submitter;

use crate::common::{Data, SmallDisk, repeats, start_nats};
use audience::Audience;
use figures::resident;
use judge_server::store::{Judging, Role, Store, SubmissionId};
use program::problem;
use site::Site;
use std::fs;
use std::ops::Range;
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
    let (runs, pause, most_open) = match number("RUNS") {
        Some(runs) => (runs as usize, 1500..4500, 1500),
        // Enough wait to outlast a fault.
        None => (repeats(250, 2500), 200..600, repeats(20, 50)),
    };
    run(&Trial {
        sandbox: Sandbox::Fake,
        runs,
        pause,
        workers: 3,
        users: (runs / 1000).clamp(20, 1000),
        most_open,
        sleep: Duration::ZERO,
        // In the short form workers are busy at each fault, by few attempts that take long.
        takes: Duration::from_millis(match number("RUNS") {
            Some(_) => 0,
            None => repeats(500, 200) as u64,
        }),
        rate: None,
    });
}

/// The figures of a page are printed, never asserted: they depend on the machine.
#[test]
#[ignore = "long: `make test-long` runs it"]
fn a_contest_of_200_teams_loses_nothing() {
    let minutes = number("MINUTES").unwrap_or(1);
    let rate = number("RATE").unwrap_or(5);
    run(&Trial {
        sandbox: Sandbox::Fake,
        // A submission has about ten.
        runs: (minutes * 60 * rate * 10) as usize,
        // About fifteen faults.
        pause: minutes * 2000..minutes * 6000,
        workers: 3,
        users: 200,
        most_open: 1000,
        sleep: Duration::ZERO,
        // Some are being judged at each fault.
        takes: Duration::from_millis(600),
        rate: Some(rate as u32),
    });
}

#[test]
#[ignore = "long: `make test-long` runs it"]
fn with_the_real_sandbox_nothing_is_lost_or_counts_twice() {
    let (runs, pause) = match number("RUNS") {
        Some(runs) => ((runs / 100) as usize, 1500..4500),
        None => (100, 200..800),
    };
    run(&Trial {
        sandbox: Sandbox::Real,
        runs,
        pause,
        workers: 2,
        users: 60,
        most_open: 100,
        sleep: Duration::ZERO,
        takes: Duration::ZERO,
        rate: None,
    });
}

#[test]
#[ignore = "long: `make test-long` runs it"]
fn no_divided_submission_is_lost() {
    let runs = number("RUNS").map_or(60, |runs| (runs / 1000) as usize);
    let trial = Trial {
        sandbox: Sandbox::Real,
        runs,
        pause: 1500..3500,
        workers: 2,
        users: 60,
        // Fewer wait than workers can do at once.
        most_open: 1,
        sleep: Duration::from_millis(200),
        takes: Duration::ZERO,
        rate: None,
    };
    run(&trial);
}

/// A trial: the submissions to send, and the faults to inject meanwhile.
struct Trial {
    sandbox: Sandbox,
    /// Runs of all submissions together, about.
    runs: usize,
    /// Milliseconds after which something is killed each time until all are judged.
    pause: Range<u64>,
    workers: usize,
    users: usize,
    /// Submissions that wait for a verdict at most.
    most_open: usize,
    /// Time that a program sleeps in each case.
    sleep: Duration,
    /// Time that an attempt takes in a fake sandbox.
    takes: Duration,
    /// A contest with an audience and this number of submissions per second.
    rate: Option<u32>,
}

fn run(trial: &Trial) {
    let &Trial {
        sandbox,
        runs,
        workers,
        users,
        most_open,
        sleep,
        rate,
        ..
    } = trial;
    let Some(nats) = start_nats() else { return };
    // What is unknown is expected to take a share of its limit.
    let time_limit = if sleep.is_zero() { 1 } else { 3 };
    let problems = ["p1", "p2", "p3", "p4", "p5", "p6"].map(|id| problem(id, time_limit));
    let data = Data::new(&problems);
    let teams: Vec<String> = (0..users).map(|k| format!("t{k}")).collect();
    let (_, ids) = data.contest_of(&teams);
    for (name, id) in teams.iter().zip(ids) {
        data.user_with_token(name, Role::Team, Some(id));
    }
    data.user_with_token("jury", Role::Admin, None);
    // A submission of a contest, ten runs, takes less than 100 KiB.
    let disk = rate.and_then(|_| SmallDisk::at(&data.path(), 256 + runs / 100));
    let dir = data.path().with_file_name("log-of-runs");
    fs::create_dir(&dir).expect("a directory");
    let start = Instant::now();
    let workers = number("WORKERS").map_or(workers, |count| count as usize);
    let random = Random(number("SEED").unwrap_or(1));
    let mut site = Site::start(trial, (&data, disk.as_ref()), nats, workers, &dir, random);
    let target = Target::new(&site.server().address, runs);
    let load = Load {
        target: &target,
        most_open,
        teams: &teams,
        dir: &dir,
        sleep,
        rate,
    };
    let audience = rate.map(|_| Audience::start(target.address.clone(), &teams));
    let is_calm = number("CALM").is_some();
    let is_short = sandbox == Sandbox::Fake && number("RUNS").is_none() && rate.is_none();
    if is_calm {
        target.allow_end();
    }
    thread::scope(|scope| {
        load.start(scope);
        // Also ends those threads if this one panics.
        let _end = End(&target);
        while !target.is_over() {
            assert!(
                target.quiet() < STUCK,
                "nothing happens any more: {}",
                data.log()
            );
            let rest = site.random.within(trial.pause.clone());
            let until = Instant::now() + Duration::from_millis(rest);
            while Instant::now() < until && !target.is_over() {
                thread::sleep(Duration::from_millis(10));
            }
            // The short form has one of each fault.
            let is_enough = is_short && target.is_ending();
            if !target.is_over() && !is_calm && !is_enough {
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
    if let Some(audience) = audience {
        println!("server: {}", resident(site.server().pid()));
        audience.check();
    }
    if is_calm {
        println!("CPU seconds: {:?}", measure::cpu_of_children());
        println!(
            "size in MB: {:.0}",
            measure::size(&data.path()) as f64 / 1e6
        );
    }
    if !sleep.is_zero() {
        let divided = divided(&data.store());
        println!("{divided} submissions had results of both workers");
        assert!(divided > 0);
    }
    site.check();
}

/// Number of submissions whose last attempt several workers judged.
fn divided(store: &Store) -> usize {
    let judgings = (1..).map_while(|id| store.valid_judging(SubmissionId(id)).ok());
    let is_divided = |judging: &Judging| {
        let machines = judging.machine.as_deref().unwrap_or_default();
        machines.contains(", ")
    };
    judgings.filter(is_divided).count()
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

    fn within(&mut self, range: Range<u64>) -> u64 {
        range.start + self.below(range.end - range.start)
    }
}
