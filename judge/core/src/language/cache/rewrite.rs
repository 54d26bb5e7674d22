//! Writes the files of a built program again.
//!
//! A compiler, or code that runs while compiling, may leave a file with holes, with preallocated
//! extents or with attributes that its owner may change, and all runs of the program share that
//! file. A copy that the judge writes has none of these. It belongs to the judge's user, which is not
//! that of the boxes if root judges.

use judge_tempdir::remove_tree;
use std::fs::{self, File, FileTimes};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};
use walkdir::WalkDir;

/// The access time of every file: in the year 2037, which all file systems can store. A file system
/// that records the last access at most once a day (`relatime`) leaves a time in the future as it
/// is; otherwise the time would show the next run which files this one has read.
const ACCESSED: Duration = Duration::from_secs(2_145_916_800);

/// Replaces the directory `dir` by a copy of its directories, regular files and symbolic links.
/// `copy` is the temporary name of the copy, in the same file system.
pub fn rewrite(dir: &Path, copy: &Path) -> io::Result<()> {
    remove_tree(copy)?;
    let mut directories = Vec::new();
    for entry in WalkDir::new(dir) {
        let entry = entry?;
        let name = entry.path().strip_prefix(dir).map_err(io::Error::other)?;
        let place = match name.as_os_str().is_empty() {
            true => copy.to_path_buf(),
            false => copy.join(name),
        };
        let kind = entry.file_type();
        if kind.is_dir() {
            judge_os::create_dir(&place, 0o755)?;
            judge_os::set_mode(&place, 0o755)?;
            directories.push(place);
        } else if kind.is_symlink() {
            judge_os::symlink(&fs::read_link(entry.path())?, &place)?;
        } else if kind.is_file() {
            copy_file(entry.path(), &place)?;
        }
    }
    for directory in directories {
        let times = FileTimes::new().set_accessed(SystemTime::UNIX_EPOCH + ACCESSED);
        judge_os::open_dir(&directory)?.set_times(times)?;
    }
    remove_tree(dir)?;
    fs::rename(copy, dir)
}

/// Copies a regular file with its time of modification, which compiled Python files refer to.
/// (`io::copy` would let the file system share the extents of the original.)
fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    let metadata = fs::symlink_metadata(from)?;
    let mode = judge_os::mode(&metadata);
    if mode & 0o400 == 0 {
        judge_os::set_mode(from, mode | 0o400)?;
    }
    let executable = mode & 0o111 != 0;
    let mode = if executable { 0o755 } else { 0o644 };
    let mut from = File::open(from)?;
    let mut options = File::options();
    let options = judge_os::create_with_mode(options.write(true).create_new(true), mode);
    let mut to = options.open(to)?;
    let mut buffer = vec![0; 256 << 10];
    loop {
        match from.read(&mut buffer)? {
            0 => break,
            n => to.write_all(&buffer[..n])?,
        }
    }
    judge_os::set_mode_of(&to, mode)?;
    to.set_times(
        FileTimes::new()
            .set_accessed(SystemTime::UNIX_EPOCH + ACCESSED)
            .set_modified(metadata.modified()?),
    )
}
