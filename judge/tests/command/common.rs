//! Fixtures of the command's tests: small packages and small programs.

use crate::schema::check_event;
use crate::search_path::search_path;
use assert_cmd::Command;
use assert_cmd::assert::Assert;
use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;

/// A directory with packages and programs.
pub struct Bench {
    dir: TempDir,
}

impl Bench {
    /// An empty one.
    pub fn new() -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        // The judge's state lies beside the packages: no box shows a directory that contains it.
        fs::create_dir(dir.path().join("bench")).expect("a directory");
        Bench { dir }
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join("bench").join(name)
    }

    /// Writes a file, and the directories above it.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file has a parent")).expect("a directory");
        fs::write(&path, text).expect("a file");
        path
    }

    /// Writes files below a directory, whose path it returns.
    pub fn write_all(&self, dir: &str, files: &[(&str, &str)]) -> PathBuf {
        for (name, text) in files {
            self.write(&format!("{dir}/{name}"), text);
        }
        self.path(dir)
    }

    /// The text of a file.
    pub fn read(&self, name: &str) -> String {
        let path = self.path(name);
        fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    /// A package that asks for the sum of two numbers: a sample, and secret cases 1 to 3, whose
    /// first number is that of the case.
    pub fn sums(&self, limits: &str) -> PathBuf {
        self.write(
            "sums/problem.yaml",
            &format!(
                "problem_format_version: 2025-09\nname: Sums\n\
                 uuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\nlicense: cc0\nrights_owner: nobody\nlimits: {{{limits}}}\n"
            ),
        );
        self.write("sums/data/sample/1.in", "0 4\n");
        self.write("sums/data/sample/1.ans", "4\n");
        for k in 1..=3 {
            self.write(&format!("sums/data/secret/{k}.in"), &format!("{k} 4\n"));
            self.write(
                &format!("sums/data/secret/{k}.ans"),
                &format!("{}\n", k + 4),
            );
        }
        self.path("sums")
    }

    /// The same package as `testdata/ID`.
    pub fn sums_for(&self, id: &str, limits: &str) {
        self.sums(limits);
        fs::create_dir_all(self.path("testdata")).expect("a directory");
        fs::rename(self.path("sums"), self.path("testdata").join(id)).expect("it moves");
    }

    /// Makes it a workspace of problems.
    pub fn workspace(&self) {
        let manifest = "[workspace]\nmembers = [\"problems/*\"]\nresolver = \"3\"\n";
        self.write("Cargo.toml", manifest);
    }

    /// A crate `problems/ID` without dependencies.
    pub fn crate_of_workspace(&self, id: &str, main: &str) {
        let manifest =
            format!("[package]\nname = \"{id}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
        self.write(&format!("problems/{id}/Cargo.toml"), &manifest);
        self.write(&format!("problems/{id}/src/main.rs"), main);
    }

    /// A C program around `body`, which sees `int a, b`, read from standard input.
    pub fn program(&self, name: &str, body: &str) -> PathBuf {
        let source = self.write(
            &format!("{name}.c"),
            &format!(
                "#define _GNU_SOURCE\n#include <signal.h>\n#include <stdio.h>\n\
                 #include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n\
                 volatile int sink;\nint main(void) {{\n  int a, b;\n  \
                 if (scanf(\"%d%d\", &a, &b) != 2) return 9;\n  {body}\n  return 0;\n}}\n"
            ),
        );
        let program = self.path(name);
        let status = std::process::Command::new("cc")
            .args(["-O1", "-o"])
            .arg(&program)
            .arg(&source)
            .status()
            .expect("a C compiler");
        assert!(status.success(), "{name}.c does not compile");
        program
    }

    /// A program that is right.
    pub fn right(&self) -> PathBuf {
        self.program("right", "printf(\"%d\\n\", a + b);")
    }
}

/// The judge to start. `JUDGE_TEST_SANDBOX=none` makes it a script that starts the judge with `--sandbox none`.
pub fn judge_program() -> PathBuf {
    if has_sandbox() {
        return cargo_bin("judge");
    }
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/command/without_sandbox.sh")
}

/// Whether the judges of this run of the tests isolate programs.
pub fn has_sandbox() -> bool {
    match std::env::var("JUDGE_TEST_SANDBOX").as_deref() {
        Err(_) => true,
        Ok("none") => false,
        Ok(other) => panic!("JUDGE_TEST_SANDBOX={other}: unset it, or set it to none"),
    }
}

/// Whether a test must be skipped, because its judges do not isolate programs and it tests `what` only the sandbox has.
pub fn skipped_without_sandbox(what: &str) -> bool {
    let skipped = !has_sandbox();
    if skipped {
        println!("skipped: without the sandbox there is no {what}");
    }
    skipped
}

/// The line of a report that says how to repeat a case: `judge run` with these arguments.
pub fn again(arguments: &str) -> String {
    let option = if has_sandbox() { "" } else { "--sandbox none " };
    format!("again: judge run {option}{arguments}")
}

/// The command, in a directory without a workspace.
pub fn judge(bench: &Bench) -> Command {
    Command::from_std(of_judge(bench, judge_program()))
}

/// Runs the command with these arguments to its end.
pub fn asserted(bench: &Bench, args: &[&str]) -> Assert {
    judge(bench).args(args).assert()
}

/// A command that starts the judge, or a program that starts it, as [`judge`] does.
pub fn of_judge(bench: &Bench, program: impl AsRef<OsStr>) -> std::process::Command {
    let mut command = std::process::Command::new(program);
    command
        .current_dir(bench.path(""))
        .env("PATH", search_path())
        .env("JUDGE_TEST_PROGRAM", cargo_bin("judge"))
        .env("XDG_STATE_HOME", bench.dir.path().join("state"));
    command
}

/// `judge run PACKAGE -s SUBMISSION`.
pub fn run(bench: &Bench, package: &Path, submission: &Path) -> Command {
    let mut command = judge(bench);
    command.arg("run").arg(package).arg("-s").arg(submission);
    command
}

/// `judge verify PACKAGE`.
pub fn verify(bench: &Bench, package: &Path) -> Command {
    let mut command = judge(bench);
    command.arg("verify").arg(package);
    command
}

/// `judge verify --quick PACKAGE`: also for packages whose validators accept anything.
pub fn verify_quickly(bench: &Bench, package: &Path) -> Command {
    let mut command = verify(bench, package);
    command.arg("--quick");
    command
}

/// The events of `--format json`, which keep the schema.
pub fn events(lines: &[u8]) -> Vec<Value> {
    let lines = std::str::from_utf8(lines)
        .expect("events are UTF-8")
        .lines();
    let event = |line| serde_json::from_str(line).expect("a line is an event");
    lines.inspect(|line| check_event(line)).map(event).collect()
}

/// A text of each event of this name; `""` for one without it.
pub fn texts<'e>(events: &'e [Value], name: &str, field: &str) -> Vec<&'e str> {
    let events = events.iter().filter(|event| event["event"] == name);
    events
        .map(|event| event[field].as_str().unwrap_or_default())
        .collect()
}

/// The standard output and the standard error of a process.
pub fn said(output: &Output) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}
