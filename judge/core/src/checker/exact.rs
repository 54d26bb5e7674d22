//! The exact comparison, byte by byte.

use super::default::{Kind, Mismatch};
use super::matching::identical_prefix;
use super::source::{Source, Window};
use std::io;

/// Compares `output` with `answer`; `None` when they are equal byte by byte.
pub fn compare<'a>(
    output: impl Into<Source<'a>>,
    answer: impl Into<Source<'a>>,
) -> io::Result<Option<Mismatch>> {
    let (mut output, mut answer) = (Window::new(output.into()), Window::new(answer.into()));
    loop {
        output.fill()?;
        answer.fill()?;
        let n = identical_prefix(output.rest(), answer.rest());
        output.advance(n);
        answer.advance(n);
        if n > 0 {
            continue;
        }
        let kind = match (output.peek()?, answer.peek()?) {
            (None, None) => return Ok(None),
            (None, Some(_)) => Kind::Missing,
            (Some(_), None) => Kind::Extra,
            (Some(_), Some(_)) => Kind::Byte,
        };
        return Ok(Some(Mismatch::at(kind, output.offset(), answer.offset())));
    }
}
