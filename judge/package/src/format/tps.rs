//! Problems of TPS, the Task Preparation System of the IOI: `problem.json`, `subtasks.json`,
//! `solutions.json`, and the tests that `tps gen` makes.
//!
//! Source: the documentation of TPS.

use super::cms::cms_checker;
use super::common::{begin, in_no_subtask, make_scoring, natural, peek};
use super::unread::TPS_KEYS;
use super::{Format, Match};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::package_dir::{PackageDir, PackageFile};
use crate::input::staging_dir::StagingDir;
use crate::input::units::{seconds, size};
use crate::input::yaml::Node;
use crate::model::{
    Aggregation, BuiltinChecker, Expectation, Group, InputValidator, InputValidatorKind,
    PackagedSubmission, Points, Rule, SubmittedOutput, TestCase, Validator,
};
use crate::verdict::Verdict::{
    Accepted, MemoryLimitExceeded, PartiallyAccepted, RunTimeError, TimeLimitExceeded, WrongAnswer,
};
use crate::words::split_words;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The configuration.
const FILE: &str = "problem.json";

/// Keys that are not read, but are no misspelt ones.
const OTHER_KEYS: [&str; 12] = [
    "python_enabled",
    "task_type",
    "task_type_params",
    "type_params",
    "num_processes",
    "num_sol_processes",
    "user_io",
    "score_precision",
    "score_type",
    "score_type_parameters",
    "contest_name",
    "cpp_std_opt",
];

/// TPS' format.
pub struct Tps;

impl Format for Tps {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        let json = peek(dir, FILE)?;
        let keys = TPS_KEYS.iter().filter(|key| json.get(key).is_some());
        let files = ["subtasks.json", "solutions.json", "gen/data"];
        let dirs = ["checker", "validator", "scripts"];
        let has_more = files.iter().any(|name| dir.has_file(name))
            || dirs.iter().any(|name| dir.has_dir(name));
        (keys.count() >= 2 && has_more).then(|| Match::root(dir))
    }

    fn read(&self, builder: &mut PackageBuilder, _: &Match) -> Result<(), PackageError> {
        let root = builder.tree.root.clone();
        let json = builder.tree.yaml(&root.join(FILE))?;
        begin(builder, "TPS");
        json.refuse_misspelt(&[&TPS_KEYS[..], &OTHER_KEYS].concat())?;
        settings(builder, &json)?;
        let subtasks = match builder.tree.existing("subtasks.json")? {
            Some(path) => Some(builder.tree.yaml(&path)?),
            None => None,
        };
        tests(builder, subtasks.as_ref())?;
        let staging_dir = builder.staging_dir()?;
        checker(builder, &staging_dir)?;
        if let Some(subtasks) = &subtasks {
            validators(builder, subtasks, &staging_dir)?;
        }
        graders(builder, &staging_dir)?;
        solutions(builder)
    }
}

fn settings(builder: &mut PackageBuilder, json: &Node) -> Result<(), PackageError> {
    let package = &mut builder.package;
    for key in ["name", "title"] {
        if let Some(text) = json.get(key).filter(|text| !text.is_null()) {
            text.text()?.clone_into(&mut package.name);
        }
    }
    if let Some(kind) = json.get("type") {
        match kind.text()? {
            "Batch" => {}
            "OutputOnly" => package.kind.submit_answer = true,
            other @ ("Communication" | "TwoSteps") => {
                let what = format!(
                    "problems of type `{other}` are not judged: a manager talks to several processes"
                );
                return Err(kind.error(what).remedy("judge it with CMS"));
            }
            other => return Err(kind.is_not("a type", other, &["Batch", "OutputOnly"])),
        }
    }
    let time = json.optional("time_limit", seconds)?;
    match time {
        Some(time) => package.limits.set_time(Some(time), time),
        None => package.limits.set_unknown_time(),
    }
    if let Some(bytes) = json.optional("memory_limit", |limit| size(limit, 1 << 20))? {
        package.limits.set_memory(bytes);
    }
    make_scoring(package);
    Ok(())
}

/// Reads the tests, and puts them into the subtasks of `tests/mapping`, or of their names.
fn tests(builder: &mut PackageBuilder, subtasks: Option<&Node>) -> Result<(), PackageError> {
    let dir = builder.tree.root.join("tests");
    let mut inputs = match dir.is_dir() {
        true => builder.tree.list(&dir)?,
        false => Vec::new(),
    };
    inputs.retain(|entry| !entry.is_dir && entry.name.ends_with(".in"));
    inputs.sort_by_key(|entry| natural(&entry.name));
    if inputs.is_empty() {
        let what = "has no test: TPS generates them";
        return Err(PackageError::new(dir, what).remedy("run `tps gen`"));
    }
    let mut cases = Vec::new();
    for input in inputs {
        let stem = input.name.trim_end_matches(".in").to_owned();
        let answer = builder.tree.dir.find(&format!("tests/{stem}.out"))?;
        let answer = answer.map(PackageFile::into_path).ok_or_else(|| {
            PackageError::new(&input.path, "the input has no output beside it")
                .remedy("run `tps gen`")
        })?;
        cases.push(TestCase {
            input: input.path.into(),
            answer: Some(answer.into()),
            submitted: match builder.package.kind.submit_answer {
                true => SubmittedOutput::File(format!("{stem}.out")),
                false => SubmittedOutput::default(),
            },
            name: stem,
            ..TestCase::default()
        });
    }
    let mut listed = Vec::new();
    let list = subtasks.and_then(|file| file.get("subtasks"));
    for (name, node) in list.map_or(Ok(&[][..]), Node::entries)? {
        let index = node
            .optional("index", |index| index.integer(0))?
            .unwrap_or(0);
        let score = node.optional("score", Node::points)?.unwrap_or(0.0);
        listed.push((index, name.text()?.to_owned(), score));
    }
    listed.sort_by_key(|(index, ..)| *index);
    if listed.is_empty() {
        let each = 100.0 / cases.len() as f64;
        for case in &mut cases {
            case.score = Some(each);
        }
        builder.package.data.cases = cases;
        return Ok(());
    }
    let mapping = mapping(builder, &cases)?;
    for (index, name, score) in listed {
        let is_in = |case: &&TestCase| match &mapping {
            Some(tests_of) => tests_of
                .get(&name)
                .is_some_and(|tests| tests.contains(&case.name)),
            None => case.name.starts_with(&format!("{index}-")),
        };
        let mut group = Group::new(name.replace('/', "-"));
        group.aggregation = Aggregation::Min;
        group.stop_at_first = false;
        group.max_score = Some(score);
        for case in cases.iter().filter(is_in) {
            group.cases.push(TestCase {
                name: format!("{}/{}", group.name, case.name),
                score: Some(score),
                sample: name == "samples",
                ..case.clone()
            });
        }
        match group.cases.is_empty() {
            true => builder.tree.error_of_runs(
                PackageError::new(&dir, format!("has no test of the subtask `{name}`"))
                    .remedy("run `tps gen`"),
            ),
            false => builder.package.data.groups.push(group),
        }
    }
    let groups = builder.package.data.groups.iter();
    let judged = groups.flat_map(|group| &group.cases);
    let judged: HashSet<&Path> = judged.map(|case| &*case.input).collect();
    if let Some(left) = cases.iter().find(|case| !judged.contains(&*case.input)) {
        in_no_subtask(&mut builder.tree, left, "run `tps gen`");
    }
    match builder.package.data.groups.is_empty() {
        true => Err(PackageError::new(dir, "has no test of any subtask").remedy("run `tps gen`")),
        false => Ok(()),
    }
}

/// The tests of each subtask in `tests/mapping`.
fn mapping(
    builder: &PackageBuilder,
    cases: &[TestCase],
) -> Result<Option<HashMap<String, HashSet<String>>>, PackageError> {
    let Some(file) = builder.tree.dir.find("tests/mapping")? else {
        return Ok(None);
    };
    let text = file.text(16 << 20)?;
    let known: HashSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    let mut tests_of: HashMap<String, HashSet<String>> = HashMap::new();
    for (line, number) in text.lines().zip(1..) {
        let mut words = line.split_whitespace();
        let (Some(subtask), Some(test)) = (words.next(), words.next()) else {
            continue;
        };
        if !known.contains(test) {
            let what = format!("there is no test `{test}.in`");
            let path = builder.tree.root.join("tests/mapping");
            return Err(PackageError::new(path, what)
                .at(number, 1)
                .remedy("run `tps gen`"));
        }
        let tests = tests_of.entry(subtask.to_owned()).or_default();
        tests.insert(test.to_owned());
    }
    Ok(Some(tests_of))
}

/// The checker under the first name that exists. It follows CMS' protocol, because TPS' testlib does.
fn checker(builder: &mut PackageBuilder, staging_dir: &StagingDir) -> Result<(), PackageError> {
    let dir = builder.tree.dir.clone();
    let package = &mut builder.package;
    package.validation = Validator::Builtin(BuiltinChecker::Standard).into();
    for name in [
        "checker/checker.cpp",
        "checker/checker.cc",
        "checker/checker.py",
    ] {
        let Some(file) = dir.find(name)? else {
            continue;
        };
        let mut files = vec![file.into_path()];
        // TPS' testlib.h differs from the official one.
        files.extend(dir.find("checker/testlib.h")?.map(PackageFile::into_path));
        let program = staging_dir.program(dir.root(), "checker", &files, "")?;
        package.validation = cms_checker(program).into();
        package
            .data
            .visit_cases(&mut |case| case.points = Points::Bounded);
        return Ok(());
    }
    Ok(())
}

/// Adds the validators of all tests; those of single subtasks are reported.
fn validators(
    builder: &mut PackageBuilder,
    subtasks: &Node,
    staging_dir: &StagingDir,
) -> Result<(), PackageError> {
    let dir = builder.tree.dir.clone();
    let mut number = 0;
    for key in ["global_validators", "subtask_sensitive_validators"] {
        for node in subtasks.list(key)? {
            let words = split_words(node.text()?).map_err(|what| node.error(what))?;
            let Some((name, args)) = words.split_first() else {
                continue;
            };
            let Some(file) = dir.find(&format!("validator/{name}"))? else {
                let what = format!("`{name}` is not a file in `validator/`: it is not run");
                builder.tree.warning(node.error(what));
                continue;
            };
            let mut files = vec![file.into_path()];
            files.extend(dir.find("validator/testlib.h")?.map(PackageFile::into_path));
            number += 1;
            let role = format!("validator{number}");
            let path = staging_dir.program(dir.root(), &role, &files, "")?;
            let base = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            builder.package.input_validators.push(InputValidator {
                path,
                kind: InputValidatorKind::Testlib,
            });
            builder.package.data.visit_cases(&mut |case| {
                let subtask = case.name.split('/').next().unwrap_or_default();
                let args = args.iter().map(|arg| arg.replace("{subtask}", subtask));
                let named = (base.clone(), args.collect());
                case.input_validator_args.by_name.push(named);
            });
        }
    }
    let list = subtasks
        .get("subtasks")
        .map_or(Ok(&[][..]), Node::entries)?;
    for (_, node) in list {
        if let Some(first) = node.list("validators")?.first() {
            let what = "the validators of single subtasks are not run";
            let remedy = "list them as `global_validators` or `subtask_sensitive_validators`";
            builder.tree.warning(first.error(what).remedy(remedy));
        }
    }
    Ok(())
}

/// Stages the files of `grader/`, which are compiled with submissions.
fn graders(builder: &mut PackageBuilder, staging_dir: &StagingDir) -> Result<(), PackageError> {
    for (name, language) in [
        ("cpp", "cpp"),
        ("pas", "pascal"),
        ("java", "java"),
        ("py", "python3"),
    ] {
        let dir = builder.tree.root.join("grader").join(name);
        if !dir.is_dir() {
            continue;
        }
        for entry in builder.tree.list(&dir)? {
            if !entry.is_dir {
                let place = format!("include/{language}/{}", entry.name);
                staging_dir.copy(&entry.path, &place)?;
                builder.package.include = Some(staging_dir.path("include"));
            }
        }
    }
    Ok(())
}

/// The expectation that a verdict of `solutions.json` stands for.
fn expectation(verdict: &Node) -> Result<Expectation, PackageError> {
    let of = |permitted: &[_], required: &[_]| Expectation {
        permitted: permitted.to_vec(),
        required: required.to_vec(),
        ..Expectation::default()
    };
    let failures = [
        WrongAnswer,
        TimeLimitExceeded,
        MemoryLimitExceeded,
        RunTimeError,
    ];
    Ok(match verdict.text()? {
        "correct" | "model_solution" => Expectation::accepted(),
        "incorrect" => of(&[Accepted, WrongAnswer], &[WrongAnswer]),
        "time_limit" => of(&[Accepted, TimeLimitExceeded], &[TimeLimitExceeded]),
        "memory_limit" => of(&[Accepted, MemoryLimitExceeded], &[MemoryLimitExceeded]),
        "runtime_error" => of(&[Accepted, RunTimeError], &[RunTimeError]),
        "time_limit_and_runtime_error" => {
            let slow = [TimeLimitExceeded, RunTimeError];
            of(&[Accepted, TimeLimitExceeded, RunTimeError], &slow)
        }
        "failed" => of(&[], &failures),
        "partially_correct" => Expectation {
            outcome: vec![PartiallyAccepted],
            ..Expectation::default()
        },
        other => {
            let known = [
                "correct",
                "model_solution",
                "incorrect",
                "time_limit",
                "memory_limit",
                "runtime_error",
                "time_limit_and_runtime_error",
                "failed",
                "partially_correct",
            ];
            return Err(verdict.is_not("a verdict", other, &known));
        }
    })
}

/// Adds the solutions with their verdicts.
fn solutions(builder: &mut PackageBuilder) -> Result<(), PackageError> {
    let Some(path) = builder.tree.existing("solutions.json")? else {
        return Ok(());
    };
    let json = builder.tree.yaml(&path)?;
    for (name, node) in json.entries()? {
        let file = name.text()?;
        let Some(found) = builder.tree.dir.find(&format!("solution/{file}"))? else {
            builder.tree.error(
                name.error(format!("there is no file `solution/{file}`"))
                    .remedy("add it, or remove the entry"),
            );
            continue;
        };
        let verdict = node.get("verdict");
        let verdict = verdict.ok_or_else(|| node.error("has no `verdict`"))?;
        let mut expected = expectation(verdict)?;
        let mut rules = Vec::new();
        if let Some(except) = node.get("except") {
            // The verdict is that of the other subtasks.
            if verdict.text()? != "partially_correct" {
                expected.permitted.clear();
            }
            for (subtask, verdict) in except.entries()? {
                let scope = subtask.text()?.replace('/', "-");
                let mut groups = builder.package.data.groups.iter();
                if !groups.any(|group| group.name == scope) {
                    let what = format!("there is no subtask `{}`", subtask.text()?);
                    let remedy = "name a subtask of `subtasks.json`";
                    builder.tree.warning(subtask.error(what).remedy(remedy));
                }
                rules.push(Rule {
                    scope: Some(scope),
                    expected: expectation(verdict)?,
                    ..Rule::default()
                });
            }
        }
        rules.insert(
            0,
            Rule {
                expected: expected.clone(),
                ..Rule::default()
            },
        );
        let dir = match verdict.text()? {
            "correct" | "model_solution" if rules.len() == 1 => "accepted",
            other => other,
        };
        builder.package.submissions.push(PackagedSubmission {
            path: found.into_path(),
            name: format!("{dir}/{}", Path::new(file).display()),
            expected,
            rules,
            ..PackagedSubmission::default()
        });
    }
    Ok(())
}
