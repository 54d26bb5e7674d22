//! Empties the box between two runs: whatever a program made, however deep, in bounded memory.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString};
use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use libc::c_int;

use crate::sys::{self, check, check_long, open_at, retry};

const DIRECTORY: c_int = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_NOFOLLOW;

/// How long a file system of the box's own is emptied file by file. What is left then goes with the
/// box, at once: to make a new one takes less. (Landlock looks at every directory above a file that
/// is removed, so that a deep chain of them takes seconds.)
const PATIENCE: Duration = Duration::from_millis(100);

/// Who may do what with an empty directory.
const MODE: libc::mode_t = 0o700;

/// The places where a program may write.
pub struct Writable {
    directories: Vec<Directory>,
    /// On a file system of their own: what it holds when they are empty.
    when_empty: Option<(u64, u64)>,
}

struct Directory {
    fd: OwnedFd,
    /// What was there from the beginning: mounts of the box's own.
    kept: Vec<CString>,
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
        let (mut bytes, mut spoilt) = (0, false);
        // Nobody takes away a directory of the host.
        let until = self
            .when_empty
            .map(|_| sys::clock(libc::CLOCK_MONOTONIC) + PATIENCE);
        for directory in &self.directories {
            spoilt = spoilt || empty(directory, &mut bytes, until).is_err();
        }
        (bytes, spoilt)
    }
}

/// Removes a file or a directory with everything in it, whatever a program made there; that it is
/// not there is no error. No program may be at work in it.
///
/// `std::fs::remove_dir_all` gives up at a directory that its owner locked (mode 000).
///
/// # Errors
///
/// When something in it cannot be removed.
pub fn remove_tree(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => {
            empty_directory(path).and_then(|_| fs::remove_dir(path))
        }
        Ok(_) => fs::remove_file(path),
        Err(e) => Err(e),
    };
    match removed {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Removes everything in a directory, as [`remove_tree`] does. Gives the sum of the sizes of the
/// files that were there.
///
/// # Errors
///
/// When something in it cannot be removed.
pub fn empty_directory(path: &Path) -> io::Result<u64> {
    let name = CString::new(path.as_os_str().as_bytes())?;
    let open = || open_at(libc::AT_FDCWD, &name, DIRECTORY);
    let fd = open().or_else(|e| match e.kind() {
        io::ErrorKind::PermissionDenied => {
            fs::set_permissions(path, fs::Permissions::from_mode(MODE))?;
            open()
        }
        _ => Err(e),
    })?;
    let kept = Vec::new();
    let mut bytes = 0;
    empty(&Directory { fd, kept }, &mut bytes, None)?;
    Ok(bytes)
}

/// Removes everything in the directory `top` and adds up the sizes of the files.
///
/// A chain of directories may be longer than any path and deeper than any stack, and a directory
/// may have more entries than fit in memory. So one directory is open at a time, a few entries of
/// it are looked at, and the way back is `..`: nobody else is here to move things meanwhile.
///
/// Fails where something cannot be removed, or not by the moment `until` of the monotonic clock.
fn empty(top: &Directory, bytes: &mut u64, until: Option<Duration>) -> io::Result<()> {
    let mut current = top.fd.try_clone()?;
    let mut depth = 0_u64;
    loop {
        if until.is_some_and(|until| sys::clock(libc::CLOCK_MONOTONIC) > until) {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let kept: &[CString] = if depth == 0 { &top.kept } else { &[] };
        let names = some_names(current.as_raw_fd(), kept)?;
        if names.is_empty() {
            if depth == 0 {
                return Ok(());
            }
            depth -= 1;
            current = open_at(current.as_raw_fd(), c"..", DIRECTORY)?;
        }
        for name in names {
            if !remove(current.as_raw_fd(), &name, bytes)? {
                // Its owner may have made it unreadable; it is ours as well.
                // SAFETY: `name` ends in NUL.
                check(unsafe { libc::fchmodat(current.as_raw_fd(), name.as_ptr(), 0o700, 0) })?;
                current = open_at(current.as_raw_fd(), &name, DIRECTORY)?;
                depth += 1;
                break;
            }
        }
    }
}

/// Removes a file or an empty directory; false for a directory that is not empty.
fn remove(directory: RawFd, name: &CStr, bytes: &mut u64) -> io::Result<bool> {
    // SAFETY: `name` ends in NUL; `found` is read only when the call filled it.
    let kind = unsafe {
        let mut found = MaybeUninit::<libc::stat>::uninit();
        let no_follow = libc::AT_SYMLINK_NOFOLLOW;
        check(libc::fstatat(
            directory,
            name.as_ptr(),
            found.as_mut_ptr(),
            no_follow,
        ))?;
        let found = found.assume_init();
        if found.st_mode & libc::S_IFMT == libc::S_IFREG {
            *bytes = bytes.saturating_add(u64::try_from(found.st_size).unwrap_or(0));
        }
        found.st_mode & libc::S_IFMT
    };
    let flags = if kind == libc::S_IFDIR {
        libc::AT_REMOVEDIR
    } else {
        0
    };
    // SAFETY: `name` ends in NUL.
    match check(unsafe { libc::unlinkat(directory, name.as_ptr(), flags) }) {
        Ok(_) => Ok(true),
        Err(e) if matches!(e.raw_os_error(), Some(libc::ENOTEMPTY | libc::EEXIST)) => Ok(false),
        Err(e) => Err(e),
    }
}

/// The first names in a directory, without `.`, `..` and those kept; none only if there are no
/// others.
fn some_names(directory: RawFd, kept: &[CString]) -> io::Result<Vec<CString>> {
    let mut names = Vec::new();
    let mut buffer = [0_u64; 512];
    // SAFETY: no pointers; the offset belongs to this descriptor alone.
    unsafe { libc::lseek(directory, 0, libc::SEEK_SET) };
    while names.is_empty() {
        let size = size_of_val(&buffer);
        let to = buffer.as_mut_ptr();
        // SAFETY: the buffer is writable, aligned for the records, and its size is given.
        let read = || unsafe { libc::syscall(libc::SYS_getdents64, directory, to, size) };
        let n = retry(|| check_long(read()))?;
        if n == 0 {
            break;
        }
        let mut at = 0;
        while at < n as usize {
            // SAFETY: the kernel wrote whole records up to `n`, each ending in a NUL-ended name.
            let (name, size) = unsafe {
                let record = buffer
                    .as_ptr()
                    .cast::<u8>()
                    .add(at)
                    .cast::<libc::dirent64>();
                let name = (&raw const (*record).d_name).cast();
                (CStr::from_ptr(name), (*record).d_reclen)
            };
            if name != c"." && name != c".." && !kept.iter().any(|k| k.as_c_str() == name) {
                names.push(name.to_owned());
            }
            at += size as usize;
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::fs::symlink;

    /// Empties a directory as if all in it had been made by a program.
    fn clean(path: &Path) -> (u64, bool) {
        let mut writable = Writable::none();
        writable
            .add(&CString::new(path.as_os_str().as_bytes()).unwrap())
            .unwrap();
        writable.directories[0].kept.clear();
        writable.empty()
    }

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

    #[test]
    fn everything_goes_and_nothing_outside_is_touched() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("kept"), "kept").unwrap();
        let top = tempfile::tempdir().unwrap();
        let path = top.path();
        fs::write(path.join("file"), "12345").unwrap();
        fs::write(path.join(OsStr::from_bytes(b"\xff\n")), "67").unwrap();
        symlink(outside.path(), path.join("link")).unwrap();
        fs::create_dir_all(path.join("a/b/c")).unwrap();
        fs::write(path.join("a/b/c/.remove-1"), "8").unwrap();
        fs::create_dir(path.join(".remove-1")).unwrap();
        fs::write(path.join(".remove-1/x"), "").unwrap();
        for locked in ["a/b/c", "a/b", "a"] {
            fs::set_permissions(path.join(locked), fs::Permissions::from_mode(0o000)).unwrap();
        }

        assert_eq!(clean(path), (8, false));
        assert_eq!(fs::read_dir(path).unwrap().count(), 0);
        assert!(outside.path().join("kept").exists());
    }

    #[test]
    fn a_tree_with_locked_directories_goes_whole() {
        let top = tempfile::tempdir().unwrap();
        let tree = top.path().join("tree");
        fs::create_dir_all(tree.join("a/b")).unwrap();
        fs::write(tree.join("a/b/file"), "123").unwrap();
        for locked in ["a/b", "a", ""] {
            fs::set_permissions(tree.join(locked), fs::Permissions::from_mode(0o000)).unwrap();
        }
        assert_eq!(empty_directory(&tree).unwrap(), 3);
        assert!(tree.is_dir());
        remove_tree(&tree).unwrap();
        assert!(!tree.exists());
        remove_tree(&tree).unwrap();
        // A link goes, what it leads to stays.
        fs::write(top.path().join("file"), "").unwrap();
        symlink("file", &tree).unwrap();
        remove_tree(&tree).unwrap();
        assert!(!tree.is_symlink() && top.path().join("file").exists());
    }

    #[test]
    fn sizes_that_no_number_holds_are_no_trouble() {
        let top = tempfile::tempdir_in("/dev/shm")
            .or_else(|_| tempfile::tempdir())
            .unwrap();
        for name in ["a", "b", "c"] {
            let file = fs::File::create(top.path().join(name)).unwrap();
            if let Err(e) = file.set_len(i64::MAX as u64) {
                eprintln!("skipped: this file system has no files so large: {e}");
                return;
            }
        }
        assert_eq!(clean(top.path()), (u64::MAX, false));
    }

    #[test]
    fn a_chain_longer_than_any_path_goes() {
        // In memory: a disk takes a millisecond to let go of each directory.
        let shared = Path::new("/dev/shm");
        let base = if shared.is_dir() {
            shared.to_path_buf()
        } else {
            std::env::temp_dir()
        };
        let top = tempfile::tempdir_in(base).unwrap();
        let mut directory = open_at(
            libc::AT_FDCWD,
            &CString::new(top.path().as_os_str().as_bytes()).unwrap(),
            DIRECTORY,
        )
        .unwrap();
        for _ in 0..1000 {
            // SAFETY: the name ends in NUL.
            check(unsafe { libc::mkdirat(directory.as_raw_fd(), c"deep".as_ptr(), 0o755) })
                .unwrap();
            directory = open_at(directory.as_raw_fd(), c"deep", DIRECTORY).unwrap();
        }
        assert_eq!(clean(top.path()), (0, false));
        assert_eq!(fs::read_dir(top.path()).unwrap().count(), 0);
    }
}
