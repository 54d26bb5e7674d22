//! A machine without a place for temporary files: the judge names it, and blames no package.

use crate::common::{Bench, judge, said};
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn a_missing_directory_for_temporary_files_is_a_judge_error() {
    let bench = Bench::new();
    let package = bench.write_all(
        "p",
        &[
            (
                "init.yml",
                "checker: check.py\ntest_cases: [{in: 1.in, out: 1.in, points: 1}]\n",
            ),
            ("1.in", "1\n"),
            ("check.py", "def check(*args, **kwargs):\n    return True\n"),
        ],
    );
    let program = bench.write("sol.sh", "cat\n");
    judge(&bench)
        .env("TMPDIR", "/nope")
        .arg("run")
        .args([&package, &program])
        .assert()
        .code(3)
        .stderr(
            contains(
                "judge error: /nope: no temporary files can be written there (TMPDIR): No such",
            )
            .and(contains("help: set TMPDIR to a directory with room")),
        );
}

#[test]
fn a_compiler_without_temporary_files_names_their_place() {
    let bench = Bench::new();
    bench.write_all("test", &[("1.in", "1\n"), ("1.out", "1\n")]);
    let program = bench.write("sol.c", "int main(void) { return 0; }\n");
    let output = judge(&bench)
        .env("TMPDIR", "/nope")
        .arg("run")
        .arg(&program)
        .assert()
        .code(3);
    // A box of the sandbox needs no temporary file before the compiler runs, the portable one does.
    let said = said(output.get_output());
    let remedy = "TMPDIR to a directory with room";
    assert!(said.contains("/nope") && said.contains(remedy), "{said}");
}
