//! `judge serve` and `judge submit` execute `judge-server`.

use crate::mode::place_judge;
use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::path::Path;

/// The judge in a directory without any other program.
fn lonely_judge(dir: &Path) -> Command {
    let judge = dir.join("judge");
    if !judge.exists() {
        place_judge(&judge);
    }
    let mut command = Command::new(judge);
    command.env("PATH", dir.join("bin"));
    command
}

/// Another process writes it: otherwise a process that another test starts at that moment would
/// have it open for writing, and it could not be executed.
fn program(path: &Path, says: &str) {
    fs::create_dir_all(path.parent().expect("a directory")).expect("it is created");
    Command::new("sh")
        .args(["-c", "cat > \"$0\" && chmod +x \"$0\""])
        .arg(path)
        .write_stdin(format!("#!/bin/sh\necho {says} \"$@\"\nexit 7\n"))
        .assert()
        .success();
}

#[test]
fn a_missing_server_is_an_error_with_a_remedy() {
    let dir = tempfile::tempdir().expect("a directory");
    lonely_judge(dir.path())
        .args(["serve", "--listen", "127.0.0.1:0"])
        .assert()
        .code(2)
        .stderr(contains("judge-server").and(contains("help: run `make serve`")));
}

#[test]
fn the_server_beside_the_judge_is_executed_with_all_arguments() {
    let dir = tempfile::tempdir().expect("a directory");
    program(&dir.path().join("bin/judge-server"), "in-path");
    lonely_judge(dir.path())
        .args(["submit", "a.cpp", "--server", "http://x", "--help"])
        .assert()
        .code(7)
        .stdout("in-path submit a.cpp --server http://x --help\n");
    program(&dir.path().join("judge-server"), "beside");
    lonely_judge(dir.path())
        .args(["serve", "--help"])
        .assert()
        .code(7)
        .stdout("beside serve --help\n");
    for command in ["run", "verify"] {
        lonely_judge(dir.path())
            .args([command, "sum", "--nats", "nats://x", "--ca", "ca.pem"])
            .assert()
            .code(7)
            .stdout(format!(
                "beside {command} sum --nats nats://x --ca ca.pem\n"
            ));
    }
}
