//! Tokens of the built-in comparisons: equal texts, or numbers within a tolerance.

use super::super::default::{Kind, Mismatch};
use super::super::matching::identical_prefix;
use super::super::source::{Window, is_space};
use judge_package::FloatMode;
use std::io;

/// Longer tokens are not numbers.
const MAX_NUMBER_BYTES: usize = 4096;

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

pub fn near_tokens(
    found: &mut Window<'_>,
    wanted: &mut Window<'_>,
    tolerance: f64,
    mode: FloatMode,
) -> io::Result<Option<Mismatch>> {
    let Some(mut mismatch) = same_tokens(found, wanted)? else {
        return Ok(None);
    };
    found.seek(mismatch.output);
    wanted.seek(mismatch.answer);
    match (number(found)?, number(wanted)?) {
        (Some(a), Some(b)) if is_near(a, b, tolerance, mode) => return Ok(None),
        (Some(a), Some(b)) => mismatch.kind = Kind::TooFar(b, a),
        (None, Some(_)) => mismatch.kind = Kind::NotANumber,
        (_, None) => {}
    }
    Ok(Some(mismatch))
}

fn number(window: &mut Window<'_>) -> io::Result<Option<f64>> {
    let mut token = Vec::new();
    window.token(|piece| {
        if token.len() <= MAX_NUMBER_BYTES {
            token.extend_from_slice(&piece[..piece.len().min(MAX_NUMBER_BYTES + 1)]);
        }
    })?;
    let text = str::from_utf8(&token)
        .ok()
        .filter(|text| text.len() <= MAX_NUMBER_BYTES);
    Ok(text
        .and_then(|text| text.parse::<f64>().ok())
        .filter(|value| value.is_finite()))
}

fn is_near(found: f64, wanted: f64, tolerance: f64, mode: FloatMode) -> bool {
    let absolute = (found - wanted).abs() <= tolerance;
    let relative = (found - wanted).abs() <= tolerance * wanted.abs();
    match mode {
        FloatMode::Absolute => absolute,
        FloatMode::Relative => relative,
        FloatMode::Either => absolute || relative,
    }
}
