//! The portable back end, which runs programs without isolation on every system.

use std::path::Path;
use std::time::Duration;

use super::common::{limits, run};
use super::{acts, sandbox, sh};
use judge_sandbox::{Content, Exit, Limit, Limits, Mode, StagedFile};

/// Whether a process has `word` as an argument.
fn runs(word: &str) -> bool {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    entries
        .map(|entry| entry.path().join("cmdline"))
        .any(|line| {
            let line = std::fs::read(line).unwrap_or_default();
            line.split(|&byte| byte == 0)
                .any(|arg| arg == word.as_bytes())
        })
}

#[test]
fn processes_of_the_group_end_with_the_main_process() {
    let mut sandbox = sandbox(Mode::None);
    let unique = format!("1000.{}", std::process::id());
    let script = format!("sleep {unique} & sh -c 'sleep {unique} & exit 0'; exit 3");
    let outcome = sh(&mut *sandbox, &script, &limits());
    assert_eq!(outcome.exit(), Exit::Code(3));
    let start = std::time::Instant::now();
    while runs(&unique) {
        assert!(start.elapsed() < Duration::from_secs(60), "still running");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn more_processes_than_allowed_end_the_program() {
    let few = Limits {
        processes: Some(4),
        wall: Duration::from_secs(60),
        cpu: None,
        ..limits()
    };
    let mut sandbox = sandbox(Mode::None);
    let outcome = sh(
        &mut *sandbox,
        "for i in 1 2 3 4 5 6; do sleep 60 & done; wait",
        &few,
    );
    assert_eq!(outcome.exit(), Exit::Signal(9));
    let outcome = sh(&mut *sandbox, "true & wait; exit 4", &few);
    assert_eq!(outcome.exit(), Exit::Code(4));
}

#[test]
fn written_files_count_as_output_and_staged_ones_do_not() {
    let from = tempfile::tempdir().unwrap();
    let file = from.path().join("file");
    std::fs::write(&file, vec![b'x'; 1000]).unwrap();
    let little = Limits {
        output: Some(1500),
        ..limits()
    };
    let mut sandbox = sandbox(Mode::None);
    for (script, expected) in [
        ("cat staged", Exit::Code(0)),
        ("cat staged staged", Exit::Killed(Limit::Output)),
        (
            "cat staged > a; cat staged > b",
            Exit::Killed(Limit::Output),
        ),
        ("cat staged; cat staged >&2", Exit::Killed(Limit::Output)),
    ] {
        let staged = StagedFile {
            name: Path::new("staged"),
            content: Content::Copy(&file),
        };
        sandbox.stage_files(&[staged]).unwrap();
        let outcome = sh(&mut *sandbox, script, &little);
        assert_eq!(outcome.exit(), expected, "{script}");
    }
}

#[test]
fn the_memory_of_several_processes_is_added() {
    let mut sandbox = sandbox(Mode::None);
    let limits = Limits {
        memory: Some(100 << 20),
        wall: Duration::from_secs(60),
        cpu: None,
        ..limits()
    };
    let program = super::common::program("acts");
    let both = format!(
        "{0} memory 64 30000 & {0} memory 64 30000; wait",
        program.display()
    );
    let outcome = sh(&mut *sandbox, &both, &limits);
    assert_eq!(outcome.exit(), Exit::Killed(Limit::Memory), "{outcome:?}");
    assert!(outcome.memory().unwrap() > 100 << 20, "{outcome:?}");
    let outcome = acts(&mut *sandbox, &["memory", "64"], &limits);
    assert_eq!(outcome.exit(), Exit::Code(0), "{outcome:?}");
}

#[test]
fn instructions_cannot_be_limited() {
    let counted = Limits {
        instructions: Some(1 << 30),
        ..limits()
    };
    let mut sandbox = sandbox(Mode::None);
    let program = super::common::program("acts");
    let fault = run(&mut *sandbox, &program, &["code"], "", &counted).unwrap_err();
    assert!(
        fault.to_string().contains("limit the CPU time instead"),
        "{fault}"
    );
    assert_eq!(
        acts(&mut *sandbox, &["code"], &limits()).exit(),
        Exit::Code(0)
    );
}
