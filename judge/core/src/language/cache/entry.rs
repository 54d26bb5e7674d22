//! An entry of the cache, whose holder has locked it.

use super::MAX_BYTES;
use super::rewrite::rewrite;
use judge_sandbox::tree_bytes;
use judge_tempdir::{give_to_boxes, remove_tree};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub const DONE: &str = "done";

/// Temporary name of `done`. It lies outside `program/`, where a compiler may have left a symbolic
/// link.
const DONE_NEW: &str = "done.new";

pub const PROGRAM: &str = "program";

/// Temporary name of the copy of `program/` that the judge writes. It is not longer, because a path
/// below `program/` may be as long as the system allows.
const REWRITTEN: &str = "rewrite";

pub const LOCK: &str = "lock";

/// How many times in a row other judges may remove an entry that this one is about to lock.
const TRIES: u32 = 10_000;

/// A locked entry. If it was not finished, it is removed on drop.
pub struct Entry {
    dir: PathBuf,
    _lock: File,
}

/// Opens the lock file of an entry, creating it if necessary, and returns it with its path.
fn open_lock(dir: &Path) -> io::Result<(PathBuf, File)> {
    let path = dir.join(LOCK);
    let mut tries = 0;
    loop {
        // Not `create_dir_all`, which fails if the directory is removed while it runs.
        let made = match fs::create_dir(dir) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            other => other,
        };
        let mut options = File::options();
        let options = options.create(true).truncate(false).write(true);
        match made.and_then(|()| options.open(&path)) {
            Ok(lock) => return Ok((path, lock)),
            // With Landlock alone a compile step can change the mode of the entry's directory.
            Err(e) if e.kind() == io::ErrorKind::PermissionDenied && tries == 0 => {
                tries += 1;
                judge_os::set_mode(dir, 0o700)?;
            }
            // The entry or the whole cache was removed meanwhile. The retries are bounded because a
            // dangling symbolic link gives the same error.
            Err(e) if e.kind() == io::ErrorKind::NotFound && tries < TRIES => {
                tries += 1;
                fs::create_dir_all(dir.parent().unwrap_or(dir))?;
            }
            Err(e) => return Err(e),
        }
    }
}

/// Locks the entry in `dir`, when no other judge holds it any longer.
pub fn lock(dir: PathBuf) -> io::Result<Entry> {
    loop {
        let (path, lock) = open_lock(&dir)?;
        lock.lock()?;
        if is_at(&lock, &path) {
            return Ok(Entry { dir, _lock: lock });
        }
    }
}

pub fn lock_at_once(dir: PathBuf) -> io::Result<Option<Entry>> {
    loop {
        let (path, lock) = open_lock(&dir)?;
        match lock.try_lock() {
            Ok(()) if is_at(&lock, &path) => return Ok(Some(Entry { dir, _lock: lock })),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(e)) => return Err(e),
        }
    }
}

/// Whether `path` still refers to the open file.
fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::metadata(path)) {
        (Ok(own), Ok(there)) => judge_os::identity(&own) == judge_os::identity(&there),
        _ => false,
    }
}

/// The note of the entry in `dir` if it is built; updates its time of last use.
pub fn note(dir: &Path) -> Option<String> {
    let path = dir.join(DONE);
    let text = fs::read_to_string(&path).ok()?;
    if let Ok(file) = File::options().append(true).open(&path) {
        let _ = file.set_modified(SystemTime::now());
    }
    Some(text)
}

/// Time since the last use of an entry. An entry without `done` is being built or was abandoned:
/// the age of its directory counts.
pub fn unused(dir: &Path) -> Option<Duration> {
    let marked = fs::metadata(dir.join(DONE)).or_else(|_| fs::metadata(dir));
    marked.ok().map(|metadata| age(&metadata))
}

impl Entry {
    /// The entry's own directory.
    pub fn root(&self) -> &Path {
        &self.dir
    }

    /// The directory in which the program is built and run.
    pub fn dir(&self) -> PathBuf {
        self.dir.join(PROGRAM)
    }

    /// The note that was stored when the entry was built, if it was.
    pub fn done(&self) -> Option<String> {
        note(&self.dir)
    }

    /// Prepares an empty directory to build in.
    pub fn start(&self) -> io::Result<PathBuf> {
        self.empty()?;
        let dir = self.dir();
        fs::create_dir(&dir)?;
        give_to_boxes(&dir).map_err(io::Error::other)?;
        Ok(dir)
    }

    /// Writes the built program again, so that its files are the judge's own.
    pub fn rewrite(&self) -> io::Result<()> {
        rewrite(&self.dir(), &self.dir.join(REWRITTEN))
    }

    /// Removes everything but the lock. `done` goes first: an incomplete entry must not count.
    fn empty(&self) -> io::Result<()> {
        let there = |result: io::Result<()>| match result {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        };
        for mark in [DONE, DONE_NEW] {
            there(fs::remove_file(self.dir.join(mark)))?;
        }
        remove_tree(&self.dir.join(REWRITTEN))?;
        remove_tree(&self.dir())
    }

    /// Removes the entry; returns whether that succeeded.
    pub fn remove(&self) -> bool {
        let remove = || {
            judge_os::set_mode(&self.dir, 0o755)?;
            self.empty()?;
            // A judge that waits for the lock notices the removal by comparing inodes (`is_at`).
            fs::remove_file(self.dir.join(LOCK))?;
            fs::remove_dir(&self.dir)
        };
        remove().is_ok()
    }

    /// Marks the entry as built, with a note.
    pub fn finish(&self, note: &str) -> io::Result<()> {
        judge_os::set_mode(&self.dir(), 0o755)?;
        let temporary = self.dir.join(DONE_NEW);
        fs::write(&temporary, note)?;
        fs::rename(temporary, self.dir.join(DONE))
    }
}

impl Drop for Entry {
    /// Removes an entry that was not finished.
    fn drop(&mut self) {
        if !self.dir.join(DONE).exists() {
            self.remove();
        }
    }
}

pub fn age(metadata: &fs::Metadata) -> Duration {
    metadata
        .modified()
        .ok()
        .and_then(|time| time.elapsed().ok())
        .unwrap_or_default()
}

/// The size of an entry in bytes. Capped, since a program under construction may hold any number of
/// files.
pub fn size(dir: &Path) -> u64 {
    tree_bytes(dir, MAX_BYTES).min(MAX_BYTES)
}
