//! Warnings about files in a folder that are not read, although they may be meant to be: other cases, settings of other
//! judges, checkers.

use super::{
    DIRECTORIES, OJ_DIRECTORIES, case_directory, directories, has_cases, has_pairs, is_answered,
};
use crate::builder::PackageBuilder;
use crate::error::{Finding, PackageError};
use crate::format::pairs::SOURCES;
use crate::format::{names, settings};
use crate::input::executable::is_native;
use crate::input::staging_dir::base_name;
use crate::input::tree::{Tree, existing_names};
use crate::model::TestCase;
use std::ffi::OsStr;
use std::iter;
use std::path::{Path, PathBuf};

/// Most directories with unknown names that are reported.
const MAX_OTHERS: usize = 3;

/// Reports the other places with cases, which are not read because there are `cases` in the directory `read`.
pub fn report_others(tree: &mut Tree, read: &Path, cases: &[TestCase]) {
    let root = tree.root.clone();
    let same = |dir: &Path| dir.canonicalize().ok() == read.canonicalize().ok();
    let is_root = same(&root);
    let place = match is_root {
        true => "this folder".to_owned(),
        false => format!("`{}/`", base_name(read)),
    };
    let known: Vec<&str> = OJ_DIRECTORIES.into_iter().chain(DIRECTORIES).collect();
    let mut others = directories(&root, &known);
    others.retain(|other| has_cases(&root, other) && !same(other));
    // An input beside the program may be there for another purpose; an answer to it is not.
    let mut names: Vec<String> = existing_names(&root).into_iter().flatten().collect();
    names.sort();
    let is_pair = |name: &String| is_answered(&root, &root, &names, name);
    if !is_root && names.iter().any(is_pair) {
        others.push(root.clone());
    }
    let is_left = |path: &PathBuf| {
        let holds = |case: &TestCase| {
            let mut files = iter::once(&case.input).chain(&case.answer);
            files.any(|file| file.starts_with(path))
        };
        !same(path) && !others.contains(path) && !cases.iter().any(holds)
    };
    let data = names
        .iter()
        .filter(|name| holds_only_data(&root, &names, name));
    let data = data.map(|name| root.join(name)).filter(is_left);
    let data: Vec<PathBuf> = data.take(MAX_OTHERS).collect();
    others.extend(data);
    for other in others {
        let what = format!("has cases that are not read, because {place} has some");
        let remedy = format!("move them to {place}, or name the directory that you want");
        tree.warning(PackageError::new(other, what).remedy(remedy));
    }
}

/// Whether the directory `name` of `root`, which has the names `beside`, has cases and no program, so that they are hardly
/// those of another problem.
fn holds_only_data(root: &Path, beside: &[String], name: &str) -> bool {
    let dir = root.join(name);
    let is_source = |name: &String| {
        let extension = Path::new(name).extension().and_then(OsStr::to_str);
        extension.is_some_and(|extension| SOURCES.contains(&extension))
    };
    let is_of_program = |other: &String| {
        let stem = other.rsplit_once('.').map_or("", |(stem, _)| stem);
        stem.eq_ignore_ascii_case(name) && is_source(other)
    };
    // `b` and `c1` are problems of a contest.
    let is_letter = name.trim_end_matches(|c: char| c.is_ascii_digit()).len() == 1;
    let mut names = existing_names(&dir).into_iter().flatten();
    !is_letter
        && !name.starts_with('.')
        && !beside.iter().any(is_of_program)
        && (has_pairs(&dir) || case_directory(&dir).is_some())
        && !names.any(|name| is_source(&name))
}

/// Warns of directories with cases in one that has some itself.
pub fn unread(tree: &mut Tree, directories: impl Iterator<Item = PathBuf>) {
    for directory in directories {
        let what = "has cases that are not read, because a directory above it has some";
        let error = PackageError::new(directory, what);
        tree.warning(error.remedy("move them there, or name the directory that you want"));
    }
}

/// Warns of `input.txt` with `output.txt` beside `input2.txt`: a program may read and write files of these names, or they
/// are one more case; and of `input.txt` with `expected.txt`, which no program writes.
pub fn report_bare(builder: &mut PackageBuilder, dir: &Path, cases: &[TestCase]) {
    let mut names: Vec<String> = existing_names(dir).into_iter().flatten().collect();
    names.sort();
    let is_file_io = |name: &str| builder.package.file_io.input.as_deref() == Some(name);
    for name in names.iter().filter(|name| names::is_bare(name)) {
        let path = dir.join(name);
        let stem = name.trim_end_matches(".txt");
        let is_like = |case: &TestCase| {
            let other = case.input.file_name().and_then(OsStr::to_str);
            other.is_some_and(|other| other != name && other.starts_with(stem))
        };
        let is_left = path.is_file() && cases.iter().all(|case| *case.input != *path);
        let exists = |answer: &str| {
            names
                .binary_search_by(|name| name.as_str().cmp(answer))
                .is_ok()
        };
        let answer = names::best_answer(name, exists);
        let is_doubtful = |answer: &String| {
            let is_like = !is_file_io(name) && cases.iter().any(is_like);
            is_left && (is_like || !names::is_bare_output(answer))
        };
        if let Some(answer) = answer.filter(is_doubtful) {
            let what = format!(
                "is not judged with `{answer}`, because there are others: a program may read and write these files"
            );
            let remedy = "if it is a case, rename it, for example to `0.in` and `0.out`";
            builder
                .tree
                .warning(PackageError::new(path, what).remedy(remedy));
        }
    }
}

/// Settings of other judges beside pairs of files, and the judge of each. Vijos' format is read if they name all cases.
const SETTINGS: [(&str, &str); 2] = [
    ("config.ini", "Vijos"),
    ("domjudge-problem.ini", "DOMjudge"),
];

/// Reports settings that are not read: other judges', and our own among the cases in `read`.
pub fn report_settings(tree: &mut Tree, read: &Path) {
    let own = read.join(settings::FILE);
    if *read != *tree.root && own.is_file() {
        let what = "is not read: settings are beside the directory of cases";
        let error = PackageError::new(own, what);
        tree.warning(error.remedy("move it to the directory above"));
    }
    for (name, judge) in SETTINGS {
        let path = tree.root.join(name);
        if path.is_file() {
            let what = format!("settings of {judge} are not read; only the cases are");
            let remedy = "give the limits and the checker: --time-limit, --memory, --checker";
            tree.warning(PackageError::new(path, what).remedy(remedy));
        }
    }
}

/// Names of the programs that check outputs or talk to submissions on other judges, without ending: files,
/// or directories with their sources. They are only reported: that they decide is a guess. Of oj's directory the one
/// name that its documentation has is used ([`is_checker`]).
const CHECKERS: [&str; 5] = ["checker", "chk", "check", "spj", "interactor"];

/// Warns of a checker that is not used. Without it right outputs may get WA; but it may also be a
/// submission, which is only called so.
pub fn report_unused_checker(builder: &mut PackageBuilder, cases: &Path) {
    if builder.package.validation.programs().next().is_some() {
        return;
    }
    let root = builder.tree.root.clone();
    let mut places = vec![root.clone()];
    places.extend((cases != root).then(|| cases.to_owned()));
    places.extend(CHECKERS.map(|name| root.join(name)));
    for place in places {
        let mut files: Vec<String> = existing_names(&place).into_iter().flatten().collect();
        files.sort();
        let is_program = |file: &&String| {
            let (stem, ending) = file.rsplit_once('.').unwrap_or((file, ""));
            let stem = stem.to_ascii_lowercase();
            CHECKERS.contains(&stem.as_str())
                && (SOURCES.contains(&ending) || ending.is_empty() && is_native(&place.join(file)))
        };
        let Some(file) = files.iter().find(is_program) else {
            continue;
        };
        let path = place.join(file);
        let shown = path.strip_prefix(&root).unwrap_or(&path).display();
        let option = match file.to_ascii_lowercase().starts_with("interactor") {
            true => "--interactor",
            false => "--checker",
        };
        let what = format!("outputs are compared with the answers: `{shown}` is not used");
        let remedy = format!("add `{option} {shown}` if it decides which outputs are right");
        let error = PackageError::new(&root, what).remedy(remedy);
        builder.tree.findings.push(Finding {
            concerns_checker: true,
            ..Finding::warning(error)
        });
        return;
    }
}
