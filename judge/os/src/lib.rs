//! System calls that differ between Linux, macOS and Windows: one function each.
//!
//! Every other crate of the judge calls these, so that only this crate and the back ends of
//! `judge-sandbox` know the system. What a system lacks is a documented fallback.
#![forbid(unsafe_code)]

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
pub use linux::*;
#[cfg(not(target_os = "linux"))]
pub use other::*;
#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Distinguishes a file from another one that has had the same path.
pub type Identity = (u64, u64);

/// Reads a file from `offset` on: fewer bytes than fit into `buffer` only at its end. On Windows this
/// moves the file's offset.
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    loop {
        match read_some_at(file, buffer, offset) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// As [`read_at`], to the end of `buffer`.
/// Fails when the file cannot be read, or ends before.
pub fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match read_at(file, buffer, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n => {
                buffer = &mut buffer[n..];
                offset += n as u64;
            }
        }
    }
    Ok(())
}

/// Whether the stream, such as standard output, writes to this file.
pub fn is_stream_of(stream: &impl AsStream, path: &Path) -> bool {
    let file = stream.as_stream().try_clone_to_owned().map(File::from);
    let own = file.and_then(|file| file.metadata());
    match (own, fs::metadata(path)) {
        (Ok(own), Ok(there)) => own.is_file() && identity(&own) == identity(&there),
        _ => false,
    }
}

/// Puts the directory `new` in the place of `old`, in one step where the file system can; `old` is at `new` afterwards.
/// If it fails, nothing has changed.
pub fn replace_directory(new: &Path, old: &Path) -> io::Result<()> {
    match exchange(new, old) {
        Err(e) if is_unsupported(&e) => {
            let aside = PathBuf::from(format!("{}-old", new.display()));
            fs::rename(old, &aside)?;
            fs::rename(new, old).inspect_err(|_| {
                let _ = fs::rename(&aside, old);
            })?;
            fs::rename(&aside, new)
        }
        exchanged => exchanged,
    }
}

/// Whether the system can execute the file: it is a regular file, and somebody may execute it.
pub fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && mode(&metadata) & 0o111 != 0)
}

/// The executable file of a program in `dir`; Windows adds a suffix to its name.
pub fn executable_in(dir: &Path, name: &OsStr) -> Option<PathBuf> {
    let mut names = suffixes().into_iter().map(|suffix| {
        let mut name = name.to_owned();
        name.push(suffix);
        dir.join(name)
    });
    names.find(|path| is_executable(path))
}

/// Whether an operation failed because its disk, or the user's share of it, is full.
pub fn is_disk_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

/// Whether the error of a call says that this system or file system does not have it.
pub fn is_unsupported(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput
    )
}
