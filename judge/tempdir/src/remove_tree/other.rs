//! macOS and Windows: by path, as far as the system's longest path and the stack allow.

use std::fs;
use std::io;
use std::path::Path;

/// Removes a file or a directory with everything in it; succeeds if it does not exist. No program
/// may be running in it.
pub fn remove_tree(path: &Path) -> io::Result<()> {
    match remove(path, &mut 0) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Removes everything in a directory, like [`remove_tree`]. Returns the sum of the sizes of the
/// files.
pub fn empty_directory(path: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    empty(path, &mut bytes)?;
    Ok(bytes)
}

fn empty(path: &Path, bytes: &mut u64) -> io::Result<()> {
    // Its owner (this user) may have locked it.
    judge_os::set_mode(path, 0o700)?;
    for entry in fs::read_dir(path)? {
        remove(&entry?.path(), bytes)?;
    }
    Ok(())
}

fn remove(path: &Path, bytes: &mut u64) -> io::Result<()> {
    let metadata = fs::symlink_metadata(path)?;
    if metadata.is_dir() {
        empty(path, bytes)?;
        return fs::remove_dir(path);
    }
    *bytes = bytes.saturating_add(metadata.len());
    // Windows removes neither read-only files, nor links to directories as files.
    if metadata.is_file() && metadata.permissions().readonly() {
        judge_os::set_mode(path, 0o600)?;
    }
    fs::remove_file(path).or_else(|e| match metadata.is_symlink() {
        true => fs::remove_dir(path),
        false => Err(e),
    })
}
