//! Pairs the files of directories by their names, for plain folders and for the formats that have no list of cases.

use super::common::pair;
use super::names;
use crate::error::PackageError;
use crate::input::executable::is_native;
use crate::input::staging_dir::base_name;
use crate::input::tree::{Entry, Tree};
use crate::model::TestCase;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::iter;
use std::path::{Path, PathBuf};

/// Lists the pairs of input and answer in `dir`, by the table of names; also inputs without an answer.
pub fn pairs(tree: &mut Tree, dir: &Path) -> Result<Vec<TestCase>, PackageError> {
    let entries = tree.list(dir)?;
    let files: Vec<&Entry> = entries.iter().filter(|entry| !entry.is_dir).collect();
    let found = inputs(&files, *dir == *tree.root);
    let used: HashSet<&str> = found
        .iter()
        .flat_map(|(file, answer)| [Some(file.name.as_str()), answer.as_deref()])
        .flatten()
        .collect();
    let is_left = |entry: &Entry| {
        let name = entry.name.as_str();
        names::is_surely_answer(name) && !used.contains(name) && !is_native(&entry.path)
    };
    let mut left: BTreeMap<&str, &Path> = files
        .iter()
        .filter(|entry| is_left(entry))
        .map(|entry| (entry.name.as_str(), entry.path.as_path()))
        .collect();
    if !left.is_empty() {
        // A second answer to an input, such as `1.out` beside `1.ans`; an answer to `in.txt` beside a program.
        let bare = files.iter().filter(|entry| names::is_bare(&entry.name));
        let others = found.iter().map(|(file, _)| file).chain(bare);
        let others = others.flat_map(|file| names::answers(&file.name));
        others.for_each(|name| _ = left.remove(name.as_str()));
    }
    // An answer to another input is no input itself.
    let answers: HashSet<&String> = found
        .iter()
        .filter_map(|(_, answer)| answer.as_ref())
        .collect();
    let mut known = HashSet::new();
    let mut cases = Vec::new();
    for (file, answer) in &found {
        if answers.contains(&file.name) {
            continue;
        }
        let name = match names::case_name(&file.name) {
            // `1.in` and `1.dat`
            short if known.insert(short.to_owned()) => short,
            _ => &file.name,
        };
        let answer = answer.as_ref().map(|name| dir.join(name));
        cases.push(pair(name, file.path.clone(), answer));
    }
    for answer in left.into_values() {
        tree.warning(no_input(answer.to_owned()));
    }
    if has_others(&files, &found) {
        report_two_answers(tree, &found, &files);
    }
    let mut unanswered = found.iter().filter(|(_, answer)| answer.is_none());
    if let Some((input, other)) = unanswered.find_map(|(file, _)| same_stem(file, &files)) {
        let what = format!("is not read as the answer to `{}`", input.name);
        let remedy = "if it is the answer, give it the ending `.out` or `.ans`";
        tree.warning(PackageError::new(&other.path, what).remedy(remedy));
    }
    Ok(cases)
}

/// Whether some files are neither inputs nor their answers. A directory may have tens of thousands of pairs and nothing else.
fn has_others(files: &[&Entry], inputs: &[(&Entry, Option<String>)]) -> bool {
    let answered = inputs
        .iter()
        .filter_map(|(file, answer)| Some([file.name.as_str(), answer.as_ref()?]));
    let used: HashSet<&str> = answered.flatten().collect();
    used.len() < files.len()
}

/// The file of this name.
fn named<'e>(files: &[&'e Entry], name: &str) -> Option<&'e Entry> {
    let found = files.binary_search_by(|entry| entry.name.as_str().cmp(name));
    found.ok().map(|k| files[k])
}

/// Warns of the first input that has two answers, such as `1.out` and `1.res`, with different contents: one of them may be
/// what a program wrote.
fn report_two_answers(tree: &mut Tree, inputs: &[(&Entry, Option<String>)], files: &[&Entry]) {
    let is_diff = |name: &str| name.to_ascii_lowercase().contains("diff");
    for (file, chosen) in inputs {
        let Some(chosen) = chosen
            .as_ref()
            .filter(|name| !names::is_sure_answer(&file.name, name))
        else {
            continue;
        };
        let found = names::existing_answers(&file.name, |name| named(files, name).is_some());
        let differs = |name: &&String| {
            let both = [*name, chosen]
                .map(|name| named(files, name).and_then(|entry| fs::read(&entry.path).ok()));
            !is_diff(name) && both[0] != both[1]
        };
        if let Some(other) = found[1..].iter().find(differs) {
            let what = format!(
                "is not read, because the answer to `{}` is `{chosen}`, which differs",
                file.name
            );
            let remedy = "give the answer the ending `.ans`, and remove the other";
            let path = file.path.with_file_name(other);
            tree.warning(PackageError::new(path, what).remedy(remedy));
            return;
        }
    }
}

/// The inputs among the files of a directory, sorted by name, each with the name of its answer. Beside a program a file such
/// as `in.txt` is one only if there are no others.
fn inputs<'e>(files: &[&'e Entry], is_beside_program: bool) -> Vec<(&'e Entry, Option<String>)> {
    let exists = |name: &str| named(files, name).is_some();
    let first = |file: &&'e Entry| {
        let answer = names::answers_of_none_else(&file.name, exists).next();
        (*file, answer)
    };
    let mut with_answers: Vec<(&Entry, Option<String>)> = files.iter().map(first).collect();
    if has_others(files, &with_answers) {
        for (file, answer) in &mut with_answers {
            if answer
                .as_ref()
                .is_some_and(|name| !names::is_sure_answer(&file.name, name))
            {
                *answer = names::best_answer(&file.name, exists);
            }
        }
    }
    let answered = with_answers
        .iter()
        .filter_map(|(file, answer)| Some((file, answer.as_ref()?)));
    let answers: HashSet<&str> = answered.clone().map(|(_, name)| name.as_str()).collect();
    // `in2.txt` and `in10.txt` without answers, beside `in1.txt` with one; but no notes of 2024.
    let mut lengths: HashMap<String, usize> = HashMap::new();
    for (file, _) in answered {
        let longest = lengths.entry(names::shape(&file.name)).or_default();
        *longest = file.name.len().max(*longest);
    }
    let is_like_others = |name: &str| {
        let longest = lengths.get(&names::shape(name));
        longest.is_some_and(|longest| name.len() <= longest + 1)
    };
    let is_input = |file: &Entry, answer: Option<&String>| {
        // Other files have such names too: the answer proves the input.
        answer.is_some()
            || names::is_surely_input(&file.name)
            || is_like_others(&file.name) && !answers.contains(file.name.as_str())
    };
    // `sol1.out` is what the program `sol1` wrote.
    let is_program = |file: &Entry| names::is_numbered(&file.name) && is_native(&file.path);
    let mut found: Vec<(&Entry, Option<String>)> = with_answers
        .iter()
        .filter(|(file, answer)| is_input(file, answer.as_ref()) && !is_program(file))
        .cloned()
        .collect();
    if is_beside_program && found.iter().any(|(file, _)| !names::is_bare(&file.name)) {
        found.retain(|(file, _)| !names::is_bare(&file.name));
    }
    found
}

/// Extensions of programs among the files of cases; nothing compiles them.
pub const SOURCES: [&str; 16] = [
    "cpp", "cc", "cxx", "c", "py", "rs", "java", "pas", "kt", "cs", "go", "js", "ts", "hs", "rb",
    "d",
];

/// Whether a file among those of cases is a document, a picture or a program, by its extension.
fn is_no_data(name: &str) -> bool {
    const OTHERS: [&str; 14] = [
        "desc", "hint", "md", "pdf", "html", "png", "svg", "err", "log", "files", "bak", "db",
        "ini", "zip",
    ];
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    OTHERS.contains(&extension) || SOURCES.contains(&extension)
}

/// An input and the only file with the same name and another extension, if that is unknown.
fn same_stem<'e>(input: &'e Entry, files: &[&'e Entry]) -> Option<(&'e Entry, &'e Entry)> {
    let stem = input.name.rsplit_once('.')?.0;
    let mut same = files.iter().filter(|entry| {
        let other = entry.name.rsplit_once('.');
        entry.name != input.name && other.is_some_and(|(other, _)| other == stem)
    });
    let only = same.next().filter(|_| same.next().is_none())?;
    let is_known = only.name.ends_with(".txt") || is_no_data(&only.name) || is_native(&only.path);
    (!is_known).then_some((input, only))
}

/// The finding for an answer without an input.
fn no_input(answer: PathBuf) -> PackageError {
    PackageError::new(answer, "the answer has no input beside it")
        .remedy("add the input, with the same name and the ending `.in`, or remove the answer")
}

/// Pairs the files of the directories of inputs and answers by their names without extension, or as
/// `input00.txt` with `output00.txt`; also those in directories of the same name in both.
pub fn two_directories(
    tree: &mut Tree,
    [inputs, outputs]: [PathBuf; 2],
) -> Result<Vec<TestCase>, PackageError> {
    // `test.1` has no extension.
    let stem_of = |name: &str| {
        let stem = name.rsplit_once('.');
        let stem =
            stem.filter(|(_, extension)| !extension.starts_with(|c: char| c.is_ascii_digit()));
        stem.map_or(name, |(stem, _)| stem).to_owned()
    };
    let mut answers: HashMap<String, PathBuf> = HashMap::new();
    let mut answer_files = tree.list(&outputs)?;
    answer_files.sort_by_key(|entry| !names::is_sure_answer("", &entry.name));
    for entry in answer_files
        .iter()
        .filter(|entry| !entry.is_dir && !is_no_data(&entry.name))
    {
        let path = || entry.path.clone();
        answers.entry(stem_of(&entry.name)).or_insert_with(path);
    }
    let (directories, files): (Vec<Entry>, Vec<Entry>) = tree
        .list(&inputs)?
        .into_iter()
        .partition(|entry| entry.is_dir);
    let mut used = Vec::new();
    let case = |entry: Entry| {
        let name = stem_of(&entry.name);
        let others = names::answers(&entry.name).map(|other| stem_of(&other));
        let mut names = iter::once(name.clone()).chain(others);
        let found = names.find(|name| answers.contains_key(name));
        let answer = found.as_ref().map(|name| answers[name].clone());
        if answer.is_none() && is_no_data(&entry.name) {
            return None;
        }
        used.extend(found);
        Some(pair(&name, entry.path, answer))
    };
    let mut cases: Vec<TestCase> = files.into_iter().filter_map(case).collect();
    for name in used {
        answers.remove(&name);
    }
    let name = base_name(&inputs);
    let mut without_input: Vec<PathBuf> = answers.into_values().collect();
    without_input.sort();
    for answer in without_input {
        let what = format!("the answer has no input in `{name}/`");
        tree.warning(
            PackageError::new(answer, what)
                .remedy("add the input, with the same name, or remove the answer"),
        );
    }
    for directory in directories {
        let both = [directory.path, outputs.join(&directory.name)];
        if both[1].is_dir() {
            let inside = two_directories(tree, both)?;
            cases.extend(inside.into_iter().map(|case| TestCase {
                name: format!("{}/{}", directory.name, case.name),
                ..case
            }));
        }
    }
    Ok(cases)
}
