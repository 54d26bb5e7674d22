//! macOS and Windows: fallbacks for the calls that only Linux has.

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter};
use std::process::Command;

use crate::OwnedStream;

/// The memory of this machine in bytes; unknown.
pub fn total_memory() -> Option<u64> {
    None
}

/// A command that starts this program again.
pub fn own_command() -> Command {
    Command::new(std::env::current_exe().unwrap_or_else(|_| "judge".into()))
}

/// Does nothing: threads stay as they are.
pub fn work_in_background() {}

/// Opens the file for reading, with a separate description, which has its own offset and flags.
/// `None`, because the system cannot.
pub fn reopen(_file: &File) -> io::Result<Option<File>> {
    Ok(None)
}

/// The same end of the pipe: flags that a program sets are shared.
pub fn reopen_reader(reader: &PipeReader) -> io::Result<File> {
    Ok(File::from(OwnedStream::from(reader.try_clone()?)))
}

/// Leaves the pipe as it is: macOS enlarges pipes when they are full.
pub fn enlarge_pipe(_writer: &PipeWriter, bytes: usize) -> io::Result<usize> {
    Ok(bytes)
}

/// Would detect when a program has closed the write end of a pipe. The system cannot, so the end of the
/// run is the only signal.
#[derive(Debug)]
pub struct WriteEnd;

impl WriteEnd {
    /// Copies the end for the judge to hold.
    pub fn hold(writer: &PipeWriter) -> io::Result<(File, Self)> {
        let held = File::from(OwnedStream::from(writer.try_clone()?));
        Ok((held, WriteEnd))
    }

    /// False: the system cannot detect that.
    pub fn wait(&self) -> bool {
        false
    }
}
