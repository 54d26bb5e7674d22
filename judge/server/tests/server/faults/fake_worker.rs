//! A worker process whose sandbox is fake: everything else is that of `judge worker`.

use super::number;
use super::program::Program;
use crate::common::{Data, LEASE, NatsServer, Worker};
use judge_core::error::Reason;
use judge_core::verdict::Verdict;
use judge_sandbox::Mode;
use judge_server::nats::{Cache, Connection, Options, Remote};
use judge_server::queue::Lease;
use judge_server::store::{CaseRow, Finished, Recorded};
use judge_server::units::DEFAULT_CLASS;
use judge_server::work_protocol::{Outcome, Report, Work};
use judge_server::worker::{Context, Progress, Turn, Workers};
use serde_json::json;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// Names nats-server in the environment of a worker process.
const URL: &str = "FAULTS_NATS_URL";
/// The name of the worker process.
const NAME: &str = "FAULTS_NAME";
/// The directory for the log of attempts and the cache.
const DIR: &str = "FAULTS_DIR";
/// Milliseconds that an attempt takes.
const TAKES: &str = "FAULTS_TAKES_MS";
const THREADS: usize = 4;
/// One in this number of attempts hangs, and reports its results too late.
const HANGS: u64 = 3000;
/// One in this number of attempts reports everything twice.
const REPEATS: u64 = 20;

/// Starts one, whose attempts take this time.
pub fn start(data: &Data, nats: &NatsServer, name: &str, dir: &Path, takes: Duration) -> Worker {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command
        .args(["--exact", "faults::fake_worker::process", "--ignored"])
        .env(URL, nats.url())
        .env(NAME, name)
        .env(DIR, dir)
        .env(TAKES, takes.as_millis().to_string())
        .stdout(std::process::Stdio::null());
    Worker::start_by(data, name, command)
}

/// Works until it is killed.
#[test]
#[ignore = "started as a process by the tests of faults"]
fn process() {
    let (Ok(url), Ok(name), Ok(dir)) =
        (std::env::var(URL), std::env::var(NAME), std::env::var(DIR))
    else {
        return;
    };
    let options = Options {
        url,
        name: Some(name.clone()),
        ..Options::default()
    };
    let connection = Arc::new(Connection::open(&options).expect("it connects"));
    let dir = Path::new(&dir);
    let cache = Cache::open(&dir.join("cache").join(&name), 1 << 20).expect("it opens");
    let remote = Remote::start(connection, &name, DEFAULT_CLASS, cache).expect("it starts");
    let remote = Arc::new(remote);
    let context = Context::new(remote.clone(), remote, Mode::None, dir, &name);
    let context = Context {
        lease: LEASE,
        threads: 2,
        ..context.expect("compilers")
    };
    let (index, log) = log(dir);
    let takes = Duration::from_millis(number(TAKES).unwrap_or(0));
    let next = AtomicU64::new(index << 20);
    let work = move |context: &Context, turn: &Turn, progress: &Progress, lease: &Lease| {
        if !turn.begin() {
            return Outcome::Interrupted;
        }
        // The next unit is leased ahead, and may be given back or lost with this one.
        turn.expect_end();
        let number = next.fetch_add(1, Ordering::Relaxed);
        thread::sleep(takes);
        work_on(context, progress, lease, number, &log).unwrap_or_else(Outcome::Failed)
    };
    let cores: Vec<usize> = judge_sandbox::cores()
        .into_iter()
        .cycle()
        .take(THREADS)
        .collect();
    let _workers = Workers::start_with(Arc::new(context), &cores, Box::new(work));
    loop {
        thread::park();
    }
}

/// The log of a new worker process, and its number among those of the directory: numbers of processes are used again.
fn log(dir: &Path) -> (u64, File) {
    let mut index = 1;
    loop {
        match File::create_new(dir.join(format!("ran-{index}.jsonl"))) {
            Ok(log) => return (index, log),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => index += 1,
            Err(error) => panic!("no log: {error}"),
        }
    }
}

/// Attempt `number` at a unit: logs what it does before it reports it.
fn work_on(
    context: &Context,
    progress: &Progress,
    lease: &Lease,
    number: u64,
    mut log: &File,
) -> Result<Outcome, Reason> {
    let assignment = match context.coordinator.start(lease) {
        Ok(assignment) => assignment,
        Err(outcome) => return Ok(outcome),
    };
    let Work::Judge(work) = &assignment.work else {
        return Err(Reason::new("it is no submission"));
    };
    let attempt = assignment.attempt.as_ref();
    let source = attempt.source(&work.files[0])?;
    let program = Program::read(&String::from_utf8_lossy(&source));
    let program = program.ok_or_else(|| Reason::new("an unknown program"))?;
    let verdicts = program.verdicts(work.cases.len());
    let line = json!({"number": number, "submission": work.submission.0, "verdicts": verdicts});
    // One call: a process that is killed leaves whole lines.
    let line = format!("{line}\n");
    log.write_all(line.as_bytes())?;
    if number % HANGS == HANGS - 1 {
        progress.expect(Duration::ZERO);
        thread::sleep(2 * LEASE);
    }
    let cpu_s = Some(number as f64 / 1000.0);
    let row = |(case, verdict): (usize, &&str)| CaseRow {
        cpu_s,
        ..CaseRow::new(case, Verdict::from_code(verdict).expect("a verdict"))
    };
    let compiled = std::iter::once(Recorded::Compiled(None));
    let cases = verdicts.iter().enumerate().map(row).map(Recorded::Case);
    let all: Vec<Recorded> = compiled.chain(cases).collect();
    let times = if number.is_multiple_of(REPEATS) { 2 } else { 1 };
    for _ in 0..times {
        for result in &all {
            attempt.reports().send(Report::Result(result.clone()));
        }
    }
    for _ in 0..times {
        attempt
            .reports()
            .keep(Report::Result(Recorded::Finished(Finished {
                max_cpu_s: cpu_s,
                ..Finished::new(Verdict::from_code(program.verdict()).expect("a verdict"))
            })))?;
    }
    Ok(Outcome::Done)
}
