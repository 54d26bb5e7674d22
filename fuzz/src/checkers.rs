//! Fuzzes the comparisons of other judges, against a simple implementation where there is one.

use judge::checker::{Judgement, Outcome, builtin};
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
        BuiltinChecker::Tokens,
        BuiltinChecker::CrlfInsensitive,
        BuiltinChecker::Sorted { lines: true },
        BuiltinChecker::Sorted { lines: false },
        BuiltinChecker::Unordered,
    ] {
        let itself = judge(answer, answer, checker);
        assert_eq!(
            itself.judgement,
            Judgement::Accepted,
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

/// The tokens of each line that is not blank.
fn token_lines(text: &[u8]) -> Vec<Vec<&[u8]>> {
    text.split(|&byte| matches!(byte, b'\n' | b'\r'))
        .map(tokens)
        .filter(|line| !line.is_empty())
        .collect()
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

/// The lines without trailing white space.
fn every_line(text: &[u8], blank: bool) -> Vec<&[u8]> {
    text.split(|&byte| matches!(byte, b'\n' | b'\r'))
        .map(strip)
        .filter(|line| blank || !line.is_empty())
        .collect()
}

/// The lines without trailing white space, without empty lines at the end.
fn stripped(text: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = text.split(|&b| b == b'\n').map(strip).collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
}

/// The text without carriage returns directly before a line feed.
fn without_returns(text: &[u8]) -> Vec<u8> {
    let mut kept = Vec::new();
    for &byte in text {
        if byte == b'\n' {
            while kept.last() == Some(&b'\r') {
                kept.pop();
            }
        }
        kept.push(byte);
    }
    kept
}

/// Whether the output is correct; `None` if there is no simple implementation.
fn plain(output: &[u8], answer: &[u8], checker: BuiltinChecker) -> Option<bool> {
    Some(match checker {
        BuiltinChecker::Standard => token_lines(output) == token_lines(answer),
        BuiltinChecker::Easy => characters(output) == characters(answer),
        BuiltinChecker::Floats { .. } => return None,
        BuiltinChecker::Identical { .. } => output == answer,
        BuiltinChecker::Linecount => token_lines(output) == token_lines(answer),
        BuiltinChecker::RStripped => stripped(output) == stripped(answer),
        BuiltinChecker::EveryLine { blank } => {
            every_line(output, blank) == every_line(answer, blank)
        }
        BuiltinChecker::Tokens => tokens(output) == tokens(answer),
        BuiltinChecker::CrlfInsensitive => without_returns(output) == without_returns(answer),
        BuiltinChecker::Sorted { lines: true } => {
            sorted(token_lines(output)) == sorted(token_lines(answer))
        }
        BuiltinChecker::Sorted { lines: false } | BuiltinChecker::Unordered => {
            sorted(tokens(output)) == sorted(tokens(answer))
        }
    })
}
