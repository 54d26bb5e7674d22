//! Empties the box between two runs.

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::time::Duration;

use rustix::fs::{CWD, fchmod};

use crate::sys::remove_tree::{DIRECTORY, Directory, MODE, empty, some_names};
use crate::sys::{self, open_at};

/// How long the box's own file system is emptied file by file. After that the box is discarded,
/// because a new one takes less time. (Landlock checks every directory above a removed file, so a
/// deep chain of directories takes seconds.)
const PATIENCE: Duration = Duration::from_millis(100);

/// The directories that a program may write to.
pub struct Writable {
    directories: Vec<Directory>,
    /// The usage of their own file system when they are empty.
    when_empty: Option<(u64, u64)>,
}

impl Writable {
    pub fn none() -> Self {
        Writable {
            directories: Vec::new(),
            when_empty: None,
        }
    }

    /// Records the usage of the file system of the (empty) directories. If nothing else uses it,
    /// one call then shows whether there is anything to remove.
    pub fn on_own_file_system(&mut self) -> io::Result<()> {
        self.when_empty = self
            .directories
            .first()
            .map(|d| sys::in_use(d.fd.as_fd()))
            .transpose()?;
        Ok(())
    }

    /// Adds a directory on any file system.
    pub fn add(&mut self, path: &CStr) -> io::Result<RawFd> {
        self.add_open(open_at(CWD, path, DIRECTORY)?)
    }

    /// Adds an open directory; it stays open under the returned number.
    pub fn add_open(&mut self, fd: OwnedFd) -> io::Result<RawFd> {
        let number = fd.as_raw_fd();
        let kept = some_names(&fd, &[])?;
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

    /// Removes everything in the directories. Returns the size of what was removed, and whether
    /// anything is left.
    pub fn empty(&mut self) -> (u64, bool) {
        for directory in &self.directories {
            // A program may have changed the mode, which the usage does not show.
            if sys::mode(directory.fd.as_fd()) != Some(MODE) {
                let _ = fchmod(&directory.fd, MODE);
            }
        }
        if self.is_untouched() {
            return (0, false);
        }
        let (mut bytes, mut unclean) = (0, false);
        // A directory of the host cannot be discarded with the box, so it has no time limit.
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
    fn entries_present_at_the_start_stay() {
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
