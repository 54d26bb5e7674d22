//! The exact comparison, byte by byte.

use super::default::{Kind, Mismatch};
use super::matching::identical_prefix;
use super::source::{Source, Window};
use std::io;

/// Compares `output` with `answer`; `None` when they are equal byte by byte.
///
/// # Errors
///
/// When reading fails.
pub fn compare<'a>(
    output: impl Into<Source<'a>>,
    answer: impl Into<Source<'a>>,
) -> io::Result<Option<Mismatch>> {
    byte_by_byte(output.into(), answer.into(), false)
}

/// The same, but carriage returns before a line feed do not count.
pub(super) fn ignoring_returns(
    output: Source<'_>,
    answer: Source<'_>,
) -> io::Result<Option<Mismatch>> {
    byte_by_byte(output, answer, true)
}

fn byte_by_byte(
    output: Source<'_>,
    answer: Source<'_>,
    ignores_returns: bool,
) -> io::Result<Option<Mismatch>> {
    let (mut output, mut answer) = (Window::new(output), Window::new(answer));
    let next = |window: &mut Window<'_>| match ignores_returns {
        true => skip_returns(window),
        false => window.peek(),
    };
    loop {
        output.fill()?;
        answer.fill()?;
        let n = identical_prefix(output.rest(), answer.rest());
        output.advance(n);
        answer.advance(n);
        if n > 0 {
            continue;
        }
        let (place, answer_place) = (output.offset(), answer.offset());
        let kind = match (next(&mut output)?, next(&mut answer)?) {
            (None, None) => return Ok(None),
            // Behind carriage returns.
            (Some(b'\n'), Some(b'\n')) => continue,
            (None, Some(_)) => Kind::Missing,
            (Some(_), None) => Kind::Extra,
            (Some(_), Some(_)) => Kind::Byte,
        };
        return Ok(Some(Mismatch::at(kind, place, answer_place)));
    }
}

/// The next byte; carriage returns and the line feed after them count as the line feed.
fn skip_returns(window: &mut Window<'_>) -> io::Result<Option<u8>> {
    let byte = window.peek()?;
    let place = window.offset();
    while window.peek()? == Some(b'\r') {
        window.advance(1);
    }
    let next = window.peek()?;
    if next == Some(b'\n') {
        return Ok(next);
    }
    window.seek(place);
    Ok(byte)
}
