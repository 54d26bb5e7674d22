//! What the tests of the command share: small packages and small programs.

use assert_cmd::Command;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A directory with packages and programs.
pub struct Bench {
    dir: TempDir,
}

impl Bench {
    /// An empty one.
    pub fn new() -> Self {
        Bench {
            dir: tempfile::tempdir().expect("a temporary directory"),
        }
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file, and the directories above it.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file has a parent")).expect("a directory");
        fs::write(&path, text).expect("a file");
        path
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

/// The command, in a directory without a workspace.
pub fn judge(bench: &Bench) -> Command {
    let mut command = Command::cargo_bin("judge").expect("the judge is built");
    command.current_dir(bench.path(""));
    command.env("XDG_STATE_HOME", bench.path("state"));
    command
}

/// `judge run PACKAGE -s SUBMISSION`.
pub fn run(bench: &Bench, package: &Path, submission: &Path) -> Command {
    let mut command = judge(bench);
    command.arg("run").arg(package).arg("-s").arg(submission);
    command
}
