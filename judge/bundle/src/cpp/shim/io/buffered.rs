//! Buffered readers and writers.

use super::super::prelude::v1::*;
use super::{BufRead, Read, Result, SIZE, Write};

/// Standard input is already buffered.
pub struct BufReader<R> {
    inner: R,
    buffer: Vec<u8>,
    start: usize,
}

impl<R: Read> BufReader<R> {
    pub fn new(inner: R) -> Self {
        BufReader {
            inner,
            buffer: Vec::new(),
            start: 0,
        }
    }

    pub fn with_capacity(_: usize, inner: R) -> Self {
        BufReader::new(inner)
    }
}

impl<R: Read> Read for BufReader<R> {
    fn read(&mut self, to: &mut [u8]) -> Result<usize> {
        let mut from = self.fill_buf()?;
        let read = from.read(to)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: Read> BufRead for BufReader<R> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        if self.start == self.buffer.len() {
            self.buffer.resize(SIZE, 0);
            let read = self.inner.read(&mut self.buffer);
            self.buffer.truncate(*read.as_ref().unwrap_or(&0));
            self.start = 0;
            read?;
        }
        Ok(&self.buffer[self.start..])
    }

    fn consume(&mut self, amount: usize) {
        self.start += amount;
    }
}

pub struct BufWriter<W: Write> {
    inner: W,
    buffer: Vec<u8>,
}

impl<W: Write> BufWriter<W> {
    pub fn new(inner: W) -> Self {
        BufWriter {
            inner,
            buffer: Vec::new(),
        }
    }

    pub fn with_capacity(_: usize, inner: W) -> Self {
        BufWriter::new(inner)
    }
}

impl<W: Write> Write for BufWriter<W> {
    fn write(&mut self, from: &[u8]) -> Result<usize> {
        self.buffer.extend_from_slice(from);
        if self.buffer.len() >= SIZE {
            self.inner.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(from.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.inner.write_all(&self.buffer)?;
        self.buffer.clear();
        self.inner.flush()
    }
}

impl<W: Write> Drop for BufWriter<W> {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}
