//! Tests of attacks, each with its one allowed outcome, and of innocent programs, which must run as
//! without a sandbox.
//!
//! All programs run one after the other in the same box, so each runs in the state that the
//! previous one left. `REPEAT=100` repeats the sequence a hundred times.
//!
//! Test group: judge.

mod common;
#[path = "hostile/harness.rs"]
mod harness;
#[path = "hostile/host.rs"]
mod host;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use common::{Outcome, limits, program, run, spec, state};
use harness::Expected::{Bounded, Fine};
use harness::{ATTACKS, Harness, INNOCENTS, patient, tight};
use judge_sandbox::{BoxSpec, Exit, Limit, Limits, Mode, Sandbox, State, open};

/// Runs a program of attacks in a box.
fn attack(sandbox: &mut dyn Sandbox, args: &[&str], limits: &Limits) -> Outcome {
    run(sandbox, &program("attacks"), args, "", limits).unwrap()
}

#[test]
fn attacks_fail_and_innocent_programs_pass() {
    let Some(mut harness) = Harness::new() else {
        return;
    };
    let mut wrong = Vec::new();
    let repeat = std::env::var("REPEAT")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1);
    for _ in 0..repeat {
        for &(attack, expected) in ATTACKS {
            wrong.extend(harness.trial(&[attack], expected));
            for after in ["nothing", "find-files"] {
                let failed = harness.trial(&[after], Fine);
                wrong.extend(failed.map(|why| format!("after {attack}: {why}")));
            }
        }
        for innocent in INNOCENTS {
            wrong.extend(harness.trial(&[innocent], Fine));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    let unique = format!("daemon-of-{}", std::process::id());
    assert_eq!(harness.trial(&["daemon", &unique], Fine), None);
    assert_eq!(leftover_processes(&unique), "");
}

#[test]
fn a_stack_overflow_ends_the_program_with_sigsegv() {
    let Some(mut harness) = Harness::new() else {
        return;
    };
    let small = Limits {
        stack: Some(8 << 20),
        ..tight()
    };
    let outcome = attack(&mut *harness.sandbox, &["stack"], &small);
    assert_eq!(outcome.exit(), Exit::Signal(11));
    // With a stack as large as the memory, the memory limit comes first.
    let wrong = harness.trial(&["stack"], Bounded);
    assert_eq!(wrong, None);
}

#[test]
fn a_program_can_map_its_input() {
    let Some(mut harness) = Harness::new() else {
        return;
    };
    let input = "5 3\n".repeat(5000);
    let attacks = program("attacks");
    let (args, limits) = (&["mapped-input"], tight());
    let outcome = run(&mut *harness.sandbox, &attacks, args, &input, &limits).unwrap();
    assert_eq!(outcome.exit(), Exit::Code(0));
    assert_eq!(outcome.stdout, input[..1024]);
}

/// Files in the box count as memory. The program is so small that the OOM killer may choose the
/// zygote instead; that is the program's fault as well, and the next run gets a new box.
#[test]
fn files_count_as_memory() {
    let attacks = program("attacks");
    let mut sandbox = open(&BoxSpec {
        work_bytes: 1 << 30,
        ..spec(Mode::Auto, &attacks)
    })
    .unwrap();
    let present = |name| state(&*sandbox, name) == Some(State::Present);
    if !present("memory") || !present("mount-namespace") {
        eprintln!("skipped: no control group, or no private work directory");
        return;
    }
    let small = Limits {
        memory: Some(64 << 20),
        output: None,
        ..patient()
    };
    for _ in 0..3 {
        let outcome = attack(&mut *sandbox, &["fill-work"], &small);
        assert_eq!(outcome.exit(), Exit::Killed(Limit::Memory), "{outcome:?}");
        let outcome = attack(&mut *sandbox, &["find-files"], &small);
        assert_eq!(outcome.exit(), Exit::Code(0), "{outcome:?}");
    }
}

/// Names that one run leaves in the kernel's dentry cache do not reduce the measured memory of the
/// next run in the same box.
#[test]
fn cached_names_do_not_hide_memory_of_the_next_run() {
    let acts = program("acts");
    let mut sandbox = open(&spec(Mode::Auto, &acts)).unwrap();
    if state(&*sandbox, "memory") != Some(State::Present) {
        eprintln!("skipped: no control group measures memory");
        return;
    }
    let small = Limits {
        memory: Some(64 << 20),
        ..patient()
    };
    for _ in 0..3 {
        let names = &["look-up-names", "200000"];
        let outcome = run(&mut *sandbox, &acts, names, "", &patient()).unwrap();
        assert_eq!(outcome.exit(), Exit::Code(0), "{outcome:?}");
        let outcome = run(&mut *sandbox, &acts, &["memory", "120"], "", &small).unwrap();
        assert_eq!(outcome.exit(), Exit::Killed(Limit::Memory), "{outcome:?}");
    }
}

/// The kernel limits the descriptors in flight (sent, but not received yet) per user. A box that
/// sends as many as it may does not keep the judge, which is the same user, from sending
/// descriptors to another box.
#[test]
fn descriptors_in_flight_in_one_box_do_not_block_another() {
    let spec = spec(Mode::Auto, &program("attacks"));
    let mut first = open(&spec).unwrap();
    std::thread::scope(|scope| {
        let sender = scope.spawn(|| attack(&mut *first, &["descriptors-in-flight"], &patient()));
        let mut runs = 0;
        while !sender.is_finished() {
            let mut second = open(&spec).unwrap();
            let outcome = attack(&mut *second, &["nothing"], &patient());
            assert_eq!(outcome.exit(), Exit::Code(0), "{outcome:?}");
            runs += 1;
        }
        let outcome = sender.join().unwrap();
        assert_eq!(outcome.exit(), Exit::Code(0), "{outcome:?}");
        assert!(runs > 1, "{runs} runs");
    });
}

/// A mount deep in a writable directory is neither moved nor emptied.
#[test]
fn mounts_in_writable_directories_persist() {
    let mut spec = spec(Mode::Auto, &program("attacks"));
    for inside in ["/tmp/a/b/programs", "/work/programs"] {
        spec.mounts[0].inside = inside.into();
        let mut sandbox = open(&spec).unwrap();
        if state(&*sandbox, "mount-namespace") != Some(State::Present) {
            eprintln!("skipped: no mount namespaces");
            return;
        }
        let all = [
            "move-mounts",
            "leave-files",
            "nothing",
            "leave-files",
            "nothing",
        ];
        let first = usize::from(inside.starts_with("/work"));
        for name in &all[first..] {
            let outcome = attack(&mut *sandbox, &[name], &tight());
            assert_eq!(
                outcome.exit(),
                Exit::Code(0),
                "{inside} {name}: {outcome:?}"
            );
        }
    }
}

/// Each template has a thread of the judge as its parent. If user namespaces are forbidden, every
/// box that is opened tries to start a template in one, and the thread of that attempt ends.
#[test]
fn opening_boxes_leaves_one_thread_per_template() {
    let threads = || {
        let tasks = fs::read_dir("/proc/self/task").unwrap().flatten();
        let name = |task: fs::DirEntry| fs::read_to_string(task.path().join("comm")).ok();
        let names = tasks.filter_map(name);
        names.filter(|name| name == "judge-sandbox\n").count()
    };
    for _ in 0..4 {
        open(&spec(Mode::Auto, &program("attacks"))).unwrap();
    }
    // One template without and one with a user namespace. Other tests open boxes at the same time,
    // so the thread of a failed attempt may still be ending.
    let start = Instant::now();
    while threads() > 2 {
        assert!(start.elapsed() < Duration::from_secs(20), "{}", threads());
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Interpreters and virtual machines of the system work in a box.
#[test]
fn language_runtimes_work_in_a_box() {
    let Some(mut harness) = Harness::new() else {
        return;
    };
    let roomy = Limits {
        cpu: Some(Duration::from_secs(10)),
        wall: Duration::from_secs(20),
        memory: Some(1 << 30),
        stack: Some(64 << 20),
        ..limits()
    };
    let mut tried = Vec::new();
    for (path, args, output) in [
        (
            "/usr/bin/python3",
            &[
                "-c",
                "import threading, json; print(sum(map(int, input().split())))",
            ][..],
            "5",
        ),
        ("/usr/bin/node", &["-e", "console.log(2 + 3)"], "5"),
        ("/usr/bin/perl", &["-e", "print 2 + 3"], "5"),
        ("/usr/bin/java", &["-version"], ""),
        (
            "/bin/sh",
            &["-c", "echo 2 3 | (read a b; echo $((a + b)))"],
            "5",
        ),
    ] {
        let is_shell = path == "/bin/sh";
        if !Path::new(path).exists() || (is_shell && !harness.forks) {
            continue;
        }
        // Skips a link out of the system's directories, for example to a version manager's.
        if !fs::canonicalize(path).unwrap().starts_with("/usr") {
            continue;
        }
        let sandbox = &mut *harness.sandbox;
        let outcome = run(sandbox, Path::new(path), args, "2 3\n", &roomy).unwrap();
        assert_eq!(outcome.exit(), Exit::Code(0), "{path}: {outcome:?}");
        assert_eq!(outcome.stdout.trim(), output, "{path}");
        tried.push(path);
    }
    eprintln!("tried {tried:?}");
}

/// Runs the whole suite again with Landlock alone, in a user namespace where further user
/// namespaces are forbidden.
#[test]
fn all_tests_pass_without_user_namespaces() {
    const MARK: &str = "JUDGE_SANDBOX_TEST_INNER";
    if std::env::var_os(MARK).is_some() {
        return;
    }
    // Inside a user namespace the number of further user namespaces can be limited to 0.
    let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" --test-threads=1";
    let inner = Command::new("unshare")
        .args(["--user", "--map-root-user", "sh", "-c", script])
        .arg(std::env::current_exe().unwrap())
        .env(MARK, "1")
        .output();
    let Ok(inner) = inner else {
        eprintln!("skipped: no unshare command");
        return;
    };
    let said = String::from_utf8_lossy(&inner.stdout).into_owned()
        + &String::from_utf8_lossy(&inner.stderr);
    if said.contains("unshare failed") || said.contains("max_user_namespaces") {
        eprintln!("skipped: {said}");
        return;
    }
    assert!(inner.status.success(), "{said}");
}

/// The process ids of processes whose command line ends with `word`.
fn leftover_processes(word: &str) -> String {
    let found = Command::new("pgrep")
        .args(["-f", &format!("{word}$")])
        .output();
    found.map_or(String::new(), |found| {
        String::from_utf8_lossy(&found.stdout).into_owned()
    })
}
