//! Empties the box between two runs.

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::time::Duration;

use rustix::fs::{CWD, Timestamps, fchmod, futimens};

use crate::sys::{self, FileSystemUsage, open_at};
use judge_tempdir::remove_tree::{DIRECTORY, Directory, MODE, empty, some_names};

/// Time limit for emptying the box's own file system file by file. After that the box is discarded,
/// because making a new one is faster. (Landlock checks every directory above a removed file, so a
/// deep chain of directories takes seconds.)
const EMPTY_TIMEOUT: Duration = Duration::from_millis(100);

/// A directory that a program may write to.
struct Place {
    directory: Directory,
    /// The timestamps and the size of the directory before the first program.
    times: Timestamps,
    size: i64,
}

impl Place {
    fn file_system_usage(&self) -> io::Result<FileSystemUsage> {
        sys::file_system_usage(self.directory.fd.as_fd())
    }

    /// Resets mode and timestamps: the usage of the file system does not show a change of these.
    /// Returns whether the directory has its first size: a directory on a disk does not shrink, so
    /// its size would show the next program how many files there were.
    fn reset(&self) -> bool {
        let fd = &self.directory.fd;
        let now = sys::directory_attributes(fd.as_fd()).ok();
        let has_first_size = now.as_ref().is_none_or(|now| now.size == self.size);
        // A directory on a read-only mount keeps its mode.
        if now.as_ref().is_none_or(|now| now.mode != MODE) {
            let _ = fchmod(fd, MODE);
        }
        if now.is_none_or(|now| !same_times(&now.times, &self.times)) {
            let _ = futimens(fd, &self.times);
        }
        has_first_size
    }
}

fn same_times(a: &Timestamps, b: &Timestamps) -> bool {
    a.last_access == b.last_access && a.last_modification == b.last_modification
}

/// The directories that a program may write to.
pub struct Writable {
    places: Vec<Place>,
    /// The usage of the directories' own file system when they are empty.
    when_empty: Option<FileSystemUsage>,
}

impl Writable {
    pub fn none() -> Self {
        Writable {
            places: Vec::new(),
            when_empty: None,
        }
    }

    /// Records the usage of the file system while the directories are empty. If the box alone uses
    /// that file system, one call then shows whether there are files to remove.
    pub fn on_own_file_system(&mut self) -> io::Result<()> {
        self.when_empty = self
            .places
            .first()
            .map(Place::file_system_usage)
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
        let attributes = sys::directory_attributes(fd.as_fd())?;
        let place = Place {
            times: attributes.times,
            size: attributes.size,
            directory: Directory { fd, kept },
        };
        place.reset();
        self.places.push(place);
        Ok(number)
    }

    fn is_untouched(&self) -> bool {
        let first = self.places.first();
        let now = first.map(Place::file_system_usage);
        match (self.when_empty, now) {
            (Some(before), Some(Ok(now))) => before == now,
            _ => false,
        }
    }

    /// Removes everything in the directories and resets their modes and timestamps. Returns the
    /// size of the removed files, and whether any file or another trace remains.
    pub fn empty(&mut self) -> (u64, bool) {
        for place in &self.places {
            place.reset();
        }
        if self.is_untouched() {
            return (0, false);
        }
        let (mut bytes, mut unclean) = (0, false);
        // A directory of the host cannot be discarded with the box, so it has no time limit.
        let until = self
            .when_empty
            .map(|_| sys::clock(libc::CLOCK_MONOTONIC) + EMPTY_TIMEOUT);
        for place in &self.places {
            unclean = unclean || empty(&place.directory, &mut bytes, until).is_err();
            unclean |= !place.reset();
        }
        // A process may still hold an unlinked file open.
        unclean |= self.when_empty.is_some() && !self.is_untouched();
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
    fn entries_that_exist_at_the_start_are_kept() {
        let top = tempfile::tempdir().unwrap();
        fs::create_dir(top.path().join("mount")).unwrap();
        let mut writable = Writable::none();
        let path = CString::new(top.path().as_os_str().as_bytes()).unwrap();
        writable.add(&path).unwrap();
        fs::write(top.path().join("made"), "123").unwrap();
        assert_eq!(writable.empty(), (3, false));
        assert!(top.path().join("mount").exists() && !top.path().join("made").exists());
    }

    #[test]
    fn a_directory_that_has_grown_is_not_clean() {
        use std::os::unix::fs::MetadataExt;
        let top = tempfile::tempdir().unwrap();
        let size = || fs::metadata(top.path()).unwrap().size();
        let before = size();
        let mut writable = Writable::none();
        let path = CString::new(top.path().as_os_str().as_bytes()).unwrap();
        writable.add(&path).unwrap();
        for k in 0..200 {
            fs::write(top.path().join(format!("{k:0200}")), "").unwrap();
        }
        let (_, unclean) = writable.empty();
        // Not every file system keeps the size.
        assert_eq!(unclean, size() != before);
    }

    #[test]
    fn modes_and_timestamps_are_reset() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let top = tempfile::tempdir().unwrap();
        let set_mode = |mode| {
            fs::set_permissions(top.path(), fs::Permissions::from_mode(mode)).unwrap();
        };
        set_mode(MODE.bits());
        let path = CString::new(top.path().as_os_str().as_bytes()).unwrap();
        let mut writable = Writable::none();
        writable.add(&path).unwrap();
        let state = || {
            let now = fs::metadata(top.path()).unwrap();
            let (access, change) = (now.accessed().unwrap(), now.modified().unwrap());
            (now.mode(), access, change)
        };
        let before = state();
        let set = |seconds| {
            let time = std::time::UNIX_EPOCH + Duration::from_secs(seconds);
            let times = fs::FileTimes::new().set_accessed(time).set_modified(time);
            let directory = fs::File::open(top.path()).unwrap();
            directory.set_times(times).unwrap();
        };
        set(42);
        set_mode(0o711);
        assert_ne!(state(), before);
        assert_eq!(writable.empty(), (0, false));
        assert_eq!(state(), before);

        fs::write(top.path().join("made"), "").unwrap();
        assert_eq!(writable.empty(), (0, false));
        assert_eq!(state(), before);
    }
}
