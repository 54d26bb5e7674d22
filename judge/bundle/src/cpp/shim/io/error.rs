//! Errors of input and output.

use super::super::prelude::v1::*;
use core::fmt;

pub type Result<T> = core::result::Result<T, Error>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    NotFound,
    BrokenPipe,
    InvalidInput,
    InvalidData,
    WriteZero,
    Interrupted,
    UnexpectedEof,
    Other,
}

pub struct Error {
    kind: ErrorKind,
    inner: Option<Box<dyn core::error::Error + Send + Sync>>,
}

impl Error {
    pub fn new<E: Into<Box<dyn core::error::Error + Send + Sync>>>(
        kind: ErrorKind,
        error: E,
    ) -> Self {
        let inner = Some(error.into());
        Error { kind, inner }
    }

    pub fn other<E: Into<Box<dyn core::error::Error + Send + Sync>>>(error: E) -> Self {
        Error::new(ErrorKind::Other, error)
    }

    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Error { kind, inner: None }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.inner {
            Some(inner) => fmt::Display::fmt(inner, f),
            None => f.write_str("input or output failed"),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for Error {}
