//! The errors of an input, with their positions.

use super::symbols::{MAX_SYMBOLS, first_symbol};
use core::fmt;
use std::io;

/// The text found where something else was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// The end of the input.
    EndOfInput,
    /// The end of the line.
    EndOfLine,
    /// A byte.
    Byte(u8),
    /// A word or number, truncated if it is long.
    Word(String),
}

/// The maximum number of characters of a word in messages.
const WORD_CHARS: usize = 32;

impl Found {
    /// A truncated word.
    pub(super) fn word(word: &str) -> Self {
        Found::Word(word.chars().take(WORD_CHARS).collect())
    }
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

/// The text expected where something else was found.
///
/// It is formatted only when it is displayed: a caller that only checks for an error does not pay for
/// the message.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Expected {
    /// These words, with the numbers in the places of `{}`.
    Words(&'static str, [usize; 3]),
    /// A symbol of a grid.
    Symbol {
        /// The side of the grid.
        side: usize,
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
    },
    /// A literal word.
    Keyword(String),
}

impl Expected {
    /// Words without numbers.
    pub(super) fn plain(words: &'static str) -> Self {
        Expected::Words(words, [0; 3])
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Words(words, numbers) => {
                let mut numbers = numbers.iter();
                for (index, piece) in words.split("{}").enumerate() {
                    if index > 0 {
                        numbers.next().map_or(Ok(()), |number| number.fmt(f))?;
                    }
                    f.write_str(piece)?;
                }
                Ok(())
            }
            Expected::Symbol { side, row, column } => {
                write!(f, "cell {} of row {}: ", column + 1, row + 1)?;
                if *side > MAX_SYMBOLS {
                    write!(f, "a number from 1 to {side}")?;
                } else {
                    let first = first_symbol(*side);
                    let last = (first - 1).saturating_add(*side as u8);
                    write!(f, "'{}' to '{}'", char::from(first), char::from(last))?;
                }
                f.write_str(", or '.', '0', '-', '*' or '?' for an empty cell")
            }
            Expected::Keyword(word) => write!(f, "'{word}'"),
        }
    }
}

/// The error for malformed input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line, from 1.
    pub line: u64,
    /// The column in the line, from 1, in bytes.
    pub column: u64,
    /// The text found there.
    pub found: Found,
    /// The text expected there.
    pub expected: Expected,
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

/// The reason why a grid could not be read.
#[derive(Debug)]
pub enum ReadError {
    /// The source failed.
    Io(io::Error),
    /// The data are malformed.
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
