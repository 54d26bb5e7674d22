//! Shared by the readers of the formats other than ICPC.

use crate::builder::PackageBuilder;
use crate::error::{Finding, PackageError};
use crate::input::package_dir::{PackageDir, PackageFile};
use crate::input::tree::{self, Tree};
use crate::input::yaml::{self, Node};
use crate::model::{Aggregation, LimitSource, Package, TestCase};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

const MIB: u64 = 1 << 20;

/// Sets the name of the format, and what judges other than ICPC ones usually have in common.
pub fn begin(builder: &mut PackageBuilder, format: &'static str) {
    let package = &mut builder.package;
    package.format = format;
    package.data.stop_at_first = false;
    // `PackageBuilder::finish` raises it for larger answers.
    package.limits.output = 64 * MIB;
    package.limits.output_from = LimitSource::Judge;
}

/// Parses a configuration to recognise a format; `None` if the file is missing or invalid.
pub fn peek(dir: &PackageDir, name: &str) -> Option<Node> {
    let text = dir.find(name).ok()??.text(MIB).ok()?;
    let (yaml, _) = yaml::parse_leniently(Path::new(name), &text).ok()?;
    Some(yaml)
}

/// Whether a source of a program can include headers.
pub fn includes_headers(source: &Path) -> bool {
    let extension = source.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("cpp" | "cc" | "c"))
}

/// The headers directly in a folder of a package, sorted; `folder` is relative to the package.
pub fn headers(package: &PackageDir, folder: &Path) -> Result<Vec<PathBuf>, PackageError> {
    let mut found: Vec<String> = tree::names(&package.root().join(folder))
        .filter(|name| name.ends_with(".h") || name.ends_with(".hpp"))
        .collect();
    found.sort();
    let mut paths = Vec::new();
    for name in found {
        let inside = folder.join(name).to_string_lossy().into_owned();
        paths.extend(package.find(&inside)?.map(PackageFile::into_path));
    }
    Ok(paths)
}

/// The directories in which files named by a configuration are looked up.
pub struct SearchPath {
    /// The directories, in order.
    pub dirs: Vec<PackageDir>,
}

impl SearchPath {
    /// A path of one directory.
    pub fn new(dir: &Path) -> Result<Self, PackageError> {
        Ok(SearchPath {
            dirs: vec![PackageDir::new(dir)?],
        })
    }

    /// Finds the file `name` in the first directory that has it; never outside of them.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        let find = |dir: &PackageDir| dir.find(name).ok().flatten();
        self.dirs.iter().find_map(find).map(PackageFile::into_path)
    }

    /// Finds the file that a configuration names; `remedy` says where it must be.
    pub fn named(&self, name: &Node, remedy: &str) -> Result<PathBuf, PackageError> {
        let text = name.text()?;
        let missing = || name.error(format!("there is no file `{text}`"));
        self.find(text).ok_or_else(|| missing().remedy(remedy))
    }
}

/// Reads a file name without directories.
pub fn plain_name(node: &Node) -> Result<&str, PackageError> {
    let name = node.text()?;
    let plain = !matches!(name, "" | "." | "..") && !name.contains('/');
    if plain {
        Ok(name)
    } else {
        Err(node
            .error(format!("`{name}` is not a plain file name"))
            .remedy("give a name without directories"))
    }
}

/// Makes the package's score the sum of its parts.
pub fn make_scoring(package: &mut Package) {
    package.kind.scoring = true;
    package.data.aggregation = Aggregation::Sum;
    package.data.stop_at_first = false;
}

/// The part of a case's name after the last slash.
pub fn last(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Whether a name is a word, perhaps with a number or another suffix that is not a part of the word: `sample`, `sample2`,
/// `sample-a`, but not `samplesort`.
pub fn is_numbered(name: &str, word: &str) -> bool {
    let suffix = name.strip_prefix(word);
    suffix.is_some_and(|suffix| !suffix.starts_with(char::is_alphabetic))
}

/// The error for a package without test cases, with what was found before: it can be why none is left, such as a link that
/// leads nowhere.
pub fn no_cases(tree: &Tree, path: &Path) -> PackageError {
    const MAX_FINDINGS: usize = 5;
    let mut known = HashSet::new();
    let findings = tree.findings.iter().map(|finding| finding.error.clone());
    let findings = findings.filter(|error| known.insert(error.clone()));
    PackageError {
        others: findings.take(MAX_FINDINGS).collect(),
        ..PackageError::new(path, "has no test case")
            .remedy("add pairs of files like `1.in` and `1.out`")
    }
}

/// Warns, also when it is judged, of a test case that belongs to no subtask.
pub fn in_no_subtask(tree: &mut Tree, case: &TestCase, remedy: &str) {
    let what = "is in no subtask: it is not judged";
    let error = PackageError::new(case.input.to_path_buf(), what).remedy(remedy);
    tree.findings.push(Finding::warning(error).of_runs_if(true));
}

/// A name that depends on itself, directly or through others.
pub fn circular<T: Ord + Copy>(needed: &BTreeMap<T, Vec<T>>) -> Option<T> {
    let mut finished = BTreeSet::new();
    for start in needed.keys() {
        // The names on the way from `start`, each with those that it needs and that are still to visit.
        let mut way = vec![(*start, needed[start].clone())];
        let mut on_way = BTreeSet::from([*start]);
        while let Some((name, left)) = way.last_mut() {
            match left.pop() {
                Some(next) if on_way.contains(&next) => return Some(next),
                Some(next) if finished.contains(&next) => {}
                Some(next) => {
                    on_way.insert(next);
                    way.push((next, needed.get(&next).cloned().unwrap_or_default()));
                }
                None => {
                    finished.insert(*name);
                    on_way.remove(name);
                    way.pop();
                }
            }
        }
    }
    None
}

/// The test case of an input and its answer, which have this name without extension.
pub fn pair(name: &str, input: PathBuf, answer: Option<PathBuf>) -> TestCase {
    TestCase {
        sample: is_numbered(last(name), "sample"),
        name: name.to_owned(),
        input: input.into(),
        answer: answer.map(Into::into),
        ..TestCase::default()
    }
}

/// The test cases found in `dir`: at least one, in natural order: 2 before 10.
pub fn judged_or_unanswered(
    tree: &Tree,
    mut cases: Vec<TestCase>,
    dir: &Path,
) -> Result<Vec<TestCase>, PackageError> {
    if cases.is_empty() {
        return Err(no_cases(tree, dir));
    }
    cases.sort_by_key(|case| natural(&case.name));
    Ok(cases)
}

/// The same, each with an answer.
pub fn judged(
    tree: &Tree,
    cases: Vec<TestCase>,
    dir: &Path,
) -> Result<Vec<TestCase>, PackageError> {
    let cases = judged_or_unanswered(tree, cases, dir)?;
    match cases.iter().find(|case| case.answer.is_none()) {
        Some(case) => Err(no_answer(&case.input)),
        None => Ok(cases),
    }
}

/// A sort key that compares runs of digits by value.
pub fn natural(name: &str) -> Vec<(u128, String)> {
    let mut key = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let number = rest[..digits].parse().unwrap_or(u128::MAX);
        let text = rest[digits..]
            .find(|c: char| c.is_ascii_digit())
            .map_or(rest.len(), |at| digits + at);
        // Names that begin with text sort after names that begin with a digit, as in ASCII.
        let number = if digits == 0 { u128::MAX } else { number };
        key.push((number, rest[digits..text].to_owned()));
        rest = &rest[text..];
    }
    key
}

/// The maximum size of a file whose line ends are normalised.
const NORMALIZED: u64 = 64 << 20;

/// The file with `\n` after every line; `None` if it has that form already, or is very large.
pub fn with_line_ends(path: &Path) -> Option<Vec<u8>> {
    if path.metadata().ok()?.len() > NORMALIZED {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    if !bytes.contains(&b'\r') && bytes.last().is_none_or(|&last| last == b'\n') {
        return None;
    }
    let mut fixed = Vec::with_capacity(bytes.len() + 1);
    let mut rest = bytes.iter().peekable();
    while let Some(&byte) = rest.next() {
        if byte == b'\r' {
            rest.next_if_eq(&&b'\n');
            fixed.push(b'\n');
        } else {
            fixed.push(byte);
        }
    }
    if fixed.last() != Some(&b'\n') {
        fixed.push(b'\n');
    }
    Some(fixed)
}

/// The error for an input without an answer.
pub fn no_answer(input: &Path) -> PackageError {
    PackageError::new(input, "the input has no answer beside it")
        .remedy("add the answer, with the same name and the ending `.ans` or `.out`")
}

#[cfg(test)]
mod tests {
    use super::{PathBuf, natural, pair};

    #[test]
    fn samples_have_the_word_as_their_name() {
        for name in ["sample", "sample1", "sample-10", "a/sample.1", "sample_01"] {
            assert!(pair(name, PathBuf::new(), None).sample, "{name}");
        }
        for name in ["samplesort", "samplesort1", "sample/1", "a-sample"] {
            assert!(!pair(name, PathBuf::new(), None).sample, "{name}");
        }
    }

    #[test]
    fn names_sort_as_people_do() {
        let mut names = ["10", "2", "sample-10", "a", "1-2", "sample-9", "1-10"];
        names.sort_by_key(|name| natural(name));
        assert_eq!(
            names,
            ["1-2", "1-10", "2", "10", "a", "sample-9", "sample-10"]
        );
    }
}
