//! What was compiled once is not compiled again: a directory per program, named by the hash of
//! everything that it is made of.
//!
//! Several judges may work at once: who builds holds the lock of the entry, and an entry counts
//! only once its `done` file is there, which is moved into place as a whole. Entries that were
//! not used for long are removed, and the least recently used ones where the cache holds too much;
//! those that a running judge uses stay (`in_use`).
//!
//! ```text
//! programs/<hash>/lock       locked by who builds or removes the entry, shared by who looks at it
//!                 done       the note of who built it; its time is that of the last use
//!                 program/   what was built
//! ```
//!
//! The lock is a file of the entry and goes with it, last of all: whoever waited for it then finds
//! that it is not the entry's any more, and begins anew. (A lock that several entries shared would
//! let programs wait for each other that have nothing to do with each other, and a directory cannot
//! be locked on every file system.)

mod in_use;

use super::compile::{BUILD_BYTES, MAKE_ROOM};
use super::source::SourceFile;
use crate::text::hex;
use in_use::InUse;
use judge_sandbox::{Fault, TempDirectory, give_to_boxes, remove_tree, tree_bytes};
use sha2::{Digest, Sha256};
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// Raised when entries of older judges cannot be used any more.
const FORMAT: &str = "judge-program-cache-1";
const DONE: &str = "done";
/// Its mark until it is whole. Not beside the program: there a compiler may have left a link.
const DONE_NEW: &str = "done.new";
const LOCK: &str = "lock";
const PROGRAM: &str = "program";
/// What the cache may hold, and for how long unused.
const MOST_BYTES: u64 = 4 << 30;
const OLDEST: Duration = Duration::from_secs(30 * 24 * 3600);
/// How often in turn others may remove an entry that is about to be locked.
const TRIES: u32 = 10_000;
/// How often is cleaned up at most.
const CLEANING: Duration = Duration::from_secs(6 * 3600);

/// A cache of built programs.
#[derive(Debug)]
pub struct Cache {
    root: PathBuf,
    /// The entries that this judge uses.
    in_use: InUse,
    /// Bytes in all entries, once they were counted.
    held: Mutex<Option<u64>>,
    /// Holds the root where there is no lasting place for it.
    _temporary: Option<TempDirectory>,
}

/// The name of an entry: the hash of all that goes into it.
#[derive(Clone)]
pub struct Key(Sha256);

/// What is known of an entry without waiting for it.
pub enum Look {
    /// It is there: the directory of the program, and the note of who built it.
    Built {
        /// The directory.
        dir: PathBuf,
        /// The note.
        note: String,
    },
    /// It is not.
    Missing,
    /// Somebody builds it, or nobody can tell.
    Busy,
}

/// An entry, locked while it is built. One that was not built is gone when this is dropped.
pub struct Entry {
    dir: PathBuf,
    _lock: File,
}

impl Key {
    /// The key of nothing yet.
    pub fn new() -> Self {
        let mut key = Key(Sha256::new());
        key.add(FORMAT.as_bytes());
        // Another user of the same cache (`sudo`) could neither lock nor remove the entry.
        key.add(&rustix::process::getuid().as_raw().to_le_bytes());
        key
    }

    /// Adds a part; its length goes in too, so that parts cannot run into each other.
    pub fn add(&mut self, part: &[u8]) {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    /// Adds source files.
    pub fn add_files(&mut self, files: &[SourceFile]) {
        self.add(&files.len().to_le_bytes());
        for file in files {
            self.add(file.path.as_os_str().as_bytes());
            self.add(&[u8::from(file.executable)]);
            self.add(&file.bytes);
        }
    }

    fn name(self) -> String {
        hex(&self.0.finalize()[..20])
    }
}

impl Cache {
    /// The user's cache (`$XDG_CACHE_HOME/judge`), or one for this run where that cannot be
    /// written.
    ///
    /// # Errors
    ///
    /// When not even a temporary directory can be made.
    pub fn open() -> io::Result<Self> {
        if let Some(root) = user_cache()
            && let Ok(cache) = Self::at(&root)
        {
            return Ok(cache);
        }
        let dir = TempDirectory::new("cache").map_err(io::Error::other)?;
        let mut cache = Self::at(dir.path())?;
        cache._temporary = Some(dir);
        Ok(cache)
    }

    /// A cache in this directory, which is made where it is not there.
    ///
    /// # Errors
    ///
    /// When the directory cannot be made or written.
    pub fn at(root: &Path) -> io::Result<Self> {
        fs::create_dir_all(root.join("programs"))?;
        // Fails here rather than at the first program, where the disk is full too.
        tempfile::tempfile_in(root)?.write_all(&[0; 1 << 16])?;
        let cache = Cache {
            root: root.to_path_buf(),
            in_use: InUse::new(root),
            held: Mutex::new(None),
            _temporary: None,
        };
        cache.clean_sometimes();
        Ok(cache)
    }

    /// The fault of a failure to read or write it.
    pub fn fault(&self, source: io::Error) -> Fault {
        let full = matches!(
            source.kind(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
        );
        let stage = format!("use the cache of built programs in {}", self.root.display());
        let mut fault = Fault::os(stage, source);
        if full {
            fault.remedy = Some(MAKE_ROOM.to_owned());
        }
        fault
    }

    /// Locks the entry of a key: waits while another judge builds it.
    pub fn entry(&self, key: Key) -> io::Result<Entry> {
        let dir = self.place(key);
        loop {
            let (path, lock) = open_lock(&dir)?;
            lock.lock()?;
            if is_at(&lock, &path) {
                return Ok(Entry { dir, _lock: lock });
            }
        }
    }

    /// Locks the entry of a key; `None` where another judge, or another worker, builds it.
    pub fn try_entry(&self, key: Key) -> io::Result<Option<Entry>> {
        lock_at_once(self.place(key))
    }

    /// Whether an entry is there; makes none and waits for nobody.
    pub fn look(&self, key: Key) -> Look {
        let dir = self.place(key);
        let lock = match File::open(dir.join(LOCK)) {
            Ok(lock) => lock,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Look::Missing,
            Err(_) => return Look::Busy,
        };
        match (lock.try_lock_shared(), note(&dir)) {
            (Err(_), _) => Look::Busy,
            (Ok(()), Some(note)) => Look::Built {
                dir: dir.join(PROGRAM),
                note,
            },
            (Ok(()), None) => Look::Missing,
        }
    }

    /// Marks an entry as built, with a note, and makes room where the cache now holds too much.
    pub fn finish(&self, entry: &Entry, note: &str) -> io::Result<()> {
        entry.finish(note)?;
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let all = match *held {
            Some(before) => before.saturating_add(size(&entry.dir)),
            None => self.entries().into_iter().map(|(_, size, _)| size).sum(),
        };
        *held = Some(all);
        if all > MOST_BYTES {
            self.clean(MOST_BYTES, OLDEST);
            *held = None;
        }
        Ok(())
    }

    /// The directory of an entry, which from now on counts as used by this judge.
    fn place(&self, key: Key) -> PathBuf {
        let name = key.name();
        self.in_use.add(&name);
        self.root.join("programs").join(name)
    }

    /// Removes what is old or too much, at most every few hours. What fails stays for next time.
    fn clean_sometimes(&self) {
        let stamp = self.root.join("cleaned");
        if fs::metadata(&stamp).is_ok_and(|m| age(&m) < CLEANING) {
            return;
        }
        if fs::write(&stamp, "").is_ok() {
            self.clean(MOST_BYTES, OLDEST);
        }
    }

    /// Every entry: for how long it was not used, its size and its directory.
    fn entries(&self) -> Vec<(Duration, u64, PathBuf)> {
        let entries = fs::read_dir(self.root.join("programs"));
        let paths = entries.into_iter().flatten().flatten().map(|e| e.path());
        paths
            .filter_map(|path| Some((unused(&path)?, size(&path), path)))
            .collect()
    }

    /// Removes entries that no running judge uses: those that were not used for `oldest`, and the
    /// least recently used ones, until the cache holds at most `most` bytes.
    fn clean(&self, most: u64, oldest: Duration) {
        let mut entries = self.entries();
        entries.sort();
        let mut total = entries.iter().map(|(_, size, _)| size).sum::<u64>();
        for (age, size, path) in entries.into_iter().rev() {
            if age <= oldest && total <= most {
                break;
            }
            // A judge that looks at the entry says so before it locks it.
            if let Ok(Some(entry)) = lock_at_once(path)
                && !self.in_use.by_any(&entry.dir)
                && entry.remove()
            {
                total -= size;
            }
        }
    }
}

/// Opens the lock of an entry, which is made where it is not there; also gives its path.
fn open_lock(dir: &Path) -> io::Result<(PathBuf, File)> {
    let path = dir.join(LOCK);
    let mut tries = 0;
    loop {
        // Not `create_dir_all`, which fails where the directory is there and then is not.
        let made = match fs::create_dir(dir) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            other => other,
        };
        let mut options = File::options();
        let options = options.create(true).truncate(false).write(true);
        match made.and_then(|()| options.open(&path)) {
            Ok(lock) => return Ok((path, lock)),
            // The entry was removed meanwhile, or even the whole cache. (Not for ever: a link that
            // leads nowhere looks the same.)
            Err(e) if e.kind() == io::ErrorKind::NotFound && tries < TRIES => {
                tries += 1;
                fs::create_dir_all(dir.parent().unwrap_or(dir))?;
            }
            Err(e) => return Err(e),
        }
    }
}

fn lock_at_once(dir: PathBuf) -> io::Result<Option<Entry>> {
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

/// Whether the open file is still the one of this path.
fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::metadata(path)) {
        (Ok(own), Ok(there)) => (own.dev(), own.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

/// The note of who built the entry in `dir`, if somebody did; it counts as used now.
fn note(dir: &Path) -> Option<String> {
    let path = dir.join(DONE);
    let text = fs::read_to_string(&path).ok()?;
    if let Ok(file) = File::options().append(true).open(&path) {
        let _ = file.set_modified(SystemTime::now());
    }
    Some(text)
}

/// How long an entry was not used; one without its mark is being built, or was given up.
fn unused(dir: &Path) -> Option<Duration> {
    let marked = fs::metadata(dir.join(DONE)).or_else(|_| fs::metadata(dir));
    marked.ok().map(|metadata| age(&metadata))
}

impl Entry {
    /// Where the program is built and run.
    pub fn dir(&self) -> PathBuf {
        self.dir.join(PROGRAM)
    }

    /// What was noted when it was built, if it was.
    pub fn done(&self) -> Option<String> {
        note(&self.dir)
    }

    /// Empties the directory to build in.
    pub fn start(&self) -> io::Result<PathBuf> {
        self.empty()?;
        let dir = self.dir();
        fs::create_dir(&dir)?;
        give_to_boxes(&dir).map_err(io::Error::other)?;
        Ok(dir)
    }

    /// Removes all but the lock. The mark goes first: half an entry must not count.
    fn empty(&self) -> io::Result<()> {
        let there = |result: io::Result<()>| match result {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        };
        for mark in [DONE, DONE_NEW] {
            there(fs::remove_file(self.dir.join(mark)))?;
        }
        remove_tree(&self.dir())
    }

    /// Removes the entry; false where that fails, and it stays for next time.
    fn remove(&self) -> bool {
        let remove = || {
            self.empty()?;
            // Who had waited for it, or makes another in its place, sees that it is gone.
            fs::remove_file(self.dir.join(LOCK))?;
            fs::remove_dir(&self.dir)
        };
        remove().is_ok()
    }

    /// Marks it as built, with a note.
    pub fn finish(&self, note: &str) -> io::Result<()> {
        fs::set_permissions(self.dir(), fs::Permissions::from_mode(0o755))?;
        let temporary = self.dir.join(DONE_NEW);
        fs::write(&temporary, note)?;
        fs::rename(temporary, self.dir.join(DONE))
    }
}

impl Drop for Entry {
    /// What was not built, or given up, leaves nothing.
    fn drop(&mut self) {
        if !self.dir.join(DONE).exists() {
            self.remove();
        }
    }
}

fn user_cache() -> Option<PathBuf> {
    let absolute = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|p| p.is_absolute())
    };
    let base = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(base.join("judge"))
}

fn age(metadata: &fs::Metadata) -> Duration {
    metadata
        .modified()
        .ok()
        .and_then(|time| time.elapsed().ok())
        .unwrap_or_default()
}

/// Bytes of an entry. One that hides its size, while it is built, counts as much as any may have.
fn size(dir: &Path) -> u64 {
    tree_bytes(dir, BUILD_BYTES).min(BUILD_BYTES)
}

#[cfg(test)]
mod tests;
