//! `judge run --nats` when a case decides, a worker or the command is killed, or no worker is there.

use super::commands::{command, event, events, of_kind, program, run, text};
use crate::common::{Data, NatsServer, Worker, echo, start_nats};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Wrong at once in the first case, without end in the others.
const ENDLESS: &str =
    "import time\nif input()[0] == '1': print('no')\nelse:\n    while True: time.sleep(1)\n";

#[test]
fn a_failure_that_decides_ends_the_others_everywhere() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[echo(9)]);
    let _workers = ["w1", "w2"].map(|name| Worker::start(&data, &nats, name));
    let package = data.package("echo");
    let endless = program(&data, "endless.py", ENDLESS);
    let start = Instant::now();
    let args = [
        "run",
        text(&package),
        "-s",
        text(&endless),
        "--fail-fast",
        "--no-history",
    ];
    let (status, events) = events(command(&nats, &args));
    assert_eq!(status, Some(1));
    let judged = of_kind(&events, "case_finished");
    assert_eq!(judged.len(), 1, "{judged:?}");
    assert_eq!(judged[0]["case"], "secret/01");
    // The workers stopped, and judge another one.
    let right = program(&data, "right.py", "print(input())\n");
    let after = run(
        &nats,
        &["run", text(&package), "-s", text(&right), "--no-history"],
    );
    assert_eq!(after.status.code(), Some(0), "{after:?}");
    assert!(
        start.elapsed() < 8 * Duration::from_secs(60),
        "cases ran to their limit"
    );
}

/// A running command with its events as they come.
struct Running {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Running {
    fn start(nats: &NatsServer, args: &[&str]) -> Self {
        let mut child = command(nats, args)
            .args(["--format", "json", "--no-history"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("judge-server starts");
        let stdout = child.stdout.take().expect("a pipe");
        Running {
            child,
            lines: BufReader::new(stdout).lines(),
        }
    }

    /// The next event of this kind.
    fn next(&mut self, kind: &str) -> Value {
        let mut events = self.lines.by_ref().map(|line| event(&line.expect("text")));
        events
            .find(|event| event["event"] == kind)
            .expect("it comes")
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it is sent");
    }

    /// Its exit status and the rest of its events.
    fn end(mut self) -> (Option<i32>, Vec<Value>) {
        let rest = self
            .lines
            .by_ref()
            .map(|line| event(&line.expect("text")))
            .collect();
        (self.child.wait().expect("it ends").code(), rest)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_unit_of_a_killed_worker_is_judged_by_another() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[echo(6)]);
    let slow = "import time\ntime.sleep(0.7)\nprint(input())\n";
    let slow = program(&data, "slow.py", slow);
    let package = data.package("echo");
    let first = Worker::start(&data, &nats, "first");
    let mut running = Running::start(&nats, &["run", text(&package), "-s", text(&slow)]);
    let mut judged = vec![running.next("case_finished")];
    let _second = Worker::start(&data, &nats, "second");
    first.kill();
    let (status, rest) = running.end();
    assert_eq!(status, Some(0), "{rest:?}");
    judged.extend(rest.into_iter().filter(|e| e["event"] == "case_finished"));
    let mut cases: Vec<&str> = judged.iter().filter_map(|e| e["case"].as_str()).collect();
    cases.sort_unstable();
    let all: Vec<String> = (1..=6).map(|k| format!("secret/{k:02}")).collect();
    assert_eq!(cases, all, "each has one result");
    let by = |name: &str| judged.iter().filter(|e| e["machine"] == name).count();
    assert!(by("first") >= 1 && by("second") >= 1, "{judged:?}");
}

#[test]
fn an_interrupted_command_leaves_nothing() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[echo(5)]);
    let package = data.package("echo");
    let endless = program(&data, "endless.py", ENDLESS);
    let _worker = Worker::start(&data, &nats, "w1");
    let mut running = Running::start(&nats, &["run", text(&package), "-s", text(&endless)]);
    running.next("case_finished");
    running.signal(Signal::INT);
    let (status, rest) = running.end();
    assert_eq!(status, Some(130), "{rest:?}");
    assert_eq!(of_kind(&rest, "run_finished")[0]["interrupted"], true);
    // The worker stopped, and judges another one.
    let right = program(&data, "right.py", "print(input())\n");
    let after = Running::start(&nats, &["run", text(&package), "-s", text(&right)]);
    let (status, rest) = after.end();
    assert_eq!(status, Some(0), "{rest:?}");
}

#[test]
fn units_of_a_killed_command_are_dropped() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[echo(3)]);
    let package = data.package("echo");
    let right = program(&data, "right.py", "print(input())\n");
    let args = ["run", text(&package), "-s", text(&right)];
    let mut running = Running::start(&nats, &args);
    running.next("compile_started");
    running.signal(Signal::KILL);
    let _worker = Worker::start(&data, &nats, "w1");
    // Another command does not wait for them.
    let (status, rest) = Running::start(&nats, &args).end();
    assert_eq!(status, Some(0), "{rest:?}");
}

#[test]
fn without_a_worker_the_command_says_so_and_gives_up() {
    let Some(nats) = start_nats() else { return };
    let data = Data::new(&[echo(1)]);
    let package = data.package("echo");
    let right = program(&data, "right.py", "print(input())\n");
    let args = [
        "run",
        text(&package),
        "-s",
        text(&right),
        "--no-history",
        "--nats-wait",
        "6",
    ];
    let output = run(&nats, &args);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    let help = format!(
        "help: start one on any machine: judge worker --nats {}",
        nats.url()
    );
    assert_eq!(said.matches(&help).count(), 2, "{said}");
    assert!(
        said.contains("waiting: no worker was heard of")
            && said.contains("s no worker was heard of"),
        "{said}"
    );
}
