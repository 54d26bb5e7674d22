//! Tests of attacks, each with its one allowed outcome, and of innocent programs, which must run as
//! without a sandbox.
//!
//! All programs run one after the other in the same box, so each runs in the state that the
//! previous one left. `REPEAT=100` repeats the sequence a hundred times.

mod common;
#[path = "hostile/host.rs"]
mod host;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use common::{limits, program, run, spec};
use judge_sandbox::{BoxSpec, Exit, Limit, Limits, Mode, Sandbox, State, open};

/// The allowed outcome of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Expected {
    /// The program exits with 0: the attack was refused, or the program is innocent.
    Fine,
    /// A signal that the program caused itself ends it.
    Dies(i32),
    /// This limit ends the program.
    At(Limit),
    /// The measured memory exceeds the limit, or the program is killed at the limit.
    TooBig,
    /// Any outcome except a successful attack, `Code(1)`.
    Bounded,
}
use Expected::{At, Bounded, Dies, Fine, TooBig};

const ATTACKS: &[(&str, Expected)] = &[
    ("fork-bomb", Fine),
    ("fork-tree", At(Limit::Cpu)),
    ("thread-bomb", Fine),
    ("daemon", Fine),
    ("exec-loop", At(Limit::Cpu)),
    ("heap", TooBig),
    ("bss", TooBig),
    ("map-shared", TooBig),
    ("memory-file", At(Limit::Output)),
    ("family-memory", TooBig),
    ("fill-work", Bounded),
    ("system-v", Fine),
    ("shared-quotas", Fine),
    ("flood-out", At(Limit::Output)),
    ("flood-err", At(Limit::Output)),
    ("flood-file", Bounded),
    ("many-files", Fine),
    ("deep-directories", Fine),
    ("leave-files", Fine),
    ("find-files", Fine),
    ("lock-places", Fine),
    ("ordinary-calls", Fine),
    ("label-files", Fine),
    ("read-shadow", Fine),
    ("write-self", Fine),
    ("other-processes", Fine),
    ("zygote-files", Fine),
    ("udp", Fine),
    ("other-sockets", Fine),
    ("kill-parent", Fine),
    ("kill-all", Fine),
    ("kill-group", Dies(9)),
    ("signal-zygote", Bounded),
    ("stop-self", At(Limit::Wall)),
    ("ignore-all", At(Limit::Cpu)),
    ("close-and-sleep", At(Limit::Wall)),
    ("wait-for-input", At(Limit::Wall)),
    ("become-root", Fine),
    ("set-user-id", Fine),
    ("capabilities", Fine),
    ("trace", Fine),
    ("other-memory", Fine),
    ("dangerous-calls", Fine),
    ("clocks", Fine),
    ("raise-limits", Fine),
    ("real-time", Fine),
    ("other-core", Fine),
    ("32-bit-call", Dies(31)),
    ("x32-call", Dies(31)),
];

const INNOCENTS: &[&str] = &[
    "threads",
    "children",
    "ordinary-calls",
    "big-recursion",
    "own-signal-stack",
    "exit-while-writing",
    "socket-pairs",
    "nothing",
];

/// Programs that need a box with namespaces. Without namespaces the box refuses to create
/// processes, its work directory is on the host, and the zygote is not process 1.
const NAMESPACED: &[&str] = &[
    "fork-tree",
    "family-memory",
    "children",
    "many-files",
    "signal-zygote",
];

/// Limits of most programs, with enough wall-clock time for a busy machine.
fn tight() -> Limits {
    Limits {
        cpu: Some(Duration::from_millis(300)),
        wall: Duration::from_secs(15),
        processes: Some(32),
        ..limits()
    }
}

/// Limits of programs that wait.
fn short() -> Limits {
    Limits {
        wall: Duration::from_millis(300),
        ..tight()
    }
}

/// Limits of programs that touch a gigabyte or make many files, which is slow.
fn patient() -> Limits {
    Limits {
        cpu: Some(Duration::from_secs(5)),
        wall: Duration::from_secs(30),
        ..tight()
    }
}

/// Programs that need the [`patient`] limits.
const LARGE: &[&str] = &["big-recursion", "many-files", "deep-directories"];

struct Harness {
    sandbox: Box<dyn Sandbox>,
    /// Whether programs may create processes.
    forks: bool,
    /// Whether the number of processes is limited.
    counts: bool,
    /// Whether a control group counts memory; without one, memory files are refused.
    memory_files: bool,
}

impl Harness {
    /// Opens a box. On a machine with neither namespaces nor Landlock, prints a reason and returns
    /// `None`.
    fn new() -> Option<Self> {
        let sandbox = open(&spec(Mode::Auto, &program("attacks"))).unwrap();
        let state = |name| {
            sandbox
                .layers()
                .iter()
                .find(|layer| layer.name == name)
                .map(|layer| layer.state)
        };
        let forks = state("pid-namespace") == Some(State::Present);
        if state("landlock") != Some(State::Present) && !forks {
            eprintln!("skipped: this machine has neither user namespaces nor Landlock");
            return None;
        }
        let counts = state("processes") == Some(State::Present);
        let memory_files = state("memory") == Some(State::Present);
        Some(Harness {
            sandbox,
            forks,
            counts,
            memory_files,
        })
    }

    /// Runs one program. Returns a message if the outcome is not the expected one.
    fn trial(&mut self, args: &[&str], expected: Expected) -> Option<String> {
        let refused = !self.forks && NAMESPACED.contains(&args[0]);
        let endless = !self.counts && args[0] == "thread-bomb";
        if refused || endless {
            return None;
        }
        let expected = match args[0] {
            "memory-file" if !self.memory_files => Fine,
            _ => expected,
        };
        let limits = match expected {
            At(Limit::Wall) => short(),
            TooBig => patient(),
            _ if LARGE.contains(&args[0]) => patient(),
            _ => tight(),
        };
        let outcome = match run(&mut *self.sandbox, &program("attacks"), args, "", &limits) {
            Ok(outcome) => outcome,
            Err(fault) => return Some(format!("{args:?}: fault: {fault}")),
        };
        let exit = outcome.execution.exit;
        let memory = outcome.execution.usage.memory.map_or(0, |m| m.value);
        let right = match expected {
            Fine => exit == Exit::Code(0),
            Dies(signal) => exit == Exit::Signal(signal),
            At(limit) => exit == Exit::Killed(limit),
            TooBig => exit == Exit::Killed(Limit::Memory) || Some(memory) > limits.memory,
            Bounded => exit != Exit::Code(1),
        };
        (!right).then(|| format!("{args:?} should be {expected:?}: {outcome:?}"))
    }
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
            wrong.extend(
                harness
                    .trial(&["nothing"], Fine)
                    .map(|w| format!("after {attack}: {w}")),
            );
            wrong.extend(
                harness
                    .trial(&["find-files"], Fine)
                    .map(|w| format!("after {attack}: {w}")),
            );
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
    let outcome = run(
        &mut *harness.sandbox,
        &program("attacks"),
        &["stack"],
        "",
        &small,
    )
    .unwrap();
    assert_eq!(outcome.execution.exit, Exit::Signal(11));
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
    let outcome = run(
        &mut *harness.sandbox,
        &attacks,
        &["mapped-input"],
        &input,
        &tight(),
    )
    .unwrap();
    assert_eq!(outcome.execution.exit, Exit::Code(0));
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
    let present = |name| {
        sandbox
            .layers()
            .iter()
            .any(|l| l.name == name && l.state == State::Present)
    };
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
        let outcome = run(&mut *sandbox, &attacks, &["fill-work"], "", &small).unwrap();
        assert_eq!(
            outcome.execution.exit,
            Exit::Killed(Limit::Memory),
            "{outcome:?}"
        );
        let outcome = run(&mut *sandbox, &attacks, &["find-files"], "", &small).unwrap();
        assert_eq!(outcome.execution.exit, Exit::Code(0), "{outcome:?}");
    }
}

/// Names that one run leaves in the kernel's dentry cache do not reduce the measured memory of the
/// next run in the same box.
#[test]
fn cached_names_do_not_hide_memory_of_the_next_run() {
    let acts = program("acts");
    let mut sandbox = open(&spec(Mode::Auto, &acts)).unwrap();
    let measured =
        |layer: &judge_sandbox::Layer| layer.name == "memory" && layer.state == State::Present;
    if !sandbox.layers().iter().any(measured) {
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
        assert_eq!(outcome.execution.exit, Exit::Code(0), "{outcome:?}");
        let outcome = run(&mut *sandbox, &acts, &["memory", "120"], "", &small).unwrap();
        let exit = outcome.execution.exit;
        assert_eq!(exit, Exit::Killed(Limit::Memory), "{outcome:?}");
    }
}

/// The kernel limits the descriptors in flight (sent, but not received yet) per user. A box that
/// sends as many as it may does not keep the judge, which is the same user, from sending
/// descriptors to another box.
#[test]
fn descriptors_in_flight_in_one_box_do_not_block_another() {
    let attacks = program("attacks");
    let spec = spec(Mode::Auto, &attacks);
    let mut first = open(&spec).unwrap();
    std::thread::scope(|scope| {
        let sender = scope.spawn(|| {
            let args = &["descriptors-in-flight"];
            run(&mut *first, &attacks, args, "", &patient()).unwrap()
        });
        let mut runs = 0;
        while !sender.is_finished() {
            let mut second = open(&spec).unwrap();
            let outcome = run(&mut *second, &attacks, &["nothing"], "", &patient()).unwrap();
            assert_eq!(outcome.execution.exit, Exit::Code(0), "{outcome:?}");
            runs += 1;
        }
        let outcome = sender.join().unwrap();
        assert_eq!(outcome.execution.exit, Exit::Code(0), "{outcome:?}");
        assert!(runs > 1, "{runs} runs");
    });
}

/// A mount deep in a writable directory is neither moved nor emptied.
#[test]
fn mounts_in_writable_directories_persist() {
    let attacks = program("attacks");
    let mut spec = spec(Mode::Auto, &attacks);
    for inside in ["/tmp/a/b/programs", "/work/programs"] {
        spec.mounts[0].inside = inside.into();
        let mut sandbox = open(&spec).unwrap();
        let namespaces = sandbox
            .layers()
            .iter()
            .any(|l| l.name == "mount-namespace" && l.state == State::Present);
        if !namespaces {
            eprintln!("skipped: no mount namespaces");
            return;
        }
        for attack in [
            "move-mounts",
            "leave-files",
            "nothing",
            "leave-files",
            "nothing",
        ] {
            if attack == "move-mounts" && inside.starts_with("/work") {
                continue;
            }
            let outcome = run(&mut *sandbox, &attacks, &[attack], "", &tight()).unwrap();
            assert_eq!(
                outcome.execution.exit,
                Exit::Code(0),
                "{inside} {attack}: {outcome:?}"
            );
        }
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
        let outcome = run(
            &mut *harness.sandbox,
            Path::new(path),
            args,
            "2 3\n",
            &roomy,
        )
        .unwrap();
        assert_eq!(outcome.execution.exit, Exit::Code(0), "{path}: {outcome:?}");
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
