//! DMOJ's `test_cases` without a list: file names determine case and batch.

use super::init_cases::{Batch, Case, Defaults, Part};
use super::init_checkers::FileName;
use crate::error::PackageError;
use crate::input::package_dir::PackageDir;
use crate::input::tree::Tree;
use crate::input::yaml::Node;
use regex::{Regex, RegexBuilder};
use std::collections::BTreeMap;

/// The names of all files in the last directory of the search path (the archive, if there is one).
pub fn names(search_path: &[PackageDir]) -> Result<Vec<String>, PackageError> {
    match search_path.last() {
        Some(place) => Tree::new(place.root())?.files(|_| true),
        None => Ok(Vec::new()),
    }
}

/// A batch, or a single case.
#[derive(Default)]
struct Found<'y> {
    is_batch: bool,
    /// The cases by number: input and answer.
    cases: BTreeMap<Key, [Option<FileName<'y>>; 2]>,
}

/// Numbers sort by value, after all texts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Text(String),
    Number(u128),
}

fn key(text: &str) -> Key {
    match text.parse() {
        Ok(number) => Key::Number(number),
        Err(_) => Key::Text(text.to_owned()),
    }
}

/// DMOJ's default pattern: the last number is the case; an earlier number, at the start or after a
/// punctuation character, with neither digits nor blanks in between, is the batch.
const DEFAULT_PATTERN: &str =
    r"^.*?(?:(?:^|\W)(?P<batch>[0-9]+)[^0-9\s]+)?(?P<case>[0-9]+)[^0-9\s]*$";

/// How files of a kind are recognised.
struct Format {
    /// For DMOJ's default pattern: the extension that names have, or their start.
    word: Option<&'static str>,
    regex: Regex,
}

impl Format {
    fn read(node: Option<&Node>, usual: &'static str) -> Result<Self, PackageError> {
        let word = node.is_none().then_some(usual);
        let pattern = node.map_or(Ok(DEFAULT_PATTERN), Node::text)?;
        // Python's `match` is anchored at the start of the text.
        let regex = RegexBuilder::new(&format!("^(?:{pattern})"))
            .case_insensitive(true)
            .size_limit(1 << 20)
            .build();
        match (regex, node) {
            (Ok(regex), _) => Ok(Format { word, regex }),
            (Err(e), Some(node)) => {
                let last = e.to_string();
                let last = last.lines().last().unwrap_or_default();
                Err(node.error(format!("is not a supported regular expression: {last}")))
            }
            (Err(e), None) => unreachable!("the default pattern is valid: {e}"),
        }
    }

    /// The batch and case that a file belongs to.
    fn place(&self, name: &str) -> Option<(Option<Key>, Key)> {
        if let Some(word) = self.word {
            let lower = name.to_ascii_lowercase();
            if !lower.starts_with(word) && !lower.contains(&format!(".{word}")) {
                return None;
            }
        }
        let found = self.regex.captures(name)?;
        let case = key(found.name("case")?.as_str());
        Some((found.name("batch").map(|batch| key(batch.as_str())), case))
    }
}

/// `test_cases` as a map: how files are recognised.
pub struct Patterns {
    input: Format,
    output: Format,
    /// The points of the cases and batches, in order.
    points: Vec<f64>,
}

impl Patterns {
    /// Reads the map; without one, DMOJ's default patterns apply.
    pub fn parse(node: Option<&Node>) -> Result<Self, PackageError> {
        let get = |key: &str| node.and_then(|node| node.get(key));
        node.map_or(Ok(()), |node| {
            node.only(&["input_format", "output_format", "case_points"])
        })?;
        let points = node.map_or(Ok(&[][..]), |node| node.list("case_points"))?;
        Ok(Patterns {
            input: Format::read(get("input_format"), "in")?,
            output: Format::read(get("output_format"), "out")?,
            points: points.iter().map(Node::points).collect::<Result<_, _>>()?,
        })
    }
}

/// Derives the cases and batches from the names, in order.
pub fn parts<'y>(
    names: &'y [String],
    patterns: &Patterns,
    defaults: &Defaults<'y>,
) -> Vec<Part<'y>> {
    let node = defaults.yaml;
    let mut groups: BTreeMap<Key, Found<'y>> = BTreeMap::new();
    for (place, format) in [&patterns.input, &patterns.output].iter().enumerate() {
        for text in names {
            let Some((batch, case)) = format.place(text) else {
                continue;
            };
            let is_batch = batch.is_some();
            let group = batch.unwrap_or_else(|| case.clone());
            let group = groups.entry(group).or_default();
            group.is_batch |= is_batch;
            group.cases.entry(case).or_default()[place] = Some(FileName { text, node });
        }
    }
    let mut given = patterns.points.iter();
    let mut found = Vec::new();
    for group in groups.into_values() {
        let points = given.next().copied().unwrap_or(defaults.points);
        let case = |[input, output]: [Option<_>; 2]| {
            Some(Case {
                input: Some(input?),
                output,
                points,
                is_binary: defaults.is_binary,
                checker: 0,
                generator: None,
                nodes: Vec::new(),
            })
        };
        let mut cases = group.cases.into_values().filter_map(case);
        if group.is_batch {
            found.push(Part::Batch(Batch {
                points,
                cases: cases.collect(),
                dependencies: Vec::new(),
            }));
        } else {
            found.extend(cases.next().map(|case| Part::Case(Box::new(case))));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Format, Key};

    #[test]
    fn names_determine_case_and_batch_as_in_dmoj() {
        let number = |n: u128| Some(Key::Number(n));
        for (name, batch, case) in [
            ("test.1.in", None, number(1)),
            ("test-1.in", None, number(1)),
            ("test-case-1.in", None, number(1)),
            ("test-1-2.in", number(1), number(2)),
            ("test-batch-1-case-2.in", number(1), number(2)),
            ("1.2.in", number(1), number(2)),
            ("problem-1-case-1-batch-2.in", number(1), number(2)),
            ("12.in", None, number(12)),
            ("a1b2.in", None, number(2)),
            ("1.out", None, None),
            ("in1", None, number(1)),
        ] {
            let found = Format::read(None, "in").unwrap().place(name);
            let (found_batch, found_case) = found.map_or((None, None), |(b, c)| (b, Some(c)));
            assert!(found_batch == batch && found_case == case, "{name}");
        }
    }
}
