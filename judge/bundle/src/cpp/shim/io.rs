//! Input and output: traits, standard input and output.

mod buffered;
mod error;
mod read;
mod standard;
mod write;

pub use buffered::{BufReader, BufWriter};
pub use error::{Error, ErrorKind, Result};
pub use read::{BufRead, Lines, Read, read_to_string};
pub use standard::{
    Stderr, StderrLock, Stdin, StdinLock, Stdout, StdoutLock, flush_output, stderr, stdin, stdout,
};
pub use write::Write;

pub mod prelude {
    pub use super::{BufRead, Read, Write};
}

/// The size of a buffer.
const SIZE: usize = 1 << 16;
