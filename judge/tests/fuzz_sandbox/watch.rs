//! Runs the judge over the cases of a plan and checks all invariants.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::Value;

use crate::leftovers::Before;
use crate::mode::Place;
use crate::package::{CPU_LIMIT, Case, Dice, MEMORY_LIMIT, Plan, Role};
use crate::program;

/// A judge that writes no event for this long hangs: every run ends within seconds, even on a busy
/// machine.
const SILENCE: Duration = Duration::from_secs(180);

/// A violation of an invariant.
#[derive(Debug)]
pub struct Finding {
    /// The index of the case, if the finding is about one.
    pub case: Option<usize>,
    /// Description of the violation.
    pub what: String,
    /// Whether the machine may be the cause: by its load, if a time is near its limit, or because the
    /// kernel reclaimed pages of a file.
    pub may_be_machine: bool,
}

impl Finding {
    /// A finding that is not about a case.
    pub fn general(what: String) -> Self {
        Finding {
            case: None,
            what,
            may_be_machine: false,
        }
    }
}

/// Maximum ratio of CPU time to limit that the machine's load can explain, for a program that uses
/// nine tenths of its limit.
const DISTURBED: f64 = 1.25;

/// The first findings, one per line.
pub fn list(findings: &[Finding]) -> String {
    const SHOWN: usize = 40;
    findings
        .iter()
        .take(SHOWN)
        .fold(String::new(), |mut text, finding| {
            let _ = writeln!(text, "{}", finding.what);
            text
        })
}

/// The isolation and measurement that the machine supports in this mode.
pub struct Layers {
    /// Whether a layer isolates the file system.
    pub fenced: bool,
    /// Whether programs may create processes.
    pub forks: bool,
    /// Whether all memory of a box is measured.
    pub memory: bool,
}

/// Reads the layers from the first event of a run.
pub fn layers(place: &Place) -> Layers {
    let cases = vec![Case::new(Role::Innocent("read"), &mut Dice(0))];
    Plan::one_box(cases).write(&place.path("package"));
    let output = command(place, 1).output().expect("start the judge");
    let text = String::from_utf8_lossy(&output.stdout);
    let first = text.lines().next().unwrap_or_default();
    let event: Value = serde_json::from_str(first)
        .unwrap_or_else(|e| panic!("{e}: {first} {}", String::from_utf8_lossy(&output.stderr)));
    let present = |layer: &str| event["sandbox"][layer] == "present";
    Layers {
        fenced: present("mount-namespace") || present("landlock"),
        forks: present("pid-namespace"),
        memory: present("memory"),
    }
}

fn command(place: &Place, jobs: usize) -> Command {
    let mut command = place.command(&place.path("judge"));
    command
        .arg("run")
        .arg(place.path("package"))
        .arg("-s")
        .arg(program(place))
        .args(["--format", "json", "-j", &jobs.to_string()]);
    command
}

/// Resources of the judge itself: descriptors, threads, resident pages.
fn holds(judge: u32) -> Option<[usize; 3]> {
    let entries = |directory| {
        Some(
            fs::read_dir(format!("/proc/{judge}/{directory}"))
                .ok()?
                .count(),
        )
    };
    let sizes = fs::read_to_string(format!("/proc/{judge}/statm")).ok()?;
    let resident = sizes.split(' ').nth(1)?.parse().ok()?;
    Some([entries("fd")?, entries("task")?, resident])
}

/// Allowed growth of the judge's resources: of the minimum in the last quarter of a run over the
/// maximum in the first quarter. Descriptors and threads of a box that was replaced in between are
/// allowed; resources that are released again are not growth.
const GROWTH: [(&str, usize); 3] = [("descriptors", 12), ("threads", 4), ("pages", 8192)];

fn growth(samples: &[[usize; 3]]) -> Vec<Finding> {
    let quarter = samples.len() / 4;
    let held =
        |part: &[[usize; 3]], k: usize| part.iter().map(|sample| sample[k]).collect::<Vec<_>>();
    let (first, last) = (&samples[..quarter], &samples[samples.len() - quarter..]);
    let mut findings = Vec::new();
    for (k, (name, slack)) in GROWTH.into_iter().enumerate() {
        let (most, least) = (
            held(first, k).into_iter().max(),
            held(last, k).into_iter().min(),
        );
        if let (Some(most), Some(least)) = (most, least)
            && least > most + slack
        {
            findings.push(Finding::general(format!(
                "the judge's {name} grow from {most} to {least}"
            )));
        }
    }
    findings
}

/// Result of one run of the judge.
pub struct Outcome {
    /// The violated invariants.
    pub findings: Vec<Finding>,
    /// The number of system calls that hostile programs reported, without programs that a signal
    /// ended or that lost their standard error.
    pub calls: u64,
}

/// The number of calls that a program wrote to standard error, which the message of a case quotes.
fn counted(event: &Value) -> u64 {
    let message = event["message"].as_str().unwrap_or_default();
    let before = message.split(" calls were made").next().unwrap_or_default();
    let digits = before
        .rsplit(|c: char| !c.is_ascii_digit())
        .next()
        .unwrap_or_default();
    if before.len() == message.len() {
        0
    } else {
        digits.parse().unwrap_or(0)
    }
}

/// Runs the judge over a plan.
pub fn judge(place: &Place, plan: &Plan) -> Outcome {
    plan.write(&place.path("package"));
    let cases = &plan.cases;
    let before = Before::new();
    let mut child = command(place, plan.jobs)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("start the judge");
    let (send, events) = channel();
    let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let reader = std::thread::spawn(move || {
        for line in stdout.lines().map_while(Result::ok) {
            let _ = send.send(line);
        }
    });
    let mut findings = Vec::new();
    let mut samples = Vec::new();
    let mut calls = 0;
    let mut judged = vec![false; cases.len()];
    loop {
        let line = match events.recv_timeout(SILENCE) {
            Ok(line) => line,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                findings.push(Finding {
                    case: judged.iter().position(|done| !done),
                    ..Finding::general(format!("the judge wrote no event for {SILENCE:?}"))
                });
                let _ = child.kill();
                break;
            }
        };
        let event: Value = serde_json::from_str(&line).expect("parse an event");
        if event["event"] == "case_finished" {
            let name = event["case"].as_str().expect("a name");
            let k: usize = name
                .trim_start_matches("secret/")
                .parse()
                .expect("a number");
            judged[k] = true;
            calls += counted(&event);
            findings.extend(wrong(&cases[k], &event).map(|what| Finding {
                case: Some(k),
                what,
                may_be_machine: is_near_limit(&cases[k], &event) || misses_pages(&event),
            }));
            samples.extend(holds(child.id()));
        }
    }
    let pid = child.id();
    let output = child.wait_with_output().expect("wait for the judge");
    reader.join().expect("join the reader");
    let said = String::from_utf8_lossy(&output.stderr);
    if findings.is_empty() && judged.contains(&false) {
        let case = judged.iter().position(|done| !done);
        findings.push(Finding {
            case,
            ..Finding::general(format!("the judge exited early, {}: {said}", output.status))
        });
    }
    if said.contains("panicked") {
        findings.push(Finding::general(format!("the judge panicked: {said}")));
    }
    findings.extend(growth(&samples));
    let left = before.leftovers(pid, &place.path("temporary"));
    findings.extend(
        left.into_iter()
            .chain(place.left_by_user())
            .map(|what| Finding::general(format!("left behind: {what}"))),
    );
    Outcome { findings, calls }
}

/// Whether a finding is a time limit that an innocent program exceeded slightly, as under load. The
/// program for memory makes many page faults, which are slow then.
fn is_near_limit(case: &Case, event: &Value) -> bool {
    matches!(case.role, Role::Innocent("cpu" | "memory"))
        && event["verdict"] == "TLE"
        && event["cpu_s"]
            .as_f64()
            .is_some_and(|cpu| cpu <= DISTURBED * CPU_LIMIT)
}

/// Whether an innocent program found pages of its own file that were not in memory.
fn misses_pages(event: &Value) -> bool {
    let message = event["message"].as_str().unwrap_or_default();
    message.contains("found \"pages:")
}

/// Checks the verdict and the figures of a case; returns a message if one is wrong.
fn wrong(case: &Case, event: &Value) -> Option<String> {
    let verdict = event["verdict"].as_str().unwrap_or("none");
    let figure = |name: &str| event[name].as_f64();
    let (cpu, memory) = (figure("cpu_s"), figure("memory_bytes"));
    let right = match &case.role {
        Role::Calls(_) | Role::Stress(_) => verdict != "JE",
        Role::Greedy(..) => !["AC", "JE"].contains(&verdict),
        Role::Innocent(name) => {
            let limit = MEMORY_LIMIT as f64;
            let time = match *name {
                "cpu" => 0.85 * CPU_LIMIT..=CPU_LIMIT,
                // Page faults are slow on a loaded machine.
                "memory" => 0.0..=CPU_LIMIT,
                _ => 0.0..=0.5 * CPU_LIMIT,
            };
            let bytes = match *name {
                "memory" => 0.8 * limit..=limit,
                _ => 0.0..=0.5 * limit,
            };
            verdict == "AC"
                && cpu.is_some_and(|cpu| time.contains(&cpu))
                && memory.is_some_and(|memory| bytes.contains(&memory))
                && figure("wall_s").is_some()
        }
    };
    let message = event["message"].as_str().unwrap_or_default();
    (!right).then(|| {
        format!(
            "`{}` is {verdict}: cpu {cpu:?} s, memory {memory:?} bytes, wall {:?} s; {message}",
            case.line(),
            figure("wall_s"),
        )
    })
}
