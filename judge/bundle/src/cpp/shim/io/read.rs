//! The reading traits.

use super::super::prelude::v1::*;
use super::{ErrorKind, Result};

pub trait Read {
    fn read(&mut self, to: &mut [u8]) -> Result<usize>;

    fn read_to_end(&mut self, to: &mut Vec<u8>) -> Result<usize> {
        let before = to.len();
        loop {
            let at = to.len();
            to.resize(at + core::cmp::max(8192, at), 0);
            let read = self.read(&mut to[at..]);
            to.truncate(at + *read.as_ref().unwrap_or(&0));
            if read? == 0 {
                return Ok(to.len() - before);
            }
        }
    }

    fn read_to_string(&mut self, to: &mut String) -> Result<usize> {
        let mut bytes = Vec::new();
        self.read_to_end(&mut bytes)?;
        append(bytes, to)
    }

    fn read_exact(&mut self, mut to: &mut [u8]) -> Result<()> {
        while !to.is_empty() {
            match self.read(to)? {
                0 => return Err(ErrorKind::UnexpectedEof.into()),
                read => to = &mut to[read..],
            }
        }
        Ok(())
    }

    fn by_ref(&mut self) -> &mut Self
    where
        Self: Sized,
    {
        self
    }
}

fn append(bytes: Vec<u8>, to: &mut String) -> Result<usize> {
    match String::from_utf8(bytes) {
        Ok(text) => {
            to.push_str(&text);
            Ok(text.len())
        }
        Err(_) => Err(ErrorKind::InvalidData.into()),
    }
}

pub fn read_to_string<R: Read>(mut reader: R) -> Result<String> {
    let mut text = String::new();
    reader.read_to_string(&mut text)?;
    Ok(text)
}

pub trait BufRead: Read {
    fn fill_buf(&mut self) -> Result<&[u8]>;
    fn consume(&mut self, amount: usize);

    fn read_until(&mut self, end: u8, to: &mut Vec<u8>) -> Result<usize> {
        let mut total = 0;
        loop {
            let (done, used) = {
                let buffer = self.fill_buf()?;
                match buffer.iter().position(|&byte| byte == end) {
                    Some(at) => {
                        to.extend_from_slice(&buffer[..=at]);
                        (true, at + 1)
                    }
                    None => {
                        to.extend_from_slice(buffer);
                        (buffer.is_empty(), buffer.len())
                    }
                }
            };
            self.consume(used);
            total += used;
            if done {
                return Ok(total);
            }
        }
    }

    fn read_line(&mut self, to: &mut String) -> Result<usize> {
        let mut bytes = Vec::new();
        self.read_until(b'\n', &mut bytes)?;
        append(bytes, to)
    }

    fn lines(self) -> Lines<Self>
    where
        Self: Sized,
    {
        Lines(self)
    }
}

pub struct Lines<B>(B);

impl<B: BufRead> Iterator for Lines<B> {
    type Item = Result<String>;

    fn next(&mut self) -> Option<Result<String>> {
        let mut line = String::new();
        match self.0.read_line(&mut line) {
            Ok(0) => None,
            Ok(_) => {
                if line.ends_with('\n') {
                    line.pop();
                    if line.ends_with('\r') {
                        line.pop();
                    }
                }
                Some(Ok(line))
            }
            Err(error) => Some(Err(error)),
        }
    }
}

impl<R: Read + ?Sized> Read for &mut R {
    fn read(&mut self, to: &mut [u8]) -> Result<usize> {
        (**self).read(to)
    }
}

impl<R: BufRead + ?Sized> BufRead for &mut R {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        (**self).fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        (**self).consume(amount)
    }
}

impl Read for &[u8] {
    fn read(&mut self, to: &mut [u8]) -> Result<usize> {
        let size = core::cmp::min(to.len(), self.len());
        to[..size].copy_from_slice(&self[..size]);
        *self = &self[size..];
        Ok(size)
    }
}
