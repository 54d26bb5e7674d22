//! `judge run --debug`, `--gdb` and `--keep`.

use crate::common::{Bench, asserted, judge, run};
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;

const OVERFLOW: &str = "#include <cstdio>\nint main() {\n    int a, b, t[4] = {};\n    \
                        scanf(\"%d%d\", &a, &b);\n    t[a + b] = 1;\n    printf(\"%d\\n\", a + b);\n}\n";

#[test]
fn a_program_is_debugged_on_one_case() {
    let bench = Bench::new();
    bench.sums("time_limit: 5");
    bench.write("sol.cpp", OVERFLOW);
    asserted(
        &bench,
        &["run", "sums", "sol.cpp", "--case", "secret/3", "--debug"],
    )
    .code(1)
    .stdout("")
    .stderr(
        contains("-fsanitize=address,undefined")
            .and(contains("sol.cpp:5"))
            .and(contains("outside the sandbox"))
            .and(contains("the answer is in").and(contains("secret/3.ans"))),
    );
    bench.write(
        "sol.py",
        "import sys\nsys.stderr.write('hello')\nprint(input())\n",
    );
    asserted(&bench, &["run", "sums", "sol.py", "--sample", "--debug"])
        .code(1)
        .stdout("0 4\n")
        .stderr(
            contains("hello")
                .and(contains("runs as it is"))
                .and(contains(
                    "the output is wrong\nline 1, column 1: expected \"4\", found \"0\"",
                )),
        );
    bench.write("sol.py", "print(sum(map(int, input().split())))\n");
    asserted(&bench, &["run", "sums", "sol.py", "--sample", "--debug"])
        .success()
        .stdout("4\n")
        .stderr(contains("the output is right"));
    bench.write("sol.py", "print(1)\nprint(1 // 0)\n");
    asserted(&bench, &["run", "sums", "sol.py", "--sample", "--debug"])
        .code(1)
        .stderr(contains("File \"sol.py\", line 2"));
    let aborts = "import os\nos.abort()\n";
    bench.write("sol.py", aborts);
    asserted(&bench, &["run", "sums", "sol.py", "--sample", "--debug"])
        .code(1)
        .stderr(contains("signal 6 (SIGABRT").and(contains("the output").not()));
    bench.write("sol.py", "print(sum(map(int, input().split())))\n");
    let none = asserted(&bench, &["run", "sums", "sol.py", "--debug"]).code(2);
    none.stderr(contains("4 cases are selected").and(contains("--case sample/1")));
    asserted(
        &bench,
        &[
            "run", "sums", "sol.py", "--sample", "--debug", "--html", "a.html",
        ],
    )
    .code(2)
    .stderr(contains("cannot be used with"));
}

#[test]
fn gdb_is_started_or_named_as_missing() {
    let bench = Bench::new();
    bench.sums("time_limit: 5");
    let right = bench.right();
    let package = bench.path("sums");
    let mut without = run(&bench, &package, &right);
    without
        .args(["--sample", "--gdb"])
        .env("PATH", bench.path(""));
    without
        .assert()
        .code(2)
        .stderr(contains("gdb is not installed").and(contains("--debug")));
    // The command line that gdb is given, shown by a program of that name.
    let gdb = bench.write("bin/gdb", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(gdb, mode).expect("its mode is set");
    let path = std::env::var("PATH").expect("it is set");
    run(&bench, &package, &right)
        .args(["--sample", "--gdb"])
        .env("PATH", format!("{}:{path}", bench.path("bin").display()))
        .assert()
        .success()
        .stdout(contains("run < '").and(contains("sample/1.in'\n--args\n")));
}

#[test]
fn the_files_of_failing_cases_are_kept() {
    let bench = Bench::new();
    bench.sums("time_limit: 5");
    bench.write(
        "sol.sh",
        "read a b\nprintf note >&2\necho $((a + b + (a > 1)))\n",
    );
    let judged = |dir: &str| {
        let mut command = judge(&bench);
        command.args(["run", "sums", "sol.sh", "--keep", dir]);
        command
    };
    judged("kept").assert().code(1);
    let read = |name: &str| fs::read_to_string(bench.path(&format!("kept/sums/sol.sh/{name}")));
    for (name, text) in [
        ("secret/2.in", "2 4\n"),
        ("secret/2.ans", "6\n"),
        ("secret/2.out", "7\n"),
        ("secret/2.err", "note"),
        ("secret/3.out", "8\n"),
    ] {
        assert_eq!(read(name).expect("it is there"), text, "{name}");
    }
    assert!(read("secret/1.in").is_err());
    // The next run replaces them, and leaves the files of others.
    bench.write("kept/mine.txt", "mine");
    bench.write("sol.sh", "read a b\necho $((a + b + (a == 2)))\n");
    judged("kept").assert().code(1);
    assert!(read("secret/3.out").is_err() && read("secret/2.out").is_ok());
    assert!(bench.path("kept/mine.txt").is_file());
    // The verdicts appear also where nothing can be written.
    bench.write("blocked/sums", "a file");
    judged("blocked")
        .assert()
        .code(3)
        .stdout(contains("WA   secret/2"))
        .stderr(contains("--keep: failed to write"));
    // A file of another program is not overwritten.
    bench.write("other/sums/sol.sh/secret/2.out", "theirs");
    judged("other")
        .assert()
        .code(2)
        .stderr(contains("secret/2.out").and(contains("judge did not write it")));
    let theirs = bench.path("other/sums/sol.sh/secret/2.out");
    assert_eq!(fs::read_to_string(theirs).expect("it is there"), "theirs");
}
