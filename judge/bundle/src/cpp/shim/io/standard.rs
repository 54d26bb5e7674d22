//! Standard input, output and error.

use super::super::c;
use super::super::prelude::v1::*;
use super::{BufRead, ErrorKind, Lines, Read, Result, SIZE, Write};

/// The buffers of standard input and output; the program has one thread.
struct Buffers {
    input: [u8; SIZE],
    start: usize,
    end: usize,
    output: [u8; SIZE],
    filled: usize,
}

static mut BUFFERS: Buffers = Buffers {
    input: [0; SIZE],
    start: 0,
    end: 0,
    output: [0; SIZE],
    filled: 0,
};

fn buffers() -> &'static mut Buffers {
    unsafe { &mut *core::ptr::addr_of_mut!(BUFFERS) }
}

fn read_file(to: &mut [u8]) -> Result<usize> {
    match unsafe { c::read(0, to.as_mut_ptr(), to.len()) } {
        read if read < 0 => Err(ErrorKind::Other.into()),
        read => Ok(read as usize),
    }
}

fn write_file(file: i32, mut from: &[u8]) -> Result<()> {
    while !from.is_empty() {
        match unsafe { c::write(file, from.as_ptr(), from.len()) } {
            written if written <= 0 => return Err(ErrorKind::BrokenPipe.into()),
            written => from = &from[written as usize..],
        }
    }
    Ok(())
}

pub fn flush_output() {
    let _ = Stdout.flush();
}

#[derive(Clone, Copy)]
pub struct Stdin;
pub type StdinLock<'a> = Stdin;
#[derive(Clone, Copy)]
pub struct Stdout;
pub type StdoutLock<'a> = Stdout;
#[derive(Clone, Copy)]
pub struct Stderr;
pub type StderrLock<'a> = Stderr;

pub fn stdin() -> Stdin {
    Stdin
}

pub fn stdout() -> Stdout {
    Stdout
}

pub fn stderr() -> Stderr {
    Stderr
}

impl Stdin {
    pub fn lock(&self) -> Stdin {
        Stdin
    }

    pub fn lines(self) -> Lines<Stdin> {
        BufRead::lines(self)
    }

    pub fn read_line(&self, to: &mut String) -> Result<usize> {
        BufRead::read_line(&mut Stdin, to)
    }
}

impl Read for Stdin {
    fn read(&mut self, to: &mut [u8]) -> Result<usize> {
        let all = buffers();
        if all.start == all.end && to.len() >= SIZE / 8 {
            return read_file(to);
        }
        let mut from = self.fill_buf()?;
        let read = from.read(to)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Stdin {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        let all = buffers();
        if all.start == all.end {
            all.start = 0;
            all.end = 0;
            all.end = read_file(&mut all.input)?;
        }
        Ok(&all.input[all.start..all.end])
    }

    fn consume(&mut self, amount: usize) {
        buffers().start += amount;
    }
}

impl Stdout {
    pub fn lock(&self) -> Stdout {
        Stdout
    }
}

impl Write for Stdout {
    fn write(&mut self, from: &[u8]) -> Result<usize> {
        let all = buffers();
        if from.len() > SIZE - all.filled {
            self.flush()?;
        }
        if from.len() >= SIZE / 4 {
            self.flush()?;
            write_file(1, from)?;
        } else {
            all.output[all.filled..all.filled + from.len()].copy_from_slice(from);
            all.filled += from.len();
        }
        Ok(from.len())
    }

    fn flush(&mut self) -> Result<()> {
        let all = buffers();
        let filled = core::mem::replace(&mut all.filled, 0);
        write_file(1, &all.output[..filled])
    }
}

impl Stderr {
    pub fn lock(&self) -> Stderr {
        Stderr
    }
}

impl Write for Stderr {
    fn write(&mut self, from: &[u8]) -> Result<usize> {
        write_file(2, from)?;
        Ok(from.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
