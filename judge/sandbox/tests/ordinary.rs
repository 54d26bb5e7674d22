//! Tests of ordinary runs with and without isolation: a clean start, limits, measurement.

mod common;

use std::io::Read;
use std::os::fd::AsFd;
use std::path::Path;
use std::time::{Duration, Instant};

use common::{Outcome, forks, limits, program, run, spec};
use judge_sandbox::{
    BoxSpec, Canceller, Content, Exit, Job, Limit, Limits, MemoryFault, MemoryGauge, Mode, Sandbox,
    StagedFile, State, open, probe,
};

const MODES: [Mode; 2] = [Mode::None, Mode::Auto];

fn sandbox(mode: Mode) -> Box<dyn Sandbox> {
    open(&spec(mode, &program("acts"))).unwrap()
}

fn run_acts(mode: Mode, args: &[&str], limits: &Limits) -> Outcome {
    run(&mut *sandbox(mode), &program("acts"), args, "", limits).unwrap()
}

#[test]
fn a_program_reads_its_input_and_writes_its_output() {
    for mode in MODES {
        let mut sandbox = sandbox(mode);
        for input in ["", "1 2\n", "again\n"] {
            let outcome =
                run(&mut *sandbox, &program("acts"), &["echo"], input, &limits()).unwrap();
            assert_eq!(outcome.execution.exit, Exit::Code(0));
            assert_eq!(outcome.stdout, input);
        }
    }
}

#[test]
fn exit_codes_and_signals_are_distinguished() {
    for mode in MODES {
        let mut sandbox = sandbox(mode);
        for code in [0, 1, 42, 127, 137, 255] {
            let args = ["code", &code.to_string()];
            let outcome = run(&mut *sandbox, &program("acts"), &args, "", &limits()).unwrap();
            assert_eq!(outcome.execution.exit, Exit::Code(code));
        }
        for signal in [1, 2, 6, 8, 9, 11, 13, 15] {
            let args = ["raise", &signal.to_string()];
            let outcome = run(&mut *sandbox, &program("acts"), &args, "", &limits()).unwrap();
            assert_eq!(outcome.execution.exit, Exit::Signal(signal));
        }
    }
}

#[test]
fn the_address_of_an_invalid_access_is_found() {
    let small_stack = Limits {
        stack: Some(8 << 20),
        ..limits()
    };
    for mode in MODES {
        let found = |kind: &str| {
            let mut sandbox = sandbox(mode);
            let args = ["fault".into(), kind.into()];
            let streams = [(); 3].map(|()| judge_sandbox::scratch_file().unwrap());
            let job = Job {
                program: &program("acts"),
                args: &args,
                env: &[],
                stdin: streams[0].as_fd(),
                stdout: streams[1].as_fd(),
                stderr: streams[2].as_fd(),
                limits: &small_stack,
                count_instructions: false,
            };
            let fault = sandbox.find_memory_fault(&job, None).unwrap();
            // The box is still usable.
            let streams = [(); 3].map(|()| judge_sandbox::scratch_file().unwrap());
            let [stdin, stdout, stderr] = streams.each_ref().map(AsFd::as_fd);
            let again = Job {
                stdin,
                stdout,
                stderr,
                args: &["code".into(), "7".into()],
                ..job
            };
            assert_eq!(sandbox.run(&again).unwrap().exit, Exit::Code(7));
            fault
        };
        use MemoryFault::{Address, NoAddress, Sent, StackOverflow};
        for (kind, expected) in [
            ("null", Some(Address(16))),
            ("wild", Some(Address(0x1234_5678_9000))),
            ("handled", Some(Address(32))),
            ("not-canonical", Some(NoAddress)),
            ("sent", Some(Sent)),
            ("bus", Some(Address(0x4000_2000))),
            ("in-child", None),
            ("end", None),
        ] {
            assert_eq!(found(kind), expected, "{mode:?} {kind}");
        }
        let constant = found("constant");
        assert!(matches!(constant, Some(Address(1..))), "{constant:?}");
        for (kind, least) in [("recursion", 1), ("large-frame", 3 << 20), ("thread", 1)] {
            match found(kind) {
                Some(StackOverflow { address, below }) => {
                    assert!(address > 1 << 32, "{kind}: {address:x}");
                    assert!((least..13 << 20).contains(&below), "{kind}: {below}");
                }
                other => panic!("{mode:?} {kind}: {other:?}"),
            }
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
fn endless_loops_end_at_the_cpu_limit() {
    for mode in MODES {
        for action in ["loop", "loop-stubborn", "family-loops"] {
            let limit = Duration::from_millis(100);
            let started = Instant::now();
            let outcome = run_acts(
                mode,
                &[action],
                &Limits {
                    cpu: Some(limit),
                    ..limits()
                },
            );
            assert_eq!(outcome.execution.exit, Exit::Killed(Limit::Cpu), "{action}");
            assert!(outcome.execution.usage.cpu.value > limit, "{outcome:?}");
            assert!(started.elapsed() < Duration::from_secs(4), "{action}");
        }
    }
}

#[test]
fn sleeping_programs_end_at_the_wall_limit() {
    for mode in MODES {
        let limit = Duration::from_millis(50);
        let outcome = run_acts(
            mode,
            &["sleep", "3000"],
            &Limits {
                wall: limit,
                ..limits()
            },
        );
        assert_eq!(outcome.execution.exit, Exit::Killed(Limit::Wall));
        assert!(outcome.execution.usage.wall.value > limit);
    }
}

#[test]
fn output_is_limited_exactly() {
    for mode in MODES {
        let kib = |n: u64| Limits {
            output: Some(n << 10),
            ..limits()
        };
        assert_eq!(
            run_acts(mode, &["write", "102400"], &kib(100))
                .execution
                .exit,
            Exit::Code(0)
        );
        assert_eq!(
            run_acts(mode, &["write", "102401"], &kib(100))
                .execution
                .exit,
            Exit::Killed(Limit::Output)
        );
        assert_eq!(
            run_acts(mode, &["write", "1024000"], &kib(100))
                .execution
                .exit,
            Exit::Killed(Limit::Output)
        );
        // The program ignores the signal, cannot write the rest, and exits normally.
        let ignored = run_acts(mode, &["write", "1024000", "ignore"], &kib(100));
        assert_eq!(ignored.execution.exit, Exit::Killed(Limit::Output));
    }
}

#[test]
fn too_much_memory_is_detected() {
    for mode in MODES {
        let limit = Limits {
            memory: Some(64 << 20),
            ..limits()
        };
        let memory = |outcome: &Outcome| outcome.execution.usage.memory.unwrap().value;
        assert!(memory(&run_acts(mode, &["memory", "20"], &limit)) > 19 << 20);
        assert!(memory(&run_acts(mode, &["memory", "20"], &limit)) < 30 << 20);
        let over = run_acts(mode, &["memory", "400"], &limit);
        assert!(
            over.execution.exit == Exit::Killed(Limit::Memory) || memory(&over) > 64 << 20,
            "{over:?}"
        );
    }
}

#[test]
fn the_cpu_time_of_the_whole_tree_is_measured() {
    for mode in MODES {
        let mut sandbox = sandbox(mode);
        if !forks(&*sandbox) {
            continue;
        }
        for action in [
            "burn",
            "child-burns",
            "orphan-burns",
            "threads-burn",
            "unwaited-burns",
        ] {
            let outcome = run(
                &mut *sandbox,
                &program("acts"),
                &[action, "100"],
                "",
                &limits(),
            )
            .unwrap();
            let cpu = outcome.execution.usage.cpu.value.as_secs_f64();
            assert!(cpu > 0.099, "{action}: {outcome:?}");
            assert!(cpu < 0.150, "{action}: {outcome:?}");
        }
    }
}

/// The kernel charges the time of a process in steps, and the processes of a killed program run on
/// several cores until the signal reaches them.
#[test]
fn the_time_of_killed_processes_is_not_charged_to_the_next_program() {
    let killed = Limits {
        cpu: Some(Duration::from_millis(30)),
        processes: Some(64),
        ..limits()
    };
    for mode in MODES {
        let mut sandbox = sandbox(mode);
        if !forks(&*sandbox) {
            continue;
        }
        let acts = program("acts");
        for round in 0..20 {
            let args = ["family-loops", "50"];
            let outcome = run(&mut *sandbox, &acts, &args, "", &killed).unwrap();
            assert_eq!(outcome.execution.exit, Exit::Killed(Limit::Cpu));
            let outcome = run(&mut *sandbox, &acts, &["code"], "", &limits()).unwrap();
            let cpu = outcome.execution.usage.cpu;
            assert!(
                cpu.value < Duration::from_millis(15),
                "round {round}: {outcome:?}"
            );
        }
    }
}

#[test]
fn the_judges_memory_is_not_charged_to_programs() {
    for mode in MODES {
        let big = vec![1_u8; 300 << 20];
        let outcome = run_acts(mode, &["code"], &limits());
        assert!(
            outcome.execution.usage.memory.unwrap().value < 20 << 20,
            "{outcome:?}"
        );
        assert_eq!(
            big.iter()
                .step_by(4096)
                .map(|&b| usize::from(b))
                .sum::<usize>(),
            (300 << 20) / 4096
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
        let acts = program("acts");
        let outcome = run(&mut *sandbox, &acts, &["daemon"], "", &limits()).unwrap();
        assert_eq!(outcome.execution.exit, Exit::Code(0));
        let outcome = run(&mut *sandbox, &acts, &["files", "20"], "", &limits()).unwrap();
        assert_eq!(outcome.execution.exit, Exit::Code(0));
        let outcome = run(&mut *sandbox, &acts, &["list"], "", &limits()).unwrap();
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
fn the_fault_names_a_missing_program() {
    for mode in MODES {
        let fault = run(
            &mut *sandbox(mode),
            "/nowhere/program".as_ref(),
            &[],
            "",
            &limits(),
        )
        .unwrap_err();
        assert!(!fault.interrupted);
        assert!(fault.to_string().contains("/nowhere/program"), "{fault}");
    }
}

#[test]
fn layers_report_missing_mechanisms() {
    let state = |sandbox: &dyn Sandbox, name| {
        sandbox
            .layers()
            .iter()
            .find(|layer| layer.name == name)
            .map(|layer| layer.state)
    };
    let none = sandbox(Mode::None);
    assert_eq!(state(&*none, "isolation"), Some(State::Absent));
    assert_eq!(state(&*none, "seccomp"), Some(State::Absent));
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

#[test]
fn files_are_staged_for_one_run() {
    let from = tempfile::tempdir().unwrap();
    let file = from.path().join("file");
    std::fs::write(&file, vec![b'x'; 1000]).unwrap();
    let staged = |name: &'static str| StagedFile {
        name: Path::new(name),
        content: Content::Copy(&file),
    };
    let little = Limits {
        output: Some(1500),
        ..limits()
    };
    for mode in MODES {
        let mut sandbox = sandbox(mode);
        let cat = |sandbox: &mut dyn Sandbox, names: &[&str]| {
            run(sandbox, Path::new("/bin/cat"), names, "", &little).unwrap()
        };
        sandbox
            .stage_files(&[staged("a.txt"), staged("deep/b.txt")])
            .unwrap();
        // Staged files are not output of the program: 1000 bytes are within its limit.
        let outcome = cat(&mut *sandbox, &["a.txt"]);
        assert_eq!(outcome.execution.exit, Exit::Code(0), "{}", outcome.stderr);
        assert_eq!(outcome.stdout.len(), 1000);
        assert_eq!(cat(&mut *sandbox, &["a.txt"]).execution.exit, Exit::Code(1));
        sandbox.stage_files(&[staged("deep/b.txt")]).unwrap();
        assert_eq!(
            cat(&mut *sandbox, &["deep/b.txt"]).execution.exit,
            Exit::Code(0)
        );
        let outside = [staged("../x")];
        assert!(sandbox.stage_files(&outside).is_err(), "{mode:?}");
        let link = StagedFile {
            name: Path::new("link"),
            content: Content::Link(Path::new("/bin/cat")),
        };
        sandbox.stage_files(&[link]).unwrap();
        let outcome = run(
            &mut *sandbox,
            Path::new("/usr/bin/readlink"),
            &["link"],
            "",
            &limits(),
        );
        assert_eq!(outcome.unwrap().stdout.trim(), "/bin/cat");
        let kept = StagedFile {
            name: Path::new("kept"),
            content: Content::Kept,
        };
        let mut kept = sandbox.stage_files(&[staged("a.txt"), kept]).unwrap();
        let copy = ["a.txt", "kept"];
        let limits = limits();
        let outcome = run(&mut *sandbox, Path::new("/bin/cp"), &copy, "", &limits).unwrap();
        assert_eq!(outcome.execution.exit, Exit::Code(0), "{}", outcome.stderr);
        let mut text = String::new();
        kept.remove(0).read_to_string(&mut text).unwrap();
        assert_eq!(text.len(), 1000, "{mode:?}");
        assert_eq!(cat(&mut *sandbox, &["kept"]).execution.exit, Exit::Code(1));
    }
}

#[test]
fn a_gauge_shows_the_memory_of_the_running_program() {
    for mode in MODES {
        let gauge = MemoryGauge::default();
        assert_eq!(gauge.read(), None, "no box has run yet");
        let mut sandbox = open(&BoxSpec {
            gauge: Some(gauge.clone()),
            ..spec(mode, &program("acts"))
        })
        .unwrap();
        let canceller = Canceller::new().unwrap();
        let most = std::thread::scope(|scope| {
            let reader = scope.spawn(|| {
                let end = Instant::now() + Duration::from_secs(20);
                let mut most = 0;
                while most < 64 << 20 && Instant::now() < end {
                    std::thread::sleep(Duration::from_millis(5));
                    most = most.max(gauge.read().unwrap_or(0));
                }
                canceller.cancel();
                most
            });
            let args = ["memory".into(), "64".into(), "30000".into()];
            let streams = [(); 3].map(|()| judge_sandbox::scratch_file().unwrap());
            let [stdin, stdout, stderr] = streams.each_ref().map(AsFd::as_fd);
            let limits = Limits {
                wall: Duration::from_secs(60),
                ..limits()
            };
            let job = Job {
                program: &program("acts"),
                args: &args,
                env: &[],
                stdin,
                stdout,
                stderr,
                limits: &limits,
                count_instructions: false,
            };
            let execution = sandbox.run_until(&job, Some(&canceller)).unwrap();
            assert_eq!(execution.exit, Exit::Cancelled, "{mode:?}");
            reader.join().unwrap()
        });
        assert!((64 << 20..80 << 20).contains(&most), "{mode:?}: {most}");
        let idle = gauge.read().expect("the box waits for the next run");
        assert!(idle < 16 << 20, "{mode:?}: {idle}");
        drop(sandbox);
        assert_eq!(gauge.read(), None, "the box is closed");
    }
}

#[test]
fn a_read_only_work_directory_holds_staged_files() {
    let from = tempfile::tempdir().unwrap();
    let file = from.path().join("file");
    std::fs::write(&file, "seen").unwrap();
    for mode in MODES {
        let mut sandbox = open(&BoxSpec {
            work_read_only: true,
            ..spec(mode, &program("acts"))
        })
        .unwrap();
        let mut layers = sandbox.layers().iter();
        let mounts = layers.find(|l| l.name == "mount-namespace").unwrap().state;
        if mounts == State::Absent {
            println!("skipped: no layer makes files read-only in {mode:?}");
            continue;
        }
        // Runs twice, because the zygote must be able to empty a directory that the program may not
        // write to.
        for _ in 0..2 {
            let staged = StagedFile {
                name: Path::new("a.txt"),
                content: Content::Copy(&file),
            };
            sandbox.stage_files(&[staged]).unwrap();
            let mut sh = |script: &str| {
                let (shell, limits) = (Path::new("/bin/sh"), limits());
                run(&mut *sandbox, shell, &["-c", script], "", &limits).unwrap()
            };
            let outcome =
                sh("read x < a.txt; echo $x; echo > a.txt || true > b.txt || echo refused");
            assert_eq!(outcome.stdout, "seen\nrefused\n", "{mode:?}");
            assert_eq!(sh("test -e a.txt || echo empty").stdout, "empty\n");
            if mounts == State::Present {
                assert_eq!(sh("echo x > /tmp/x && read x < /tmp/x").stderr, "");
            }
        }
    }
}

#[test]
fn only_a_run_without_progress_ends_at_the_idle_limit() {
    for mode in MODES {
        let idle = Limits {
            idle: Some(Duration::from_secs(1)),
            cpu: Some(Duration::from_secs(3)),
            wall: Duration::from_secs(60),
            ..limits()
        };
        for (script, expected) in [
            ("read x < /dev/stdin; kill -STOP $$", Limit::Idle),
            ("while :; do :; done", Limit::Cpu),
        ] {
            let args = ["-c", script];
            let shell = Path::new("/bin/sh");
            let outcome = run(&mut *sandbox(mode), shell, &args, "", &idle).unwrap();
            assert_eq!(outcome.execution.exit, Exit::Killed(expected), "{script}");
        }
    }
}

#[test]
fn a_writable_mount_has_a_disk_limit() {
    for mode in MODES {
        let place = judge_sandbox::TempDirectory::new("test").unwrap();
        judge_sandbox::give_to_boxes(place.path()).unwrap();
        let mut spec = spec(mode, &program("acts"));
        spec.mounts.push(judge_sandbox::Mount {
            host: place.path().to_owned(),
            inside: place.path().to_owned(),
            writable: true,
        });
        let limits = Limits {
            disk: Some(1 << 20),
            ..limits()
        };
        // Many small files: a limit on the size of one file does not cover them.
        let script = format!(
            "cd {}; i=0; while :; do : > $i; i=$((i+1)); done",
            place.path().display()
        );
        let mut sandbox = open(&spec).unwrap();
        let shell = Path::new("/bin/sh");
        let outcome = run(&mut *sandbox, shell, &["-c", &script], "", &limits).unwrap();
        assert_eq!(outcome.execution.exit, Exit::Killed(Limit::Disk));
    }
}
