//! Reads one grid.
//!
//! Each layout is read byte by byte, which accepts every tolerated deviation and gives the position of
//! every error. The layouts that are used in streams also have a fast path, which consumes a whole row
//! or line if it is in the buffer in its exact form; everything else falls back to the slow path, so
//! both read the same.

use super::error::{Expected, Found, ReadError};
use super::input::{Input, MAX_WORD_BYTES, Position, error_at, is_blank};
use super::symbols::{MAX_SYMBOLS, NO_SYMBOL, is_empty_mark, table, value_of, values};
use super::{Layout, Notation};
use crate::grid::Grid;
use std::io::Read;

/// The values of a row.
type Row<const N: usize> = [u8; N];

impl<R: Read> Input<R> {
    /// The next grid, or `None` if only blanks are left.
    ///
    /// # Errors
    ///
    /// [`ReadError`] when the source fails or what follows is no grid in this notation.
    pub fn grid<const N: usize>(
        &mut self,
        notation: Notation,
    ) -> Result<Option<Grid<N>>, ReadError> {
        grid(self, notation)
    }

    /// The next grid, which must exist.
    ///
    /// # Errors
    ///
    /// The errors of [`Input::grid`], and a [`ParseError`](super::ParseError) when nothing but blanks is left.
    pub fn expect_grid<const N: usize>(
        &mut self,
        notation: Notation,
    ) -> Result<Grid<N>, ReadError> {
        self.grid(notation)?
            .ok_or_else(|| self.error(Found::EndOfInput, shape(N, notation.layout)))
    }

    /// The one grid that the source holds.
    ///
    /// # Errors
    ///
    /// The errors of [`Input::expect_grid`], and a [`ParseError`](super::ParseError) when more than blanks follows.
    pub fn only_grid<const N: usize>(&mut self, notation: Notation) -> Result<Grid<N>, ReadError> {
        let grid = self.expect_grid(notation)?;
        self.end()?;
        Ok(grid)
    }
}

fn grid<const N: usize, R: Read>(
    input: &mut Input<R>,
    notation: Notation,
) -> Result<Option<Grid<N>>, ReadError> {
    let mut grid = Grid::EMPTY;
    if notation.layout == Layout::Line && fast_line(input, &mut grid) {
        return Ok(Some(grid));
    }
    if !input.skip_blanks()? {
        return Ok(None);
    }
    match notation.layout {
        Layout::Line => line(input, &mut grid)?,
        Layout::Rows => rows(input, &mut grid, fast_row, symbol_row)?,
        Layout::Spaced => rows(input, &mut grid, fast_spaced_row, spaced_row)?,
        Layout::Brackets => brackets(input, &mut grid)?,
    }
    Ok(Some(grid))
}

/// The form of a grid, for messages.
pub(super) fn shape(n: usize, layout: Layout) -> Expected {
    match layout {
        Layout::Line => Expected::Words("a grid: one line of {} cells", [n * n, 0, 0]),
        Layout::Rows => Expected::Words("a grid: {} rows of {} cells", [n, n, 0]),
        Layout::Spaced => Expected::Words(
            "a grid: {} rows of {} numbers with blanks between",
            [n, n, 0],
        ),
        Layout::Brackets => Expected::Words(
            "a grid: '[' and {} rows of {} cells, each in brackets",
            [n, n, 0],
        ),
    }
}

/// Reads a whole grid in one line; returns `false` and consumes nothing unless the line is exactly
/// that.
#[inline]
fn fast_line<const N: usize, R: Read>(input: &mut Input<R>, grid: &mut Grid<N>) -> bool {
    if N > MAX_SYMBOLS || input.buffered().get(N * N) != Some(&b'\n') {
        return false;
    }
    // Symbols that are none leave wrong values, which the slow path replaces.
    let cells = grid.rows_mut().as_flattened_mut();
    if !values::<N>(&input.buffered()[..N * N], cells) {
        return false;
    }
    input.take_line(N * N + 1);
    true
}

/// Tables of symbols, made when the program is compiled.
struct Table<const N: usize>;

impl<const N: usize> Table<N> {
    const VALUES: [u8; 256] = table::<N>();
}

/// `N` symbols and the newline.
#[inline]
fn fast_row<const N: usize, R: Read>(input: &mut Input<R>, row: &mut Row<N>) -> bool {
    let bytes = match input.buffered().get(..N + 1) {
        Some(bytes) if N <= MAX_SYMBOLS && bytes[N] == b'\n' => bytes,
        _ => return false,
    };
    if N >= 16 {
        // Long enough for vector code.
        if !values::<N>(&bytes[..N], row) {
            return false;
        }
    } else {
        let table = &Table::<N>::VALUES;
        let mut all = 0;
        for (cell, &byte) in row.iter_mut().zip(bytes) {
            *cell = table[byte as usize];
            all |= *cell;
        }
        if all & NO_SYMBOL != 0 {
            return false;
        }
    }
    input.take_line(N + 1);
    true
}

/// `N` symbols with one blank after each, the last of which may be missing, and the newline.
#[inline]
fn fast_spaced_row<const N: usize, R: Read>(input: &mut Input<R>, row: &mut Row<N>) -> bool {
    if N > 9 {
        return false; // numbers of two digits
    }
    let bytes = input.buffered();
    let length = match (bytes.get(2 * N - 1), bytes.get(2 * N)) {
        (Some(b'\n'), _) => 2 * N,
        (Some(b' '), Some(b'\n')) => 2 * N + 1,
        _ => return false,
    };
    let bytes = &bytes[..2 * N];
    let table = &Table::<N>::VALUES;
    let mut all = 0;
    let mut blanks = 0;
    for (cell, pair) in row.iter_mut().zip(bytes.chunks_exact(2)) {
        *cell = table[pair[0] as usize];
        all |= *cell;
        blanks += u32::from(pair[1] == b' ');
    }
    // The last of the pairs ends in a blank or in the newline.
    if all & NO_SYMBOL != 0 || (blanks as usize) < length - N - 1 {
        return false;
    }
    input.take_line(length);
    true
}

fn rows<const N: usize, R: Read>(
    input: &mut Input<R>,
    grid: &mut Grid<N>,
    fast: impl Fn(&mut Input<R>, &mut Row<N>) -> bool,
    slow: impl Fn(&mut Input<R>, &mut Row<N>, usize) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let first_line = input.position().line;
    for (index, row) in grid.rows_mut().iter_mut().enumerate() {
        if fast(input, row) {
            continue;
        }
        if !input.skip_blanks()? {
            let expected = Expected::Words(
                "row {} of the {} rows of the grid that begins in line {}",
                [index + 1, N, first_line as usize],
            );
            return Err(input.error(Found::EndOfInput, expected));
        }
        slow(input, row, index)?;
    }
    Ok(())
}

fn symbol_row<const N: usize, R: Read>(
    input: &mut Input<R>,
    row: &mut Row<N>,
    index: usize,
) -> Result<(), ReadError> {
    for (column, cell) in row.iter_mut().enumerate() {
        *cell = symbol::<N, R>(input, index, column)?;
    }
    input.end_row(Expected::Words(
        "the end of row {} after its {} cells",
        [index + 1, N, 0],
    ))
}

fn line<const N: usize, R: Read>(
    input: &mut Input<R>,
    grid: &mut Grid<N>,
) -> Result<(), ReadError> {
    for (index, row) in grid.rows_mut().iter_mut().enumerate() {
        for (column, cell) in row.iter_mut().enumerate() {
            *cell = symbol::<N, R>(input, index, column)?;
        }
    }
    input.end_row(Expected::Words(
        "the end of the line after {} cells",
        [N * N, 0, 0],
    ))
}

/// The row `word` of `N` symbols, which stood at `position`.
fn plain_row<const N: usize>(
    word: &str,
    row: &mut Row<N>,
    index: usize,
    position: Position,
) -> Result<(), ReadError> {
    for (column, (cell, byte)) in row.iter_mut().zip(word.bytes()).enumerate() {
        let (value, is_symbol) = value_of::<N>(byte);
        if !is_symbol {
            let position = Position {
                column: position.column + column as u64,
                ..position
            };
            let expected = expected_symbol(N, index, column);
            return Err(error_at(position, Found::Byte(byte), expected));
        }
        *cell = value;
    }
    Ok(())
}

/// One symbol, without blanks before it; above side [`MAX_SYMBOLS`] a number, which ends before any other character.
fn symbol<const N: usize, R: Read>(
    input: &mut Input<R>,
    row: usize,
    column: usize,
) -> Result<u8, ReadError> {
    if const { N > MAX_SYMBOLS } {
        return number(input, N, row, column);
    }
    if let Some(byte) = input.peek()? {
        let (value, is_symbol) = value_of::<N>(byte);
        if is_symbol {
            input.bump();
            return Ok(value);
        }
    }
    let found = input.found()?;
    Err(input.error(found, expected_symbol(N, row, column)))
}

/// A number up to `side` or a mark for an empty cell, after blanks.
fn number<R: Read>(
    input: &mut Input<R>,
    side: usize,
    row: usize,
    column: usize,
) -> Result<u8, ReadError> {
    let mut next = input.peek()?;
    while next.is_some_and(is_blank) {
        input.bump();
        next = input.peek()?;
    }
    let position = input.position();
    let mut digits = String::new();
    while let Some(byte) = input.peek()? {
        if !byte.is_ascii_digit() || digits.len() == MAX_WORD_BYTES {
            break;
        }
        digits.push(char::from(byte));
        input.bump();
    }
    match (digits.parse::<u8>(), input.peek()?) {
        (Ok(value), _) if usize::from(value) <= side => return Ok(value),
        (_, Some(byte)) if digits.is_empty() && is_empty_mark(byte) => {
            input.bump();
            return Ok(0);
        }
        _ => {}
    }
    let found = match digits.is_empty() {
        true => input.found()?,
        false => Found::word(&digits),
    };
    Err(error_at(
        position,
        found,
        expected_symbol(side, row, column),
    ))
}

fn expected_symbol(side: usize, row: usize, column: usize) -> Expected {
    Expected::Symbol { side, row, column }
}

fn spaced_row<const N: usize, R: Read>(
    input: &mut Input<R>,
    row: &mut Row<N>,
    index: usize,
) -> Result<(), ReadError> {
    for (column, cell) in row.iter_mut().enumerate() {
        while let Some(byte) = input.peek()? {
            if !is_blank(byte) {
                break;
            }
            input.bump();
        }
        let position = input.position();
        let word = input.word_up_to(MAX_WORD_BYTES)?;
        if column == 0 && N > 1 && N <= 9 && word.len() == N {
            // No number of N digits is in 1..=N, so this can only be a row without blanks.
            plain_row(&word, row, index, position)?;
            break;
        }
        let number = match word.as_bytes() {
            [b'.' | b'-' | b'*' | b'?'] => Some(0),
            [b'+', ..] => None,
            _ => word.parse::<u8>().ok(),
        };
        *cell = match number {
            Some(number) if number as usize <= N => number,
            _ => {
                let found = if word.is_empty() {
                    input.found()?
                } else {
                    Found::word(&word)
                };
                let expected = Expected::Words(
                    "number {} of row {}: 1 to {}, or 0 for an empty cell",
                    [column + 1, index + 1, N],
                );
                return Err(error_at(position, found, expected));
            }
        };
    }
    input.end_row(Expected::Words(
        "the end of row {} after its {} numbers",
        [index + 1, N, 0],
    ))
}

fn brackets<const N: usize, R: Read>(
    input: &mut Input<R>,
    grid: &mut Grid<N>,
) -> Result<(), ReadError> {
    punctuation(input, b'[', Expected::plain("'[' before the first row"))?;
    for (index, row) in grid.rows_mut().iter_mut().enumerate() {
        let number = index + 1;
        if index > 0 {
            let expected = Expected::Words("',' and then row {} of {}", [number, N, 0]);
            punctuation(input, b',', expected)?;
        }
        let expected = Expected::Words("'[' before row {}", [number, 0, 0]);
        punctuation(input, b'[', expected)?;
        for (column, cell) in row.iter_mut().enumerate() {
            if column > 0 {
                let numbers = [column + 1, number, 0];
                let expected = Expected::Words("',' and then cell {} of row {}", numbers);
                punctuation(input, b',', expected)?;
            }
            input.skip_blanks()?;
            let quote = input.peek()?.filter(|byte| matches!(byte, b'"' | b'\''));
            if quote.is_some() {
                input.bump();
            }
            *cell = symbol::<N, R>(input, index, column)?;
            if let Some(quote) = quote {
                let expected = Expected::plain("the same quote as before the symbol");
                punctuation(input, quote, expected)?;
            }
        }
        let numbers = [N, number, 0];
        let expected = Expected::Words("']' after the {} cells of row {}", numbers);
        punctuation(input, b']', expected)?;
    }
    punctuation(
        input,
        b']',
        Expected::Words("']' after the {} rows", [N, 0, 0]),
    )
}

/// Takes `byte`, after blanks and line ends.
fn punctuation<R: Read>(
    input: &mut Input<R>,
    byte: u8,
    expected: Expected,
) -> Result<(), ReadError> {
    if input.starts_with(byte)? {
        input.bump();
        return Ok(());
    }
    let found = input.found()?;
    Err(input.error(found, expected))
}
