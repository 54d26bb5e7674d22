//! DMOJ's `floats`, `floatsabs` and `floatsrel`: numbers within a tolerance, in lines of tokens.

use super::super::default::{Kind, Mismatch};
use super::super::source::{Source, Window, is_space};
use judge_package::FloatMode;
use std::io;

/// Longer tokens are text.
const MAX_NUMBER_BYTES: usize = 1 << 20;

/// Compares as many lines with as many tokens. Empty lines do not count; a line of blanks does.
pub fn compare(
    output: Source<'_>,
    answer: Source<'_>,
    tolerance: f64,
    mode: FloatMode,
) -> io::Result<Option<Mismatch>> {
    let (mut found, mut wanted) = (Tokens::new(output), Tokens::new(answer));
    loop {
        let at = |kind, found: &Tokens<'_>, wanted: &Tokens<'_>| {
            Ok(Some(Mismatch::at(
                kind,
                found.window.offset(),
                wanted.window.offset(),
            )))
        };
        match (found.next_line()?, wanted.next_line()?) {
            (false, false) => return Ok(None),
            (false, true) => return at(Kind::Missing, &found, &wanted),
            (true, false) => return at(Kind::Extra, &found, &wanted),
            (true, true) => {}
        }
        loop {
            match (found.next_in_line()?, wanted.next_in_line()?) {
                (false, false) => break,
                (true, true) => {}
                _ => return at(Kind::Space, &found, &wanted),
            }
            let start = (found.window.offset(), wanted.window.offset());
            found.read()?;
            wanted.read()?;
            if let Some(kind) = differ(&found.token, &wanted.token, tolerance, mode) {
                let pairs = found.token.iter().zip(&wanted.token);
                let common = pairs.take_while(|(a, b)| a == b).count();
                return Ok(Some(Mismatch {
                    common: common as u64,
                    ..Mismatch::at(kind, start.0, start.1)
                }));
            }
        }
    }
}

/// Reads the tokens of lines.
struct Tokens<'a> {
    window: Window<'a>,
    token: Vec<u8>,
}

const fn is_break(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

impl<'a> Tokens<'a> {
    fn new(source: Source<'a>) -> Self {
        Tokens {
            window: Window::new(source),
            token: Vec::new(),
        }
    }

    /// Skips the bytes for which `skips` holds; returns the next one.
    fn skip(&mut self, skips: fn(u8) -> bool) -> io::Result<Option<u8>> {
        while let Some(byte) = self.window.peek()? {
            if !skips(byte) {
                return Ok(Some(byte));
            }
            self.window.advance(1);
        }
        Ok(None)
    }

    /// Whether another line follows that is not empty.
    fn next_line(&mut self) -> io::Result<bool> {
        Ok(self.skip(is_break)?.is_some())
    }

    /// Whether another token follows in the line.
    fn next_in_line(&mut self) -> io::Result<bool> {
        let next = self.skip(|byte| is_space(byte) && !is_break(byte))?;
        Ok(next.is_some_and(|byte| !is_break(byte)))
    }

    fn read(&mut self) -> io::Result<()> {
        self.token.clear();
        let token = &mut self.token;
        self.window.token(|piece| token.extend_from_slice(piece))
    }
}

/// How two tokens differ: if the answer's is a number, the output's must be one near it.
fn differ(found: &[u8], wanted: &[u8], tolerance: f64, mode: FloatMode) -> Option<Kind> {
    let is_plain = |byte: &u8| !byte.is_ascii_alphabetic();
    // Infinities and NaN are equal as text, but not as numbers.
    if found == wanted && wanted.len() < 300 && wanted.iter().all(is_plain) {
        return None;
    }
    let Some(expected) = number(wanted) else {
        return (found != wanted).then_some(Kind::Token);
    };
    let Some(given) = number(found) else {
        return Some(Kind::NotANumber);
    };
    (!is_near(given, expected, tolerance, mode)).then_some(Kind::TooFar(expected, given))
}

/// The number that Python's `float` reads.
fn number(token: &[u8]) -> Option<f64> {
    let text = str::from_utf8(token).ok()?;
    if text.len() > MAX_NUMBER_BYTES {
        return None;
    }
    if !text.contains('_') {
        return text.parse().ok();
    }
    // A `_` may separate two digits.
    let digit = |at: usize| token.get(at).is_some_and(u8::is_ascii_digit);
    let separates = |(at, _): (usize, _)| at > 0 && digit(at - 1) && digit(at + 1);
    if !text.match_indices('_').all(separates) {
        return None;
    }
    text.replace('_', "").parse().ok()
}

/// Whether a number is near enough, with the operations of DMOJ's judge: NaN never is, and an infinity
/// only by its relative error.
fn is_near(found: f64, wanted: f64, tolerance: f64, mode: FloatMode) -> bool {
    let is_absolutely = (found - wanted).abs() <= tolerance;
    match mode {
        FloatMode::Absolute => is_absolutely,
        FloatMode::Relative => {
            let (a, b) = (wanted * (1.0 - tolerance), wanted * (1.0 + tolerance));
            let (least, most) = (if b < a { b } else { a }, if b > a { b } else { a });
            least <= found && found <= most
        }
        FloatMode::Either => {
            is_absolutely || wanted.abs() >= tolerance && (1.0 - found / wanted).abs() <= tolerance
        }
    }
}
