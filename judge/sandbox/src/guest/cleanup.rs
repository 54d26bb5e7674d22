//! Empties the box between two runs.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::time::Duration;

use crate::sys::remove_tree::{DIRECTORY, Directory, MODE, empty, some_names};
use crate::sys::{self, open_at};

/// How long a file system of the box's own is emptied file by file. What is left then goes with the
/// box, at once: to make a new one takes less. (Landlock looks at every directory above a file that
/// is removed, so that a deep chain of them takes seconds.)
const PATIENCE: Duration = Duration::from_millis(100);

/// The places where a program may write.
pub struct Writable {
    directories: Vec<Directory>,
    /// On a file system of their own: what it holds when they are empty.
    when_empty: Option<(u64, u64)>,
}

impl Writable {
    /// No place.
    pub fn none() -> Self {
        Writable {
            directories: Vec::new(),
            when_empty: None,
        }
    }

    /// From now on, looks at the counts of the file system that the (empty) directories share and
    /// that nobody else has: one call tells whether there is anything to remove.
    pub fn on_own_file_system(&mut self) -> io::Result<()> {
        self.when_empty = self
            .directories
            .first()
            .map(|d| sys::in_use(d.fd.as_fd()))
            .transpose()?;
        Ok(())
    }

    /// Adds a directory, whatever file system it is on.
    pub fn add(&mut self, path: &CStr) -> io::Result<RawFd> {
        self.add_open(open_at(libc::AT_FDCWD, path, DIRECTORY)?)
    }

    /// Adds a directory that is open; it stays open under the number that this gives.
    pub fn add_open(&mut self, fd: OwnedFd) -> io::Result<RawFd> {
        let number = fd.as_raw_fd();
        let kept = some_names(number, &[])?;
        self.directories.push(Directory { fd, kept });
        Ok(number)
    }

    fn is_untouched(&self) -> bool {
        let now = self.directories.first().map(|d| sys::in_use(d.fd.as_fd()));
        match (self.when_empty, now) {
            (Some(before), Some(Ok(now))) => before == now,
            _ => false,
        }
    }

    /// Removes all that is there. Gives how many bytes it held (what was removed of it), and whether
    /// something is left.
    pub fn empty(&mut self) -> (u64, bool) {
        for directory in &self.directories {
            // A program may have locked it, and nothing else tells.
            if sys::mode(directory.fd.as_fd()) != Some(MODE) {
                // SAFETY: no pointers.
                unsafe { libc::fchmod(directory.fd.as_raw_fd(), MODE) };
            }
        }
        if self.is_untouched() {
            return (0, false);
        }
        let (mut bytes, mut unclean) = (0, false);
        // Nobody takes away a directory of the host.
        let until = self
            .when_empty
            .map(|_| sys::clock(libc::CLOCK_MONOTONIC) + PATIENCE);
        for directory in &self.directories {
            unclean = unclean || empty(directory, &mut bytes, until).is_err();
        }
        (bytes, unclean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CString;
    use std::fs;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn what_was_there_from_the_beginning_stays() {
        let top = tempfile::tempdir().unwrap();
        fs::create_dir(top.path().join("mount")).unwrap();
        let mut writable = Writable::none();
        let path = CString::new(top.path().as_os_str().as_bytes()).unwrap();
        writable.add(&path).unwrap();
        fs::write(top.path().join("made"), "123").unwrap();
        assert_eq!(writable.empty(), (3, false));
        assert!(top.path().join("mount").exists() && !top.path().join("made").exists());
    }
}
