//! Tests of ordinary runs with and without isolation: a clean start, limits, measurement.
//!
//! Test group: judge.

mod common;
#[path = "ordinary/files.rs"]
mod files;
#[path = "ordinary/limits.rs"]
mod limits;
#[path = "ordinary/measures.rs"]
mod measures;
#[path = "ordinary/memory_faults.rs"]
mod memory_faults;
#[path = "ordinary/portable.rs"]
mod portable;

use std::ffi::OsString;
use std::os::fd::AsFd;

use common::{Outcome, forks, limits, program, run, spec, state};
use judge_sandbox::{Exit, Job, Limits, Mode, Sandbox, State, open, probe};

const MODES: [Mode; 2] = [Mode::None, Mode::Auto];

fn sandbox(mode: Mode) -> Box<dyn Sandbox> {
    open(&spec(mode, &program("acts"))).unwrap()
}

/// Runs the program of actions in a box.
fn acts(sandbox: &mut dyn Sandbox, args: &[&str], limits: &Limits) -> Outcome {
    run(sandbox, &program("acts"), args, "", limits).unwrap()
}

/// Runs the program of actions in a new box.
fn run_acts(mode: Mode, args: &[&str], limits: &Limits) -> Outcome {
    acts(&mut *sandbox(mode), args, limits)
}

/// Runs a script of the shell in a box.
fn sh(sandbox: &mut dyn Sandbox, script: &str, limits: &Limits) -> Outcome {
    run(sandbox, "/bin/sh".as_ref(), &["-c", script], "", limits).unwrap()
}

/// Uses a job of the program of actions, with empty files as streams.
fn with_job<T>(args: &[&str], limits: &Limits, act: impl FnOnce(&Job<'_>) -> T) -> T {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    let streams = [(); 3].map(|()| judge_sandbox::scratch_file().unwrap());
    let [stdin, stdout, stderr] = streams.each_ref().map(AsFd::as_fd);
    act(&Job {
        program: &program("acts"),
        args: &args,
        env: &[],
        stdin,
        stdout,
        stderr,
        limits,
        count_instructions: false,
    })
}

#[test]
fn a_program_reads_its_input_and_writes_its_output() {
    for mode in MODES {
        let mut sandbox = sandbox(mode);
        for input in ["", "1 2\n", "again\n"] {
            let echo = &program("acts");
            let outcome = run(&mut *sandbox, echo, &["echo"], input, &limits()).unwrap();
            assert_eq!(outcome.exit(), Exit::Code(0));
            assert_eq!(outcome.stdout, input);
        }
    }
}

#[test]
fn exit_codes_and_signals_are_distinguished() {
    for mode in MODES {
        let mut sandbox = sandbox(mode);
        for code in [0, 1, 42, 127, 137, 255] {
            let outcome = acts(&mut *sandbox, &["code", &code.to_string()], &limits());
            assert_eq!(outcome.exit(), Exit::Code(code));
        }
        for signal in [1, 2, 6, 8, 9, 11, 13, 15] {
            let outcome = acts(&mut *sandbox, &["raise", &signal.to_string()], &limits());
            assert_eq!(outcome.exit(), Exit::Signal(signal));
        }
    }
}

#[test]
fn a_program_starts_in_a_clean_state() {
    for mode in MODES {
        let stack = Limits {
            stack: Some(123 << 12),
            ..limits()
        };
        let shown = run_acts(mode, &["show"], &stack).stdout;
        let lines: Vec<&str> = shown.lines().collect();
        let cwd = lines[0].strip_prefix("cwd=").unwrap();
        let mut environment: Vec<&str> = lines[1..]
            .iter()
            .copied()
            .take_while(|l| !l.starts_with("umask"))
            .collect();
        environment.sort_unstable();
        let home = format!("HOME={cwd}");
        let temporary = format!("TMPDIR={cwd}");
        let mut expected = vec![
            "LANG=C.UTF-8",
            "LC_ALL=C.UTF-8",
            "ONLINE_JUDGE=1",
            "PATH=/usr/local/bin:/usr/bin:/bin",
        ];
        // Only a box with namespaces has a private `/tmp`.
        if cwd != "/work" {
            expected.push(&temporary);
        }
        assert_eq!(environment[0], home);
        assert_eq!(environment[1..], expected);
        let rest: Vec<&str> = lines
            .iter()
            .copied()
            .skip_while(|l| !l.starts_with("umask"))
            .collect();
        let stack = format!("stack={}", 123 << 12);
        assert_eq!(
            rest,
            [
                "umask=022",
                "fd=0",
                "fd=1",
                "fd=2",
                "core=1",
                &stack,
                "leader=1"
            ]
        );
    }
}

#[test]
fn daemons_are_killed_and_files_are_removed_after_a_run() {
    for mode in MODES {
        let mut sandbox = sandbox(mode);
        if !forks(&*sandbox) {
            continue;
        }
        for action in [&["daemon"][..], &["files", "20"]] {
            // Without isolation a process that leaves its group quickly escapes.
            if mode == Mode::Auto || action[0] != "daemon" {
                let outcome = acts(&mut *sandbox, action, &limits());
                assert_eq!(outcome.exit(), Exit::Code(0));
            }
        }
        let outcome = acts(&mut *sandbox, &["list"], &limits());
        assert_eq!(outcome.stdout.trim(), "0");
        drop(sandbox);
        let left = std::process::Command::new("pgrep")
            .args(["-f", "acts daemon"])
            .output();
        if let Ok(left) = left {
            assert_eq!(String::from_utf8_lossy(&left.stdout), "");
        }
    }
}

#[test]
fn layers_report_missing_mechanisms() {
    let none = sandbox(Mode::None);
    assert_eq!(state(&*none, "isolation"), Some(State::Absent));
    assert_eq!(state(&*none, "instructions"), Some(State::Absent));
    let table = probe();
    assert_eq!(table, sandbox(Mode::Auto).layers());
    assert!(
        table
            .iter()
            .all(|layer| layer.state == State::Present || !layer.why.is_empty())
    );

    let whole = table
        .iter()
        .all(|layer| layer.state == State::Present || layer.name == "instructions");
    match open(&spec(Mode::Strict, &program("acts"))) {
        Ok(_) => assert!(whole),
        Err(fault) => {
            assert!(!whole);
            let missing = table
                .iter()
                .find(|l| l.state != State::Present && l.name != "instructions");
            assert!(fault.to_string().contains(missing.unwrap().name), "{fault}");
        }
    }
}
