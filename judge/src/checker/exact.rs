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
    let (output, answer) = (output.into(), answer.into());
    let mut output = Window::new(output);
    let mut answer = Window::new(answer);
    loop {
        output.fill()?;
        answer.fill()?;
        let n = identical_prefix(output.rest(), answer.rest());
        if n == 0 {
            let kind = match (output.rest().is_empty(), answer.rest().is_empty()) {
                (true, true) => return Ok(None),
                (true, false) => Kind::Missing,
                (false, true) => Kind::Extra,
                (false, false) => Kind::Byte,
            };
            return Ok(Some(Mismatch::at(kind, output.offset(), answer.offset())));
        }
        output.advance(n);
        answer.advance(n);
    }
}
