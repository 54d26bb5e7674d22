//! Submits programs to a server that is killed now and then.

use super::Random;
use super::program::Program;
use crate::common::Entry;
use serde_json::{Value, json};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};
use ureq::Agent;

const THREADS: u64 = 4;
/// Time between two looks at what is open.
const LOOK: Duration = Duration::from_millis(200);

/// Where submissions go, and how many did.
pub struct Target {
    pub address: Arc<Mutex<String>>,
    /// Runs that are still to be caused.
    left: AtomicUsize,
    /// Submissions that were acknowledged.
    pub sent: AtomicUsize,
    /// Submissions without a verdict, as far as is known.
    open: AtomicUsize,
    /// It may end when all are sent.
    may_end: AtomicBool,
    /// All were sent.
    is_sent: AtomicBool,
    is_over: AtomicBool,
    /// When something happened.
    heard: Mutex<Instant>,
}

impl Target {
    /// A server at this address.
    pub fn new(address: &str, runs: usize) -> Self {
        Target {
            address: Arc::new(Mutex::new(address.to_owned())),
            left: AtomicUsize::new(runs),
            sent: AtomicUsize::new(0),
            open: AtomicUsize::new(0),
            may_end: AtomicBool::new(false),
            is_sent: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
            heard: Mutex::new(Instant::now()),
        }
    }

    /// Lets it end when all are sent; else more are sent.
    pub fn allow_end(&self) {
        self.may_end.store(true, Ordering::SeqCst);
    }

    /// Whether it ends when all are sent.
    pub fn is_ending(&self) -> bool {
        self.may_end.load(Ordering::SeqCst)
    }

    /// The server has another address.
    pub fn set_address(&self, address: &str) {
        address.clone_into(&mut self.address.lock().expect("no panic"));
    }

    /// Whether all submissions were sent and judged.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    /// Time since something happened.
    pub fn quiet(&self) -> Duration {
        self.heard.lock().expect("no panic").elapsed()
    }

    /// Submissions without a verdict; `None`: no server answers. While the scoreboard has some, those that it does not count,
    /// because the team has solved the problem, are left out.
    fn pending(&self) -> Option<usize> {
        let scoreboard = self.read("scoreboard")?;
        let rows = scoreboard["rows"].as_array().expect("rows");
        let cells = rows.iter().flat_map(|row| row["problems"].as_array());
        let pending = |cell: &Value| cell["num_pending"].as_u64().expect("a count");
        let pending = cells.flatten().map(pending).sum::<u64>() as usize;
        if pending > 0 || !self.is_sent.load(Ordering::SeqCst) {
            return Some(pending);
        }
        let [submissions, judgements] = [self.read("submissions")?, self.read("judgements")?];
        let judgements = judgements.as_array().expect("judgements").iter();
        let judged = judgements.filter(|own| !own["judgement_type_id"].is_null());
        let submissions = submissions.as_array().expect("submissions").len();
        Some(submissions.saturating_sub(judged.count()))
    }

    /// An endpoint of the contest; `None`: no server answers.
    fn read(&self, endpoint: &str) -> Option<Value> {
        let address = self.address.lock().expect("no panic").clone();
        let answer = ureq::get(format!("{address}/api/contests/c/{endpoint}"))
            .header("Authorization", "Bearer jury")
            .call();
        // The lists of a long trial are large.
        let body = answer.ok()?.into_body().into_reader();
        serde_json::from_reader(body).ok()
    }

    fn hear(&self) {
        *self.heard.lock().expect("no panic") = Instant::now();
    }
}

/// Ends all threads when it is dropped.
pub struct End<'t>(pub &'t Target);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::SeqCst);
    }
}

/// The submissions of a trial: their target, users and programs.
#[derive(Clone, Copy)]
pub struct Load<'l> {
    pub target: &'l Target,
    /// Submissions that wait for a verdict at most.
    pub most_open: usize,
    /// Each has a user of this name, whose token is the name.
    pub teams: &'l [String],
    /// For the log.
    pub dir: &'l Path,
    /// Time that a program sleeps in each case.
    pub sleep: Duration,
    /// Submissions per second; `None`: as many as may wait.
    pub rate: Option<u32>,
}

impl<'l> Load<'l> {
    /// Starts threads that submit, and one that looks whether all is judged.
    pub fn start<'s>(self, scope: &'s Scope<'s, '_>)
    where
        'l: 's,
    {
        let log = File::create(self.dir.join("sent.jsonl")).expect("a log");
        scope.spawn(move || {
            let log = &log;
            thread::scope(|all| {
                for k in 0..THREADS {
                    all.spawn(move || self.submit(k, log));
                }
            });
            self.target.is_sent.store(true, Ordering::SeqCst);
        });
        scope.spawn(move || self.look());
    }

    fn look(self) {
        let target = self.target;
        let mut last = (0, 0);
        let mut report = Instant::now();
        while !target.is_over() {
            let was_sent = target.is_sent.load(Ordering::SeqCst);
            // The server's store may be on a disk that only it has.
            let Some(open) = target.pending() else {
                thread::sleep(LOOK);
                continue;
            };
            target.open.store(open, Ordering::SeqCst);
            let now = (target.sent.load(Ordering::SeqCst), open);
            if now != last {
                last = now;
                target.hear();
            }
            if report.elapsed() > Duration::from_secs(20) {
                report = Instant::now();
                println!("{} submissions sent, {open} of them open", now.0);
            }
            target
                .is_over
                .store(was_sent && open == 0, Ordering::SeqCst);
            thread::sleep(LOOK);
        }
    }

    fn submit(self, thread: u64, mut log: &File) {
        let target = self.target;
        let mut random = Random(thread + 1);
        let mut agent: Agent = Agent::new_with_defaults();
        let mut k = thread as usize;
        let interval = self.rate.map(|rate| Duration::from_secs(THREADS) / rate);
        let mut due = Instant::now();
        let is_enough = || target.left.load(Ordering::SeqCst) == 0 && target.is_ending();
        while !is_enough() && !target.is_over() {
            if target.open.load(Ordering::SeqCst) > self.most_open {
                thread::sleep(LOOK);
                continue;
            }
            // After a fault it catches up.
            due += interval.unwrap_or_default();
            if interval.is_some() {
                thread::sleep(due.saturating_duration_since(Instant::now()));
            }
            k += THREADS as usize;
            let team = &self.teams[k % self.teams.len()];
            let problem = format!("p{}", 1 + random.below(6));
            let program = Program::choose(random.below(1 << 31));
            let entry = Entry {
                user: team,
                problem: &problem,
                language: "c",
                file: "a.c",
                source: &program.source(self.sleep),
            };
            let address = target.address.lock().expect("no panic").clone();
            let Some(id) = entry.submit(&agent, &address) else {
                // Connections to a server that was killed are of no use.
                agent = Agent::new_with_defaults();
                thread::sleep(Duration::from_millis(20));
                continue;
            };
            let runs = program.verdicts(super::program::CASES).len();
            let line = json!({
                "submission": id, "team": team, "problem": problem,
                "verdict": program.verdict(), "runs": runs,
            });
            log.write_all(format!("{line}\n").as_bytes())
                .expect("it is logged");
            target.sent.fetch_add(1, Ordering::SeqCst);
            target.open.fetch_add(1, Ordering::SeqCst);
            let less = |left: usize| Some(left.saturating_sub(runs));
            let _ = target
                .left
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, less);
        }
    }
}
