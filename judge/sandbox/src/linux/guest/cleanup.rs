//! Empties the box between two runs.

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::time::Duration;

use rustix::fs::{CWD, Timestamps, fchmod, futimens};

use crate::linux::sys::{self, FileSystemUsage, open_at};
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
    fn open(path: &CStr) -> io::Result<Self> {
        Self::new(open_at(CWD, path, DIRECTORY)?)
    }

    fn new(fd: OwnedFd) -> io::Result<Self> {
        let kept = some_names(&fd, &[])?;
        let attributes = sys::directory_attributes(fd.as_fd())?;
        let place = Place {
            times: attributes.times,
            size: attributes.size,
            directory: Directory { fd, kept },
        };
        place.reset();
        Ok(place)
    }

    fn file_system_usage(&self) -> io::Result<FileSystemUsage> {
        sys::file_system_usage(self.directory.fd.as_fd())
    }

    /// Resets mode and timestamps: the usage of the file system does not show a change of these. The
    /// change time becomes that of the reset, independent of what the program did and when.
    /// Returns whether the directory has its first size: a directory on a disk does not shrink, so
    /// its size would show the next program how many files there were.
    fn reset(&self) -> bool {
        let fd = &self.directory.fd;
        let now = sys::directory_attributes(fd.as_fd()).ok();
        // A directory on a read-only mount keeps its mode.
        if now.as_ref().is_none_or(|now| now.mode != MODE) {
            let _ = fchmod(fd, MODE);
        }
        let _ = futimens(fd, &self.times);
        now.is_none_or(|now| now.size == self.size)
    }
}

/// The directories that a program may write to.
pub struct Writable {
    /// The work directory is the first.
    places: Vec<Place>,
    /// The usage of the directories' own file system when they are empty, if they have one.
    when_empty: Option<FileSystemUsage>,
}

impl Writable {
    /// A directory on any file system.
    pub fn of_directory(path: &CStr) -> io::Result<Self> {
        Ok(Writable {
            places: vec![Place::open(path)?],
            when_empty: None,
        })
    }

    /// The directories of a box with its own root, which is the current one: `work`, `/tmp` and
    /// `/dev/shm`. They have a file system of their own: one call shows whether there are files to
    /// remove.
    pub fn of_box(work: OwnedFd) -> io::Result<Self> {
        let places = vec![
            Place::new(work)?,
            Place::open(c"/tmp")?,
            Place::open(c"/dev/shm")?,
        ];
        Ok(Writable {
            when_empty: Some(places[0].file_system_usage()?),
            places,
        })
    }

    /// The number of the work directory's descriptor, which stays open.
    pub fn work(&self) -> RawFd {
        self.places[0].directory.fd.as_raw_fd()
    }

    fn is_untouched(&self) -> bool {
        let now = || self.places[0].file_system_usage().ok();
        self.when_empty.is_some() && self.when_empty == now()
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
    use std::path::Path;

    fn writable(directory: &Path) -> Writable {
        let path = CString::new(directory.as_os_str().as_bytes()).unwrap();
        Writable::of_directory(&path).unwrap()
    }

    #[test]
    fn entries_that_exist_at_the_start_are_kept() {
        let top = tempfile::tempdir().unwrap();
        fs::create_dir(top.path().join("mount")).unwrap();
        let mut writable = writable(top.path());
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
        let mut writable = writable(top.path());
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
        let mut writable = writable(top.path());
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

        // A program can set the change time alone, by setting what is set already.
        let changed = || {
            let now = fs::metadata(top.path()).unwrap();
            (now.ctime(), now.ctime_nsec())
        };
        set_mode(MODE.bits());
        let by_program = changed();
        let start = std::time::Instant::now();
        while changed() == by_program {
            assert!(start.elapsed() < Duration::from_secs(10), "it stays");
            assert_eq!(writable.empty(), (0, false));
        }
    }
}
