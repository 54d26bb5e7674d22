//! Writes grids and text between them, in large writes.

use super::symbols::symbol_of;
use super::{BUFFER_BYTES, FIRST_BYTES, Layout, Notation};
use crate::grid::{Digit, Grid};
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
    ///
    /// # Panics
    ///
    /// If `N` is above 26 and the notation is made of symbols.
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
        Layout::Line => N * N + 1,
        Layout::Rows => N * (N + 1),
        // Two digits and a blank.
        Layout::Spaced => N * N * 3,
        // A comma after each cell, and for each row its brackets and its comma.
        Layout::Brackets => N * (2 * N + 2) + 3,
    }
}

/// Writes `grid` to the start of `bytes`, whose length is at least [`longest`]. Returns the number of
/// bytes written.
pub(super) fn put<const N: usize>(notation: Notation, grid: &Grid<N>, bytes: &mut [u8]) -> usize {
    let empty = notation.empty;
    match notation.layout {
        Layout::Line => {
            for (line, row) in bytes.chunks_exact_mut(N).zip(grid.rows()) {
                put_symbols(line, row, empty);
            }
            bytes[N * N] = b'\n';
            N * N + 1
        }
        Layout::Rows => {
            for (line, row) in bytes.chunks_exact_mut(N + 1).zip(grid.rows()) {
                put_symbols(line, row, empty);
                line[N] = b'\n';
            }
            N * (N + 1)
        }
        Layout::Spaced if N <= 9 => {
            for (line, row) in bytes.chunks_exact_mut(2 * N).zip(grid.rows()) {
                for (pair, &cell) in line.chunks_exact_mut(2).zip(row) {
                    pair[0] = symbol_of(cell, empty);
                    pair[1] = b' ';
                }
                line[2 * N - 1] = b'\n';
            }
            2 * N * N
        }
        Layout::Spaced => put_numbers(grid, empty, bytes),
        Layout::Brackets => put_brackets(grid, empty, bytes),
    }
}

#[inline]
fn put_symbols<const N: usize>(line: &mut [u8], row: &[Option<Digit<N>>; N], empty: u8) {
    for (byte, &cell) in line.iter_mut().zip(row) {
        *byte = symbol_of(cell, empty);
    }
}

fn put_numbers<const N: usize>(grid: &Grid<N>, empty: u8, bytes: &mut [u8]) -> usize {
    let mut length = 0;
    for row in grid.rows() {
        for &cell in row {
            let value = cell.map_or(0, Digit::value);
            if value > 9 {
                bytes[length] = b'0' + value / 10;
                length += 1;
            }
            bytes[length] = if value == 0 { empty } else { b'0' + value % 10 };
            bytes[length + 1] = b' ';
            length += 2;
        }
        bytes[length - 1] = b'\n';
    }
    length
}

fn put_brackets<const N: usize>(grid: &Grid<N>, empty: u8, bytes: &mut [u8]) -> usize {
    bytes[0] = b'[';
    let mut length = 1;
    for row in grid.rows() {
        bytes[length] = b'[';
        for (k, &cell) in row.iter().enumerate() {
            bytes[length + 1 + 2 * k] = symbol_of(cell, empty);
            bytes[length + 2 + 2 * k] = b',';
        }
        length += 2 * N;
        bytes[length] = b']';
        bytes[length + 1] = b',';
        length += 2;
    }
    bytes[length - 1] = b']';
    bytes[length] = b'\n';
    length + 1
}
