//! The tests of every crate in `problems/` over its package: each includes this file by its path.
#![allow(dead_code)] // each problem uses its part

use assert_cmd::Command;
use predicates::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// A problem: its name, and the program that solves it.
pub struct Problem {
    pub id: &'static str,
    pub program: &'static str,
}

impl Problem {
    /// The program, to be started.
    pub fn program(&self) -> Command {
        Command::new(self.program)
    }

    /// The package's data.
    pub fn data(&self) -> PathBuf {
        let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
        packages.join(self.id).join("data")
    }

    /// The inputs below `group`, in order.
    pub fn inputs(&self, group: &str) -> Vec<PathBuf> {
        let root = self.data().join(group);
        let paths: Vec<PathBuf> = WalkDir::new(&root)
            .sort_by_file_name()
            .into_iter()
            .map(|entry| entry.unwrap().into_path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "in"))
            .collect();
        assert!(!paths.is_empty(), "no input in {}", root.display());
        paths
    }

    /// Runs the program over the samples and the secret cases; `as_compared` leaves of an output what
    /// the judge looks at.
    pub fn solves_every_case(&self, as_compared: fn(&str) -> String) {
        for group in ["sample", "secret"] {
            for path in self.inputs(group) {
                let answer = fs::read_to_string(path.with_extension("ans")).unwrap();
                let answer = as_compared(&answer);
                let same = predicate::function(move |output: &str| as_compared(output) == answer);
                let input = fs::read(&path).unwrap();
                let assert = self.program().write_stdin(input).assert();
                let assert = assert.append_context("input", path.display().to_string());
                assert.success().stdout(same).stderr("");
            }
        }
    }

    /// Runs the program over inputs that it solves, all with the same output.
    pub fn writes(&self, output: &str, inputs: impl IntoIterator<Item = String>) {
        for input in inputs {
            let assert = self.program().write_stdin(input).assert();
            assert.success().stdout(output.to_owned());
        }
    }

    /// Runs the program over inputs that it refuses, each with the start of the error message; what it
    /// writes before is `output`.
    pub fn refuses<'a>(&self, output: &str, inputs: impl IntoIterator<Item = (String, &'a str)>) {
        for (input, message) in inputs {
            let assert = self.program().write_stdin(input).assert();
            let message = predicate::str::starts_with(format!("error: {message}"));
            assert.code(1).stdout(output.to_owned()).stderr(message);
        }
    }

    /// Runs the program over the package's illegal inputs, whose names say what is wrong with them:
    /// what is only sloppy is read, what is malformed is refused with its place, and of a puzzle
    /// whose givens clash the program says `no_solution`.
    pub fn refuses_what_is_not_only_sloppy(&self, no_solution: &str) {
        let place = r"^error: line \d+, column \d+: found .*, expected ";
        for path in self.inputs("invalid_input") {
            let name = path.file_name().unwrap().to_str().unwrap();
            let input = fs::read(&path).unwrap();
            let assert = self.program().write_stdin(input).assert();
            let assert = assert.append_context("input", name.to_owned());
            match name.split('-').next().unwrap() {
                "sloppy" => assert.success().stderr(""),
                "malformed" => {
                    let place = predicate::str::is_match(place).unwrap();
                    assert.code(1).stderr(place)
                }
                "clash" => {
                    let said = predicate::str::contains(no_solution);
                    assert.code(1).stderr(said)
                }
                _ => panic!("{name}: expected a name that begins with sloppy, malformed or clash"),
            };
        }
    }
}

/// The tests that every problem has, of the file's `PROBLEM`: its outputs are compared with
/// `$as_compared`, and `$no_solution` is its message for a puzzle without one.
macro_rules! package_tests {
    ($as_compared:expr, $no_solution:literal) => {
        #[test]
        fn every_case_of_the_package_is_solved() {
            PROBLEM.solves_every_case($as_compared);
        }

        /// Inputs that the input validator refuses are either only sloppy, and read, or refused
        /// here as well.
        #[test]
        fn invalid_inputs_of_the_package_are_refused_unless_they_are_only_sloppy() {
            PROBLEM.refuses_what_is_not_only_sloppy($no_solution);
        }
    };
}
