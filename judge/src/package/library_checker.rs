//! Library Checker's `info.toml`, after `generate.py` has made `in/` and `out/`.

use super::error::PackageError;
use super::expectation::{Expectation, PackagedSubmission, Rule};
use super::files::Tree;
use super::foreign::{Pair, empty, natural, no_answer};
use super::limits::duration;
use super::model::{
    Dialect, InputValidator, InputValidatorKind, Package, TimeLimit, Validator, ValidatorProtocol,
};
use super::text;
use crate::verdict::Verdict::{self, Accepted, RunTimeError, TimeLimitExceeded, WrongAnswer};
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
struct Info {
    title: String,
    timelimit: f64,
    #[serde(default)]
    tests: Vec<Test>,
    #[serde(default)]
    solutions: Vec<Solution>,
}

#[derive(Deserialize)]
struct Test {
    name: String,
    #[serde(default = "one")]
    number: u32,
}

fn one() -> u32 {
    1
}

#[derive(Deserialize)]
struct Solution {
    name: String,
    expect: Option<String>,
    #[serde(default)]
    wrong: bool,
    #[serde(default)]
    allow_wa: bool,
    #[serde(default)]
    allow_re: bool,
    #[serde(default)]
    allow_tle: bool,
    #[serde(default)]
    function: bool,
}

/// The package in `tree`, which has an `info.toml`.
pub fn read(mut tree: Tree, id: String) -> Result<Package, PackageError> {
    let file = tree.root.join("info.toml");
    let content = text::read(&file, 1 << 20)?;
    let info: Info = toml::from_str(&content).map_err(|e| {
        let error = PackageError::new(&file, format!("is not as expected: {}", e.message()));
        match e.span() {
            Some(span) => {
                let (line, column) = text::position(&content.as_bytes()[..span.start]);
                error.at(line, column)
            }
            None => error,
        }
    })?;
    let mut package = empty(&tree, id, Dialect::LibraryChecker);
    package.name = info.title;
    let time = duration(info.timelimit)
        .ok_or_else(|| PackageError::new(&file, "`timelimit` must be a time in seconds"))?;
    package.limits.time = TimeLimit::Given(time);
    package.limits.memory = 1 << 30;
    let checker = tree.root.join("checker.cpp");
    if checker.is_file() {
        package.validator = Validator::Program {
            path: checker,
            protocol: ValidatorProtocol::Testlib,
        };
    }
    let verifier = tree.root.join("verifier.cpp");
    if verifier.is_file() {
        package.input_validators.push(InputValidator {
            path: verifier,
            kind: InputValidatorKind::Testlib,
        });
    }
    for pair in cases(&mut tree)? {
        if pair.answer.is_none() {
            return Err(no_answer(&pair.input));
        }
        let mut case = pair.case();
        case.sample = case.name.starts_with("example");
        package.data.cases.push(case);
    }
    check_generated(&mut tree, &info.tests, &package)?;
    submissions(&mut tree, &info.solutions, &mut package)?;
    package.findings = tree.findings;
    Ok(package)
}

fn cases(tree: &mut Tree) -> Result<Vec<Pair>, PackageError> {
    let (inputs, outputs) = (tree.root.join("in"), tree.root.join("out"));
    if !inputs.is_dir() || !outputs.is_dir() {
        return Err(PackageError::new(
            &tree.root,
            "has no test data: `in/` and `out/` are not made yet",
        )
        .remedy("run the repository's `generate.py info.toml` first"));
    }
    let mut found: Vec<Pair> = tree
        .list(&inputs)?
        .into_iter()
        .filter_map(|entry| {
            let name = entry.name.strip_suffix(".in")?.to_owned();
            let answer = outputs.join(format!("{name}.out"));
            Some(Pair {
                name,
                input: entry.path,
                answer: answer.is_file().then_some(answer),
            })
        })
        .collect();
    found.sort_by_key(|pair| natural(&pair.name));
    Ok(found)
}

/// Each test of `info.toml` has its cases.
fn check_generated(tree: &mut Tree, tests: &[Test], package: &Package) -> Result<(), PackageError> {
    for test in tests {
        let stem = test
            .name
            .rsplit_once('.')
            .map_or(&*test.name, |(stem, _)| stem);
        let made = package
            .data
            .cases
            .iter()
            .filter(|case| {
                case.name
                    .strip_prefix(stem)
                    .and_then(|rest| rest.strip_prefix('_'))
                    .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
            })
            .count();
        if made != test.number as usize {
            tree.error(
                PackageError::new(
                    tree.root.join("info.toml"),
                    format!(
                        "`{}` has {made} cases instead of {}",
                        test.name, test.number
                    ),
                )
                .remedy("run `generate.py info.toml` again"),
            );
        }
    }
    if package.data.cases.is_empty() {
        return Err(PackageError::new(tree.root.join("in"), "has no test case")
            .remedy("run the repository's `generate.py info.toml` first"));
    }
    Ok(())
}

fn submissions(
    tree: &mut Tree,
    solutions: &[Solution],
    package: &mut Package,
) -> Result<(), PackageError> {
    let dir = tree.root.join("sol");
    let mut add = |name: &str, expected: Expectation, path: &Path| {
        package.submissions.push(PackagedSubmission {
            path: path.to_owned(),
            name: format!("sol/{name}"),
            rules: vec![Rule {
                expected: expected.clone(),
                ..Rule::default()
            }],
            expected,
            ..PackagedSubmission::default()
        });
    };
    let correct = dir.join("correct.cpp");
    if correct.is_file() {
        add("correct.cpp", Expectation::accepted(), &correct);
    }
    for solution in solutions {
        let path = dir.join(&solution.name);
        if solution.name.contains('/') || !path.is_file() {
            tree.error(PackageError::new(
                path,
                "is named in `info.toml`, but missing",
            ));
            continue;
        }
        // A function is linked with `grader/grader.cpp`; alone it is no program.
        if solution.function {
            tree.warning(PackageError::new(
                path,
                "is a function for a grader, and is left out",
            ));
            continue;
        }
        add(&solution.name, expectation(solution), &path);
    }
    Ok(())
}

fn expectation(solution: &Solution) -> Expectation {
    let code = |code: &str| -> Option<Verdict> {
        Some(match code {
            "AC" => Accepted,
            "WA" => WrongAnswer,
            "TLE" => TimeLimitExceeded,
            "RE" => RunTimeError,
            _ => return None,
        })
    };
    let expected = solution.expect.as_deref().and_then(code);
    let mut permitted = vec![Accepted];
    permitted.extend(expected);
    for (allowed, verdict) in [
        (solution.allow_wa, WrongAnswer),
        (solution.allow_re, RunTimeError),
        (solution.allow_tle, TimeLimitExceeded),
    ] {
        if allowed && !permitted.contains(&verdict) {
            permitted.push(verdict);
        }
    }
    if solution.wrong && expected.is_none() {
        // Older packages say only that it is wrong somehow.
        let wrong = vec![WrongAnswer, RunTimeError, TimeLimitExceeded];
        return Expectation {
            permitted: Vec::new(),
            required: wrong,
            ..Expectation::default()
        };
    }
    Expectation {
        permitted,
        required: expected.into_iter().collect(),
        ..Expectation::default()
    }
}
