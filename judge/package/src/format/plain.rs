//! Directories without a configuration: oj's `test/*.in` (`tests/` with atcoder-cli), AtCoder's
//! `in/` and `out/`, and pairs of `.in` and `.ans`.

use super::common::{answers_by_word, begin, judged, no_answer, pair, pairs};
use super::{Format, Match};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::executable::is_native;
use crate::input::package_dir::PackageDir;
use crate::input::tree::{Entry, Tree, existing_names};
use crate::model::{NewCases, Package, TestCase};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::iter;
use std::path::{Path, PathBuf};

/// A directory of online-judge-tools.
pub struct OnlineJudgeTools;

impl Format for OnlineJudgeTools {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        let root = dir.root();
        let dirs = OJ_DIRECTORIES.map(|name| root.join(name));
        let found = dirs.into_iter().find(|dir| holds_inputs(root, dir));
        found.map(|dir| Match { dir })
    }

    fn read(&self, builder: &mut PackageBuilder, found: &Match) -> Result<(), PackageError> {
        read_oj(builder, &found.dir)?;
        report_second(&mut builder.tree, &found.dir);
        builder.tree.findings_concern_runs();
        Ok(())
    }
}

/// Reports another directory of cases, which is not read.
fn report_second(tree: &mut Tree, read: &Path) {
    let name_of = |dir: &Path| dir.file_name().unwrap_or_default().display().to_string();
    let root = tree.root.clone();
    let same = |dir: &Path| dir.canonicalize().ok() == read.canonicalize().ok();
    for other in OJ_DIRECTORIES.map(|name| root.join(name)) {
        if holds_inputs(&root, &other) && !same(&other) {
            let what = format!("is not read, because `{}/` has cases", name_of(read));
            let remedy = format!("move its cases to `{}/`", name_of(read));
            tree.warning(PackageError::new(other, what).remedy(remedy));
        }
    }
}

/// A directory of pairs of files.
pub struct Plain;

impl Format for Plain {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        let two = two_names(dir.root()).is_some();
        (two || holds_inputs(dir.root(), dir.root())).then(|| Match::root(dir))
    }

    fn read(&self, builder: &mut PackageBuilder, _: &Match) -> Result<(), PackageError> {
        read_plain(builder)?;
        report_settings(&mut builder.tree);
        builder.tree.findings_concern_runs();
        Ok(())
    }
}

/// Settings of other judges beside pairs of files, and the judge of each.
const SETTINGS: [(&str, &str); 3] = [
    ("problem.conf", "UOJ"),
    ("data.yml", "SYZOJ"),
    ("config.ini", "Vijos"),
];

/// Reports settings that are not read.
fn report_settings(tree: &mut Tree) {
    for (name, judge) in SETTINGS {
        let path = tree.root.join(name);
        if path.is_file() {
            let what = format!("settings of {judge} are not read; only the cases are");
            let remedy = "give the limits and the checker: --time-limit, --memory, --checker";
            tree.warning(PackageError::new(path, what).remedy(remedy));
        }
    }
}

/// Reads the directory that is named, which may be oj's own.
fn read_plain(builder: &mut PackageBuilder) -> Result<(), PackageError> {
    let dir = builder.tree.root.clone();
    let two = two_names(&dir);
    // The user may name oj's own directory instead of its parent.
    let named = dir.canonicalize().ok();
    let named = named.as_deref().and_then(Path::file_name);
    if two.is_none()
        && OJ_DIRECTORIES
            .iter()
            .any(|name| named == Some(OsStr::new(name)))
    {
        return read_oj(builder, &dir);
    }
    begin(builder, "plain directory");
    let found = match two {
        Some(two) => two_directories(&mut builder.tree, two)?,
        None => pairs(&mut builder.tree, &dir)?,
    };
    fill(builder, found, &dir)
}

/// Whether `dir`, which is `root` or a directory in it, directly contains inputs, or exists and cannot
/// be read: then reading it reports the error.
fn holds_inputs(root: &Path, dir: &Path) -> bool {
    // Polygon: the answer to `01` is `01.a`. Its packages are not supported, tests alone are.
    let is_package = root.join("problem.xml").is_file();
    let is_numbered = |name: &str| {
        let digits = name.bytes().all(|byte| byte.is_ascii_digit());
        !is_package && digits && dir.join(format!("{name}.a")).is_file()
    };
    let is_paired = |name: &str| {
        let mut answers = answers_by_word(name).into_iter();
        answers.any(|answer| dir.join(answer).is_file())
    };
    let is_input = |name: String| {
        [".in", ".IN"].iter().any(|end| name.ends_with(end))
            || name.starts_with("input") && name.ends_with(".txt")
            || is_numbered(&name)
            || is_paired(&name)
    };
    existing_names(dir).map_or(true, |mut names| names.any(is_input))
}

/// The names that oj and atcoder-cli use for the directory of cases.
const OJ_DIRECTORIES: [&str; 2] = ["test", "tests"];

/// Reads oj's directory with its cases in `dir`.
fn read_oj(builder: &mut PackageBuilder, dir: &Path) -> Result<(), PackageError> {
    begin(builder, "online-judge-tools");
    let found = pairs(&mut builder.tree, dir)?;
    fill(builder, found, dir)?;
    let files = builder.tree.list(&builder.package.root)?;
    match files.into_iter().find(is_checker) {
        Some(checker) => builder.package.override_checker(&checker.path),
        None => Ok(()),
    }
}

/// Whether a file is `checker.cpp` or its compiled form, the argument of `oj test --judge-command`.
fn is_checker(entry: &Entry) -> bool {
    let (stem, ending) = entry.name.rsplit_once('.').unwrap_or((&entry.name, ""));
    let source = ["cpp", "cc", "py", "rs"].contains(&ending);
    !entry.is_dir && stem == "checker" && (source || is_native(&entry.path))
}

fn fill(
    builder: &mut PackageBuilder,
    found: Vec<TestCase>,
    dir: &Path,
) -> Result<(), PackageError> {
    unknown_limits(&mut builder.package);
    builder.package.data.cases = judged(with_answers(&mut builder.tree, found), dir)?;
    for case in &mut builder.package.data.cases {
        // White space does not count on most online judges; upper and lower case do.
        case.validator_args = vec!["case_sensitive".to_owned()];
    }
    Ok(())
}

/// Leaves out the inputs without answers, with a finding, if any input has one: such a folder has no
/// author, and an input that a contestant saved must not prevent judging over the samples.
fn with_answers(tree: &mut Tree, found: Vec<TestCase>) -> Vec<TestCase> {
    if found.iter().all(|case| case.answer.is_none()) {
        return found;
    }
    let (paired, alone): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|case| case.answer.is_some());
    for case in alone {
        let error = no_answer(&case.input);
        tree.warning(PackageError {
            what: format!("{}; the case is left out", error.what),
            ..error
        });
    }
    paired
}

/// Sets the limits of a directory that has no place for limits. New cases are added next to others.
pub fn unknown_limits(package: &mut Package) {
    package.limits.set_unknown_time();
    package.policy.new_cases = NewCases::NextToOthers;
}

/// The directories of inputs and answers in `root`: AtCoder's `in/` and `out/`, HackerRank's `input/` and
/// `output/`, and these in the plural.
fn two_names(root: &Path) -> Option<[&'static str; 2]> {
    let names = [["in", "out"], ["input", "output"], ["inputs", "outputs"]];
    let mut names = names.into_iter();
    names.find(|names| names.iter().all(|name| root.join(name).is_dir()))
}

/// Pairs the files of the directories of inputs and answers by their names without extension, or as
/// `input00.txt` with `output00.txt`.
fn two_directories(
    tree: &mut Tree,
    [inputs, outputs]: [&str; 2],
) -> Result<Vec<TestCase>, PackageError> {
    let stem_of = |name: &str| {
        let stem = name.rsplit_once('.');
        stem.map_or(name, |(stem, _)| stem).to_owned()
    };
    let mut answers: HashMap<String, PathBuf> = HashMap::new();
    for entry in tree.list(&tree.root.join(outputs))? {
        answers.entry(stem_of(&entry.name)).or_insert(entry.path);
    }
    let files = tree.list(&tree.root.join(inputs))?.into_iter();
    let files = files.filter(|entry| !entry.is_dir);
    let mut used = Vec::new();
    let case = |entry: Entry| {
        let name = stem_of(&entry.name);
        let others = answers_by_word(&entry.name);
        let mut names = iter::once(name.clone()).chain(others.iter().map(|other| stem_of(other)));
        let found = names.find(|name| answers.contains_key(name));
        let answer = found.as_ref().map(|name| answers[name].clone());
        used.extend(found);
        pair(&name, entry.path, answer)
    };
    let cases: Vec<TestCase> = files.map(case).collect();
    for name in used {
        answers.remove(&name);
    }
    let mut without_input: Vec<PathBuf> = answers.into_values().collect();
    without_input.sort();
    for answer in without_input {
        let what = format!("the answer has no input in `{inputs}/`");
        tree.warning(
            PackageError::new(answer, what)
                .remedy("add the input, with the same name, or remove the answer"),
        );
    }
    Ok(cases)
}
