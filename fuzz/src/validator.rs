//! Fuzzes the default validator of the judge, against the simplest possible implementation.

use judge_core::checker::{Flags, default, exact, locate};

/// Compares two texts with flags, all derived from `data`.
///
/// # Panics
///
/// If the validator differs from the simple one, or rejects a text against itself.
pub fn compare(data: &[u8]) {
    let Some((&choice, rest)) = data.split_first() else {
        return;
    };
    let flags = Flags {
        case_sensitive: choice & 1 != 0,
        space_change_sensitive: choice & 2 != 0,
        relative: (choice & 4 != 0).then_some(1e-6),
        absolute: (choice & 8 != 0).then_some(0.5),
        ..Flags::default()
    };
    // The texts: the bytes before and after a 0xff; half of them share a prefix.
    let cut = rest
        .iter()
        .position(|&byte| byte == 0xff)
        .unwrap_or(rest.len() / 2);
    let (answer, mut output) = (rest[..cut].to_vec(), rest[cut..].to_vec());
    if choice & 16 != 0 {
        let (at, flip) = (
            output.first().copied().unwrap_or(0),
            output.get(1).copied().unwrap_or(0),
        );
        output.clone_from(&answer);
        if let Some(byte) = output.get_mut(usize::from(at)) {
            *byte ^= flip;
        }
    }
    if choice >> 5 == 1 {
        // Rarely, texts longer than a buffer, so that the difference crosses a buffer boundary;
        // they are slow.
        let fill = b"12 ab\n".repeat(131_072 / 6);
        check(
            &[&fill[..], &answer].concat(),
            &[&fill[..], &output].concat(),
            &flags,
        );
    }
    check(&answer, &output, &flags);
}

fn check(answer: &[u8], output: &[u8], flags: &Flags) {
    let judged =
        |output: &[u8]| default::compare(output, answer, flags).expect("read from a slice");
    assert_eq!(judged(answer), None, "a text is accepted against itself");
    let mismatch = judged(output);
    if let Some(mismatch) = &mismatch {
        let message = locate(output, answer, mismatch)
            .expect("read from a slice")
            .to_string();
        assert!(!message.chars().any(char::is_control), "{message:?}");
        assert!(message.len() < 1000, "{message:?}");
    }
    let same = exact::compare(output, answer)
        .expect("read from a slice")
        .is_none();
    assert_eq!(same, output == answer);
    if let Some(expected) = plain(answer, output, flags) {
        let texts = (
            answer.escape_ascii().to_string(),
            output.escape_ascii().to_string(),
        );
        assert_eq!(
            mismatch.is_none(),
            expected,
            "{texts:?} {flags:?} {mismatch:?}"
        );
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Alternating white space and tokens, beginning with white space (which may be empty).
fn pieces(text: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    let (mut start, mut space) = (0, true);
    for at in 0..=text.len() {
        if at == text.len() || is_space(text[at]) != space {
            pieces.push(&text[start..at]);
            (start, space) = (at, !space);
        }
    }
    pieces
}

/// Whether the output is correct; `None` if reading its numbers is not simple.
fn plain(answer: &[u8], output: &[u8], flags: &Flags) -> Option<bool> {
    let (wanted, found) = (pieces(answer), pieces(output));
    let tokens = |pieces: &[&[u8]]| -> Vec<Vec<u8>> {
        pieces
            .iter()
            .skip(1)
            .step_by(2)
            .map(|token| token.to_vec())
            .collect()
    };
    let spaces = |pieces: &[&[u8]]| -> Vec<Vec<u8>> {
        pieces
            .iter()
            .step_by(2)
            .filter(|s| !s.is_empty())
            .map(|space| space.to_vec())
            .collect()
    };
    let (wanted_tokens, found_tokens) = (tokens(&wanted), tokens(&found));
    let mut right = wanted_tokens.len() == found_tokens.len();
    for (wanted, found) in wanted_tokens.iter().zip(&found_tokens) {
        right &= plain_token(wanted, found, flags)?;
    }
    if flags.space_change_sensitive {
        right &= spaces(&wanted) == spaces(&found)
            && answer.first().is_some_and(|&b| is_space(b))
                == output.first().is_some_and(|&b| is_space(b));
    }
    Some(right)
}

fn plain_token(wanted: &[u8], found: &[u8], flags: &Flags) -> Option<bool> {
    let text = match flags.case_sensitive {
        true => wanted == found,
        false => wanted.eq_ignore_ascii_case(found),
    };
    if !flags.compares_numbers() {
        return Some(text);
    }
    match (number(wanted)?, number(found)?) {
        (Some(wanted), Some(found)) => Some(flags.is_near(wanted, found)),
        (Some(_), None) => Some(false),
        (None, _) => Some(text),
    }
}

/// A number, text, or (`None`) a special case that only the validator's own tests cover:
/// hexadecimal numbers, an exponent without digits, NUL bytes.
fn number(token: &[u8]) -> Option<Option<f64>> {
    let odd = token.iter().any(|byte| matches!(byte, 0 | b'x' | b'X'))
        || matches!(token.last(), Some(b'e' | b'E' | b'+' | b'-'));
    if odd {
        return None;
    }
    let text = str::from_utf8(token).ok();
    Some(
        text.and_then(|text| text.parse::<f64>().ok())
            .filter(|value| value.is_finite()),
    )
}
