//! Judges the programs in `hostile/`. Each must get the verdict that its directory names, and no
//! process, file or control group of theirs may remain when the judge exits. `REPEAT=100` judges
//! each of them a hundred times.
//!
//! Test group: judge.

#[path = "common/leftovers.rs"]
mod leftovers;

use leftovers::Before;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use walkdir::WalkDir;

fn suite_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile")
}

/// The programs below `directory`, each with the verdict that its directory names.
fn programs(directory: &Path) -> BTreeMap<String, String> {
    WalkDir::new(directory)
        .min_depth(2)
        .max_depth(2)
        .into_iter()
        .map(|entry| entry.expect("read the directory").into_path())
        .filter(|path| path.is_file())
        .filter_map(|path| {
            let verdict = path.parent()?.file_name()?.to_str()?.to_owned();
            Some((path.to_str()?.to_owned(), verdict))
        })
        .filter(|(_, verdict)| verdict != "package")
        .collect()
}

/// Timeout of one run of the judge, so that a hang fails the test. The suite takes a minute.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Judges the programs in one run. Returns each program's verdict (`None` if it was skipped), and
/// the events as text.
fn run_judge(
    package: &Path,
    programs: &[String],
    options: &[&str],
) -> (BTreeMap<String, Option<String>>, String) {
    // Runs are serialised: processes of another judge would count as leftovers of this one.
    static SERIAL: Mutex<()> = Mutex::new(());
    let _serial = SERIAL.lock().unwrap_or_else(PoisonError::into_inner);
    // This directory must be empty afterwards. It is readable by all users, because programs run as
    // `nobody` if root judges.
    let temporary = tempfile::Builder::new()
        .permissions(std::fs::Permissions::from_mode(0o755))
        .tempdir()
        .expect("make a directory");
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("judge"));
    command
        .env("TMPDIR", temporary.path())
        .arg("run")
        .arg(package)
        .args(["--fail-fast", "--format", "json"])
        .args(options);
    for path in programs {
        command.args(["-s", path]);
    }
    let before = Before::new();
    let child = command
        .stdout(Stdio::piped())
        .spawn()
        .expect("start the judge");
    let pid = child.id();
    let (ended, end) = channel::<()>();
    let guard = std::thread::spawn(move || {
        let too_late = end.recv_timeout(TIMEOUT) == Err(RecvTimeoutError::Timeout);
        if too_late && let Some(pid) = Pid::from_raw(pid as i32) {
            let _ = kill_process(pid, Signal::KILL);
        }
        too_late
    });
    let output = child.wait_with_output().expect("wait for the judge");
    drop(ended);
    let too_late = guard.join().expect("join the timeout thread");
    assert!(!too_late, "the judge still ran after {TIMEOUT:?}");
    let left = before.leftovers(pid, temporary.path());
    assert_eq!(left, Vec::<String>::new());
    let text = String::from_utf8(output.stdout).expect("decode the events as UTF-8");
    let verdicts = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("parse an event"))
        .filter(|event| event["event"] == "submission_finished")
        .map(|event| {
            let name = event["submission"]
                .as_str()
                .expect("get the submission's name")
                .to_owned();
            (name, event["verdict"].as_str().map(str::to_owned))
        })
        .collect();
    (verdicts, text)
}

/// The layers that the first event does not report as present.
fn missing_layers(events: &str) -> Vec<String> {
    let first = events.lines().next().unwrap_or_default();
    let event: Value = serde_json::from_str(first).expect("parse an event");
    let layers = event["sandbox"]
        .as_object()
        .expect("get the layers")
        .clone();
    layers
        .into_iter()
        .filter(|(_, state)| state != "present")
        .map(|(name, _)| name)
        .collect()
}

/// The layer that a program needs to get its verdict, if it needs one that some machines lack.
fn required_layer(program: &str) -> Option<&'static str> {
    match program {
        // Without a control group files do not count as memory.
        "MLE/files_and_heap.c" => Some("memory"),
        // Without Landlock the compiler may read the file with its own messages, which is harmless.
        "CE/include_own_output.c" => Some("landlock"),
        _ => None,
    }
}

/// The correct verdicts on a machine without namespaces and the reason, if they differ from the
/// usual one.
fn without_namespaces(program: &str) -> Option<(&'static [&'static str], &'static str)> {
    const NO_CHILDREN: &str = "a program may start threads only";
    Some(match program {
        "AC/ordinary_children.c" => (&["RTE"], NO_CHILDREN),
        // The program waits for a message from a child that could not be started.
        "AC/ordinary_pipe.c" => (&["TLE"], NO_CHILDREN),
        "MLE/children_together.c"
        | "MLE/deep_children.c"
        | "MLE/only_the_child.c"
        | "TLE/unwaited_child.c" => (&["AC"], NO_CHILDREN),
        "AC/ordinary_temporary_file.c" => (&["RTE"], "the box has no private /tmp"),
        // The validator closes its end first, so its verdict may count.
        "AC/output_in_a_message.c" => (&["RTE", "WA"], "a socket cannot get a name"),
        "AC/output_in_a_message_of_a_pair.c" => (&["RTE", "WA"], "no message holds descriptors"),
        "MLE/files_and_heap.c" => (&["RTE"], "the box has no private /dev/shm"),
        "AC/attack_many_small_files.c" | "AC/attack_deep_directories.c" => {
            (&["AC", "TLE"], "its files are on the disk")
        }
        _ => return None,
    })
}

#[test]
#[ignore = "long: `make test-long` runs it"]
fn each_program_gets_the_verdict_of_its_directory() {
    let programs = programs(&suite_dir());
    let paths: Vec<String> = programs.keys().cloned().collect();
    assert!(programs.len() >= 100, "{} programs", programs.len());
    let repeat: usize = std::env::var("REPEAT")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    let mut wrong = Vec::new();
    for round in 0..repeat {
        let (verdicts, events) = run_judge(&suite_dir().join("package"), &paths, &[]);
        let missing = missing_layers(&events);
        let fenced = !missing.iter().any(|layer| layer == "landlock");
        let namespaces = !missing.iter().any(|layer| layer == "mount-namespace");
        if !namespaces && !fenced {
            println!("SKIPPED: this machine offers no isolation");
            return;
        }
        assert_eq!(verdicts.len(), programs.len(), "{events}");
        for (path, expected) in &programs {
            let name = path.rsplit("hostile/").next().unwrap_or(path);
            if let Some(layer) =
                required_layer(name).filter(|l| missing.iter().any(|other| other == l))
            {
                println!("skipped, no {layer}: {path}");
                continue;
            }
            let other = without_namespaces(name).filter(|_| !namespaces);
            if let Some((_, why)) = other {
                println!("{name} is {:?} here: {why}", verdicts[path]);
            }
            let usual = [expected.as_str()];
            let right = other.map_or(&usual[..], |(right, _)| right);
            match &verdicts[path] {
                Some(verdict) if right.contains(&verdict.as_str()) => {}
                None => println!("skipped, no compiler: {path}"),
                Some(verdict) => {
                    let messages: Vec<&str> = events
                        .lines()
                        .filter(|line| line.contains(path.as_str()) && line.contains("finished"))
                        .collect();
                    wrong.push(format!(
                        "round {round}: {name} got {verdict}, not {right:?}\n{}",
                        messages.join("\n")
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Copies the package and replaces `text` by `other` in its `problem.yaml`.
fn copied_package(place: &Path, text: &str, other: &str) -> PathBuf {
    let to = place.join("package");
    for entry in WalkDir::new(suite_dir().join("package")) {
        let entry = entry.expect("read the package");
        let target = to.join(
            entry
                .path()
                .strip_prefix(suite_dir().join("package"))
                .expect("strip the package's path"),
        );
        if entry.file_type().is_dir() {
            std::fs::create_dir(&target).expect("make a directory");
        } else {
            std::fs::copy(entry.path(), &target).expect("copy a file");
        }
    }
    let path = to.join("problem.yaml");
    let settings = std::fs::read_to_string(&path).expect("read problem.yaml");
    assert!(settings.contains(text));
    std::fs::write(&path, settings.replace(text, other)).expect("write problem.yaml");
    to
}

/// The programs in `cross_run/` get their verdicts, and the innocent program that follows each of
/// them on the same worker is accepted.
#[test]
fn no_program_affects_the_next_run() {
    let attackers = programs(&suite_dir().join("cross_run"));
    assert!(attackers.len() >= 4, "{} programs", attackers.len());
    let copies = tempfile::tempdir().expect("make a directory");
    // An output limit above the memory limit.
    let package = copied_package(copies.path(), "output: 4", "output: 600");
    let mut expected = Vec::new();
    for (k, (path, verdict)) in attackers.iter().enumerate() {
        let innocent = copies.path().join(format!("innocent-{k}.c"));
        std::fs::copy(suite_dir().join("innocent.c"), &innocent).expect("copy a file");
        expected.push((path.clone(), verdict.as_str()));
        expected.push((innocent.display().to_string(), "AC"));
    }
    let order: Vec<String> = expected.iter().map(|(path, _)| path.clone()).collect();
    let (verdicts, events) = run_judge(&package, &order, &["-j", "1"]);
    let missing = missing_layers(&events);
    let lacks = |layer: &str| missing.iter().any(|other| other == layer);
    if lacks("landlock") && lacks("mount-namespace") {
        println!("SKIPPED: this machine offers no isolation");
        return;
    }
    let wrong: Vec<String> = expected
        .iter()
        .filter(|(path, verdict)| verdicts[path].as_deref().is_some_and(|v| v != *verdict))
        .map(|(path, verdict)| format!("{path} got {:?}, not {verdict}", verdicts[path]))
        .collect();
    assert!(wrong.is_empty(), "{}\n{events}", wrong.join("\n"));
}

/// The programs in `interactive/` try to keep the pipe of their output open. A worker waits for the
/// end of that output, so such a pipe would block it.
#[test]
fn no_program_keeps_its_output_pipe_open() {
    let copies = tempfile::tempdir().expect("make a directory");
    let package = copied_package(
        copies.path(),
        "allow_file_writing: true",
        "type: interactive",
    );
    let validator = package.join("output_validator");
    std::fs::create_dir(&validator).expect("make a directory");
    let source = suite_dir().join("../fuzz_sandbox/program/interactor.c");
    std::fs::copy(source, validator.join("interactor.c")).expect("copy a file");
    let programs = programs(&suite_dir().join("interactive"));
    assert!(!programs.is_empty());
    let paths: Vec<String> = programs.keys().cloned().collect();
    let (verdicts, events) = run_judge(&package, &paths, &["-j", "1"]);
    let namespaces = !missing_layers(&events).contains(&"mount-namespace".to_owned());
    for (path, expected) in &programs {
        let name = path.rsplit("interactive/").next().unwrap_or(path);
        let usual = [expected.as_str()];
        let right = match without_namespaces(name) {
            Some((right, _)) if !namespaces => right,
            _ => &usual,
        };
        let verdict = verdicts[path].as_deref();
        assert!(
            verdict.is_none_or(|verdict| right.contains(&verdict)),
            "{path} got {verdict:?}, not {right:?}\n{events}"
        );
    }
}

/// Runs the whole suite without user namespaces: inside a user namespace, further ones can be
/// forbidden.
#[test]
#[ignore = "takes as long as the suite itself: `make hostile` runs it"]
fn all_tests_pass_without_user_namespaces() {
    let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" --exact --nocapture \
                  each_program_gets_the_verdict_of_its_directory no_program_affects_the_next_run \
                  no_program_keeps_its_output_pipe_open";
    let able = Command::new("unshare")
        .args(["--user", "--map-root-user", "sh", "-c"])
        .arg("echo 0 > /proc/sys/user/max_user_namespaces")
        .status();
    if !able.is_ok_and(|status| status.success()) {
        println!(
            "SKIPPED: user namespaces are forbidden on this machine, or there is no unshare command"
        );
        return;
    }
    let inner = Command::new("unshare")
        .args(["--user", "--map-root-user", "sh", "-c", script])
        .arg(std::env::current_exe().expect("find this test program"))
        .status()
        .expect("run unshare");
    assert!(inner.success());
}
