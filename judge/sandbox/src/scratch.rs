//! Files for the standard streams of a run.
#![allow(unsafe_code)]

use std::ffi::CString;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::path::Path;

use crate::{Fault, sys};

/// An empty file without a name, in memory, for what a program writes.
///
/// Use it again after `set_len(0)` and a seek to the start: the program writes at the offset that
/// the file has. It is readable and writable, gone when closed, and bounded by
/// [`Limits::output`](crate::Limits::output).
///
/// # Errors
///
/// A [`Fault`] when the system has no descriptor or no memory left.
pub fn scratch_file() -> Result<File, Fault> {
    memory_file("judge-scratch", libc::MFD_CLOEXEC).map_err(|e| Fault::os("make a scratch file", e))
}

/// The input of a test, copied into memory once and sealed: no program can change it, however it
/// gets at it, and no run pays for reading it from the disk.
///
/// A descriptor of the file itself would let a program of the same user change its mode, or open
/// it again for writing through `/proc/self/fd`.
#[derive(Debug)]
pub struct Input(File);

impl Input {
    /// Copies the file at `path`.
    ///
    /// # Errors
    ///
    /// A [`Fault`] that names the file when it cannot be read, or when memory is short.
    pub fn from_path(path: &Path) -> Result<Self, Fault> {
        let read = |e| Fault::os(format!("read {}", path.display()), e);
        Self::from_reader(&mut File::open(path).map_err(read)?).map_err(read)
    }

    /// Copies `bytes`.
    ///
    /// # Errors
    ///
    /// A [`Fault`] when memory is short.
    pub fn from_bytes(mut bytes: &[u8]) -> Result<Self, Fault> {
        Self::from_reader(&mut bytes).map_err(|e| Fault::os("copy an input", e))
    }

    fn from_reader(mut from: &mut impl Read) -> io::Result<Self> {
        let mut file = memory_file("judge-input", libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING)?;
        io::copy(&mut from, &mut file)?;
        let seals =
            libc::F_SEAL_SEAL | libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_WRITE;
        // SAFETY: no pointers.
        sys::check(unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) })?;
        Ok(Input(file))
    }

    /// A new descriptor at the start of the input, for reading: one for each run.
    ///
    /// # Errors
    ///
    /// A [`Fault`] when no descriptor is left.
    pub fn open(&self) -> Result<File, Fault> {
        // A program may have changed the mode of what it was given: that much the seals allow.
        // SAFETY: no pointers.
        unsafe { libc::fchmod(self.0.as_raw_fd(), 0o444) };
        File::open(format!("/proc/self/fd/{}", self.0.as_raw_fd()))
            .map_err(|e| Fault::os("open an input", e))
    }

    /// Its length in bytes.
    ///
    /// # Errors
    ///
    /// A [`Fault`] when the system cannot tell.
    pub fn len(&self) -> Result<u64, Fault> {
        self.0
            .metadata()
            .map(|m| m.len())
            .map_err(|e| Fault::os("measure an input", e))
    }

    /// Whether it is empty.
    ///
    /// # Errors
    ///
    /// As for [`len`](Self::len).
    pub fn is_empty(&self) -> Result<bool, Fault> {
        self.len().map(|len| len == 0)
    }
}

fn memory_file(name: &str, flags: libc::c_uint) -> io::Result<File> {
    /// From Linux 6.3 on a memory file is not executable unless one asks; older ones refuse the flag.
    const NOEXEC_SEAL: libc::c_uint = 8;
    let name = CString::new(name)?;
    // SAFETY: the name ends in NUL.
    let make = |flags| sys::check(unsafe { libc::memfd_create(name.as_ptr(), flags) });
    let fd = match make(flags | NOEXEC_SEAL) {
        Err(e) if e.raw_os_error() == Some(libc::EINVAL) => make(flags)?,
        other => other?,
    };
    // SAFETY: just made, owned by nobody else.
    Ok(File::from(unsafe { OwnedFd::from_raw_fd(fd) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Seek, Write};

    #[test]
    fn an_input_is_read_again_and_again_and_never_written() {
        let input = Input::from_bytes(b"3 4\n").unwrap();
        assert_eq!(input.len().unwrap(), 4);
        for _ in 0..2 {
            let mut text = String::new();
            input.open().unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "3 4\n");
        }
        let fd = input.open().unwrap();
        let again = format!("/proc/self/fd/{}", fd.as_raw_fd());
        let written = std::fs::OpenOptions::new()
            .write(true)
            .open(again)
            .and_then(|mut file| file.write_all(b"x"));
        assert!(written.is_err());
        assert!((&input.0).write_all(b"x").is_err());
        assert!(input.0.set_len(0).is_err());
    }

    #[test]
    fn a_scratch_file_holds_what_is_written() {
        let mut file = scratch_file().unwrap();
        file.write_all(b"out").unwrap();
        file.rewind().unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "out");
    }

    #[test]
    fn a_missing_input_is_named() {
        let fault = Input::from_path(Path::new("/nowhere/1.in")).unwrap_err();
        assert!(fault.to_string().contains("/nowhere/1.in"), "{fault}");
    }
}
