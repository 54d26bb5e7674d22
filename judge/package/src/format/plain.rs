//! Directories without a configuration: oj's `test/*.in` (`tests/` with atcoder-cli), AtCoder's
//! `in/` and `out/`, and pairs of `.in` and `.ans`.

use super::common::{begin, judged, pair, pairs};
use super::{Format, Match};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::executable::is_native;
use crate::input::package_dir::PackageDir;
use crate::input::tree::{Entry, Tree, existing_names};
use crate::model::{LimitSource, NewCases, Package, TestCase, TimeLimit};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

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
        let two = dir.has_dir("in") && dir.has_dir("out");
        (two || holds_inputs(dir.root(), dir.root())).then(|| Match::root(dir))
    }

    fn read(&self, builder: &mut PackageBuilder, _: &Match) -> Result<(), PackageError> {
        let dir = builder.tree.root.clone();
        let has_in = dir.join("in").is_dir();
        // The user may name oj's own directory instead of its parent.
        let named = dir.canonicalize().ok();
        let named = named.as_deref().and_then(Path::file_name);
        if !has_in
            && OJ_DIRECTORIES
                .iter()
                .any(|name| named == Some(OsStr::new(name)))
        {
            return read_oj(builder, &dir);
        }
        begin(builder, "plain directory");
        let found = if has_in && dir.join("out").is_dir() {
            two_directories(&mut builder.tree)?
        } else {
            pairs(&mut builder.tree, &dir)?
        };
        fill(builder, found, &dir)
    }
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
    let is_input = |name: String| {
        [".in", ".IN"].iter().any(|end| name.ends_with(end))
            || name.starts_with("input") && name.ends_with(".txt")
            || is_numbered(&name)
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
    builder.package.data.cases = judged(found, dir)?;
    for case in &mut builder.package.data.cases {
        // White space does not count on most online judges; upper and lower case do.
        case.validator_args = vec!["case_sensitive".to_owned()];
    }
    Ok(())
}

/// Sets the limits of a directory that has no place for limits; the time limit only stops programs
/// that do not terminate. New cases are added next to others.
pub fn unknown_limits(package: &mut Package) {
    package.limits.time = TimeLimit::Given(Duration::from_secs(10));
    package.limits.time_from = LimitSource::Judge;
    package.policy.new_cases = NewCases::NextToOthers;
}

/// Pairs the files of `in/` and `out/` by their names without extension.
fn two_directories(tree: &mut Tree) -> Result<Vec<TestCase>, PackageError> {
    let (inputs, outputs) = (tree.root.join("in"), tree.root.join("out"));
    let stem = |entry: &Entry| {
        let name = entry.name.rsplit_once('.');
        name.map_or(&*entry.name, |(stem, _)| stem).to_owned()
    };
    let mut answers: HashMap<String, PathBuf> = HashMap::new();
    for entry in tree.list(&outputs)? {
        answers.entry(stem(&entry)).or_insert(entry.path);
    }
    let inputs = tree.list(&inputs)?.into_iter();
    let inputs = inputs.filter(|entry| !entry.is_dir);
    let case = |entry: Entry| {
        let name = stem(&entry);
        pair(&name, entry.path, answers.get(&name).cloned())
    };
    let cases: Vec<TestCase> = inputs.map(case).collect();
    for case in &cases {
        answers.remove(&case.name);
    }
    let mut without_input: Vec<PathBuf> = answers.into_values().collect();
    without_input.sort();
    for answer in without_input {
        tree.warning(
            PackageError::new(answer, "the answer has no input in `in/`")
                .remedy("add the input, with the same name, or remove the answer"),
        );
    }
    Ok(cases)
}
