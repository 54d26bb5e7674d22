//! Directories without a configuration: oj's `test/*.in` (`tests/` with atcoder-cli), AtCoder's
//! `in/` and `out/`, and pairs of `.in` and `.ans`.

use super::common::{Pair, empty, natural, no_answer, no_cases, pairs};
use super::{Format, Match};
use crate::package::error::PackageError;
use crate::package::input::executable::is_native;
use crate::package::input::package_dir::PackageDir;
use crate::package::input::tree::{Entry, Tree};
use crate::package::model::{BuiltinChecker, NewCases, Package, TimeLimit, Validator};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A directory of online-judge-tools.
pub struct OnlineJudgeTools;

impl Format for OnlineJudgeTools {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        oj_tests(dir.root()).map(|dir| Match { dir })
    }

    fn read(&self, tree: Tree, id: String, found: Match) -> Result<Package, PackageError> {
        read_oj(tree, id, &found.dir)
    }
}

/// A directory of pairs of files.
pub struct Plain;

impl Format for Plain {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        let two = dir.has_dir("in") && dir.has_dir("out");
        (two || holds_inputs(dir.root())).then(|| Match::root(dir))
    }

    fn read(&self, tree: Tree, id: String, _: Match) -> Result<Package, PackageError> {
        read_plain(tree, id)
    }
}

/// Whether `dir` directly contains inputs.
fn holds_inputs(dir: &Path) -> bool {
    std::fs::read_dir(dir).is_ok_and(|entries| {
        entries.flatten().any(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            [".in", ".IN"].iter().any(|end| name.ends_with(end))
                || name.starts_with("input") && name.ends_with(".txt")
        })
    })
}

/// The names that oj and atcoder-cli use for the directory of cases.
const OJ_DIRECTORIES: [&str; 2] = ["test", "tests"];

/// The directory of oj's cases: `test/`, or `tests/` from atcoder-cli.
fn oj_tests(root: &Path) -> Option<PathBuf> {
    let dirs = OJ_DIRECTORIES.map(|name| root.join(name));
    dirs.into_iter().find(|dir| holds_inputs(dir))
}

/// Reads oj's directory with its cases in `dir`.
fn read_oj(mut tree: Tree, id: String, dir: &Path) -> Result<Package, PackageError> {
    let mut package = empty(&tree, id, "online-judge-tools");
    package.validator = Validator::Builtin(BuiltinChecker::CrlfInsensitive);
    fill(&mut package, pairs(&mut tree, dir)?, dir)?;
    let checker = tree.list(&tree.root.clone())?.into_iter().find(is_checker);
    if let Some(checker) = checker {
        package.override_checker(&checker.path)?;
    }
    package.findings = tree.findings;
    Ok(package)
}

/// Whether a file is `checker.cpp` or its compiled form, the argument of `oj test --judge-command`.
fn is_checker(entry: &Entry) -> bool {
    let (stem, ending) = entry.name.rsplit_once('.').unwrap_or((&entry.name, ""));
    let source = ["cpp", "cc", "py", "rs"].contains(&ending);
    !entry.is_dir && stem == "checker" && (source || is_native(&entry.path))
}

/// Reads pairs in the directory itself, or in `in/` and `out/`.
fn read_plain(mut tree: Tree, id: String) -> Result<Package, PackageError> {
    let dir = tree.root.clone();
    // The user may name oj's own directory instead of its parent: the same comparison applies.
    let named = dir.canonicalize().ok();
    if OJ_DIRECTORIES
        .iter()
        .any(|name| named.as_deref().and_then(Path::file_name) == Some(OsStr::new(name)))
        && !dir.join("in").is_dir()
    {
        return read_oj(tree, id, &dir);
    }
    let mut package = empty(&tree, id, "plain directory");
    let found = if dir.join("in").is_dir() && dir.join("out").is_dir() {
        two_directories(&mut tree)?
    } else {
        pairs(&mut tree, &dir)?
    };
    fill(&mut package, found, &dir)?;
    for case in &mut package.data.cases {
        // No format here asks for leniency, and judges rarely grant it.
        case.validator_args = vec!["case_sensitive".to_owned()];
    }
    package.findings = tree.findings;
    Ok(package)
}

fn fill(package: &mut Package, found: Vec<Pair>, dir: &Path) -> Result<(), PackageError> {
    if found.is_empty() {
        return Err(no_cases(dir));
    }
    // The limit is unknown; this value only stops programs that do not terminate.
    package.limits.time = TimeLimit::Given(Duration::from_secs(10));
    package.limits.are_defaults = true;
    package.policy.new_cases = NewCases::NextToOthers;
    for pair in found {
        if pair.answer.is_none() {
            return Err(no_answer(&pair.input));
        }
        package.data.cases.push(pair.case());
    }
    Ok(())
}

fn two_directories(tree: &mut Tree) -> Result<Vec<Pair>, PackageError> {
    let (inputs, outputs) = (tree.root.join("in"), tree.root.join("out"));
    let stem = |name: &str| {
        name.rsplit_once('.')
            .map_or(name, |(stem, _)| stem)
            .to_owned()
    };
    let mut answers: HashMap<String, PathBuf> = HashMap::new();
    for entry in tree.list(&outputs)? {
        answers.entry(stem(&entry.name)).or_insert(entry.path);
    }
    let mut found: Vec<Pair> = tree
        .list(&inputs)?
        .into_iter()
        .filter(|entry| !entry.is_dir)
        .map(|entry| Pair {
            answer: answers.get(&stem(&entry.name)).cloned(),
            name: stem(&entry.name),
            input: entry.path,
        })
        .collect();
    found.sort_by_key(|pair| natural(&pair.name));
    Ok(found)
}
