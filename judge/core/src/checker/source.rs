//! Reads outputs and answers incrementally: a gigabyte needs two buffers.

use std::fs::File;
use std::io;

/// Random-access bytes: a regular file, or a slice.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A file; its position does not matter.
    File(&'a File),
    /// A slice.
    Bytes(&'a [u8]),
}

impl<'a> From<&'a File> for Source<'a> {
    fn from(file: &'a File) -> Self {
        Source::File(file)
    }
}

impl<'a> From<&'a [u8]> for Source<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Source::Bytes(bytes)
    }
}

impl Source<'_> {
    /// Reads bytes at `offset`; fewer than fit into `buffer` only at the end.
    pub(super) fn read_at(self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let file = match self {
            Source::File(file) => file,
            Source::Bytes(bytes) => {
                let start = usize::try_from(offset).unwrap_or(usize::MAX);
                let rest = bytes.get(start..).unwrap_or_default();
                let n = rest.len().min(buffer.len());
                buffer[..n].copy_from_slice(&rest[..n]);
                return Ok(n);
            }
        };
        judge_os::read_at(file, buffer, offset)
    }
}

/// White space as C's `isspace` has it: blank, and tab to carriage return.
pub const fn is_space(byte: u8) -> bool {
    byte == b' ' || byte.wrapping_sub(9) < 5
}

/// Two buffers of this size stay in the second-level cache.
const BUFFER: usize = 128 << 10;

/// Size of the first read: most outputs are short, and clearing a large buffer takes longer than
/// comparing them.
const FIRST: usize = 4 << 10;

/// A buffer that moves over a [`Source`].
pub struct Window<'a> {
    source: Source<'a>,
    buffer: Vec<u8>,
    /// The unread range of the buffer.
    start: usize,
    end: usize,
    /// The offset of the buffer's first byte in the source.
    base: u64,
    /// Whether the last read reached the source's end.
    ended: bool,
}

impl<'a> Window<'a> {
    /// A window at offset 0.
    pub fn new(source: Source<'a>) -> Self {
        Window {
            source,
            buffer: vec![0; FIRST],
            start: 0,
            end: 0,
            base: 0,
            ended: false,
        }
    }

    /// The offset of the next byte.
    pub fn offset(&self) -> u64 {
        self.base + self.start as u64
    }

    /// Moves to `offset`.
    pub fn seek(&mut self, offset: u64) {
        match offset.checked_sub(self.base) {
            Some(start) if start <= self.end as u64 => self.start = start as usize,
            _ => {
                self.base = offset;
                self.start = 0;
                self.end = 0;
                self.ended = false;
            }
        }
    }

    /// Reads more if nothing is buffered; afterwards [`Window::rest`] is empty only at the end.
    pub fn fill(&mut self) -> io::Result<()> {
        if self.start < self.end || self.ended {
            return Ok(());
        }
        if self.end == FIRST && self.buffer.len() == FIRST {
            self.buffer = vec![0; BUFFER];
        }
        self.base += self.end as u64;
        self.start = 0;
        self.end = 0;
        self.end = self.source.read_at(&mut self.buffer, self.base)?;
        // Saves a read that returns nothing: most outputs fit into the buffer.
        self.ended = self.end < self.buffer.len();
        Ok(())
    }

    /// The buffered bytes.
    pub fn rest(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Consumes `n` buffered bytes.
    pub fn advance(&mut self, n: usize) {
        debug_assert!(n <= self.end - self.start);
        self.start += n;
    }

    /// The next byte, without consuming it; `None` at the end.
    pub fn peek(&mut self) -> io::Result<Option<u8>> {
        self.fill()?;
        Ok(self.rest().first().copied())
    }

    /// Advances to the next byte that is not white space; `None` at the end.
    pub fn skip_space(&mut self) -> io::Result<Option<u8>> {
        loop {
            self.fill()?;
            let rest = self.rest();
            if rest.is_empty() {
                return Ok(None);
            }
            let found = rest.iter().position(|&byte| !is_space(byte));
            let byte = found.map(|at| rest[at]);
            let n = found.unwrap_or(rest.len());
            self.advance(n);
            if byte.is_some() {
                return Ok(byte);
            }
        }
    }

    /// Advances to the end of the token, passing its pieces to `each`.
    pub fn token(&mut self, mut each: impl FnMut(&[u8])) -> io::Result<()> {
        loop {
            self.fill()?;
            let rest = self.rest();
            let end = rest.iter().position(|&byte| is_space(byte));
            let n = end.unwrap_or(rest.len());
            each(&rest[..n]);
            let done = end.is_some() || n == 0;
            self.advance(n);
            if done {
                return Ok(());
            }
        }
    }
}
