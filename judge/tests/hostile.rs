//! The programs in `hostile/`: each must get the verdict that its directory names, and nothing of
//! them may be left when the judge is done. `REPEAT=100` judges each a hundred times.

#[path = "common/left.rs"]
mod left;

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

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile")
}

/// Every program, with the verdict that its directory names.
fn programs(place: &Path) -> BTreeMap<String, String> {
    WalkDir::new(place)
        .min_depth(2)
        .max_depth(2)
        .into_iter()
        .map(|entry| entry.expect("the directory can be read").into_path())
        .filter(|path| path.is_file())
        .filter_map(|path| {
            let verdict = path.parent()?.file_name()?.to_str()?.to_owned();
            Some((path.to_str()?.to_owned(), verdict))
        })
        .filter(|(_, verdict)| verdict != "package")
        .collect()
}

/// How long one run of the judge may take before it is killed, so that a hang is a failure. The
/// suite itself takes a minute.
const PATIENCE: Duration = Duration::from_secs(600);

/// What the judge says of each: the verdict, or why it was skipped.
fn judged(
    package: &Path,
    programs: &[String],
    options: &[&str],
) -> (BTreeMap<String, Option<String>>, String) {
    // One judge at a time: the processes of another would be taken for what this one left.
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    // Nothing may be left here either. Readable by all: if root judges, programs run as `nobody`.
    let temporary = tempfile::Builder::new()
        .permissions(std::fs::Permissions::from_mode(0o755))
        .tempdir()
        .expect("a directory can be made");
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
    left::adopt_orphans();
    let child = command
        .stdout(Stdio::piped())
        .spawn()
        .expect("the judge runs");
    let pid = child.id();
    let (ended, end) = channel::<()>();
    let guard = std::thread::spawn(move || {
        let too_late = end.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout);
        if too_late && let Some(pid) = Pid::from_raw(pid as i32) {
            let _ = kill_process(pid, Signal::KILL);
        }
        too_late
    });
    let output = child.wait_with_output().expect("the judge ends");
    drop(ended);
    let too_late = guard.join().expect("it only waits");
    assert!(!too_late, "the judge still ran after {PATIENCE:?}");
    let left = left::left_behind(pid, temporary.path());
    assert_eq!(left, Vec::<String>::new());
    let text = String::from_utf8(output.stdout).expect("events are UTF-8");
    let verdicts = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a line is an event"))
        .filter(|event| event["event"] == "submission_finished")
        .map(|event| {
            let name = event["submission"].as_str().expect("a name").to_owned();
            (name, event["verdict"].as_str().map(str::to_owned))
        })
        .collect();
    (verdicts, text)
}

/// The layers that are not there, by the first event.
fn lacking(events: &str) -> Vec<String> {
    let first = events.lines().next().unwrap_or_default();
    let event: Value = serde_json::from_str(first).expect("a line is an event");
    let layers = event["sandbox"].as_object().expect("layers").clone();
    layers
        .into_iter()
        .filter(|(_, state)| state != "present")
        .map(|(name, _)| name)
        .collect()
}

/// What a program needs of the sandbox to get its verdict, if not every sandbox has it.
fn needs(program: &str) -> Option<&'static str> {
    match program {
        // Without a control group files do not count as memory.
        "MLE/files_and_heap.c" => Some("memory"),
        // Without Landlock the compiler may read the file of its own messages, which is harmless.
        "CE/include_own_output.c" => Some("landlock"),
        _ => None,
    }
}

/// The verdicts that are right where there are no namespaces, if others than usual, and why.
fn without_namespaces(program: &str) -> Option<(&'static [&'static str], &'static str)> {
    const NO_CHILDREN: &str = "a program may start threads only";
    Some(match program {
        "AC/ordinary_children.c" => (&["RTE"], NO_CHILDREN),
        // It waits for a word from the child that it did not get.
        "AC/ordinary_pipe.c" => (&["TLE"], NO_CHILDREN),
        "MLE/children_together.c"
        | "MLE/deep_children.c"
        | "MLE/only_the_child.c"
        | "TLE/unwaited_child.c" => (&["AC"], NO_CHILDREN),
        "AC/ordinary_temporary_file.c" => (&["RTE"], "there is no /tmp of its own"),
        // The validator closes its end first, so it may decide.
        "AC/output_in_a_message.c" => (&["RTE", "WA"], "a socket cannot get a name"),
        "AC/output_in_a_message_of_a_pair.c" => (&["RTE", "WA"], "no message holds descriptors"),
        "MLE/files_and_heap.c" => (&["RTE"], "there is no /dev/shm of its own"),
        "AC/attack_many_small_files.c" | "AC/attack_deep_directories.c" => {
            (&["AC", "TLE"], "its files lie on the disk")
        }
        _ => return None,
    })
}

#[test]
fn each_program_gets_the_verdict_of_its_directory() {
    let programs = programs(&here());
    let paths: Vec<String> = programs.keys().cloned().collect();
    assert!(programs.len() >= 100, "{} programs", programs.len());
    let repeat: usize = std::env::var("REPEAT")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    let mut wrong = Vec::new();
    for round in 0..repeat {
        let (verdicts, events) = judged(&here().join("package"), &paths, &[]);
        let lacking = lacking(&events);
        let fenced = !lacking.iter().any(|layer| layer == "landlock");
        let namespaces = !lacking.iter().any(|layer| layer == "mount-namespace");
        if !namespaces && !fenced {
            println!("SKIPPED: nothing here keeps a program in");
            return;
        }
        assert_eq!(verdicts.len(), programs.len(), "{events}");
        for (path, expected) in &programs {
            let name = path.rsplit("hostile/").next().unwrap_or(path);
            if let Some(layer) = needs(name).filter(|l| lacking.iter().any(|other| other == l)) {
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

/// A copy of the package with another text in its settings.
fn copied_package(place: &Path, text: &str, other: &str) -> PathBuf {
    let to = place.join("package");
    for entry in WalkDir::new(here().join("package")) {
        let entry = entry.expect("the package can be read");
        let target = to.join(
            entry
                .path()
                .strip_prefix(here().join("package"))
                .expect("below it"),
        );
        if entry.file_type().is_dir() {
            std::fs::create_dir(&target).expect("a directory can be made");
        } else {
            std::fs::copy(entry.path(), &target).expect("a file can be copied");
        }
    }
    let path = to.join("problem.yaml");
    let settings = std::fs::read_to_string(&path).expect("it was copied");
    assert!(settings.contains(text));
    std::fs::write(&path, settings.replace(text, other)).expect("it is ours");
    to
}

/// The programs in `harm/` get their own verdicts, and each is followed on the same worker by an
/// innocent program, which gets its own.
#[test]
fn no_program_harms_the_next_one() {
    let harmful = programs(&here().join("harm"));
    assert!(harmful.len() >= 4, "{} programs", harmful.len());
    let copies = tempfile::tempdir().expect("a directory can be made");
    // An output limit above the memory limit.
    let package = copied_package(copies.path(), "output: 4", "output: 600");
    let mut expected = Vec::new();
    for (k, (path, verdict)) in harmful.iter().enumerate() {
        let innocent = copies.path().join(format!("innocent-{k}.c"));
        std::fs::copy(here().join("innocent.c"), &innocent).expect("a file can be copied");
        expected.push((path.clone(), verdict.as_str()));
        expected.push((innocent.display().to_string(), "AC"));
    }
    let order: Vec<String> = expected.iter().map(|(path, _)| path.clone()).collect();
    let (verdicts, events) = judged(&package, &order, &["-j", "1"]);
    let lacking = lacking(&events);
    let lacks = |layer: &str| lacking.iter().any(|other| other == layer);
    if lacks("landlock") && lacks("mount-namespace") {
        println!("SKIPPED: nothing here keeps a program in");
        return;
    }
    let wrong: Vec<String> = expected
        .iter()
        .filter(|(path, verdict)| verdicts[path].as_deref().is_some_and(|v| v != *verdict))
        .map(|(path, verdict)| format!("{path} got {:?}, not {verdict}", verdicts[path]))
        .collect();
    assert!(wrong.is_empty(), "{}\n{events}", wrong.join("\n"));
}

/// The programs in `interactive/`, whose output ends with them: a worker waits for its end.
#[test]
fn no_program_keeps_the_pipe_of_its_output() {
    let copies = tempfile::tempdir().expect("a directory can be made");
    let package = copied_package(
        copies.path(),
        "allow_file_writing: true",
        "type: interactive",
    );
    let validator = package.join("output_validator");
    std::fs::create_dir(&validator).expect("a directory can be made");
    let source = here().join("../fuzz_sandbox/program/interactor.c");
    std::fs::copy(source, validator.join("interactor.c")).expect("a file can be copied");
    let programs = programs(&here().join("interactive"));
    assert!(!programs.is_empty());
    let paths: Vec<String> = programs.keys().cloned().collect();
    let (verdicts, events) = judged(&package, &paths, &["-j", "1"]);
    let namespaces = !lacking(&events).contains(&"mount-namespace".to_owned());
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

/// The whole suite where user namespaces are forbidden, which they can be inside of one.
#[test]
#[ignore = "as long again as the suite itself; `make hostile` runs it"]
fn the_same_where_user_namespaces_are_forbidden() {
    let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" --exact --nocapture \
                  each_program_gets_the_verdict_of_its_directory no_program_harms_the_next_one \
                  no_program_keeps_the_pipe_of_its_output";
    let able = Command::new("unshare")
        .args(["--user", "--map-root-user", "sh", "-c"])
        .arg("echo 0 > /proc/sys/user/max_user_namespaces")
        .status();
    if !able.is_ok_and(|status| status.success()) {
        println!("SKIPPED: user namespaces are forbidden here as it is, or there is no unshare");
        return;
    }
    let inner = Command::new("unshare")
        .args(["--user", "--map-root-user", "sh", "-c", script])
        .arg(std::env::current_exe().expect("this program has a name"))
        .status()
        .expect("it just ran");
    assert!(inner.success());
}
