//! Removes directory trees that programs made, of any depth, in bounded memory.

use std::ffi::{CStr, CString};
use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, RawDir, SeekFrom, chmodat, openat, seek, statat, tell,
    unlinkat,
};
use rustix::io::Errno;
use rustix::path::Arg;
use rustix::time::{ClockId, clock_gettime};

/// Flags that open a directory, but no link to one.
pub const DIRECTORY: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Mode of a directory that can be emptied.
pub const MODE: Mode = Mode::RWXU;

/// A directory to empty.
pub struct Directory {
    /// The open directory.
    pub fd: OwnedFd,
    /// Entries that stay.
    pub kept: Vec<CString>,
}

/// Removes a file or a directory with everything in it; succeeds if it does not exist. No program
/// may be running in it.
///
/// `std::fs::remove_dir_all` fails at a directory that its owner locked (mode 000).
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
pub fn empty_directory(path: &Path) -> io::Result<u64> {
    let try_open = || open(CWD, path);
    let fd = try_open().or_else(|e| match e.kind() {
        io::ErrorKind::PermissionDenied => {
            fs::set_permissions(path, fs::Permissions::from_mode(MODE.bits()))?;
            try_open()
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
/// Fails if something cannot be removed, or if the monotonic clock passes `until`.
pub fn empty(top: &Directory, bytes: &mut u64, until: Option<Duration>) -> io::Result<()> {
    let mut current = top.fd.try_clone()?;
    seek(&current, SeekFrom::Start(0))?;
    // The read offset in each directory above. Reading a directory again from the start would take
    // as long as reading all entries that were removed there.
    let mut above = Vec::new();
    // Whether something was removed since the directory was last read from its start, which may have
    // hidden other entries.
    let mut removed = false;
    loop {
        if until.is_some_and(|until| now() > until) {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let kept: &[CString] = if above.is_empty() { &top.kept } else { &[] };
        let place = tell(&current)?;
        let names = next_names(&current, kept)?;
        if names.is_empty() && removed {
            removed = false;
            seek(&current, SeekFrom::Start(0))?;
        } else if names.is_empty() {
            let Some(place) = above.pop() else {
                return Ok(());
            };
            current = open(&current, c"..")?;
            seek(&current, SeekFrom::Start(place))?;
            removed = true;
        }
        for name in names {
            if remove(&current, &name, bytes)? {
                removed = true;
                continue;
            }
            // Its owner (this user) may have made it unreadable.
            chmodat(&current, &name, MODE, AtFlags::empty())?;
            current = open(&current, &name)?;
            above.push(place);
            removed = false;
            break;
        }
    }
}

fn open(place: impl AsFd, path: impl Arg) -> io::Result<OwnedFd> {
    Ok(openat(place, path, DIRECTORY, Mode::empty())?)
}

/// The monotonic clock.
fn now() -> Duration {
    Duration::try_from(clock_gettime(ClockId::Monotonic)).unwrap_or_default()
}

/// Removes a file or an empty directory; returns false for a directory that is not empty.
fn remove(directory: &OwnedFd, name: &CStr, bytes: &mut u64) -> io::Result<bool> {
    let stat = statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)?;
    let kind = FileType::from_raw_mode(stat.st_mode);
    if kind.is_file() {
        *bytes = bytes.saturating_add(u64::try_from(stat.st_size).unwrap_or(0));
    }
    let flags = if kind.is_dir() {
        AtFlags::REMOVEDIR
    } else {
        AtFlags::empty()
    };
    match unlinkat(directory, name, flags) {
        Ok(()) => Ok(true),
        Err(Errno::NOTEMPTY | Errno::EXIST) => Ok(false),
        Err(e) => Err(e.into()),
    }
}

/// Some names in a directory, without `.`, `..` and `kept`; empty only if there are no others.
pub fn some_names(directory: &OwnedFd, kept: &[CString]) -> io::Result<Vec<CString>> {
    seek(directory, SeekFrom::Start(0))?;
    next_names(directory, kept)
}

/// As [`some_names`], from the current read offset.
fn next_names(directory: &OwnedFd, kept: &[CString]) -> io::Result<Vec<CString>> {
    let mut names = Vec::new();
    let mut buffer = [MaybeUninit::uninit(); 4096];
    let mut entries = RawDir::new(directory, &mut buffer);
    while let Some(entry) = entries.next() {
        match entry {
            Ok(entry) => {
                let name = entry.file_name();
                if name != c"." && name != c".." && !kept.iter().any(|k| k.as_c_str() == name) {
                    names.push(name.to_owned());
                }
            }
            Err(Errno::INTR) => continue,
            Err(e) => return Err(e.into()),
        }
        if entries.is_buffer_empty() && !names.is_empty() {
            break;
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_directory_is_emptied_without_following_links() {
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
        // A link is removed, but not its target.
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
        // Uses a tmpfs, because removing a directory on a disk takes a millisecond.
        let shared = Path::new("/dev/shm");
        let base = if shared.is_dir() {
            shared.to_path_buf()
        } else {
            std::env::temp_dir()
        };
        let top = tempfile::tempdir_in(base).unwrap();
        let mut directory = open(CWD, top.path()).unwrap();
        for _ in 0..1000 {
            rustix::fs::mkdirat(&directory, c"deep", MODE).unwrap();
            directory = open(&directory, c"deep").unwrap();
        }
        assert_eq!(empty_directory(top.path()).unwrap(), 0);
        assert_eq!(fs::read_dir(top.path()).unwrap().count(), 0);
    }
}
