//! A cache of compiled programs: one directory per program, named by the hash of everything that
//! influences the build.
//!
//! Several judges may use the cache at the same time. A judge that builds an entry holds its lock,
//! and an entry counts only once its `done` file exists, which is renamed into place. Entries that
//! were not used for a long time are evicted, and the least recently used ones when the cache is
//! too large; entries that a running judge uses are never evicted (`in_use`).
//!
//! ```text
//! programs/<hash>/lock       exclusive while the entry is built or removed, shared while it is read
//!                 done       the builder's note; its modification time is the time of last use
//!                 program/   the built program
//! ```
//!
//! The lock file belongs to the entry and is removed last. A judge that waited for the lock then
//! finds that it is no longer the entry's lock, and opens a new one. (A lock shared by several
//! entries would make unrelated programs wait for each other, and not every file system can lock a
//! directory.)

mod entry;
mod in_use;
mod rewrite;

pub use entry::Entry;

use super::compile::MAKE_ROOM;
use super::source::SourceFile;
use crate::parallel::unpoisoned;
use crate::text::hex;
use entry::{LOCK, PROGRAM, age, lock_at_once, note, size, unused};
use etcetera::base_strategy::{BaseStrategy, Xdg};
use in_use::InUse;
use judge_sandbox::Fault;
use judge_tempdir::{TempDirectory, private_directory};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

/// Version of the cache's layout; changed when entries of older judges become unusable.
const FORMAT: &str = "judge-program-cache-2";
/// The size limit of the cache.
pub const MAX_BYTES: u64 = 4 << 30;
const MAX_AGE: Duration = Duration::from_secs(30 * 24 * 3600);
/// The shortest time between two evictions at start-up.
const CLEANING: Duration = Duration::from_secs(6 * 3600);

/// A cache of built programs.
#[derive(Debug)]
pub struct Cache {
    root: PathBuf,
    /// The entries that this judge uses.
    in_use: InUse,
    /// Total size of the entries, once computed.
    total_bytes: Mutex<Option<u64>>,
    /// Owns the root if it is temporary.
    _temporary: Option<TempDirectory>,
}

/// The key of an entry: the hash of everything that influences the build.
#[derive(Clone)]
pub struct Key(Sha256);

/// The state of an entry, determined without waiting for a lock.
pub enum Lookup {
    /// The entry is built.
    Built {
        /// The directory.
        dir: PathBuf,
        note: String,
    },
    /// The entry does not exist.
    Missing,
    /// The entry is locked or cannot be read.
    Busy,
}

impl Key {
    /// A key without parts.
    pub fn new() -> Self {
        let mut key = Key(Sha256::new());
        key.add(FORMAT.as_bytes());
        // Another user of the same cache (`sudo`) could neither lock nor remove this user's entry.
        key.add(&judge_os::user_id().to_le_bytes());
        key
    }

    /// Adds a part, preceded by its length, so that the boundaries of parts count.
    pub fn add(&mut self, part: &[u8]) {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    pub fn add_files(&mut self, files: &[SourceFile]) {
        self.add(&files.len().to_le_bytes());
        for file in files {
            self.add(file.path.as_os_str().as_encoded_bytes());
            self.add(&[u8::from(file.executable)]);
            self.add(&file.bytes);
        }
    }

    fn name(self) -> String {
        hex(&self.0.finalize()[..20])
    }
}

/// Result of [`Cache::clear`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cleared {
    /// Programs that were removed.
    pub removed: usize,
    /// Their size in bytes.
    pub bytes: u64,
    /// Programs that stay, because a running judge uses them.
    pub in_use: usize,
}

impl Cache {
    /// The directory of the user's cache, `$XDG_CACHE_HOME/judge`; `None` without a home.
    pub fn user_directory() -> Option<PathBuf> {
        Some(Xdg::new().ok()?.cache_dir().join("judge"))
    }

    /// The user's cache ([`Cache::user_directory`]), or a temporary one if that is not writable.
    ///
    /// # Errors
    ///
    /// If no temporary directory can be created either.
    pub fn open() -> io::Result<Self> {
        let mut failures = Vec::new();
        let mut open = |root: &Path| {
            let cache = Self::at(root);
            cache.map_err(|e| failures.push(format!("{}: {e}", root.display())))
        };
        if let Some(user) = Self::user_directory()
            && let Ok(cache) = open(&user)
        {
            return Ok(cache);
        }
        let dir = TempDirectory::new("cache").map_err(io::Error::other)?;
        if let Ok(mut cache) = open(dir.path()) {
            cache._temporary = Some(dir);
            return Ok(cache);
        }
        let what = format!("{}\n  help: {MAKE_ROOM}", failures.join("; "));
        Err(io::Error::other(what))
    }

    /// A cache in this directory, which is created if necessary, and closed to other users: it holds
    /// sources of submissions.
    ///
    /// # Errors
    ///
    /// If the directory cannot be created or written.
    pub fn at(root: &Path) -> io::Result<Self> {
        private_directory(root)?;
        fs::create_dir_all(root.join("programs"))?;
        // Detects a full or read-only disk here rather than at the first program.
        tempfile::tempfile_in(root)?.write_all(&[0; 1 << 16])?;
        let cache = Cache {
            root: root.to_path_buf(),
            in_use: InUse::new(root),
            total_bytes: Mutex::new(None),
            _temporary: None,
        };
        cache.clean_sometimes();
        Ok(cache)
    }

    /// Removes all programs that no running judge uses from the cache at `root`, and the rest of the cache
    /// if none is left.
    pub fn clear(root: &Path) -> Cleared {
        let mut cleared = Cleared::default();
        if !root.is_dir() {
            return cleared;
        }
        let cache = Cache {
            root: root.to_path_buf(),
            in_use: InUse::new(root),
            total_bytes: Mutex::new(None),
            _temporary: None,
        };
        for (_, size, path) in cache.entries() {
            if cache.remove_unused(path) {
                cleared.removed += 1;
                cleared.bytes += size;
            } else {
                cleared.in_use += 1;
            }
        }
        // Also removes the files of judges that have exited.
        let _ = cache.in_use.by_any(&root.join("programs"));
        drop(cache);
        let _ = fs::remove_file(root.join("cleaned"));
        // Directories with files of running judges stay.
        for directory in ["programs", "judges", ""] {
            let _ = fs::remove_dir(root.join(directory));
        }
        cleared
    }

    /// The fault for an I/O error of the cache.
    pub fn fault(&self, source: io::Error) -> Fault {
        let full = judge_os::is_disk_full(&source);
        let stage = format!("use the cache of built programs in {}", self.root.display());
        let mut fault = Fault::os(stage, source);
        if full {
            fault.remedy = Some(MAKE_ROOM.to_owned());
        }
        fault
    }

    /// Locks the entry of a key; blocks while another judge builds it.
    pub fn entry(&self, key: Key) -> io::Result<Entry> {
        entry::lock(self.place(key))
    }

    /// Locks the entry of a key; `None` if another judge or worker holds the lock.
    pub fn try_entry(&self, key: Key) -> io::Result<Option<Entry>> {
        lock_at_once(self.place(key))
    }

    /// The state of an entry; neither creates it nor blocks.
    pub fn lookup(&self, key: Key) -> Lookup {
        let dir = self.place(key);
        let lock = match File::open(dir.join(LOCK)) {
            Ok(lock) => lock,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Lookup::Missing,
            Err(_) => return Lookup::Busy,
        };
        match (lock.try_lock_shared(), note(&dir)) {
            (Err(_), _) => Lookup::Busy,
            (Ok(()), Some(note)) => Lookup::Built {
                dir: dir.join(PROGRAM),
                note,
            },
            (Ok(()), None) => Lookup::Missing,
        }
    }

    /// Marks an entry as built, with a note, and evicts entries if the cache is now too large.
    pub fn finish(&self, entry: &Entry, note: &str) -> io::Result<()> {
        entry.finish(note)?;
        let mut total_bytes = unpoisoned(self.total_bytes.lock());
        let all = match *total_bytes {
            Some(before) => before.saturating_add(size(entry.root())),
            None => self.entries().into_iter().map(|(_, size, _)| size).sum(),
        };
        *total_bytes = Some(all);
        if all > MAX_BYTES {
            self.clean(MAX_BYTES, MAX_AGE);
            *total_bytes = None;
        }
        Ok(())
    }

    /// The directory of an entry; registers the entry as used by this judge.
    fn place(&self, key: Key) -> PathBuf {
        let name = key.name();
        self.in_use.add(&name);
        self.root.join("programs").join(name)
    }

    /// Evicts entries if the last eviction was more than `CLEANING` ago. Best effort.
    fn clean_sometimes(&self) {
        let stamp = self.root.join("cleaned");
        if fs::metadata(&stamp).is_ok_and(|m| age(&m) < CLEANING) {
            return;
        }
        if fs::write(&stamp, "").is_ok() {
            self.clean(MAX_BYTES, MAX_AGE);
        }
    }

    /// All entries: time since the last use, size, directory.
    fn entries(&self) -> Vec<(Duration, u64, PathBuf)> {
        let entries = fs::read_dir(self.root.join("programs"));
        let paths = entries.into_iter().flatten().flatten().map(|e| e.path());
        paths
            .filter_map(|path| Some((unused(&path)?, size(&path), path)))
            .collect()
    }

    /// Removes entries that no running judge uses: those unused for `oldest`, then the least
    /// recently used ones until the cache holds at most `most` bytes.
    fn clean(&self, most: u64, oldest: Duration) {
        let mut entries = self.entries();
        entries.sort();
        let mut total = entries.iter().map(|(_, size, _)| size).sum::<u64>();
        for (age, size, path) in entries.into_iter().rev() {
            if age <= oldest && total <= most {
                break;
            }
            if self.remove_unused(path) {
                total -= size;
            }
        }
    }

    /// Removes the entry in the directory `path` unless a running judge uses it; returns whether it is gone.
    fn remove_unused(&self, path: PathBuf) -> bool {
        // A judge registers an entry as used before it locks it.
        matches!(lock_at_once(path), Ok(Some(entry))
            if !self.in_use.by_any(entry.root()) && entry.remove())
    }
}

#[cfg(test)]
mod tests;
