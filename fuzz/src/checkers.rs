//! Fuzzes the comparisons of other judges, against a simple implementation where there is one.

use judge_core::checker::{Judgement, Outcome, builtin};
use judge_package::{BuiltinChecker, FloatMode};

/// Compares two texts derived from `data` with every comparison.
///
/// # Panics
///
/// If a comparison rejects a text against itself, or differs from its simple implementation.
pub fn compare(data: &[u8]) {
    let cut = data
        .iter()
        .position(|&byte| byte == 0xff)
        .unwrap_or(data.len() / 2);
    let (answer, output) = (&data[..cut], &data[(cut + 1).min(data.len())..]);
    let floats = |tolerance, mode| BuiltinChecker::Floats { tolerance, mode };
    for checker in [
        BuiltinChecker::Standard,
        BuiltinChecker::Easy,
        floats(1e-3, FloatMode::Either),
        floats(0.5, FloatMode::Absolute),
        floats(1e-6, FloatMode::Relative),
        BuiltinChecker::Identical { presentation: true },
        BuiltinChecker::Identical {
            presentation: false,
        },
        BuiltinChecker::Linecount,
        BuiltinChecker::RStripped,
        BuiltinChecker::EveryLine { blank: true },
        BuiltinChecker::EveryLine { blank: false },
        BuiltinChecker::HydroLines { strict: true },
        BuiltinChecker::HydroLines { strict: false },
        BuiltinChecker::Sorted { lines: true },
        BuiltinChecker::Sorted { lines: false },
        BuiltinChecker::Unordered,
    ] {
        let itself = judge(answer, answer, checker);
        // Infinities and NaN are not near themselves.
        let is_near_itself = !matches!(checker, BuiltinChecker::Floats { .. });
        assert!(
            itself.judgement == Judgement::Accepted || !is_near_itself,
            "{checker:?}: against itself"
        );
        let outcome = judge(output, answer, checker);
        if let Some(message) = &outcome.message {
            assert!(message.len() < 1000, "{checker:?}: {message:?}");
            assert!(
                !message.chars().any(char::is_control),
                "{checker:?}: {message:?}"
            );
        }
        if let Some(expected) = plain(output, answer, checker) {
            assert_eq!(
                outcome.judgement == Judgement::Accepted,
                expected,
                "{checker:?}: output {:?}, answer {:?}",
                output.escape_ascii().to_string(),
                answer.escape_ascii().to_string()
            );
        }
    }
}

fn judge(output: &[u8], answer: &[u8], checker: BuiltinChecker) -> Outcome {
    builtin::check(output, answer, checker).expect("read from a slice")
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

fn tokens(text: &[u8]) -> Vec<&[u8]> {
    text.split(|&byte| is_space(byte))
        .filter(|token| !token.is_empty())
        .collect()
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort();
    items
}

/// The lines that are not empty.
fn full_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| matches!(byte, b'\n' | b'\r'))
        .filter(|line| !line.is_empty())
}

/// The tokens of each line that is not empty.
fn token_lines(text: &[u8]) -> Vec<Vec<&[u8]>> {
    full_lines(text).map(tokens).collect()
}

/// The tokens of each line that is not blank.
fn lines_with_tokens(text: &[u8]) -> Vec<Vec<&[u8]>> {
    let mut lines = token_lines(text);
    lines.retain(|line| !line.is_empty());
    lines
}

fn characters(text: &[u8]) -> Vec<u8> {
    let letters = text.iter().filter(|&&byte| !is_space(byte));
    sorted(letters.map(u8::to_ascii_lowercase).collect())
}

/// The text without trailing white space.
fn strip(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|&b| !is_space(b));
    &line[..end.map_or(0, |at| at + 1)]
}

fn trim(line: &[u8]) -> &[u8] {
    let start = line.iter().position(|&b| !is_space(b));
    strip(&line[start.unwrap_or(line.len())..])
}

/// The lines without trailing white space; the empty ones are left out unless `blank`.
fn every_line(text: &[u8], blank: bool) -> Vec<&[u8]> {
    match blank {
        true => text
            .split(|&byte| matches!(byte, b'\n' | b'\r'))
            .map(strip)
            .collect(),
        false => full_lines(text).map(strip).collect(),
    }
}

/// The lines without trailing white space, without empty lines at the end.
fn stripped(text: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = text.split(|&b| b == b'\n').map(strip).collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
}

/// The lines of a text for awk, each without the last of the bytes for which `is_blank` holds.
fn records<'t>(text: &'t [u8], is_blank: fn(u8) -> bool) -> Vec<&'t [u8]> {
    let mut lines: Vec<&'t [u8]> = text.split(|&b| b == b'\n').collect();
    lines.pop_if(|line| line.is_empty());
    let end = |line: &[u8]| line.iter().rposition(|&b| !is_blank(b));
    let strip = |line: &&'t [u8]| &line[..end(line).map_or(0, |at| at + 1)];
    lines.iter().map(strip).collect()
}

/// The lines of Hydro's default checker.
fn without_empty_end(text: &[u8]) -> Vec<&[u8]> {
    let kept = records(text, |byte| byte == b'\r');
    let empty = kept.iter().rev().take_while(|line| line.is_empty()).count();
    let mut lines = records(text, |byte| matches!(byte, b' ' | b'\t' | b'\r'));
    lines.truncate(kept.len() - empty);
    lines
}

/// Whether the output is correct; `None` if there is no simple implementation.
fn plain(output: &[u8], answer: &[u8], checker: BuiltinChecker) -> Option<bool> {
    Some(match checker {
        BuiltinChecker::Standard => lines_with_tokens(output) == lines_with_tokens(answer),
        BuiltinChecker::Easy => characters(output) == characters(answer),
        BuiltinChecker::Floats { .. } => return None,
        BuiltinChecker::Identical { .. } => output == answer,
        BuiltinChecker::Linecount => {
            let trimmed = |text| full_lines(text).map(trim).collect::<Vec<_>>();
            trimmed(output) == trimmed(answer)
        }
        BuiltinChecker::RStripped => stripped(output) == stripped(answer),
        BuiltinChecker::EveryLine { blank } => {
            every_line(output, blank) == every_line(answer, blank)
        }
        BuiltinChecker::HydroLines { strict: true } => {
            let is_return = |byte| byte == b'\r';
            records(output, is_return) == records(answer, is_return)
        }
        BuiltinChecker::HydroLines { strict: false } => {
            without_empty_end(output) == without_empty_end(answer)
        }
        BuiltinChecker::Sorted { lines: true } => {
            sorted(token_lines(output)) == sorted(token_lines(answer))
        }
        BuiltinChecker::Sorted { lines: false } | BuiltinChecker::Unordered => {
            sorted(tokens(output)) == sorted(tokens(answer))
        }
    })
}
