//! `judge new`: from a name to a problem that is judged.

mod common;

use common::{Bench, judge};
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;

/// A workspace with one problem, whose crate needs nothing.
fn workspace() -> Bench {
    let bench = Bench::new();
    bench.write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"problems/*\"]\nresolver = \"3\"\n",
    );
    bench.write(
        "problems/old1/Cargo.toml",
        "[package]\nname = \"old1\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    );
    bench.write(
        "problems/old1/src/lib.rs",
        "pub fn sum(text: &str) -> i64 {\n    text.split_whitespace().filter_map(|w| \
         w.parse::<i64>().ok()).sum()\n}\n",
    );
    bench.write(
        "problems/old1/src/main.rs",
        "fn main() {\n    let text = std::io::read_to_string(std::io::stdin()).unwrap();\n    \
         println!(\"{}\", old1::sum(&text));\n}\n",
    );
    bench.write("problems/old1/src/bin/old1-slow.rs", "fn main() {}\n");
    bench.sums("time_limit: 5.0");
    fs::create_dir_all(bench.path("testdata")).expect("a directory");
    fs::rename(bench.path("sums"), bench.path("testdata/old1")).expect("it moves");
    bench
}

fn uuid(bench: &Bench, id: &str) -> String {
    let text = fs::read_to_string(bench.path(&format!("testdata/{id}/problem.yaml")));
    let text = text.expect("a problem.yaml");
    let line = text.lines().find_map(|line| line.strip_prefix("uuid: "));
    line.expect("a uuid").to_owned()
}

#[test]
fn a_new_problem_is_judged_at_once() {
    let bench = workspace();
    judge(&bench)
        .args(["new", "new2", "--like", "old1"])
        .assert()
        .success()
        .stdout(
            contains("judge run new2")
                .and(predicate::function(|text: &str| text.lines().count() == 5)),
        );
    assert!(bench.path("problems/new2/src/bin/new2-slow.rs").is_file());
    let main = fs::read_to_string(bench.path("problems/new2/src/main.rs")).expect("a main");
    assert!(main.contains("new2::sum") && !main.contains("old1"));
    assert_ne!(uuid(&bench, "new2"), uuid(&bench, "old1"));
    assert_eq!(uuid(&bench, "new2").len(), 36);
    judge(&bench)
        .args(["run", "new2"])
        .assert()
        .success()
        .stdout(contains("AC"));
}

#[test]
fn nothing_is_overwritten_and_nothing_is_left_behind() {
    let bench = workspace();
    bench.write("testdata/half3/note.txt", "mine\n");
    for (args, message) in [
        (["new", "old1", "--like", "old1"], "is there already"),
        (
            ["new", "half3", "--like", "old1"],
            "testdata/half3 is there already",
        ),
        (
            ["new", "New2", "--like", "old1"],
            "only lower-case letters and digits",
        ),
        (
            ["new", "../x", "--like", "old1"],
            "only lower-case letters and digits",
        ),
        (
            ["new", "match", "--like", "old1"],
            "a crate cannot have this name",
        ),
        (
            ["new", "new2", "--like", "nobody"],
            "no crate problems/nobody",
        ),
    ] {
        judge(&bench)
            .args(args)
            .assert()
            .code(2)
            .stderr(contains(message));
    }
    judge(&bench)
        .args(["new", "new2", "--like", "old1", "--url", "ftp://x"])
        .assert()
        .code(2)
        .stderr(contains("expected an address"));
    let names = |dir: &str| {
        let entries = fs::read_dir(bench.path(dir)).expect("a directory");
        let names = entries.map(|e| e.expect("an entry").file_name());
        let mut names: Vec<String> = names.map(|n| n.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names("problems"), ["old1"]);
    assert_eq!(names("testdata"), ["half3", "old1"]);
    assert_eq!(names(""), ["Cargo.toml", "problems", "testdata"]);
}
