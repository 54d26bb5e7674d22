//! DMOJ's `test_cases` without a list: file names determine case and batch.

use crate::error::PackageError;
use crate::input::package_dir::PackageDir;
use crate::input::tree::Tree;
use crate::input::yaml::Node;
use regex::{Regex, RegexBuilder};
use std::collections::{BTreeMap, BTreeSet};

/// Cases that belong together, and their points.
pub struct Part {
    /// Whether they are a batch; otherwise there is at most one.
    pub is_batch: bool,
    /// The names of each input and, if there is one, of its answer.
    pub files: Vec<(String, Option<String>)>,
    pub points: f64,
}

/// The names of all files in the last directory of the search path (the archive, if there is one).
pub fn names(search_path: &[PackageDir]) -> Result<Vec<String>, PackageError> {
    match search_path.last() {
        Some(place) => Tree::new(place.root())?.files(|_| true),
        None => Ok(Vec::new()),
    }
}

/// The cases of a batch by number: the names of input and answer.
type Cases = BTreeMap<Key, (Option<String>, Option<String>)>;

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
const USUAL: &str = r"^.*?(?:(?:^|\W)(?P<batch>[0-9]+)[^0-9\s]+)?(?P<case>[0-9]+)[^0-9\s]*$";

/// How files of a kind are recognised.
struct Format {
    /// For DMOJ's default pattern: the extension that names have, or their start.
    word: Option<&'static str>,
    regex: Regex,
}

impl Format {
    fn read(node: Option<&Node>, usual: &'static str) -> Result<Self, PackageError> {
        let word = node.is_none().then_some(usual);
        let pattern = node.map_or(Ok(USUAL), Node::text)?;
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
            points: points.iter().map(Node::number).collect::<Result<_, _>>()?,
        })
    }
}

/// Derives the cases and batches from the names, in order; those without points get `points`.
pub fn parts(names: &[String], patterns: &Patterns, points: f64) -> Vec<Part> {
    let mut groups: BTreeMap<Key, Cases> = BTreeMap::new();
    let mut batches = BTreeSet::new();
    for (format, is_input) in [(&patterns.input, true), (&patterns.output, false)] {
        for name in names {
            let Some((batch, case)) = format.place(name) else {
                continue;
            };
            if let Some(batch) = &batch {
                batches.insert(batch.clone());
            }
            let group = batch.unwrap_or_else(|| case.clone());
            let files = groups.entry(group).or_default().entry(case).or_default();
            if is_input {
                files.0 = Some(name.clone());
            } else {
                files.1 = Some(name.clone());
            }
        }
    }
    let mut given = patterns.points.iter();
    let part = |(group, cases): (Key, Cases)| Part {
        is_batch: batches.contains(&group),
        files: cases
            .into_values()
            .filter_map(|(input, output)| Some((input?, output)))
            .collect(),
        points: given.next().copied().unwrap_or(points),
    };
    groups.into_iter().map(part).collect()
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
