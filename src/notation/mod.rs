//! The notations of the judges: grids are read tolerantly and written exactly.
//!
//! A [`Notation`] says how the cells of one grid are laid out. [`Input`] reads grids (and the
//! counts and words between them) from any [`std::io::Read`], [`Output`] writes them to any
//! [`std::io::Write`]; both keep one buffer of at most [`BUFFER_BYTES`] bytes, so that a stream of
//! any length needs no more memory than one grid. Neither opens anything.
//!
//! The usual mistakes of real test data are accepted: blanks at the ends of lines, CRLF, a missing
//! final newline, blank lines (before, between and after grids and rows), a byte-order mark, the end
//! mark of DOS files. Everything else is a [`ParseError`] with its line and column.
//!
//! ```
//! use sudoku::notation::{Input, Notation, Output};
//!
//! let mut input = Input::new("1 0 0 0\r\n0 0 3 0 \n0 4 0 0\n0 0 0 2".as_bytes());
//! let grid = input.grid::<4>(Notation::SPACED)?.expect("one grid");
//! input.end()?;
//!
//! let mut written = Vec::new();
//! let mut output = Output::new(&mut written);
//! output.grid(Notation::LINE, &grid)?;
//! output.finish()?;
//! assert_eq!(written, b"1.....3..4.....2\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod input;
mod output;
mod pretty;
mod read;
mod symbols;

pub use error::{Expected, Found, ParseError, ReadError};
pub use input::Input;
pub use output::Output;
pub use pretty::Pretty;

pub(crate) use symbols::values as values_of;

use crate::grid::Grid;
#[cfg(not(judge_bundle))]
use core::str::FromStr;

/// The maximum size of the buffer of an [`Input`] or an [`Output`], in bytes.
pub const BUFFER_BYTES: usize = 64 * 1024;

/// Its initial size. Most inputs are one grid, and touching pages of memory costs more than solving:
/// 15 pages were a tenth of the time of a process.
const FIRST_BYTES: usize = 2 * 1024;

/// The layout of the cells of a grid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Layout {
    /// `N` lines of `N` decimal numbers with blanks between them. Rows of `N` symbols without
    /// blanks are read as well when `N` is at most 9.
    Spaced,
    /// `N` lines of `N` symbols.
    Rows,
    /// One line of `N * N` symbols, row by row.
    Line,
    /// `[[.,.,9,...],...]`: rows of symbols in brackets, commas between. Blanks and line ends may
    /// stand anywhere between, and a symbol may be quoted.
    Brackets,
}

/// A notation of grids: the layout, and the mark for an empty cell.
///
/// A symbol is one of `1` to `9` in a grid of up to 9x9 cells, one of the first `N` letters from
/// `A` on in a larger one. Above side 26, where the letters do not suffice, it is a number, with blanks
/// between those of a line or a row. In reading, each of `.`, `0`, `-`, `*` and `?` is an empty cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Notation {
    layout: Layout,
    empty: u8,
}

impl Notation {
    /// Numbers with blanks between, 0 for an empty cell: Luogu P1784, UVa 989, `sudokuall`.
    pub const SPACED: Self = Self::new(Layout::Spaced, b'0');

    /// Rows of symbols, `.` for an empty cell: the plain form of NC47.
    pub const ROWS: Self = Self::new(Layout::Rows, b'.');

    /// Rows of symbols, `-` for an empty cell: UVa 1309, POJ 3076, SPOJ SUDOKU.
    pub const DASHED_ROWS: Self = Self::new(Layout::Rows, b'-');

    /// One grid per line, `.` for an empty cell: POJ 3074, benchmark sets.
    pub const LINE: Self = Self::new(Layout::Line, b'.');

    /// Rows of symbols in brackets, `.` for an empty cell: `NowCoder` NC47.
    pub const BRACKETS: Self = Self::new(Layout::Brackets, b'.');

    const fn new(layout: Layout, empty: u8) -> Self {
        Notation { layout, empty }
    }

    /// The same layout with another mark for an empty cell, or `None` when `mark` is not one of
    /// `.`, `0`, `-`, `*` and `?`.
    pub const fn with_empty(self, mark: u8) -> Option<Self> {
        if symbols::is_empty_mark(mark) {
            Some(Self::new(self.layout, mark))
        } else {
            None
        }
    }

    /// The layout.
    pub const fn layout(self) -> Layout {
        self.layout
    }

    /// The symbol of an empty cell.
    pub const fn empty(self) -> u8 {
        self.empty
    }

    /// The one grid that `text` holds.
    ///
    /// # Errors
    ///
    /// [`ParseError`] if `text` is not exactly one grid.
    pub fn parse<const N: usize>(self, text: &str) -> Result<Grid<N>, ParseError> {
        let grid = Input::new(text.as_bytes()).only_grid(self);
        grid.map_err(|error| match error {
            ReadError::Parse(error) => error,
            ReadError::Io(_) => unreachable!("a slice is read without errors"),
        })
    }

    /// The grid in this notation, with the newline that ends it.
    pub fn format<const N: usize>(self, grid: &Grid<N>) -> String {
        let mut bytes = vec![0; output::longest::<N>(self.layout)];
        let length = output::put(self, grid, &mut bytes);
        bytes[..length]
            .iter()
            .map(|&byte| char::from(byte))
            .collect()
    }
}

/// Reads a grid in any layout: one line of symbols, rows of symbols or of numbers with blanks between,
/// brackets, or a board with borders as [`Grid::pretty`] draws it.
///
/// Not in a bundle (`cfg(judge_bundle)`), where a trait is never found to be unused and so this one
/// would bring the whole reader along: programs to submit call [`Notation::parse`] or read from an
/// [`Input`].
#[cfg(not(judge_bundle))]
impl<const N: usize> FromStr for Grid<N> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // Blanks in the place of borders keep the columns of messages right.
        let board: Vec<String> = text.lines().map(without_borders).collect();
        let mut lines = board.iter().map(|line| trim(line));
        let first = lines.find(|line| !line.is_empty()).unwrap_or_default();
        let has_more = lines.any(|line| !line.is_empty());
        let notation = if first.starts_with('[') {
            Notation::BRACKETS
        } else if N > symbols::MAX_SYMBOLS && !has_more {
            Notation::LINE
        } else if first.contains([' ', '\t']) {
            Notation::SPACED
        } else if has_more {
            Notation::ROWS
        } else {
            Notation::LINE
        };
        notation.parse(&board.join("\n"))
    }
}

/// The line without the blanks at its ends that an [`Input`] skips.
#[cfg(not(judge_bundle))]
fn trim(line: &str) -> &str {
    line.trim_matches(|c: char| u8::try_from(c).is_ok_and(input::is_blank))
}

/// The line with blanks where [`Grid::pretty`] draws borders.
#[cfg(not(judge_bundle))]
fn without_borders(line: &str) -> String {
    let is_border = line.contains('+') && line.chars().all(|c| matches!(c, '+' | '-' | ' '));
    line.replace(|c: char| is_border || c == '|', " ")
}

/// The side `N` of a grid that is written as one line of `symbols` symbols, if there is one from
/// 1 to 26.
pub const fn side_of_line(symbols: usize) -> Option<usize> {
    match symbols {
        1..=676 if symbols.isqrt() * symbols.isqrt() == symbols => Some(symbols.isqrt()),
        _ => None,
    }
}
