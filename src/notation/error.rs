//! What was wrong with an input, and where.

use core::fmt;
use std::io;

/// What stood where something else was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// The input was over.
    EndOfInput,
    /// The line was over.
    EndOfLine,
    /// This byte.
    Byte(u8),
    /// This word or number; a long one is cut.
    Word(String),
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::EndOfInput => f.write_str("the end of the input"),
            Found::EndOfLine => f.write_str("the end of the line"),
            Found::Byte(b' ') => f.write_str("a blank"),
            Found::Byte(byte) if byte.is_ascii_graphic() => write!(f, "'{}'", char::from(*byte)),
            Found::Byte(byte) => write!(f, "the byte 0x{byte:02x}"),
            Found::Word(word) => write!(f, "'{word}'"),
        }
    }
}

/// An input that is not written as it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line, from 1.
    pub line: u64,
    /// The column in the line, from 1, in bytes.
    pub column: u64,
    /// What stood there.
    pub found: Found,
    /// What should have stood there.
    pub expected: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: found {}, expected {}",
            self.line, self.column, self.found, self.expected
        )
    }
}

impl std::error::Error for ParseError {}

/// Why a grid could not be read.
#[derive(Debug)]
pub enum ReadError {
    /// The source failed.
    Io(io::Error),
    /// What it gave is not written as it should be.
    Parse(ParseError),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Io(error) => write!(f, "failed to read the input: {error}"),
            ReadError::Parse(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ReadError::Io(error) => Some(error),
            ReadError::Parse(_) => None,
        }
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        ReadError::Io(error)
    }
}

impl From<ParseError> for ReadError {
    fn from(error: ParseError) -> Self {
        ReadError::Parse(error)
    }
}
