//! Shared by the readers of the formats other than ICPC.

use crate::builder::PackageBuilder;
use crate::error::PackageError;
use crate::input::executable::is_native;
use crate::input::package_dir::{PackageDir, PackageFile};
use crate::input::tree::{Entry, Tree};
use crate::input::yaml::{self, Node};
use crate::model::{Aggregation, LimitSource, Package, TestCase};
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

/// The error for a package without test cases.
pub fn no_cases(path: &Path) -> PackageError {
    PackageError::new(path, "has no test case").remedy("add pairs of files like `1.in` and `1.out`")
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

/// The test cases found in `dir`: at least one, each with an answer, in natural order: 2 before 10.
pub fn judged(mut cases: Vec<TestCase>, dir: &Path) -> Result<Vec<TestCase>, PackageError> {
    if cases.is_empty() {
        return Err(no_cases(dir));
    }
    cases.sort_by_key(|case| natural(&case.name));
    match cases.iter().find(|case| case.answer.is_none()) {
        Some(case) => Err(no_answer(&case.input)),
        None => Ok(cases),
    }
}

/// The extensions of the answer to `X.in`, in order of preference.
const ANSWERS: [&str; 6] = ["ans", "out", "a", "sol", "diff", "answer"];

/// Lists the pairs of input and answer in `dir`: `X.in` with `X.ans` or `X.out`, `X` with `X.a`
/// (Polygon), `inputX.txt` with `outputX.txt`, `data.inX` with `data.outX`; and what
/// [`answers_by_word`] names.
pub fn pairs(tree: &mut Tree, dir: &Path) -> Result<Vec<TestCase>, PackageError> {
    let entries = tree.list(dir)?;
    let files: Vec<&str> = entries
        .iter()
        .filter(|entry| !entry.is_dir)
        .map(|entry| entry.name.as_str())
        .collect();
    let has = |name: &String| files.binary_search(&name.as_str()).is_ok();
    let mut found = Vec::new();
    for file in &files {
        let (name, answers): (&str, Vec<String>) =
            if let Some(stem) = file.strip_suffix(".in").or(file.strip_suffix(".IN")) {
                let answers = ANSWERS.iter().flat_map(|end| {
                    [
                        format!("{stem}.{end}"),
                        format!("{stem}.{}", end.to_uppercase()),
                    ]
                });
                (stem, answers.collect())
            } else if let Some(rest) = file.strip_prefix("input")
                && let Some(stem) = file.strip_suffix(".txt")
            {
                (stem, vec![format!("output{rest}")])
            } else if let Some((stem, number)) = file.rsplit_once(".in")
                && !number.is_empty()
                && number.bytes().all(|byte| byte.is_ascii_digit())
            {
                let answers = ["ans", "out", "ou"];
                let answers = answers.map(|end| format!("{stem}.{end}{number}"));
                (file, answers.to_vec())
            } else if !file.contains('.') && has(&format!("{file}.a")) {
                (file, vec![format!("{file}.a")])
            } else {
                // Other files have such names too: the answer proves the input.
                let answers = answers_by_word(file);
                if !answers.iter().any(&has) {
                    continue;
                }
                let stem = file.strip_suffix(".txt").or(file.strip_suffix(".input"));
                (stem.unwrap_or(file), answers)
            };
        let answer = answers.iter().find(|name| has(name));
        let answer = answer.map(|name| dir.join(name));
        found.push(pair(name, dir.join(file), answer));
    }
    let without_input: Vec<PathBuf> = entries
        .iter()
        .filter(|entry| !entry.is_dir && lacks_input(entry, &has))
        .map(|entry| entry.path.clone())
        .collect();
    for answer in without_input {
        tree.warning(no_input(answer));
    }
    Ok(found)
}

/// The possible answers to an input that has the word `in` or `input` in its name, beside digits or
/// other words: `in1.txt` with `out1.txt`, `sample_input_1.txt` with `sample_output_1.txt`,
/// `test.in.1` with `test.out.1`. A bare `in.txt` is left to programs that read and write files.
pub fn answers_by_word(file: &str) -> Vec<String> {
    const WORDS: [(&str, &[&str]); 2] = [("in", &["out", "ans"]), ("input", &["output", "answer"])];
    let is_bare = |rest: &str| matches!(rest, "" | ".txt");
    let mut answers = Vec::new();
    // Not `read_in.cpp` with `read_out.cpp`.
    if let Some((_, ending)) = file.rsplit_once('.')
        && !["txt", "dat", "input"].contains(&ending)
        && !ending.bytes().all(|byte| byte.is_ascii_digit())
    {
        return answers;
    }
    let mut start = 0;
    for part in file.split_inclusive(|c: char| !c.is_alphabetic()) {
        let word = part.trim_end_matches(|c: char| !c.is_alphabetic());
        let (before, after) = (&file[..start], &file[start + word.len()..]);
        start += part.len();
        let known = WORDS.iter().find(|(name, _)| *name == word);
        if let Some((_, others)) = known
            && !(before.is_empty() && is_bare(after))
        {
            answers.extend(others.iter().map(|other| format!("{before}{other}{after}")));
        }
    }
    answers
}

/// Whether a file is named like an answer, and no file is named like its input. A compiler's `a.out`
/// and an `output.txt` without a number belong to a program.
fn lacks_input(entry: &Entry, has: &impl Fn(&String) -> bool) -> bool {
    let name = entry.name.as_str();
    let rest = name.strip_prefix("output");
    if let Some(rest) = rest.filter(|rest| rest.ends_with(".txt") && *rest != ".txt") {
        return !has(&format!("input{rest}"));
    }
    let endings = [".ans", ".ANS", ".out", ".OUT"];
    let Some(stem) = endings.iter().find_map(|end| name.strip_suffix(end)) else {
        return false;
    };
    !has(&format!("{stem}.in")) && !has(&format!("{stem}.IN")) && !is_native(&entry.path)
}

/// The finding for an answer without an input.
fn no_input(answer: PathBuf) -> PackageError {
    PackageError::new(answer, "the answer has no input beside it")
        .remedy("add the input, with the same name and the ending `.in`, or remove the answer")
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
