//! Compares the samples that a statement shows with those of the data.

use super::Statement;
use crate::error::PackageError;
use crate::model::TestCase;
use std::fs;

/// Samples up to this size are compared.
const MAX_BYTES: u64 = 64 << 10;

/// A block of text under the heading of a sample, and where it begins.
struct Block {
    at: usize,
    text: String,
    is_input: bool,
}

/// The findings about the samples.
pub fn check(statement: &Statement<'_>) -> Vec<PackageError> {
    let cases = statement.package.cases();
    let samples: Vec<&TestCase> = cases.into_iter().filter(|case| case.sample).collect();
    let mark = if statement.is_tex() {
        "\\nextsample"
    } else {
        "{{nextsample}}"
    };
    let mut marks = statement.text.match_indices(mark);
    if let Some((at, _)) = marks.nth(samples.len()) {
        let what = format!("shows more samples than the {} of the data", samples.len());
        let remedy = format!("remove `{mark}`, or add a sample");
        return vec![statement.at(at, what).remedy(remedy)];
    }
    // Older packages of Polygon do not say which tests are samples.
    let is_unknown = samples.is_empty() && statement.package.format == "Polygon";
    if statement.package.kind.interactive || is_unknown {
        return Vec::new();
    }
    let blocks = match statement.is_tex() {
        true => tex(statement.text),
        false => markdown(statement.text),
    };
    compare(statement, &samples, &blocks)
}

fn compare(
    statement: &Statement<'_>,
    samples: &[&TestCase],
    blocks: &[Block],
) -> Vec<PackageError> {
    let inputs: Vec<&Block> = blocks.iter().filter(|block| block.is_input).collect();
    let outputs: Vec<&Block> = blocks.iter().filter(|block| !block.is_input).collect();
    let Some(first) = inputs.first() else {
        return Vec::new();
    };
    if inputs.len() != samples.len() {
        let what = format!(
            "shows {} as text, but the data has {}",
            counted(inputs.len()),
            counted(samples.len())
        );
        let remedy = "show all samples of `data/sample`, and no other";
        return vec![statement.at(first.at, what).remedy(remedy)];
    }
    let mut findings = Vec::new();
    for (k, sample) in samples.iter().enumerate() {
        let answer = sample.output.as_deref().or(sample.answer.as_deref());
        let pairs = [
            (inputs.get(k), Some(&*sample.input)),
            (outputs.get(k), answer),
        ];
        for (block, file) in pairs {
            let (Some(block), Some(file)) = (block, file) else {
                continue;
            };
            if file.metadata().map_or(u64::MAX, |metadata| metadata.len()) > MAX_BYTES {
                continue;
            }
            let Ok(data) = fs::read_to_string(file) else {
                continue;
            };
            if let Some((line, shown, own)) = first_difference(&block.text, &data) {
                let what = format!(
                    "shows another text than {}: line {line} is `{shown}`, not `{own}`",
                    file.display()
                );
                findings.push(
                    statement
                        .at(block.at, what)
                        .remedy("copy the text of the file"),
                );
            }
        }
    }
    findings
}

fn counted(samples: usize) -> String {
    match samples {
        0 => "no sample".to_owned(),
        1 => "one sample".to_owned(),
        more => format!("{more} samples"),
    }
}

/// The first line that differs in more than white space at its end.
fn first_difference<'t>(shown: &'t str, data: &'t str) -> Option<(usize, &'t str, &'t str)> {
    let (mut shown, mut data) = (shown.trim_end().lines(), data.trim_end().lines());
    let mut number = 0;
    loop {
        number += 1;
        match (shown.next(), data.next()) {
            (None, None) => return None,
            (a, b) => {
                let (a, b) = (a.unwrap_or_default().trim(), b.unwrap_or_default().trim());
                if a != b {
                    return Some((number, a, b));
                }
            }
        }
    }
}

/// The code blocks under headings like `## Sample Input 1`.
fn markdown(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut heading = None;
    let mut lines = text.split_inclusive('\n');
    let mut at = 0;
    while let Some(line) = lines.next() {
        let start = at;
        at += line.len();
        if line.starts_with('#') {
            heading = kind_of(line);
        } else if let (Some(is_input), Some(fence)) = (heading, fence(line)) {
            let mut block = String::new();
            for line in lines.by_ref() {
                at += line.len();
                if line.trim_start().starts_with(fence) {
                    break;
                }
                block.push_str(line);
            }
            blocks.push(Block {
                at: start,
                text: block,
                is_input,
            });
            heading = None;
        }
    }
    blocks
}

fn fence(line: &str) -> Option<&'static str> {
    ["```", "~~~"]
        .into_iter()
        .find(|fence| line.trim_start().starts_with(fence))
}

/// Whether a heading is that of a sample's input; `None` if it is not one of a sample.
fn kind_of(heading: &str) -> Option<bool> {
    let heading = heading.to_lowercase();
    let is_sample = heading.contains("sample") || heading.contains("example");
    match (heading.contains("input"), heading.contains("output")) {
        (true, false) if is_sample => Some(true),
        (false, true) if is_sample => Some(false),
        _ => None,
    }
}

/// The arguments of `\exmp{INPUT}{OUTPUT}`.
fn tex(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (at, command) in text.match_indices("\\exmp{") {
        let rest = &text[at + command.len()..];
        let Some((input, rest)) = rest.split_once('}') else {
            continue;
        };
        let output = rest
            .trim_start()
            .strip_prefix('{')
            .and_then(|rest| rest.split_once('}'));
        let texts = [Some(input), output.map(|(output, _)| output)];
        for (text, is_input) in texts.into_iter().flatten().zip([true, false]) {
            blocks.push(Block {
                at,
                text: text.trim_start().to_owned(),
                is_input,
            });
        }
    }
    blocks
}
