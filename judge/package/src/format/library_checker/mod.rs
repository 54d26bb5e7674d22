//! Library Checker's `info.toml`. If `generate.py` has not created `in/` and `out/`, the same
//! programs generate the data before judging, in another directory.

mod sources;

use self::sources::SourceTree;
use super::common::{begin, is_numbered, judged, pair};
use super::{Format, Match};
use crate::builder::{MAX_CASES, PackageBuilder, too_many};
use crate::error::PackageError;
use crate::input::package_dir::{PackageDir, PackageFile};
use crate::input::text;
use crate::input::tree::Tree;
use crate::input::units::duration;
use crate::input::yaml;
use crate::model::{
    AnswerOf, Expectation, Generation, GeneratorLimits, InputOf, InputValidator,
    InputValidatorKind, LimitSource, ONLINE_JUDGE, Package, PackagedSubmission, Recipe, Rule,
    TestCase, TimeLimit, Validator, ValidatorProtocol,
};
use crate::verdict::Verdict::{Accepted, RunTimeError, TimeLimitExceeded, WrongAnswer};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::PathBuf;
use toml::Spanned;
use toml::de::{DeString, DeTable};

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
    checker: Option<String>,
    verifier: Option<String>,
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
        begin(builder, "Library Checker");
        builder.package.policy.strict_inputs = true;
        builder.package.policy.macros = &["EVAL", ONLINE_JUDGE];
        let info = info(builder)?;
        let PackageBuilder { tree, package, .. } = builder;
        package.name.clone_from(&info.title);
        let time = duration(info.timelimit).ok_or_else(|| {
            let file = tree.root.join("info.toml");
            PackageError::new(file, "`timelimit` must be a time in seconds")
        })?;
        package.limits.time = TimeLimit::Given(time);
        package.limits.memory = 1 << 30;
        package.limits.memory_from = LimitSource::Format;
        let sources = SourceTree::new(tree, &info.params)?;
        builder.keep(&sources.staging_dir);
        let PackageBuilder { tree, package, .. } = builder;
        let checker = info.checker.as_deref().unwrap_or("checker.cpp");
        if tree.dir.find(checker)?.is_some() {
            let validator = Validator::Program {
                path: sources.program(&[checker])?,
                protocol: ValidatorProtocol::Testlib,
            };
            package.validation = validator.into();
        }
        let verifier = info.verifier.as_deref().unwrap_or("verifier.cpp");
        if tree.dir.find(verifier)?.is_some() {
            package.input_validators.push(InputValidator {
                path: sources.program(&[verifier])?,
                kind: InputValidatorKind::Testlib,
            });
        }
        if tree.dir.has_dir("in") && tree.dir.has_dir("out") {
            package.data.cases = cases(tree)?;
            check_generated(tree, &info.tests, package);
        } else {
            to_generate(builder, &info.tests, &sources)?;
        }
        submissions(builder, &info.solutions, &sources)
    }
}

/// Reads `info.toml`. Keys that are not read are permitted, except probable misspellings of those that
/// are.
fn info(builder: &PackageBuilder) -> Result<Info, PackageError> {
    let file = builder.tree.root.join("info.toml");
    let content = builder.tree.dir.file("info.toml")?.text(1 << 20)?;
    let at = |error: PackageError, offset: usize| {
        let (line, column) = text::position(&content.as_bytes()[..offset]);
        error.at(line, column)
    };
    let failed = |e: toml::de::Error| {
        let error = PackageError::new(&file, format!("is not as expected: {}", e.message()));
        match e.span() {
            Some(span) => at(error, span.start),
            None => error,
        }
    };
    let table = DeTable::parse(&content).map_err(failed)?;
    check_keys(table.get_ref(), "").map_err(|(key, known)| {
        let text = key.get_ref();
        let what = format!("unknown key `{text}`");
        let error = PackageError::new(&file, what).remedy(format!("did you mean `{known}`?"));
        at(error, key.span().start)
    })?;
    toml::from_str(&content).map_err(failed)
}

/// The keys of the tables that are read, and others of the format that resemble them.
const KEYS: [(&str, &[&str]); 3] = [
    (
        "",
        &[
            "title",
            "timelimit",
            "forum",
            "tests",
            "solutions",
            "params",
            "checker",
            "verifier",
        ],
    ),
    ("tests", &["name", "number"]),
    (
        "solutions",
        &[
            "name",
            "expect",
            "wrong",
            "allow_wa",
            "allow_re",
            "allow_tle",
            "function",
        ],
    ),
];

/// A key of `info.toml`, and the known one that it probably misspells.
type Misspelling<'t> = (&'t Spanned<DeString<'t>>, &'static str);

/// Checks the keys of the table `name` and of those in it; `""` is the file.
fn check_keys<'t>(table: &'t DeTable<'t>, name: &str) -> Result<(), Misspelling<'t>> {
    let mut tables = KEYS.iter();
    let Some((_, known)) = tables.find(|(table, _)| *table == name) else {
        return Ok(());
    };
    for (key, value) in table {
        let text: &str = key.get_ref();
        if !known.contains(&text)
            && let Some(near) = yaml::nearest(text, known)
        {
            return Err((key, near));
        }
        let list = value.get_ref().as_array().into_iter().flatten();
        for inner in list.filter_map(|item| item.get_ref().as_table()) {
            check_keys(inner, text)?;
        }
    }
    Ok(())
}

fn cases(tree: &mut Tree) -> Result<Vec<TestCase>, PackageError> {
    let inputs = tree.root.join("in");
    let mut found = Vec::new();
    for entry in tree.list(&inputs)? {
        if let Some(name) = entry.name.strip_suffix(".in") {
            let answer = tree.dir.find(&format!("out/{name}.out"))?;
            found.push(pair(name, entry.path, answer.map(PackageFile::into_path)));
        }
    }
    if found.is_empty() {
        return Err(PackageError::new(inputs, "has no test case")
            .remedy("run the repository's `generate.py info.toml` first"));
    }
    let mut cases = judged(tree, found, &inputs)?;
    for case in &mut cases {
        case.sample = is_numbered(&case.name, "example");
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
        let what = "is missing: the answers are made with it";
        return Err(PackageError::new(tree.root.join(SOLUTION), what)
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
                let what = format!("there is no generator `{source}`");
                return Err(PackageError::new(&info, what)
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
                    let file = builder.tree.dir.find(&source)?.ok_or_else(|| {
                        let what = "is missing, but `info.toml` counts it";
                        PackageError::new(builder.tree.root.join(source), what)
                            .remedy("add it, or lower the test's `number`")
                    })?;
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
                sample: is_numbered(&name, "example"),
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
        let (stem, _) = test.name.rsplit_once('.').unwrap_or((&test.name, ""));
        let made = made.get(stem).copied().unwrap_or(0);
        let Test { name, number } = test;
        if made != *number as usize {
            let what = format!("`{name}` has {made} cases instead of {number}");
            tree.error_of_runs(
                PackageError::new(tree.root.join("info.toml"), what)
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
    let PackageBuilder { tree, package, .. } = builder;
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
            let what = "is named in `info.toml`, but missing";
            tree.error(PackageError::new(path, what));
            continue;
        }
        // A function is linked with a main program that calls it.
        let path = match solution.function {
            true if tree.dir.find(GRADER)?.is_none() => {
                let what = "is a function, but there is no `grader/grader.cpp` that calls it";
                tree.error(PackageError::new(path, what));
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
    let codes = [
        ("AC", Accepted),
        ("WA", WrongAnswer),
        ("TLE", TimeLimitExceeded),
        ("RE", RunTimeError),
    ];
    let mut codes = codes.into_iter();
    let expected = codes.find(|(code, _)| solution.expect.as_deref() == Some(*code));
    let expected = expected.map(|(_, verdict)| verdict);
    if solution.wrong && expected.is_none() {
        // Older packages specify only that the solution is wrong.
        return Expectation {
            required: vec![WrongAnswer, RunTimeError, TimeLimitExceeded],
            ..Expectation::default()
        };
    }
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
    Expectation {
        permitted,
        required: Vec::from_iter(expected),
        ..Expectation::default()
    }
}
