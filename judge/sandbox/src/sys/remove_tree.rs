//! Removes directory trees that programs made, of any depth, in bounded memory.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString};
use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use libc::c_int;

use super::{check, check_long, clock, open_at, retry};

pub const DIRECTORY: c_int = libc::O_RDONLY | libc::O_DIRECTORY | libc::O_NOFOLLOW;

/// The mode of a directory that can be emptied.
pub const MODE: libc::mode_t = 0o700;

/// A directory to empty.
pub struct Directory {
    pub fd: OwnedFd,
    /// Entries that stay.
    pub kept: Vec<CString>,
}

/// Removes a file or a directory with everything in it; succeeds if it does not exist. No program
/// may be running in it.
///
/// `std::fs::remove_dir_all` fails at a directory that its owner locked (mode 000).
///
/// # Errors
///
/// Fails if something in it cannot be removed.
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

/// Removes everything in a directory, like [`remove_tree`]. Returns the sum of the sizes of the
/// files.
///
/// # Errors
///
/// Fails if something in it cannot be removed.
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

/// Removes everything in the directory `top` and adds the sizes of the files to `bytes`.
///
/// A chain of directories may be longer than any path and deeper than any stack, and a directory
/// may have more entries than fit in memory. So only one directory is open at a time, its entries
/// are read a few at a time, and the way back is `..`; nothing moves directories meanwhile.
///
/// Fails if something cannot be removed, or not before the time `until` of the monotonic clock.
pub fn empty(top: &Directory, bytes: &mut u64, until: Option<Duration>) -> io::Result<()> {
    let mut current = top.fd.try_clone()?;
    let mut depth = 0_u64;
    loop {
        if until.is_some_and(|until| clock(libc::CLOCK_MONOTONIC) > until) {
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
                // The owner, which is this user too, may have made it unreadable.
                //
                // SAFETY: `name` ends in NUL.
                check(unsafe { libc::fchmodat(current.as_raw_fd(), name.as_ptr(), 0o700, 0) })?;
                current = open_at(current.as_raw_fd(), &name, DIRECTORY)?;
                depth += 1;
                break;
            }
        }
    }
}

/// Removes a file or an empty directory; returns false for a directory that is not empty.
fn remove(directory: RawFd, name: &CStr, bytes: &mut u64) -> io::Result<bool> {
    // SAFETY: `name` ends in NUL; `found` is read only after the call filled it.
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

/// Some names in a directory, without `.`, `..` and `kept`; empty only if there are no others.
pub fn some_names(directory: RawFd, kept: &[CString]) -> io::Result<Vec<CString>> {
    let mut names = Vec::new();
    let mut buffer = [0_u64; 512];
    // SAFETY: no pointers; the offset belongs to this descriptor alone.
    unsafe { libc::lseek(directory, 0, libc::SEEK_SET) };
    while names.is_empty() {
        let size = size_of_val(&buffer);
        let to = buffer.as_mut_ptr();
        // SAFETY: the buffer is writable and aligned for the records, and its size is given.
        let read = || unsafe { libc::syscall(libc::SYS_getdents64, directory, to, size) };
        let n = retry(|| check_long(read()))?;
        if n == 0 {
            break;
        }
        let mut at = 0;
        while at < n as usize {
            // SAFETY: the kernel wrote whole records up to `n`, each with a name that ends in NUL.
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

    #[test]
    fn everything_is_removed_and_nothing_outside_is_touched() {
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

        assert_eq!(empty_directory(path).unwrap(), 8);
        assert_eq!(fs::read_dir(path).unwrap().count(), 0);
        assert!(outside.path().join("kept").exists());
    }

    #[test]
    fn a_tree_with_locked_directories_is_removed() {
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
        // Removes a link, but not its target.
        fs::write(top.path().join("file"), "").unwrap();
        symlink("file", &tree).unwrap();
        remove_tree(&tree).unwrap();
        assert!(!tree.is_symlink() && top.path().join("file").exists());
    }

    #[test]
    fn the_sum_of_sizes_saturates() {
        let top = tempfile::tempdir_in("/dev/shm")
            .or_else(|_| tempfile::tempdir())
            .unwrap();
        for name in ["a", "b", "c"] {
            let file = fs::File::create(top.path().join(name)).unwrap();
            if let Err(e) = file.set_len(i64::MAX as u64) {
                eprintln!("skipped: this file system limits files to a smaller size: {e}");
                return;
            }
        }
        assert_eq!(empty_directory(top.path()).unwrap(), u64::MAX);
    }

    #[test]
    fn a_chain_longer_than_any_path_is_removed() {
        // In memory, because removing a directory on a disk takes a millisecond.
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
        assert_eq!(empty_directory(top.path()).unwrap(), 0);
        assert_eq!(fs::read_dir(top.path()).unwrap().count(), 0);
    }
}
