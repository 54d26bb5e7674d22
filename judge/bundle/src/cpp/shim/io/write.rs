//! The writing traits.

use super::super::prelude::v1::*;
use super::{Error, ErrorKind, Result};
use core::fmt;

pub trait Write {
    fn write(&mut self, from: &[u8]) -> Result<usize>;
    fn flush(&mut self) -> Result<()>;

    fn write_all(&mut self, mut from: &[u8]) -> Result<()> {
        while !from.is_empty() {
            match self.write(from)? {
                0 => return Err(ErrorKind::WriteZero.into()),
                written => from = &from[written..],
            }
        }
        Ok(())
    }

    fn write_fmt(&mut self, arguments: fmt::Arguments<'_>) -> Result<()> {
        let mut adapter = Adapter(self, None);
        match fmt::write(&mut adapter, arguments) {
            Ok(()) => Ok(()),
            Err(_) => Err(adapter.1.unwrap_or(ErrorKind::Other.into())),
        }
    }

    fn by_ref(&mut self) -> &mut Self
    where
        Self: Sized,
    {
        self
    }
}

struct Adapter<'a, W: ?Sized>(&'a mut W, Option<Error>);

impl<W: Write + ?Sized> fmt::Write for Adapter<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write_all(text.as_bytes()).map_err(|error| {
            self.1 = Some(error);
            fmt::Error
        })
    }
}

impl<W: Write + ?Sized> Write for &mut W {
    fn write(&mut self, from: &[u8]) -> Result<usize> {
        (**self).write(from)
    }

    fn flush(&mut self) -> Result<()> {
        (**self).flush()
    }
}

impl<W: Write + ?Sized> Write for Box<W> {
    fn write(&mut self, from: &[u8]) -> Result<usize> {
        (**self).write(from)
    }

    fn flush(&mut self) -> Result<()> {
        (**self).flush()
    }
}

impl Write for Vec<u8> {
    fn write(&mut self, from: &[u8]) -> Result<usize> {
        self.extend_from_slice(from);
        Ok(from.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
