//! Library Checker's `info.toml`. If `generate.py` has not created `in/` and `out/`, the same
//! programs generate the data before judging, in another directory.

mod sources;

use self::sources::SourceTree;
use super::common::{Pair, begin, judged, natural};
use super::{Format, Match};
use crate::builder::{MAX_CASES, PackageBuilder, too_many};
use crate::error::PackageError;
use crate::input::package_dir::{PackageDir, PackageFile};
use crate::input::text;
use crate::input::tree::Tree;
use crate::input::units::duration;
use crate::model::{
    AnswerOf, Expectation, Generation, GeneratorLimits, InputOf, InputValidator,
    InputValidatorKind, LimitSource, Package, PackagedSubmission, Recipe, Rule, TestCase,
    TimeLimit, Validator, ValidatorProtocol,
};
use crate::verdict::Verdict::{self, Accepted, RunTimeError, TimeLimitExceeded, WrongAnswer};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::PathBuf;

#[derive(Deserialize)]
struct Info {
    title: String,
    timelimit: f64,
    #[serde(default)]
    tests: Vec<Test>,
    #[serde(default)]
    solutions: Vec<Solution>,
    #[serde(default)]
    params: toml::Table,
    #[serde(default = "checker")]
    checker: String,
    #[serde(default = "verifier")]
    verifier: String,
}

fn checker() -> String {
    "checker.cpp".to_owned()
}

fn verifier() -> String {
    "verifier.cpp".to_owned()
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

/// Library Checker's format.
pub struct LibraryChecker;

impl Format for LibraryChecker {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        dir.has_file("info.toml").then(|| Match::root(dir))
    }

    fn read(&self, builder: &mut PackageBuilder, _: &Match) -> Result<(), PackageError> {
        read(builder)
    }
}

fn read(builder: &mut PackageBuilder) -> Result<(), PackageError> {
    begin(builder, "Library Checker");
    let PackageBuilder { tree, package } = builder;
    let file = tree.root.join("info.toml");
    let content = tree.dir.file("info.toml")?.text(1 << 20)?;
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
    package.name = info.title;
    let time = duration(info.timelimit)
        .ok_or_else(|| PackageError::new(&file, "`timelimit` must be a time in seconds"))?;
    package.limits.time = TimeLimit::Given(time);
    package.limits.memory = 1 << 30;
    package.limits.memory_from = LimitSource::Format;
    let sources = SourceTree::new(tree, &info.params)?;
    package.unpacked.push(sources.staging_dir.guard());
    if tree.dir.find(&info.checker)?.is_some() {
        let validator = Validator::Program {
            path: sources.program(&[&info.checker])?,
            protocol: ValidatorProtocol::Testlib,
        };
        package.validation = validator.into();
    }
    if tree.dir.find(&info.verifier)?.is_some() {
        package.input_validators.push(InputValidator {
            path: sources.program(&[&info.verifier])?,
            kind: InputValidatorKind::Testlib,
        });
    }
    if tree.root.join("in").is_dir() && tree.root.join("out").is_dir() {
        package.data.cases = cases(tree)?;
        check_generated(tree, &info.tests, package);
    } else {
        to_generate(builder, &info.tests, &sources)?;
    }
    submissions(builder, &info.solutions, &sources)
}

fn cases(tree: &mut Tree) -> Result<Vec<TestCase>, PackageError> {
    let inputs = tree.root.join("in");
    let mut found = Vec::new();
    for entry in tree.list(&inputs)? {
        if let Some(name) = entry.name.strip_suffix(".in") {
            let answer = tree.dir.find(&format!("out/{name}.out"))?;
            found.push(Pair {
                name: name.to_owned(),
                input: entry.path,
                answer: answer.map(PackageFile::into_path),
            });
        }
    }
    found.sort_by_key(|pair| natural(&pair.name));
    if found.is_empty() {
        return Err(PackageError::new(inputs, "has no test case")
            .remedy("run the repository's `generate.py info.toml` first"));
    }
    let mut cases = judged(found, &inputs)?;
    for case in &mut cases {
        case.sample = case.name.starts_with("example");
    }
    Ok(cases)
}

/// Creates recipes for the cases in `info.toml`.
fn to_generate(
    builder: &mut PackageBuilder,
    tests: &[Test],
    sources: &SourceTree,
) -> Result<(), PackageError> {
    const SOLUTION: &str = "sol/correct.cpp";
    let tree = &builder.tree;
    let info = tree.root.join("info.toml");
    if tree.dir.find(SOLUTION)?.is_none() {
        return Err(PackageError::new(
            tree.root.join(SOLUTION),
            "is missing: it makes the answers",
        )
        .remedy("add it, or make `in/` and `out/` with `generate.py`"));
    }
    builder.package.generation = Some(Generation {
        recipes: Vec::new(),
        solution: Some(sources.program(&[SOLUTION])?),
        hashes: tree.dir.find("hash.json")?.map(PackageFile::into_path),
    });
    for test in tests {
        let (stem, ending) = test.name.rsplit_once('.').unwrap_or((&test.name, ""));
        let source = format!("gen/{}", test.name);
        let program = match ending {
            "cpp" | "py" if builder.tree.dir.find(&source)?.is_some() => {
                Some(sources.program(&[&source])?)
            }
            "in" => None,
            _ => {
                return Err(PackageError::new(
                    &info,
                    format!("there is no generator `gen/{}`", test.name),
                )
                .remedy("add it: `.cpp`, or `NAME_00.in` and on for `NAME.in`"));
            }
        };
        let count = builder.package.data.cases.len() + test.number as usize;
        if count > MAX_CASES {
            return Err(too_many(&info, count));
        }
        for number in 0..test.number {
            let name = format!("{stem}_{number:02}");
            let input = match &program {
                Some(path) => InputOf::Program {
                    path: path.clone(),
                    args: vec![number.to_string()],
                    stdin: None,
                },
                None => {
                    let source = format!("gen/{name}.in");
                    let Some(file) = builder.tree.dir.find(&source)? else {
                        let what = "is missing, but `info.toml` counts it";
                        return Err(PackageError::new(builder.tree.root.join(source), what)
                            .remedy("add it, or lower the test's `number`"));
                    };
                    InputOf::File(file.into_path())
                }
            };
            let (input, answer) = builder.generate(Recipe {
                case: name.clone(),
                input,
                answer: AnswerOf::Solution,
                normalize: false,
                limits: GeneratorLimits::default(),
            });
            builder.package.data.cases.push(TestCase {
                sample: name.starts_with("example"),
                name,
                input,
                answer: Some(answer),
                ..TestCase::default()
            });
        }
    }
    if builder.package.data.cases.is_empty() {
        return Err(PackageError::new(info, "names no test")
            .remedy("add `[[tests]]` with `name` and `number`"));
    }
    Ok(())
}

/// Checks that each test in `info.toml` has its cases.
fn check_generated(tree: &mut Tree, tests: &[Test], package: &Package) {
    let mut made: HashMap<&str, usize> = HashMap::new();
    for case in &package.data.cases {
        if let Some((stem, number)) = case.name.rsplit_once('_')
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            *made.entry(stem).or_default() += 1;
        }
    }
    for test in tests {
        let stem = test
            .name
            .rsplit_once('.')
            .map_or(&*test.name, |(stem, _)| stem);
        let made = made.get(stem).copied().unwrap_or(0);
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
}

fn submissions(
    builder: &mut PackageBuilder,
    solutions: &[Solution],
    sources: &SourceTree,
) -> Result<(), PackageError> {
    let PackageBuilder { tree, package } = builder;
    let mut add = |name: &str, expected: Expectation, path: PathBuf| {
        package.submissions.push(PackagedSubmission {
            path,
            name: format!("sol/{name}"),
            rules: vec![Rule {
                expected: expected.clone(),
                ..Rule::default()
            }],
            expected,
            ..PackagedSubmission::default()
        });
    };
    if tree.dir.find("sol/correct.cpp")?.is_some() {
        let path = sources.program(&["sol/correct.cpp"])?;
        add("correct.cpp", Expectation::accepted(), path);
    }
    for solution in solutions {
        let source = format!("sol/{}", solution.name);
        let path = tree.root.join(&source);
        if solution.name.contains('/') || tree.dir.find(&source)?.is_none() {
            tree.error(PackageError::new(
                path,
                "is named in `info.toml`, but missing",
            ));
            continue;
        }
        // A function is linked with a main program that calls it.
        let path = match solution.function {
            true if tree.dir.find(GRADER)?.is_none() => {
                tree.error(PackageError::new(
                    path,
                    "is a function, but there is no `grader/grader.cpp` that calls it",
                ));
                continue;
            }
            true => sources.program(&[&source, GRADER])?,
            false => sources.program(&[&source])?,
        };
        add(&solution.name, expectation(solution), path);
    }
    Ok(())
}

/// The main program for solutions that are functions.
const GRADER: &str = "grader/grader.cpp";

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
        // Older packages specify only that the solution is wrong.
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
