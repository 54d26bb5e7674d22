//! What a submission may reach on the way to its verdict: its own files and nothing of others.

mod common;

use common::{Bench, judge, run};
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::os::unix::fs::symlink;

const LIMITS: &str = "time_limit: 1, memory: 256";
const RIGHT: &str = "#include <stdio.h>\nint main(void) { int a, b; \
                     if (scanf(\"%d%d\", &a, &b) != 2) return 9; printf(\"%d\\n\", a + b); }\n";

#[test]
fn an_upload_cannot_read_its_neighbours() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    bench.write("uploads/victim/main.c", RIGHT);
    bench.write("uploads/evil/note.txt", "");
    symlink("../victim/main.c", bench.path("uploads/evil/x.c")).expect("a link");
    symlink("victim/main.c", bench.path("uploads/link.c")).expect("a link");
    for (upload, message) in [
        ("uploads/evil", "leads out of"),
        ("uploads/evil/x.c", "is a symbolic link"),
        ("uploads/link.c", "is a symbolic link"),
    ] {
        run(&bench, &package, upload.as_ref())
            .assert()
            .code(1)
            .stdout(contains("CE").and(contains(message)));
    }
    // The victim itself, and a link inside a submission.
    symlink("main.c", bench.path("uploads/victim/copy.h")).expect("a link");
    run(&bench, &package, "uploads/victim".as_ref())
        .assert()
        .success();
}

#[test]
fn an_executable_that_is_a_link_is_not_run() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    fs::create_dir(bench.path("uploads")).expect("a directory");
    symlink(bench.right(), bench.path("uploads/evil")).expect("a link");
    run(&bench, &package, "uploads/evil".as_ref())
        .assert()
        .code(1)
        .stdout(contains("CE").and(contains("is a symbolic link")));
}

#[test]
fn paths_that_begin_with_dots_work_from_the_packages_own_directory() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    bench.write("mine/x.c", RIGHT);
    bench.write("mine/dir/x.c", RIGHT);
    symlink("mine", bench.path("through")).expect("a link");
    for submission in ["../mine/x.c", "../mine/dir/", "../through/x.c"] {
        judge(&bench)
            .current_dir(&package)
            .args(["run", ".", "-s", submission])
            .assert()
            .success();
    }
    // The current directory as the submission, and the package by a relative path.
    judge(&bench)
        .current_dir(bench.path("mine/dir"))
        .args(["run", "../../sums", "-s", "."])
        .assert()
        .success();
    bench.write(
        "mine/gen.py",
        "import sys\nprint(int(sys.argv[1]) % 100, 4)\n",
    );
    judge(&bench)
        .current_dir(&package)
        .args([
            "stress",
            ".",
            "-s",
            "../mine/x.c",
            "--against",
            "../mine/dir",
        ])
        .args(["--generator", "../mine/gen.py", "--time", "300ms"])
        .assert()
        .success();
}

#[test]
fn a_language_that_is_not_known_is_a_usage_error() {
    let bench = Bench::new();
    let package = bench.sums(LIMITS);
    let submission = bench.write("x.c", RIGHT);
    for (code, help) in [
        ("klingon", "known: "),
        ("pyhton3", "did you mean `python3`?"),
        ("cpp15", "cpp14"),
    ] {
        run(&bench, &package, &submission)
            .args(["--language", code])
            .assert()
            .code(2)
            .stderr(contains(help));
    }
    run(&bench, &package, &submission)
        .args(["--language", "gnu11"])
        .assert()
        .success();
}
