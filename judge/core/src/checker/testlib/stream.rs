//! Reads tokens and lines as testlib's `InStream` does.
//!
//! White space is blank, tab, line feed and carriage return; other control characters belong to tokens.

use super::super::default::{Kind, Mismatch};
use super::super::escape;
use super::super::number;
use super::super::outcome::Judgement;
use super::super::source::{Source, Window};
use std::io;

/// testlib's limit of the length of a token, in bytes.
const MAX_TOKEN: usize = 32 << 20;
/// Maximum number of bytes of a token in a message.
const SHOWN: usize = 40;

/// Why a checker ends before it has compared both texts.
pub enum Stop {
    /// The output is rejected, with a message.
    Rejected(Judgement, String),
    /// The output differs from the answer here.
    Differs(Mismatch),
    /// The answer file is not what the checker compares with.
    Answer(String),
    /// Reading fails.
    Io(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::Io(error)
    }
}

impl Stop {
    /// A wrong answer.
    pub fn wrong(message: impl Into<String>) -> Self {
        Stop::Rejected(Judgement::Rejected, message.into())
    }

    /// testlib's "wrong output format".
    pub fn format(message: impl Into<String>) -> Self {
        Stop::Rejected(Judgement::PresentationError, message.into())
    }
}

/// Which text a stream reads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Output,
    Answer,
}

pub struct Stream<'a> {
    window: Window<'a>,
    role: Role,
    /// The line of the next byte, from 1, and the offset of its start.
    line: u64,
    line_start: u64,
    /// The last token, its offset, and its line and column.
    pub token: Vec<u8>,
    pub token_start: u64,
    token_place: (u64, u64),
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

impl<'a> Stream<'a> {
    /// A stream at the start of a text; a byte order mark of an output is skipped.
    pub fn new(source: Source<'a>, role: Role) -> io::Result<Self> {
        let mut stream = Stream {
            window: Window::new(source),
            role,
            line: 1,
            line_start: 0,
            token: Vec::new(),
            token_start: 0,
            token_place: (1, 1),
        };
        let mut start = [0; 3];
        if role == Role::Output && source.read_at(&mut start, 0)? == 3 && start == *b"\xef\xbb\xbf"
        {
            stream.window.fill()?;
            stream.window.advance(3);
        }
        Ok(stream)
    }

    /// The offset of the next byte.
    pub fn offset(&self) -> u64 {
        self.window.offset()
    }

    fn next(&mut self) -> io::Result<Option<u8>> {
        let byte = self.window.peek()?;
        if byte.is_some() {
            self.window.advance(1);
        }
        if byte == Some(b'\n') {
            self.line += 1;
            self.line_start = self.window.offset();
        }
        Ok(byte)
    }

    /// Whether no byte follows.
    pub fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(self.window.peek()?.is_none())
    }

    /// Skips white space; returns whether nothing else follows.
    pub fn only_space_follows(&mut self) -> io::Result<bool> {
        while let Some(byte) = self.window.peek()? {
            if !is_blank(byte) {
                return Ok(false);
            }
            self.next()?;
        }
        Ok(true)
    }

    /// Reads the next token into [`Stream::token`].
    pub fn read_token(&mut self, expected: &str) -> Result<(), Stop> {
        let is_end = self.only_space_follows()?;
        self.token.clear();
        self.token_start = self.offset();
        self.token_place = (self.line, self.token_start - self.line_start + 1);
        if is_end {
            return Err(self.malformed(expected));
        }
        loop {
            self.window.fill()?;
            let rest = self.window.rest();
            let end = rest.iter().position(|&byte| is_blank(byte));
            let n = end.unwrap_or(rest.len());
            self.token.extend_from_slice(&rest[..n]);
            self.window.advance(n);
            if self.token.len() > MAX_TOKEN {
                self.token.truncate(SHOWN + 1);
                return Err(self.malformed("a token of at most 32 MiB"));
            }
            if end.is_some() || n == 0 {
                return Ok(());
            }
        }
    }

    /// The failure of the last token to be what the checker expects.
    pub fn malformed(&self, expected: &str) -> Stop {
        let (line, column) = self.token_place;
        let shown = &self.token[..self.token.len().min(SHOWN)];
        let found = match self.token.is_empty() {
            true => "the end".to_owned(),
            false if shown.len() < self.token.len() => format!("\"{}…\"", escape(shown)),
            false => format!("\"{}\"", escape(shown)),
        };
        let what = format!("line {line}, column {column}: expected {expected}, found {found}");
        match self.role {
            Role::Output => Stop::format(what),
            Role::Answer => Stop::Answer(what),
        }
    }

    /// Reads an integer of 64 bits, without leading zeros or a plus.
    pub fn long(&mut self) -> Result<i64, Stop> {
        self.read_token("an integer")?;
        integer(&self.token).ok_or_else(|| self.malformed("an integer of 64 bits"))
    }

    /// Parses the last token as an integer; a NUL byte ends it.
    pub fn token_as_long(&self) -> Result<i64, Stop> {
        let text = self.token.split(|&byte| byte == 0).next();
        integer(text.unwrap_or_default()).ok_or_else(|| self.malformed("an integer of 64 bits"))
    }

    /// Reads an integer of 32 bits.
    pub fn int(&mut self) -> Result<i32, Stop> {
        let long = self.long()?;
        i32::try_from(long).map_err(|_| self.malformed("an integer of 32 bits"))
    }

    /// Reads a decimal number; one that is too large is infinite.
    pub fn double(&mut self) -> Result<f64, Stop> {
        self.read_token("a number")?;
        let is_decimal = |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'-' | b'+');
        let value = match self.token.iter().all(is_decimal) {
            true => number::parse_extended(&self.token),
            false => None,
        };
        value.ok_or_else(|| self.malformed("a number"))
    }

    /// Reads the next byte of the current line; `None` at its end, which is consumed. Like testlib, it
    /// drops a carriage return that does not end the line, and takes the next byte without looking at it.
    pub fn line_byte(&mut self) -> io::Result<Option<u8>> {
        match self.window.peek()? {
            None => Ok(None),
            Some(b'\n') => {
                self.next()?;
                Ok(None)
            }
            Some(b'\r') => {
                self.next()?;
                if self.window.peek()? == Some(b'\n') {
                    self.next()?;
                    return Ok(None);
                }
                Ok(Some(self.next()?.unwrap_or(0xff)))
            }
            _ => self.next(),
        }
    }
}

/// The integer that testlib reads from a token: at most 20 bytes, no leading zeros, no `-0`.
fn integer(token: &[u8]) -> Option<i64> {
    let digits = token.strip_prefix(b"-").unwrap_or(token);
    let is_plain = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let is_canonical = digits.first() != Some(&b'0') || token == b"0";
    if !is_plain || !is_canonical || token.len() > 20 {
        return None;
    }
    str::from_utf8(token).ok()?.parse().ok()
}

/// The difference of the last tokens of both streams.
pub fn tokens_differ(output: &Stream<'_>, answer: &Stream<'_>, kind: Kind) -> Stop {
    let common = output
        .token
        .iter()
        .zip(&answer.token)
        .take_while(|(a, b)| a == b)
        .count();
    Stop::Differs(Mismatch {
        common: common as u64,
        ..Mismatch::at(kind, output.token_start, answer.token_start)
    })
}

#[cfg(test)]
mod tests {
    use super::integer;

    #[test]
    fn integers_have_one_form() {
        for (token, expected) in [
            ("0", Some(0)),
            ("-7", Some(-7)),
            ("9223372036854775807", Some(i64::MAX)),
            ("-9223372036854775808", Some(i64::MIN)),
            ("9223372036854775808", None),
            ("-0", None),
            ("00", None),
            ("007", None),
            ("-01", None),
            ("+1", None),
            ("-", None),
            ("--1", None),
            ("1.0", None),
            ("000000000000000000001", None),
        ] {
            assert_eq!(integer(token.as_bytes()), expected, "{token}");
        }
    }
}
