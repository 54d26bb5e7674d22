//! Measures the size of a directory that programs write to.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Minimum size of an entry: an empty file takes space, too.
const ENTRY: u64 = 4096;
/// Maximum depth; a deeper tree counts as too large.
const MAX_DEPTH: u32 = 64;
/// Mode of a directory that its owner can read, write and enter.
const OWNER: u32 = 0o700;

/// Bytes of all files below the directory `path`; every entry counts at least 4 KiB. Stops soon
/// after the sum exceeds `max`. Does not follow symbolic links. A directory that cannot be read
/// counts as more than `max`: a program could hide files in it, or below the longest path.
#[must_use]
pub fn tree_bytes(path: &Path, max: u64) -> u64 {
    sum(path, max, false)
}

/// As [`tree_bytes`], for several directories.
#[must_use]
pub fn total_bytes(paths: &[PathBuf], max: u64) -> u64 {
    paths
        .iter()
        .map(|path| tree_bytes(path, max))
        .fold(0, u64::saturating_add)
}

/// As [`tree_bytes`], for a directory in which no program runs: first makes directories readable that
/// their owner made unreadable.
#[must_use]
pub fn unlocked_tree_bytes(path: &Path, max: u64) -> u64 {
    sum(path, max, true)
}

fn sum(path: &Path, max: u64, unlock: bool) -> u64 {
    match below(path, max, unlock, 0) {
        Ok(bytes) => bytes,
        // The entry was removed in the meantime.
        Err(e) if e.kind() == io::ErrorKind::NotFound => 0,
        Err(_) => u64::MAX,
    }
}

fn below(path: &Path, max: u64, unlock: bool, depth: u32) -> io::Result<u64> {
    if depth > MAX_DEPTH {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    if unlock {
        let mode = judge_os::mode(&fs::symlink_metadata(path)?);
        if mode & OWNER != OWNER {
            judge_os::set_mode(path, mode | OWNER)?;
        }
    }
    let mut sum = 0_u64;
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        let size = match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_dir() => {
                below(&path, max.saturating_sub(sum), unlock, depth + 1).map(|size| size + ENTRY)
            }
            Ok(metadata) => Ok(metadata.len().max(ENTRY)),
            Err(e) => Err(e),
        };
        match size {
            Ok(size) => sum = sum.saturating_add(size),
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(e),
        }
        if sum > max {
            break;
        }
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn files_are_counted_and_links_are_not() {
        let top = tempfile::tempdir().unwrap();
        let path = top.path();
        assert_eq!(tree_bytes(path, 1 << 30), 0);
        fs::create_dir_all(path.join("a/b")).unwrap();
        fs::write(path.join("a/b/large"), vec![0; 100_000]).unwrap();
        fs::write(path.join("a/empty"), "").unwrap();
        symlink("/usr", path.join("link")).unwrap();
        assert_eq!(tree_bytes(path, 1 << 30), 100_000 + 4 * ENTRY);
        assert!(tree_bytes(path, 50_000) > 50_000);
        assert_eq!(tree_bytes(&path.join("nothing"), 1), 0);
    }

    #[test]
    fn a_tree_that_cannot_be_measured_counts_as_too_large() {
        let top = tempfile::tempdir().unwrap();
        let mut path = top.path().to_owned();
        for _ in 0..=MAX_DEPTH + 1 {
            path.push("d");
            fs::create_dir(&path).unwrap();
        }
        assert_eq!(tree_bytes(top.path(), 1 << 30), u64::MAX);
        let two = [top.path().to_owned(), top.path().to_owned()];
        assert_eq!(total_bytes(&two, 1 << 30), u64::MAX);
        let hidden = tempfile::tempdir().unwrap();
        let locked = hidden.path().join("locked");
        fs::create_dir(&locked).unwrap();
        fs::set_permissions(&locked, fs::Permissions::from_mode(0o0)).unwrap();
        // Root can read the directory anyway.
        let expected = if fs::read_dir(&locked).is_ok() {
            ENTRY
        } else {
            u64::MAX
        };
        assert_eq!(tree_bytes(hidden.path(), 1 << 30), expected);
        fs::set_permissions(hidden.path(), fs::Permissions::from_mode(0o0)).unwrap();
        assert_eq!(unlocked_tree_bytes(hidden.path(), 1 << 30), ENTRY);
        assert_eq!(tree_bytes(hidden.path(), 1 << 30), ENTRY);
    }
}
