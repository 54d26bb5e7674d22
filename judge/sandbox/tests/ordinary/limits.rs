//! Limits that end a program: of time, output, memory, idleness and disk space.

use std::time::Duration;

use super::common::{Outcome, limits, program, spec};
use super::{MODES, run_acts, sandbox, sh};
use judge_sandbox::{Exit, Limit, Limits, open};

#[test]
fn endless_loops_end_at_the_cpu_limit() {
    for mode in MODES {
        for action in ["loop", "loop-stubborn", "family-loops"] {
            let limit = Duration::from_millis(100);
            let short = Limits {
                cpu: Some(limit),
                ..limits()
            };
            let outcome = run_acts(mode, &[action], &short);
            assert_eq!(outcome.exit(), Exit::Killed(Limit::Cpu), "{action}");
            assert!(outcome.execution.usage.cpu.value > limit, "{outcome:?}");
        }
    }
}

#[test]
fn sleeping_programs_end_at_the_wall_limit() {
    for mode in MODES {
        let limit = Duration::from_millis(50);
        let short = Limits {
            wall: limit,
            ..limits()
        };
        let outcome = run_acts(mode, &["sleep", "3000"], &short);
        assert_eq!(outcome.exit(), Exit::Killed(Limit::Wall));
        assert!(outcome.execution.usage.wall.value > limit);
    }
}

/// Programs that keep a core busy, each in a session of its own, because some kernels schedule by
/// session.
struct Rivals(Vec<std::process::Child>);

impl Rivals {
    fn on(core: usize, count: usize) -> std::io::Result<Self> {
        let mut rivals = Rivals(Vec::new());
        for _ in 0..count {
            let mut command = std::process::Command::new("setsid");
            command.args(["taskset", "-c", &core.to_string()]);
            command.args(["sh", "-c", "while :; do :; done"]);
            rivals.0.push(command.spawn()?);
        }
        Ok(rivals)
    }
}

impl Drop for Rivals {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
fn the_wall_clock_does_not_count_while_other_programs_have_the_core() {
    let core = judge_sandbox::cores()[0];
    let Ok(_rivals) = Rivals::on(core, 4) else {
        eprintln!("skipped: no setsid or taskset");
        return;
    };
    let program = program("acts");
    let mut sandbox = open(&judge_sandbox::BoxSpec {
        core: Some(core),
        ..spec(judge_sandbox::Mode::Auto, &program)
    })
    .unwrap();
    // Alone with its rivals the program needs 1.5 s.
    let burns = Limits {
        cpu: Some(Duration::from_millis(300)),
        wall: Duration::from_millis(900),
        ..limits()
    };
    let outcome = super::common::run(&mut *sandbox, &program, &["loop"], "", &burns).unwrap();
    assert_eq!(outcome.exit(), Exit::Killed(Limit::Cpu), "{outcome:?}");
    // One that waits is no victim of the load.
    let outcome = super::common::run(&mut *sandbox, &program, &["sleep", "60000"], "", &burns);
    let outcome = outcome.unwrap();
    assert_eq!(outcome.exit(), Exit::Killed(Limit::Wall), "{outcome:?}");
    assert!(!outcome.execution.was_starved(), "{outcome:?}");
}

#[test]
fn output_is_limited_exactly() {
    for mode in MODES {
        let small = Limits {
            output: Some(100 << 10),
            ..limits()
        };
        let exceeded = Exit::Killed(Limit::Output);
        for (args, expected) in [
            (&["write", "102400"][..], Exit::Code(0)),
            (&["write", "102401"], exceeded),
            (&["write", "1024000"], exceeded),
            // The program ignores the signal, cannot write the rest, and exits normally.
            (&["write", "1024000", "ignore"], exceeded),
        ] {
            assert_eq!(run_acts(mode, args, &small).exit(), expected, "{args:?}");
        }
    }
}

#[test]
fn too_much_memory_is_detected() {
    for mode in MODES {
        let limit = Limits {
            memory: Some(64 << 20),
            ..limits()
        };
        let memory = |outcome: &Outcome| outcome.memory().unwrap();
        // Without a sandbox samples may miss what a brief program uses.
        let is_sampled = mode == judge_sandbox::Mode::None;
        assert!(is_sampled || memory(&run_acts(mode, &["memory", "20"], &limit)) > 19 << 20);
        assert!(memory(&run_acts(mode, &["memory", "20"], &limit)) < 30 << 20);
        let over = run_acts(mode, &["memory", "400"], &limit);
        let is_killed = over.exit() == Exit::Killed(Limit::Memory);
        assert!(is_killed || memory(&over) > 64 << 20, "{over:?}");
    }
}

#[test]
fn only_a_run_without_progress_ends_at_the_idle_limit() {
    for mode in MODES {
        let idle = Limits {
            idle: Some(Duration::from_millis(500)),
            cpu: Some(Duration::from_secs(1)),
            wall: Duration::from_secs(60),
            ..limits()
        };
        for (script, expected) in [
            ("read x < /dev/stdin; kill -STOP $$", Limit::Idle),
            ("while :; do :; done", Limit::Cpu),
        ] {
            let outcome = sh(&mut *sandbox(mode), script, &idle);
            assert_eq!(outcome.exit(), Exit::Killed(expected), "{script}");
        }
    }
}

#[test]
fn a_writable_mount_has_a_disk_limit() {
    for mode in MODES {
        let place = judge_tempdir::TempDirectory::new("test").unwrap();
        judge_tempdir::give_to_boxes(place.path()).unwrap();
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
        let outcome = sh(&mut *open(&spec).unwrap(), &script, &limits);
        assert_eq!(outcome.exit(), Exit::Killed(Limit::Disk));
    }
}
