//! The cases and subtasks that the names of files make, if the configuration lists none.
//!
//! Source: Hydro's `readSubtasksFromFiles`.

use crate::error::PackageError;
use crate::format::common::natural;
use crate::input::tree::Tree;
use crate::model::Aggregation;
use regex::Regex;
use std::path::Path;

/// An input and its output, as paths relative to the directory of the data.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    pub input: String,
    /// `None` if the problem has no outputs.
    pub output: Option<String>,
    /// The number of the subtask.
    pub subtask: u64,
    /// The number of the case, which determines the order.
    pub id: u64,
    /// How the cases of a subtask that the configuration lacks are aggregated.
    pub aggregation: Aggregation,
}

/// Finds the cases in `dir` and its directories `input` and `output`, in order.
pub fn find(tree: &mut Tree, dir: &Path, no_outputs: bool) -> Result<Vec<Found>, PackageError> {
    let mut files = Vec::new();
    for (place, prefix) in [("", ""), ("input", "input/"), ("output", "output/")] {
        let place = dir.join(place);
        if !place.is_dir() {
            continue;
        }
        let entries = tree.list(&place)?;
        let entries = entries.iter().filter(|entry| !entry.is_dir);
        files.extend(entries.map(|entry| format!("{prefix}{}", entry.name)));
    }
    let (mut found, without_output) = match_names(&files, no_outputs);
    for name in without_output {
        let what = "the input has no output beside it, and is not judged";
        tree.warning(PackageError::new(dir.join(name), what));
    }
    found.sort_by_key(|case| (natural(&case.input), case.input.clone()));
    found.sort_by_key(|case| case.id);
    Ok(found)
}

/// A form that the name of an input may have; the first one with an existing output counts.
struct Rule {
    regex: Regex,
    /// The possible names of the output.
    outputs: fn(&[&str]) -> Vec<String>,
    /// Subtask and number of the case.
    numbers: fn(&[&str]) -> (u64, u64),
    aggregation: fn(&[&str]) -> Aggregation,
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or(0)
}

/// The name with `input` replaced by `output`.
fn of_output(name: &str) -> String {
    name.replace("input", "output").replace("INPUT", "OUTPUT")
}

/// `stem` with each of the usual extensions of outputs.
fn with_extensions(stem: &str) -> Vec<String> {
    let extension = |end: &str| format!("{stem}.{end}");
    ["out", "ans", "OUT", "ANS"].map(extension).to_vec()
}

fn rules() -> [Rule; 4] {
    let regex = |pattern| Regex::new(pattern).expect("a constant pattern");
    [
        // `data1.in`, `1-2.in` (case 2 of subtask 1), `input1.txt`.
        Rule {
            regex: regex(
                r"^(([A-Za-z0-9_.-]*?)(?:([0-9]*)[-_])?([0-9]+))\.(in|IN|txt|TXT|in\.txt|IN\.TXT)$",
            ),
            outputs: |parts| {
                let stem = parts[1];
                let mut names = Vec::new();
                for end in ["out", "ans"] {
                    let upper = end.to_uppercase();
                    for end in [end, &upper, &format!("{end}.txt"), &format!("{upper}.TXT")] {
                        let name = format!("{stem}.{end}");
                        names.extend([name.clone(), of_output(&name)]);
                    }
                }
                if stem.contains("input") {
                    names.push(format!("{stem}.txt").replace("input", "output"));
                }
                names
            },
            numbers: |parts| (number(parts[3]).max(1), number(parts[4])),
            aggregation: |parts| match parts[3] {
                "" => Aggregation::Sum,
                _ => Aggregation::Min,
            },
        },
        // `data.in1`.
        Rule {
            regex: regex(r"^([^0-9]*)\.(in|IN)([0-9]+)$"),
            outputs: |parts| {
                let ends = match parts[2] {
                    "in" => ["ou", "out"],
                    _ => ["OU", "OUT"],
                };
                let names = ends.map(|end| format!("{}.{end}{}", parts[1], parts[3]));
                names
                    .iter()
                    .flat_map(|name| [name.clone(), of_output(name)])
                    .collect()
            },
            numbers: |_| (1, 0),
            aggregation: |_| Aggregation::Sum,
        },
        Rule {
            regex: regex(r"^([^0-9]*)([0-9]+)([-_])([0-9]+)\.(in|IN)$"),
            outputs: |parts| with_extensions(&parts[1..5].concat()),
            numbers: |parts| (number(parts[2]), number(parts[4])),
            aggregation: |_| Aggregation::Min,
        },
        // `1-sample.in`.
        Rule {
            regex: regex(r"^(([0-9]+)[-_].*)\.(in|IN)$"),
            outputs: |parts| with_extensions(parts[1]),
            numbers: |parts| (1, number(parts[2])),
            aggregation: |_| Aggregation::Sum,
        },
    ]
}

/// The cases of these files, and the inputs whose output is missing. Other files are ignored.
fn match_names(files: &[String], no_outputs: bool) -> (Vec<Found>, Vec<String>) {
    let rules = rules();
    let (mut found, mut without_output) = (Vec::new(), Vec::new());
    let exists = |name: &String| files.contains(name);
    for file in files {
        let mut is_input = false;
        let case = rules.iter().find_map(|rule| {
            let captures = rule.regex.captures(file)?;
            let parts = captures
                .iter()
                .map(|part| part.map_or("", |part| part.as_str()));
            let parts: Vec<&str> = parts.collect();
            // `1.txt` may be anything.
            is_input |= !file.to_ascii_lowercase().ends_with(".txt");
            let mut outputs = (rule.outputs)(&parts).into_iter();
            let output = match no_outputs {
                true => None,
                false => Some(outputs.find(|name| name != file && exists(name))?),
            };
            let (subtask, id) = (rule.numbers)(&parts);
            Some(Found {
                input: file.clone(),
                output,
                subtask,
                id,
                aggregation: (rule.aggregation)(&parts),
            })
        });
        match case {
            Some(case) => found.push(case),
            None if is_input => without_output.push(file.clone()),
            None => {}
        }
    }
    (found, without_output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_make_cases_as_in_hydro() {
        use Aggregation::{Min, Sum};
        for (input, output, place) in [
            ("1.in", "1.out", Some((1, 1, Sum))),
            ("1.in", "1.ans", Some((1, 1, Sum))),
            ("file1.in", "file1.out", Some((1, 1, Sum))),
            ("file.in1", "file.ou1", Some((1, 0, Sum))),
            ("FILE.IN1", "FILE.OUT1", Some((1, 0, Sum))),
            ("input1.txt", "output1.txt", Some((1, 1, Sum))),
            ("INPUT1.IN", "OUTPUT1.OUT", Some((1, 1, Sum))),
            ("input1.in", "output1.out", Some((1, 1, Sum))),
            ("input/data.in2", "output/data.out2", Some((1, 0, Sum))),
            ("data.1.in", "data.1.out", Some((1, 1, Sum))),
            ("1.in.txt", "1.out.txt", Some((1, 1, Sum))),
            ("1.txt", "1.out", Some((1, 1, Sum))),
            ("1_1.in", "1_1.out", Some((1, 1, Min))),
            ("a01_02.in", "a01_02.out", Some((1, 2, Min))),
            ("a3-1.in", "a3-1.out", Some((3, 1, Min))),
            ("subtask_2_1.in", "subtask_2_1.out", Some((2, 1, Min))),
            ("01sample-01.in", "01sample-01.out", Some((1, 1, Sum))),
            ("2-sample.in", "2-sample.ans", Some((1, 2, Sum))),
            ("sample.in", "sample.out", None),
            ("1.in", "2.out", None),
            ("input/1.in", "output/1.out", None),
        ] {
            let files = [input, output].map(str::to_owned);
            let (found, _) = match_names(&files, false);
            let places = found
                .iter()
                .map(|case| (case.subtask, case.id, case.aggregation));
            assert_eq!(places.collect::<Vec<_>>(), Vec::from_iter(place), "{input}");
            let outputs = found.iter().map(|case| case.output.as_deref());
            assert!(outputs.flatten().all(|name| name == output), "{input}");
        }
    }

    #[test]
    fn leftover_files_are_ignored() {
        let files = ["1.in", "1.out", "2.in", "sample.in", "3.txt"].map(str::to_owned);
        let (found, without_output) = match_names(&files, false);
        assert_eq!(
            (found.len(), &without_output[..]),
            (1, &["2.in".to_owned()][..])
        );
        let (found, _) = match_names(&files[..3], true);
        assert!(found.len() == 2 && found.iter().all(|case| case.output.is_none()));
    }
}
