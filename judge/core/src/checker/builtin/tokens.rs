//! Equal tokens of the built-in comparisons.

use super::super::default::{Kind, Mismatch};
use super::super::matching::identical_prefix;
use super::super::source::{Window, is_space};
use std::io;

/// Advances to the ends of two tokens while they are equal.
pub fn same_tokens(
    found: &mut Window<'_>,
    wanted: &mut Window<'_>,
) -> io::Result<Option<Mismatch>> {
    let mismatch = Mismatch::at(Kind::Token, found.offset(), wanted.offset());
    loop {
        found.fill()?;
        wanted.fill()?;
        let n = identical_prefix(found.rest(), wanted.rest());
        if let Some(end) = found.rest()[..n].iter().position(|&byte| is_space(byte)) {
            found.advance(end);
            wanted.advance(end);
            return Ok(None);
        }
        found.advance(n);
        wanted.advance(n);
        let (a, b) = (found.peek()?, wanted.peek()?);
        match (a.is_none_or(is_space), b.is_none_or(is_space)) {
            (true, true) => return Ok(None),
            (false, false) if a == b => {}
            _ => {
                return Ok(Some(Mismatch {
                    common: found.offset() - mismatch.output,
                    ..mismatch
                }));
            }
        }
    }
}
