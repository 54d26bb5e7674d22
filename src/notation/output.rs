//! Writes grids and text between them, in large writes.

use super::symbols::{MAX_SYMBOLS, symbol_of};
use super::{BUFFER_BYTES, FIRST_BYTES, Layout, Notation};
use crate::grid::Grid;
use std::io::{self, Write};

/// Writes grids and text to `W` through one buffer of at most [`BUFFER_BYTES`] bytes.
///
/// A grid is written completely or not at all: the buffer is flushed before a grid that does not fit,
/// and on drop, so after an error in the middle of a stream all complete grids are written.
/// Only [`Output::finish`] returns whether the last write succeeded.
pub struct Output<W: Write> {
    sink: W,
    buffer: Vec<u8>,
    filled: usize,
}

impl<W: Write> Output<W> {
    /// Writes to `sink`, which needs no buffer.
    pub fn new(sink: W) -> Self {
        Output {
            sink,
            buffer: vec![0; FIRST_BYTES],
            filled: 0,
        }
    }

    /// Writes `grid` and the newline that ends it.
    ///
    /// # Errors
    ///
    /// The sink's.
    pub fn grid<const N: usize>(&mut self, notation: Notation, grid: &Grid<N>) -> io::Result<()> {
        self.make_room(longest::<N>(notation.layout))?;
        self.filled += put(notation, grid, &mut self.buffer[self.filled..]);
        Ok(())
    }

    /// Writes `text` as it is.
    ///
    /// # Errors
    ///
    /// The sink's.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        for piece in text.as_bytes().chunks(BUFFER_BYTES) {
            self.make_room(piece.len())?;
            self.buffer[self.filled..self.filled + piece.len()].copy_from_slice(piece);
            self.filled += piece.len();
        }
        Ok(())
    }

    /// Writes the buffer to the sink, and flushes the sink.
    ///
    /// # Errors
    ///
    /// The sink's.
    pub fn flush(&mut self) -> io::Result<()> {
        self.empty_buffer()?;
        self.sink.flush()
    }

    /// Ends the output.
    ///
    /// # Errors
    ///
    /// The sink's.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()
    }

    fn make_room(&mut self, bytes: usize) -> io::Result<()> {
        if self.buffer.len() - self.filled < bytes {
            self.buffer.resize(BUFFER_BYTES, 0);
        }
        if BUFFER_BYTES - self.filled < bytes {
            self.empty_buffer()?;
        }
        Ok(())
    }

    fn empty_buffer(&mut self) -> io::Result<()> {
        // Even when the sink fails: a second attempt would write some bytes twice.
        let filled = core::mem::replace(&mut self.filled, 0);
        self.sink.write_all(&self.buffer[..filled])
    }
}

impl<W: Write> Drop for Output<W> {
    fn drop(&mut self) {
        // `drop` cannot return an error; callers that need it call `finish`.
        let _ = self.flush();
    }
}

/// The maximum number of bytes of a grid, its newline included.
pub(super) const fn longest<const N: usize>(layout: Layout) -> usize {
    match layout {
        // Two digits and a blank.
        Layout::Line | Layout::Rows if N > MAX_SYMBOLS => N * N * 3,
        Layout::Spaced => N * N * 3,
        Layout::Line => N * N + 1,
        Layout::Rows => N * (N + 1),
        // Two digits and a comma for each cell, and for each row its brackets and its comma.
        Layout::Brackets => N * (3 * N + 2) + 3,
    }
}

/// Writes `grid` to the start of `bytes`, whose length is at least [`longest`]. Returns the number of
/// bytes written.
pub(super) fn put<const N: usize>(notation: Notation, grid: &Grid<N>, bytes: &mut [u8]) -> usize {
    let empty = notation.empty;
    match notation.layout {
        Layout::Line if N > MAX_SYMBOLS => put_numbers(grid, empty, bytes, b' '),
        Layout::Line => {
            put_symbols::<N>(bytes, grid.values(), empty);
            bytes[N * N] = b'\n';
            N * N + 1
        }
        Layout::Rows if N <= MAX_SYMBOLS => {
            for (line, row) in bytes.chunks_exact_mut(N + 1).zip(grid.rows()) {
                put_symbols::<N>(line, row, empty);
                line[N] = b'\n';
            }
            N * (N + 1)
        }
        Layout::Spaced if N <= 9 => {
            for (line, row) in bytes.chunks_exact_mut(2 * N).zip(grid.rows()) {
                for (pair, &value) in line.chunks_exact_mut(2).zip(row) {
                    pair[0] = symbol_of::<N>(value, empty);
                    pair[1] = b' ';
                }
                line[2 * N - 1] = b'\n';
            }
            2 * N * N
        }
        Layout::Spaced | Layout::Rows => put_numbers(grid, empty, bytes, b'\n'),
        Layout::Brackets => put_brackets(grid, empty, bytes),
    }
}

#[inline]
fn put_symbols<const N: usize>(line: &mut [u8], values: &[u8], empty: u8) {
    for (byte, &value) in line.iter_mut().zip(values) {
        *byte = symbol_of::<N>(value, empty);
    }
}

/// Writes numbers with blanks between, and `row_end` after each row but the last.
fn put_numbers<const N: usize>(grid: &Grid<N>, empty: u8, bytes: &mut [u8], row_end: u8) -> usize {
    let mut length = 0;
    for row in grid.rows() {
        for &value in row {
            length += put_number(value, empty, &mut bytes[length..]);
            bytes[length] = b' ';
            length += 1;
        }
        bytes[length - 1] = row_end;
    }
    bytes[length - 1] = b'\n';
    length
}

/// Writes a number of one or two digits, or the mark for an empty cell; returns its length.
fn put_number(value: u8, empty: u8, bytes: &mut [u8]) -> usize {
    let tens = usize::from(value > 9);
    if tens > 0 {
        bytes[0] = b'0' + value / 10;
    }
    bytes[tens] = if value == 0 { empty } else { b'0' + value % 10 };
    tens + 1
}

fn put_brackets<const N: usize>(grid: &Grid<N>, empty: u8, bytes: &mut [u8]) -> usize {
    bytes[0] = b'[';
    let mut length = 1;
    for row in grid.rows() {
        bytes[length] = b'[';
        length += 1;
        for &value in row {
            if const { N > MAX_SYMBOLS } {
                length += put_number(value, empty, &mut bytes[length..]);
            } else {
                bytes[length] = symbol_of::<N>(value, empty);
                length += 1;
            }
            bytes[length] = b',';
            length += 1;
        }
        bytes[length - 1] = b']';
        bytes[length] = b',';
        length += 1;
    }
    bytes[length - 1] = b']';
    bytes[length] = b'\n';
    length + 1
}
