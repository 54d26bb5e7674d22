//! The default validator of the ICPC format.
//!
//! Output and answer are split into tokens at white space, and the tokens are compared. The rules
//! are the format's (2025-09, "Default output validator specification"). What the text leaves open
//! follows problemtools' `default_validator` and DOMjudge's `compare`; where these two differ
//! (`inf` and `nan`, NUL bytes, numbers of more than 53 bits) the text decides:
//!
//! - tokens are single bytes split at blank, `\t`, `\n`, `\v`, `\f`, `\r`; nothing else is space;
//! - only ASCII letters have a case;
//! - with a tolerance, an *answer* token that is a number (`number.rs`) requires a number near it;
//!   any other token is compared as text, also `inf` and `nan`;
//! - no byte order mark is skipped.
//!
//! Equal bytes are compared at memory speed; tokens are parsed only where bytes differ. Memory use
//! is two buffers, independent of the size of files and tokens.

use super::flags::Flags;
use super::matching::{Fold, common_prefix};
use super::number::{self, Scan};
use super::source::{Source, Window, is_space};
use judge_package::NumberSyntax;
use std::io;

/// Tokens up to this length are buffered whole to be parsed as numbers.
const SHORT_TOKEN: usize = 256;

/// The first difference of output and answer, in bytes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mismatch {
    /// Offset of the output's token (or end, or space).
    pub output: u64,
    /// Offset of the answer's token (or end, or space).
    pub answer: u64,
    /// Number of equal bytes from there.
    pub common: u64,
    /// Kind of the difference.
    pub kind: Kind,
}

impl Mismatch {
    /// A difference at these offsets.
    pub(super) fn at(kind: Kind, output: u64, answer: u64) -> Self {
        Mismatch {
            output,
            answer,
            common: 0,
            kind,
        }
    }
}

/// Kind of a difference.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// Two tokens.
    Token,
    /// The answer has a number, the output has not.
    NotANumber,
    /// Two numbers: the answer's and the output's.
    TooFar(f64, f64),
    /// The output ends before the answer.
    Missing,
    /// The output continues after the answer's end.
    Extra,
    /// White space that must be equal.
    Space,
    /// Any byte, in an exact comparison.
    Byte,
}

/// Compares `output` with `answer`; `None` when the output is accepted.
///
/// # Errors
///
/// When reading fails.
///
/// ```
/// use judge_core::checker::{Flags, default};
/// let flags = Flags::parse(&["float_tolerance", "1e-6"]).unwrap();
/// let differ = |output: &str, answer: &str| {
///     default::compare(output.as_bytes(), answer.as_bytes(), &flags).unwrap()
/// };
/// assert!(differ("YES  1.0000001\r\n", "yes 1\n").is_none());
/// assert!(differ("yes 1.1\n", "yes 1\n").is_some());
/// ```
pub fn compare<'a>(
    output: impl Into<Source<'a>>,
    answer: impl Into<Source<'a>>,
    flags: &Flags,
) -> io::Result<Option<Mismatch>> {
    let (output, answer) = (output.into(), answer.into());
    let fold = Fold {
        case: !flags.case_sensitive,
        space: !flags.space_change_sensitive,
    };
    let mut output = Window::new(output);
    let mut answer = Window::new(answer);
    // Number of bytes of the current token that were read; the same on both sides.
    let mut inside = 0_u64;
    loop {
        output.fill()?;
        answer.fill()?;
        let n = common_prefix(output.rest(), answer.rest(), fold);
        if n > 0 {
            let tail = token_bytes_at_end(&answer.rest()[..n]);
            inside = if tail == n {
                inside + n as u64
            } else {
                tail as u64
            };
            output.advance(n);
            answer.advance(n);
            continue;
        }
        // The two differ here, or one is at its end.
        let (found, expected) = (output.peek()?, answer.peek()?);
        let (found_ends, expected_ends) =
            (found.is_none_or(is_space), expected.is_none_or(is_space));
        let in_token = inside > 0 && !(found_ends && expected_ends);
        let kind = if in_token || !found_ends && !expected_ends {
            let start = Mismatch {
                output: output.offset() - inside,
                answer: answer.offset() - inside,
                common: inside,
                kind: Kind::Token,
            };
            if !flags.compares_numbers() {
                return Ok(Some(start));
            }
            output.seek(start.output);
            answer.seek(start.answer);
            if let Some(kind) = compare_tokens(&mut output, &mut answer, flags)? {
                return Ok(Some(Mismatch { kind, ..start }));
            }
            None
        } else if fold.space {
            let place = (output.offset(), answer.offset());
            match (output.skip_space()?, answer.skip_space()?) {
                (None, None) => return Ok(None),
                (None, Some(_)) => Some(Kind::Missing),
                (Some(_), None) => Some(Kind::Extra),
                (Some(_), Some(_)) => {
                    debug_assert!((output.offset(), answer.offset()) != place);
                    None
                }
            }
        } else {
            match (found, expected) {
                (None, None) => return Ok(None),
                (None, Some(_)) if !expected_ends => Some(Kind::Missing),
                (Some(_), None) if !found_ends => Some(Kind::Extra),
                _ => Some(Kind::Space),
            }
        };
        if let Some(kind) = kind {
            return Ok(Some(Mismatch::at(kind, output.offset(), answer.offset())));
        }
        inside = 0;
    }
}

/// Number of bytes at the end of `bytes` that belong to a token.
fn token_bytes_at_end(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .rev()
        .take_while(|&&byte| !is_space(byte))
        .count()
}

/// Compares two tokens that differ as text, and advances to their ends.
fn compare_tokens(
    output: &mut Window<'_>,
    answer: &mut Window<'_>,
    flags: &Flags,
) -> io::Result<Option<Kind>> {
    let Some(expected) = read_number(answer, flags.numbers)? else {
        return Ok(Some(Kind::Token));
    };
    let Some(found) = read_number(output, flags.numbers)? else {
        return Ok(Some(Kind::NotANumber));
    };
    Ok((!flags.is_near(expected, found)).then_some(Kind::TooFar(expected, found)))
}

/// Parses the token at the cursor as a number and advances to its end.
fn read_number(window: &mut Window<'_>, syntax: NumberSyntax) -> io::Result<Option<f64>> {
    window.fill()?;
    // Common case: a short token entirely in the buffer.
    let rest = window.rest();
    let head = &rest[..rest.len().min(SHORT_TOKEN)];
    if let Some(end) = head.iter().position(|&byte| is_space(byte)) {
        let value = number::parse(&head[..end], syntax);
        window.advance(end);
        return Ok(value);
    }
    let mut scan = Scan::new(syntax);
    window.token(|piece| scan.feed(piece))?;
    Ok(scan.finish())
}
