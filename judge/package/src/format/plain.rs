//! Directories without a configuration: pairs of files such as `1.in` and `1.out` in the directory
//! itself or in one such as oj's `test/`, AtCoder's `in/` and `out/`, a directory per case, and what the
//! browser's tools of contestants write. A [settings file](super::settings) may add limits.

mod reports;
mod tools;

use super::common::{begin, judged_or_unanswered, natural, pair};
use super::pairs::{pairs, two_directories};
use super::{Format, Match, names, settings};
use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::executable::is_native;
use crate::input::package_dir::PackageDir;
use crate::input::staging_dir::base_name;
use crate::input::tree::{Entry, Tree, existing_names};
use crate::model::{NewCases, Package, TestCase};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::iter;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// The names that oj and atcoder-cli use for the directory of cases.
const OJ_DIRECTORIES: [&str; 2] = ["test", "tests"];
/// Other names of the directory of cases, in order.
const DIRECTORIES: [&str; 11] = [
    "samples",
    "sample",
    "testcases",
    "testcase",
    "cases",
    "examples",
    "example",
    "data",
    "testdata",
    "sampletests",
    "secret",
];

/// Whether `dir` has a directory for cases, which may be empty, except the `examples/` that cargo makes beside what it
/// builds.
pub fn has_directory_of_cases(dir: &Path) -> bool {
    let is_empty = |dir: &Path| existing_names(dir).is_ok_and(|mut names| names.next().is_none());
    let is_of_cargo = |dir: &Path| base_name(dir) == "examples" && is_empty(dir);
    let places = directories_of_cases(dir);
    places.iter().any(|place| !is_of_cargo(place))
}

/// The directories for cases in `dir`, which may be empty.
pub fn directories_of_cases(dir: &Path) -> Vec<PathBuf> {
    let known = OJ_DIRECTORIES.iter().chain(&DIRECTORIES).copied();
    // Other things are called data, too, and a workspace has its packages in `testdata`.
    let known: Vec<&str> = known.filter(|name| !name.ends_with("data")).collect();
    directories(dir, &known)
}

/// The existing directories in `root` with one of these names in lower or upper case, perhaps with separators
/// (`test_cases`), in the order of the names.
fn directories(root: &Path, known: &[&str]) -> Vec<PathBuf> {
    let names: Vec<String> = existing_names(root).into_iter().flatten().collect();
    let mut found: Vec<(usize, PathBuf)> = names
        .into_iter()
        .filter_map(|name| {
            let plain = name.replace(['_', '-', ' '], "");
            let place = known
                .iter()
                .position(|known| plain.eq_ignore_ascii_case(known))?;
            Some((place, root.join(name)))
        })
        // A link that leads nowhere is an error when it is read.
        .filter(|(_, path)| path.metadata().map_or(true, |found| found.is_dir()))
        .collect();
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

/// A directory of online-judge-tools.
pub struct OnlineJudgeTools;

impl Format for OnlineJudgeTools {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        let root = dir.root();
        let mut dirs = directories(root, &OJ_DIRECTORIES).into_iter();
        let found = dirs.find(|dir| has_cases(root, dir));
        found.map(|dir| Match { dir })
    }

    fn read(&self, builder: &mut PackageBuilder, found: &Match) -> Result<(), PackageError> {
        builder.tree.dir.follow_links();
        read_oj(builder, &found.dir)?;
        reports::report_settings(&mut builder.tree, &found.dir);
        reports::report_others(&mut builder.tree, &found.dir, &builder.package.data.cases);
        reports::report_unused_checker(builder, &found.dir);
        builder.tree.findings_concern_runs();
        Ok(())
    }
}

/// A directory of pairs of files.
pub struct Plain;

impl Format for Plain {
    fn detect(&self, dir: &PackageDir) -> Option<Match> {
        let root = dir.root();
        let others = directories(root, &DIRECTORIES);
        let mut places = iter::once(root.to_owned()).chain(others);
        let found = places.find(|place| has_cases(root, place));
        let found = found.or_else(|| settings::exist(dir).then(|| root.to_owned()));
        found.map(|dir| Match { dir })
    }

    fn read(&self, builder: &mut PackageBuilder, found: &Match) -> Result<(), PackageError> {
        builder.tree.dir.follow_links();
        read_plain(builder, &found.dir)?;
        reports::report_others(&mut builder.tree, &found.dir, &builder.package.data.cases);
        reports::report_settings(&mut builder.tree, &found.dir);
        reports::report_unused_checker(builder, &found.dir);
        builder.tree.findings_concern_runs();
        Ok(())
    }
}

/// Reads the directory that is named, which may be oj's own.
fn read_plain(builder: &mut PackageBuilder, dir: &Path) -> Result<(), PackageError> {
    // The user may name oj's own directory instead of its parent.
    let named = dir.canonicalize().ok();
    let named = named.as_deref().and_then(Path::file_name);
    let is_oj = |name: &&str| named == Some(OsStr::new(name));
    if two_names(dir).is_none() && OJ_DIRECTORIES.iter().any(is_oj) {
        return read_oj(builder, dir);
    }
    begin(builder, "plain directory");
    fill(builder, dir)
}

/// Reads oj's directory with its cases in `dir`.
fn read_oj(builder: &mut PackageBuilder, dir: &Path) -> Result<(), PackageError> {
    begin(builder, "online-judge-tools");
    fill(builder, dir)?;
    let files = builder.tree.list(&builder.package.root)?;
    match files.into_iter().find(is_checker) {
        Some(checker) if !builder.package.kind.interactive => {
            builder.package.override_checker(&checker.path)
        }
        _ => Ok(()),
    }
}

/// Whether a file is `checker.cpp` or its compiled form, the argument of `oj test --judge-command`.
fn is_checker(entry: &Entry) -> bool {
    let (stem, ending) = entry.name.rsplit_once('.').unwrap_or((&entry.name, ""));
    let source = ["cpp", "cc", "py", "rs"].contains(&ending);
    !entry.is_dir && stem == "checker" && (source || is_native(&entry.path))
}

/// Whether `dir`, which is `root` or a directory in it, has cases, or exists and cannot be read: then
/// reading it reports the error.
fn has_cases(root: &Path, dir: &Path) -> bool {
    let Ok(names) = existing_names(dir) else {
        return true;
    };
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
        .iter()
        .any(|name| names::is_surely_input(name) || is_answered(root, dir, &names, name))
        || two_names(dir).is_some()
        || names
            .iter()
            .any(|name| case_directory(&dir.join(name)).is_some())
        || tools::exist(dir, &names)
        || dir != root && names.iter().any(|name| has_pairs(&dir.join(name)))
}

/// Whether the file `name` of `dir`, whose entries have the sorted names `names`, is an input that has an answer;
/// `dir` is `root` or a directory in it.
fn is_answered(root: &Path, dir: &Path, names: &[String], name: &str) -> bool {
    // The tests of Polygon's packages are described by `problem.xml`; `01.a` is an answer, `sol.a` a library.
    let is_package = || root.join("problem.xml").is_file();
    let is_numbered = names::is_numbered(name) && !is_native(&dir.join(name));
    let mut answers = names::answers(name).filter(|answer| names.binary_search(answer).is_ok());
    answers.any(|answer| {
        let is_added = answer.starts_with(name) && !name.contains('.');
        (!is_added || is_numbered && !is_package()) && dir.join(answer).is_file()
    })
}

/// Reads the cases in `dir` and the settings.
fn fill(builder: &mut PackageBuilder, dir: &Path) -> Result<(), PackageError> {
    unknown_limits(&mut builder.package);
    let (mut found, is_of_tool) = read_place(builder, dir)?;
    if *dir != *builder.package.root {
        let mut inside = subdirectories(&mut builder.tree, dir)?;
        inside.retain(|(path, _)| found.iter().all(|case| !case.input.starts_with(path)));
        match found.is_empty() {
            true => found = inside.into_iter().flat_map(|(_, cases)| cases).collect(),
            false => reports::unread(&mut builder.tree, inside.into_iter().map(|(path, _)| path)),
        }
        if !found.is_empty() {
            reports::unread(&mut builder.tree, deeper(dir));
        }
    }
    let arguments = settings::read(builder)?;
    if !found.is_empty() {
        reports::report_bare(builder, dir, &found);
        let root = builder.package.root.to_path_buf();
        let mut places = vec![dir.to_owned(), root];
        places.dedup();
        places.drain(..usize::from(is_of_tool));
        for place in places {
            tools::report_unread(&mut builder.tree, &place);
        }
    }
    let is_interactive = builder.package.kind.interactive;
    let found =
        judged_or_unanswered(&builder.tree, found, dir).map_err(|error| match is_interactive {
            true => error.remedy("add the interactor's input as `test/1.in`"),
            false => error,
        })?;
    builder.package.data.cases.extend(found);
    if builder.package.validation.programs().next().is_some() {
        return Ok(());
    }
    for case in &mut builder.package.data.cases {
        // White space does not count on most online judges; upper and lower case do.
        case.validator_args.insert(0, "case_sensitive".to_owned());
        case.validator_args.extend(arguments.iter().cloned());
    }
    Ok(())
}

/// The cases of a directory itself, by the first layout that has some, and whether none but a tool's file may have them.
/// Warns of those in the other layouts.
fn read_place(
    builder: &mut PackageBuilder,
    dir: &Path,
) -> Result<(Vec<TestCase>, bool), PackageError> {
    let two = two_names(dir);
    let found = match two.clone() {
        Some(two) => two_directories(&mut builder.tree, two)?,
        None => pairs(&mut builder.tree, dir)?,
    };
    // Beside a program directories have samples of other problems.
    let is_inner = *dir != *builder.package.root;
    let in_directories = match found.is_empty() || is_inner {
        true => case_directories(&mut builder.tree, dir)?,
        false => Vec::new(),
    };
    if found.is_empty() {
        return match in_directories.is_empty() {
            true => Ok((tools::read(builder, dir)?, true)),
            false => Ok((in_directories, false)),
        };
    }
    if let Some([inputs, _]) = two {
        let mut names: Vec<String> = existing_names(dir).into_iter().flatten().collect();
        names.sort();
        if names.iter().any(|name| is_answered(dir, dir, &names, name)) {
            let what = format!(
                "has cases that are not read, because `{}/` in it has some",
                base_name(&inputs)
            );
            let error = PackageError::new(dir, what).remedy("keep the cases in one place");
            builder.tree.warning(error);
        }
    }
    let inputs = in_directories.iter().map(|case| case.input.to_path_buf());
    let directories = inputs.filter_map(|input| input.parent().map(Path::to_owned));
    reports::unread(&mut builder.tree, directories);
    Ok((found, false))
}

/// How deep below a directory of cases others are looked for.
const MAX_DEPTH: usize = 4;

/// Most files of a directory that holds one case: two of them, and notes.
const CASE_FILES: usize = 6;

/// The files of a directory that holds one case only: a pair, such as `in.txt` and `out.txt`, or
/// Themis' `X.INP` and `X.OUT`.
fn case_directory(dir: &Path) -> Option<[PathBuf; 2]> {
    let names: Vec<String> = existing_names(dir).ok()?.take(CASE_FILES + 1).collect();
    if names.len() > CASE_FILES {
        return None;
    }
    let answer = |input: &String| {
        // A folder with the only sample of a problem is no case of another folder.
        let is_numbered = input.contains(|c: char| c.is_ascii_digit());
        let is_case = !is_numbered && !input.starts_with("sample");
        let exists = |name: &str| is_case && names.iter().any(|other| other == name);
        names::best_answer(input, exists)
    };
    let mut pairs = names
        .iter()
        .filter_map(|input| Some([input.clone(), answer(input)?]));
    let pair = pairs.next().filter(|_| pairs.next().is_none())?;
    let pair = pair.map(|name| dir.join(name));
    pair.iter().all(|path| path.is_file()).then_some(pair)
}

/// The cases of the directories in `dir` that hold one case each; if there are such, also of those that have an input of
/// the same name among other files, or alone.
fn case_directories(tree: &mut Tree, dir: &Path) -> Result<Vec<TestCase>, PackageError> {
    let mut found = Vec::new();
    let mut others = Vec::new();
    let mut inputs = BTreeSet::new();
    for entry in tree.list(dir)?.into_iter().filter(|entry| entry.is_dir) {
        match case_directory(&entry.path) {
            Some([input, answer]) => {
                inputs.insert(base_name(&input));
                found.push((entry.name, input, Some(answer)));
            }
            None => others.push(entry),
        }
    }
    if found.is_empty() {
        return Ok(Vec::new());
    }
    for entry in others {
        let existing = |name: &String| Some(entry.path.join(name)).filter(|path| path.is_file());
        let input = inputs.iter().find_map(existing);
        if let Some(input) = input.or_else(|| only_input(&entry.path)) {
            let exists = |name: &str| entry.path.join(name).is_file();
            let answer = names::best_answer(&base_name(&input), exists);
            let answer = answer.map(|name| entry.path.join(name));
            found.push((entry.name, input, answer));
        }
    }
    let contained = |(name, input, answer): (String, PathBuf, Option<PathBuf>)| {
        for path in iter::once(&input).chain(&answer) {
            tree.dir.contain(path)?;
        }
        Ok(pair(&name, input, answer))
    };
    found.into_iter().map(contained).collect()
}

/// The file of a directory that holds only the input of a case, such as `in.txt`.
fn only_input(dir: &Path) -> Option<PathBuf> {
    let mut names = existing_names(dir).ok()?;
    let name = names.next().filter(|_| names.next().is_none())?;
    let path = dir.join(&name);
    (names::is_bare(&name) && path.is_file()).then_some(path)
}

/// The directories in a directory of cases that have pairs themselves, such as `subtask1/1.in`, with their cases.
fn subdirectories(
    tree: &mut Tree,
    dir: &Path,
) -> Result<Vec<(PathBuf, Vec<TestCase>)>, PackageError> {
    let mut found = Vec::new();
    for entry in tree.list(dir)? {
        if !has_pairs(&entry.path) {
            continue;
        }
        let mut cases = pairs(tree, &entry.path)?;
        cases.sort_by_key(|case| natural(&case.name));
        for case in &mut cases {
            case.name = format!("{}/{}", entry.name, case.name);
        }
        found.push((entry.path, cases));
    }
    Ok(found)
}

/// The directories further below that have pairs.
fn deeper(dir: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = WalkDir::new(dir).min_depth(2).max_depth(MAX_DEPTH);
    let paths = entries.into_iter().filter_map(Result::ok);
    let directories = paths.filter(|entry| entry.file_type().is_dir() && has_pairs(entry.path()));
    directories.map(DirEntry::into_path)
}

/// Whether a directory has inputs with answers.
fn has_pairs(dir: &Path) -> bool {
    let mut names: Vec<String> = existing_names(dir).into_iter().flatten().collect();
    names.sort();
    case_directory(dir).is_none() && names.iter().any(|name| is_answered(dir, dir, &names, name))
}

/// Sets the limits of a directory that has no place for limits. New cases are added next to others.
pub fn unknown_limits(package: &mut Package) {
    package.limits.set_unknown_time();
    package.policy.new_cases = NewCases::NextToOthers;
    package.policy.runs_without_answer = true;
}

/// The directories of inputs and answers in `root`: AtCoder's `in/` and `out/`, HackerRank's `input/` and
/// `output/`, these in the plural, and `expected/` or `answers/`.
fn two_names(root: &Path) -> Option<[PathBuf; 2]> {
    const INPUTS: [&str; 6] = [
        "in",
        "input",
        "inputs",
        "inp",
        "sampleinput",
        "sampleinputs",
    ];
    // What a program wrote may be in `output/`; the solutions in `sol/`.
    const ANSWERS: [&str; 12] = [
        "ans",
        "answer",
        "answers",
        "expected",
        "expectedoutput",
        "expectedoutputs",
        "out",
        "output",
        "outputs",
        "sol",
        "sampleoutput",
        "sampleoutputs",
    ];
    let inputs = directories(root, &INPUTS).into_iter().next()?;
    let answers = directories(root, &ANSWERS).into_iter().next()?;
    (inputs.is_dir() && answers.is_dir()).then_some([inputs, answers])
}
