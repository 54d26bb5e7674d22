//! Tests that run the program of every problem over its samples, and over empty, truncated and
//! malformed inputs.
//!
//! Test group: sudoku.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{is_match, starts_with};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as Cargo;
use walkdir::WalkDir;

/// The expected result for an empty input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Empty {
    /// An input without puzzles is valid.
    Accepted,
    /// The input must contain a puzzle or a count.
    Refused,
}

use Empty::{Accepted, Refused};

/// Every problem, its result for an empty input, and a replacement that makes its sample malformed:
/// the first text is replaced by the second.
const PROBLEMS: [(&str, Empty, [&str; 2]); 25] = [
    ("antiknight", Refused, [".", "x"]),
    ("hdu1426", Accepted, ["7 1 2", "7 x 2"]),
    ("hdu3909", Accepted, ["4312", "43x2"]),
    ("hdu4069", Refused, ["144", "x44"]),
    ("hdu5547", Refused, ["****", "**x*"]),
    ("kattissudokunique", Accepted, ["5 3 0", "5 x 0"]),
    ("killer9", Refused, [".......15", ".......x5"]),
    ("leetcode37", Refused, ["\"5\"", "\"x\""]),
    ("luogup1074", Refused, ["7 0 0", "7 x 0"]),
    ("luogup1784", Refused, ["8 0 0", "8 x 0"]),
    ("nowcodernc47", Refused, [".,.,9", ".,x,9"]),
    ("poj2676", Refused, ["103000509", "10x000509"]),
    ("poj2918", Refused, ["530070000", "53x070000"]),
    ("poj3074", Refused, [".2738..1", ".x738..1"]),
    ("samurai", Refused, [".", "x"]),
    ("sandwich", Refused, [".", "x"]),
    ("six", Refused, ["1.3.56", "1.x.56"]),
    ("spojsudoku", Refused, ["--A----C", "--x----C"]),
    ("sudokuall", Refused, ["2 0 0", "2 x 0"]),
    ("thermometers", Refused, [".", "x"]),
    ("tioj1025", Refused, ["1 2 0", "1 x 0"]),
    ("twelve", Refused, [".", "x"]),
    ("uva10957", Accepted, ["0 0 3", "0 x 3"]),
    ("uva1309", Accepted, ["--A----C", "--x----C"]),
    ("uva989", Accepted, ["0 6 0", "0 x 0"]),
];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Builds the programs, and returns their directory. `cargo test` builds only those of crates with
/// tests of their own.
fn build() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
    let target = target.expect("find the target directory");
    let mut cargo = Cargo::new(env!("CARGO"));
    cargo
        .args(["build", "--quiet", "--bins", "--profile", "test"])
        .arg("--target-dir")
        .arg(target);
    for (id, ..) in PROBLEMS {
        cargo.args(["--package", id]);
    }
    let status = cargo
        .current_dir(workspace())
        .status()
        .expect("cargo starts");
    assert!(status.success());
    target.join("debug")
}

/// The samples of a problem, in order: input and answer.
fn samples(id: &str) -> Vec<(String, String)> {
    let dir = workspace().join("testdata").join(id).join("data/sample");
    let files = WalkDir::new(dir).sort_by_file_name().into_iter();
    let paths = files.map(|entry| entry.expect("an entry").into_path());
    let inputs = paths.filter(|path| path.extension().is_some_and(|ext| ext == "in"));
    let read = |path: &Path| fs::read_to_string(path).expect("a file");
    let samples: Vec<_> = inputs
        .map(|input| (read(&input), read(&input.with_extension("ans"))))
        .collect();
    assert!(!samples.is_empty(), "{id} has no samples");
    samples
}

/// Removes blanks, which LeetCode does not compare in lists.
fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn every_problem_is_in_the_table() {
    let entries = fs::read_dir(workspace().join("problems")).expect("the problems");
    let ids = entries.map(|entry| entry.expect("an entry").file_name().into_string());
    let mut ids: Vec<_> = ids.map(|id| id.expect("an ASCII name")).collect();
    ids.sort();
    assert_eq!(ids, PROBLEMS.map(|(id, ..)| id));
}

#[test]
fn a_board_without_a_solution_is_refused_by_the_programs_of_sites_that_call_a_function() {
    let programs = build();
    let full = [["5"; 9]; 9];
    let mut open = full;
    open[8][8] = ".";
    for id in ["leetcode37", "nowcodernc47", "nowcodernc47-function"] {
        for board in [full, open] {
            Command::new(programs.join(id))
                .write_stdin(format!("{board:?}\n"))
                .assert()
                .code(1)
                .stdout("")
                .stderr("error: the puzzle has no solution: check its givens\n");
        }
    }
}

#[test]
fn samples_are_solved_and_invalid_input_is_refused_with_a_message() {
    let programs = build();
    for (id, empty, [good, bad]) in PROBLEMS {
        let run = |what: &str, input: &str| {
            let assert = Command::new(programs.join(id)).write_stdin(input).assert();
            assert.append_context("case", format!("{id}, {what}"))
        };
        // One line on standard error, without a panic.
        let refuses = |what: &str, input: &str| {
            let message = is_match(r"\Aerror: [^\n]+\n\z").expect("a pattern");
            run(what, input).code(1).stderr(message)
        };
        for (input, answer) in samples(id) {
            let output = run("sample", &input).success().stderr("");
            let output = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
            assert_eq!(without_blanks(&output), without_blanks(&answer), "{id}");
        }
        let (sample, _) = samples(id).swap_remove(0);
        match empty {
            Accepted => run("empty", "").success().stdout("").stderr(""),
            Refused => refuses("empty", "").stderr(starts_with(
                "error: line 1, column 1: found the end of the input, expected ",
            )),
        };
        let malformed = sample.replacen(good, bad, 1);
        assert_ne!(malformed, sample, "{id} has no {good} in its sample");
        refuses("malformed", &malformed).stderr(predicate::str::contains("found 'x"));
        let last_line = sample.trim_end().rfind('\n');
        refuses("cut", &sample[..last_line.unwrap_or(sample.len() / 2)]);
    }
}
