//! What was compiled once is not compiled again: a directory per program, named by the hash of
//! everything that it is made of.
//!
//! Several judges may work at once: who builds holds the lock of the entry, and an entry counts
//! only once its `done` file is there, which is moved into place as a whole. Entries that were
//! not used for long go; those used today stay, for another judge may be running them.

use super::compile::MAKE_ROOM;
use super::source::SourceFile;
use crate::text::hex;
use judge_sandbox::Fault;
use sha2::{Digest, Sha256};
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Raised when entries of older judges cannot be used any more.
const FORMAT: &str = "judge-program-cache-1";
const DONE: &str = "done";
/// What the cache may hold, and for how long unused.
const MOST_BYTES: u64 = 4 << 30;
const OLDEST: Duration = Duration::from_secs(30 * 24 * 3600);
const IN_USE: Duration = Duration::from_secs(24 * 3600);
/// How often is cleaned up at most.
const CLEANING: Duration = Duration::from_secs(6 * 3600);

/// A cache of built programs.
#[derive(Debug)]
pub struct Cache {
    root: PathBuf,
    /// Holds the root where there is no lasting place for it.
    _temporary: Option<tempfile::TempDir>,
}

/// The name of an entry: the hash of all that goes into it.
#[derive(Clone)]
pub struct Key(Sha256);

/// An entry, locked while it is built.
pub struct Entry {
    dir: PathBuf,
    _lock: File,
}

impl Key {
    /// The key of nothing yet.
    pub fn new() -> Self {
        let mut key = Key(Sha256::new());
        key.add(FORMAT.as_bytes());
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
        let dir = tempfile::Builder::new().prefix("judge-cache-").tempdir()?;
        fs::create_dir_all(dir.path().join("locks"))?;
        Ok(Cache {
            root: dir.path().to_path_buf(),
            _temporary: Some(dir),
        })
    }

    /// A cache in this directory, which is made where it is not there.
    ///
    /// # Errors
    ///
    /// When the directory cannot be made or written.
    pub fn at(root: &Path) -> io::Result<Self> {
        fs::create_dir_all(root.join("locks"))?;
        fs::create_dir_all(root.join("programs"))?;
        // Fails here rather than at the first program, where the disk is full too.
        tempfile::tempfile_in(root)?.write_all(&[0; 1 << 16])?;
        let cache = Cache {
            root: root.to_path_buf(),
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
        let (dir, lock) = self.place(key)?;
        lock.lock()?;
        Ok(Entry { dir, _lock: lock })
    }

    /// Locks the entry of a key; `None` where another judge, or another worker, builds it.
    pub fn try_entry(&self, key: Key) -> io::Result<Option<Entry>> {
        let (dir, lock) = self.place(key)?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(Entry { dir, _lock: lock })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(e)) => Err(e),
        }
    }

    fn place(&self, key: Key) -> io::Result<(PathBuf, File)> {
        let name = key.name();
        // A few locks for all entries: files of their own would pile up.
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(self.root.join("locks").join(&name[..2]))?;
        Ok((self.root.join("programs").join(name), lock))
    }

    /// Removes what is old or too much, at most every few hours. What fails stays for next time.
    fn clean_sometimes(&self) {
        let stamp = self.root.join("cleaned");
        if fs::metadata(&stamp).is_ok_and(|m| age(&m) < CLEANING) {
            return;
        }
        if fs::write(&stamp, "").is_ok() {
            self.clean(MOST_BYTES, OLDEST, IN_USE);
        }
    }

    fn clean(&self, most: u64, oldest: Duration, in_use: Duration) {
        let mut entries: Vec<(Duration, u64, PathBuf)> = Vec::new();
        for entry in fs::read_dir(self.root.join("programs"))
            .into_iter()
            .flatten()
            .flatten()
        {
            let path = entry.path();
            // An entry without its mark is being built, or was given up.
            let marked = fs::metadata(path.join(DONE)).or_else(|_| fs::metadata(&path));
            if let Ok(metadata) = marked {
                entries.push((age(&metadata), size(&path), path));
            }
        }
        entries.sort();
        let mut total = 0;
        for (age, size, path) in entries {
            total += size;
            if age > in_use && (age > oldest || total > most) {
                let name = path
                    .file_name()
                    .map(|name| name.to_string_lossy().into_owned());
                if let Some(name) = name.filter(|name| name.len() >= 2)
                    && let Ok(lock) = File::open(self.root.join("locks").join(&name[..2]))
                    && lock.try_lock().is_ok()
                {
                    // Its mark goes first: half an entry must not count.
                    let _ = fs::remove_file(path.join(DONE));
                    let _ = fs::remove_dir_all(&path);
                }
            }
        }
    }
}

impl Entry {
    /// Where the program is built and run.
    pub fn dir(&self) -> PathBuf {
        self.dir.join("program")
    }

    /// What was noted when it was built, if it was.
    pub fn done(&self) -> Option<String> {
        let path = self.dir.join(DONE);
        let text = fs::read_to_string(&path).ok()?;
        // Its age is how long it was not used.
        if let Ok(file) = File::options().append(true).open(&path) {
            let _ = file.set_modified(SystemTime::now());
        }
        Some(text)
    }

    /// Empties the directory to build in.
    pub fn start(&self) -> io::Result<PathBuf> {
        if self.dir.exists() {
            fs::remove_dir_all(&self.dir)?;
        }
        let dir = self.dir();
        fs::create_dir_all(&dir)?;
        // In a box the compiler may be another user.
        fs::set_permissions(&dir, fs::Permissions::from_mode(0o777))?;
        Ok(dir)
    }

    /// Marks it as built, with a note.
    pub fn finish(&self, note: &str) -> io::Result<()> {
        fs::set_permissions(self.dir(), fs::Permissions::from_mode(0o755))?;
        let temporary = self.dir.join("done.new");
        fs::write(&temporary, note)?;
        fs::rename(temporary, self.dir.join(DONE))
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

fn size(dir: &Path) -> u64 {
    let files = walkdir::WalkDir::new(dir).into_iter().flatten();
    files
        .filter_map(|entry| entry.metadata().ok())
        .filter(fs::Metadata::is_file)
        .map(|m| m.len())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Key {
        let mut key = Key::new();
        key.add(text.as_bytes());
        key
    }

    fn put(cache: &Cache, name: &str, bytes: usize) {
        let entry = cache.entry(key(name)).unwrap();
        assert_eq!(entry.done(), None);
        let dir = entry.start().unwrap();
        fs::write(dir.join("x"), vec![0; bytes]).unwrap();
        entry.finish(name).unwrap();
    }

    #[test]
    fn an_entry_counts_once_it_is_done() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::at(dir.path()).unwrap();
        let entry = cache.entry(key("a")).unwrap();
        entry.start().unwrap();
        drop(entry); // given up
        put(&cache, "a", 10);
        assert_eq!(cache.entry(key("a")).unwrap().done().as_deref(), Some("a"));
        assert_eq!(cache.entry(key("b")).unwrap().done(), None);
    }

    #[test]
    fn parts_of_a_key_cannot_run_into_each_other() {
        let name = |parts: &[&str]| {
            let mut key = Key::new();
            parts.iter().for_each(|part| key.add(part.as_bytes()));
            key.name()
        };
        assert_ne!(name(&["ab", "c"]), name(&["a", "bc"]));
        assert_eq!(name(&["ab", "c"]), name(&["ab", "c"]));
    }

    #[test]
    fn two_judges_build_an_entry_once() {
        let dir = tempfile::tempdir().unwrap();
        let built = std::sync::atomic::AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let cache = Cache::at(dir.path()).unwrap();
                    let entry = cache.entry(key("a")).unwrap();
                    if entry.done().is_none() {
                        entry.start().unwrap();
                        built.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        entry.finish("").unwrap();
                    }
                });
            }
        });
        assert_eq!(built.into_inner(), 1);
    }

    #[test]
    fn old_entries_go_and_those_in_use_stay() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::at(dir.path()).unwrap();
        for name in ["a", "b", "c"] {
            put(&cache, name, 1000);
        }
        let used_before = |name: &str, hours: u64| {
            let path = cache.entry(key(name)).unwrap().dir.join(DONE);
            let time = SystemTime::now() - Duration::from_secs(hours * 3600);
            File::options()
                .append(true)
                .open(path)
                .unwrap()
                .set_modified(time)
                .unwrap();
        };
        let there = |name: &str| cache.entry(key(name)).unwrap().dir.join(DONE).exists();
        used_before("a", 100);
        used_before("b", 50);
        let hours = |n: u64| Duration::from_secs(n * 3600);
        cache.clean(1 << 30, hours(200), hours(24));
        assert!(there("a") && there("b") && there("c"));
        cache.clean(2500, hours(200), hours(24));
        assert!(!there("a") && there("b") && there("c"));
        cache.clean(0, hours(200), hours(24));
        assert!(
            !there("b") && there("c"),
            "what is in use stays, whatever the size"
        );
    }
}
