//! A buffered source of bytes that tracks line and column.

use super::error::{Expected, Found, ParseError, ReadError};
use super::{BUFFER_BYTES, FIRST_BYTES};
use std::io::{self, Read};

/// The maximum length of a word: longer ones are neither numbers nor keywords, and are truncated.
pub(super) const MAX_WORD_BYTES: usize = 4096;

/// Reads grids, numbers and words from `R` through one buffer of at most [`BUFFER_BYTES`] bytes.
///
/// It never reads from `R` before the buffer is used up, so that an interactive program can answer as
/// soon as a question is complete.
pub struct Input<R> {
    source: R,
    buffer: Vec<u8>,
    /// The unread bytes of `buffer` are `next..filled`.
    pub(super) next: usize,
    filled: usize,
    /// The offset of `buffer[0]` in the input, in bytes.
    before: u64,
    /// The number of the current line, from 1, and the offset of its first byte in the input.
    line: u64,
    line_start: u64,
}

/// A place in the input, both counted from 1.
#[derive(Clone, Copy)]
pub(super) struct Position {
    pub(super) line: u64,
    pub(super) column: u64,
}

pub(super) fn is_blank(byte: u8) -> bool {
    // Data made under DOS can end in the end mark 0x1a.
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0x1a)
}

impl<R: Read> Input<R> {
    /// Reads from `source`, which needs no buffer.
    pub fn new(source: R) -> Self {
        Input {
            source,
            buffer: vec![0; FIRST_BYTES],
            next: 0,
            filled: 0,
            before: 0,
            line: 1,
            line_start: 0,
        }
    }

    /// The next number, such as the count of grids that SPOJ puts first, or `None` if only
    /// blanks are left.
    ///
    /// # Errors
    ///
    /// [`ReadError`] when the source fails or the next word is no number below 2^64.
    pub fn number(&mut self) -> Result<Option<u64>, ReadError> {
        if !self.skip_blanks()? {
            return Ok(None);
        }
        let position = self.position();
        let word = self.word_up_to(MAX_WORD_BYTES)?;
        match word.parse() {
            Ok(number) if word.as_bytes()[0] != b'+' => Ok(Some(number)),
            _ => Err(error_at(
                position,
                Found::word(&word),
                Expected::plain("a number"),
            )),
        }
    }

    /// The next number, which must exist.
    ///
    /// # Errors
    ///
    /// The errors of [`Input::number`], and a [`ParseError`] when nothing but blanks is left.
    pub fn expect_number(&mut self) -> Result<u64, ReadError> {
        let number = self.number()?;
        number.ok_or_else(|| self.error(Found::EndOfInput, Expected::plain("a number")))
    }

    /// The next word, up to a blank or a line end, for grids in no known notation; `None` when nothing
    /// but blanks is left. A byte that is not printable ASCII is read as U+FFFD.
    ///
    /// # Errors
    ///
    /// The source's.
    pub fn word(&mut self) -> Result<Option<String>, ReadError> {
        match self.skip_blanks()? {
            true => self.word_up_to(MAX_WORD_BYTES).map(Some),
            false => Ok(None),
        }
    }

    /// Consumes `word` if it comes next, such as the `end` of POJ 3074. Returns whether it did.
    ///
    /// # Errors
    ///
    /// [`ReadError`] when the source fails or another word with the same first letter follows.
    ///
    /// # Panics
    ///
    /// If `word` is empty.
    pub fn keyword(&mut self, word: &str) -> Result<bool, ReadError> {
        if !self.starts_with(word.as_bytes()[0])? {
            return Ok(false);
        }
        let position = self.position();
        let found = self.word_up_to(word.len().max(MAX_WORD_BYTES))?;
        if found == word {
            Ok(true)
        } else {
            let expected = Expected::Keyword(word.to_owned());
            Err(error_at(position, Found::word(&found), expected))
        }
    }

    /// Whether the next byte that is not blank is `byte`.
    ///
    /// # Errors
    ///
    /// The source's.
    pub fn starts_with(&mut self, byte: u8) -> Result<bool, ReadError> {
        Ok(self.skip_blanks()? && self.peek()? == Some(byte))
    }

    /// Checks that only blanks are left.
    ///
    /// # Errors
    ///
    /// [`ReadError`] when the source fails or more follows.
    pub fn end(&mut self) -> Result<(), ReadError> {
        if self.skip_blanks()? {
            let found = self.found()?;
            return Err(self.error(found, Expected::plain("the end of the input")));
        }
        Ok(())
    }

    /// Skips blanks and line ends. Returns whether anything follows.
    pub(super) fn skip_blanks(&mut self) -> Result<bool, ReadError> {
        while let Some(byte) = self.peek()? {
            if byte == 0xef && self.offset() == 0 {
                self.skip_byte_order_mark()?;
            } else if is_blank(byte) || byte == b'\n' {
                self.bump();
            } else {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn skip_byte_order_mark(&mut self) -> Result<(), ReadError> {
        for &byte in b"\xef\xbb\xbf" {
            if self.peek()? != Some(byte) {
                let found = self.found()?;
                let expected = Expected::plain("the rest of a byte-order mark");
                return Err(self.error(found, expected));
            }
            self.bump();
        }
        // An editor shows the first character after the mark in column 1.
        self.line_start = self.offset();
        Ok(())
    }

    /// Skips the blanks at the end of a row and its newline.
    pub(super) fn end_row(&mut self, expected: Expected) -> Result<(), ReadError> {
        while let Some(byte) = self.peek()? {
            if byte == b'\n' {
                self.bump();
                break;
            }
            if !is_blank(byte) {
                return Err(self.error(Found::Byte(byte), expected));
            }
            self.bump();
        }
        Ok(())
    }

    /// The word that comes next, up to a blank or a line end. Of one with more than `most` bytes
    /// that many are returned and a character that no number and no keyword has.
    pub(super) fn word_up_to(&mut self, most: usize) -> Result<String, ReadError> {
        let mut word = String::new();
        let mut bytes = 0_usize;
        while let Some(byte) = self.peek()? {
            if is_blank(byte) || byte == b'\n' {
                break;
            }
            if bytes <= most {
                // An unprintable byte must not reach the terminal by way of a message.
                let printable = byte.is_ascii_graphic() && bytes < most;
                bytes += 1;
                word.push(if printable {
                    char::from(byte)
                } else {
                    char::REPLACEMENT_CHARACTER
                });
            }
            self.bump();
        }
        Ok(word)
    }

    /// The next byte, or `None` at the end of the input.
    #[inline]
    pub(super) fn peek(&mut self) -> Result<Option<u8>, ReadError> {
        if self.next == self.filled && !self.fill()? {
            return Ok(None);
        }
        Ok(Some(self.buffer[self.next]))
    }

    /// Consumes the byte that [`Self::peek`] returned.
    #[inline]
    pub(super) fn bump(&mut self) {
        let byte = self.buffer[self.next];
        self.next += 1;
        if byte == b'\n' {
            self.start_line();
        }
    }

    /// The unread bytes in the buffer.
    #[inline]
    pub(super) fn buffered(&self) -> &[u8] {
        &self.buffer[self.next..self.filled]
    }

    /// Consumes `bytes` bytes, which must be in the buffer; only the last of them is a newline.
    #[inline]
    pub(super) fn take_line(&mut self, bytes: usize) {
        self.next += bytes;
        self.start_line();
    }

    #[inline]
    fn start_line(&mut self) {
        self.line += 1;
        self.line_start = self.offset();
    }

    // Once for many bytes, and called from many places: kept out of them.
    #[inline(never)]
    fn fill(&mut self) -> Result<bool, ReadError> {
        if self.filled == self.buffer.len() {
            self.buffer.resize(BUFFER_BYTES, 0); // there is much to read
        }
        self.before += self.filled as u64;
        self.next = 0;
        self.filled = 0;
        loop {
            match self.source.read(&mut self.buffer) {
                Ok(bytes) => {
                    self.filled = bytes;
                    return Ok(bytes > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn offset(&self) -> u64 {
        self.before + self.next as u64
    }

    pub(super) fn position(&self) -> Position {
        Position {
            line: self.line,
            column: self.offset() - self.line_start + 1,
        }
    }

    /// The next token, for a message.
    pub(super) fn found(&mut self) -> Result<Found, ReadError> {
        Ok(match self.peek()? {
            None => Found::EndOfInput,
            Some(b'\n' | b'\r') => Found::EndOfLine,
            Some(byte) => Found::Byte(byte),
        })
    }

    pub(super) fn error(&self, found: Found, expected: Expected) -> ReadError {
        error_at(self.position(), found, expected)
    }
}

pub(super) fn error_at(position: Position, found: Found, expected: Expected) -> ReadError {
    ReadError::Parse(ParseError {
        line: position.line,
        column: position.column,
        found,
        expected,
    })
}
