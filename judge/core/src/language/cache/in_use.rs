//! Registers the entries that running judges use, so that none of them is evicted.
//!
//! Each judge has a file in `judges/` that lists the names of its entries, one per line, and holds
//! its lock. If the file of a judge can be locked, that judge has exited, and its file is removed.

use crate::parallel::unpoisoned;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::NamedTempFile;

/// The list of one judge.
#[derive(Debug)]
pub struct InUse {
    directory: PathBuf,
    path: PathBuf,
    list: Mutex<List>,
}

#[derive(Debug)]
struct List {
    names: BTreeSet<String>,
    /// `None` if it cannot be written: other judges may then evict our entries.
    file: Option<File>,
}

impl InUse {
    /// An empty list of this judge in the cache at `root`.
    pub fn new(root: &Path) -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let directory = root.join("judges");
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = directory.join(format!("{}.{number}", std::process::id()));
        let made = fs::create_dir_all(&directory).and_then(|()| {
            // Locked before it has its name, so that no other judge takes it for that of one that has exited.
            let file = NamedTempFile::new_in(root)?;
            file.as_file().lock()?;
            // Replaces the file that a judge with the same PID may have left.
            Ok(file.persist(&path)?)
        });
        let names = BTreeSet::new();
        InUse {
            directory,
            path,
            list: Mutex::new(List {
                names,
                file: made.ok(),
            }),
        }
    }

    /// Registers an entry; called before the entry is locked.
    pub fn add(&self, name: &str) {
        let mut list = unpoisoned(self.list.lock());
        if list.names.insert(name.to_owned())
            && let Some(file) = &mut list.file
        {
            let _ = file.write_all(format!("{name}\n").as_bytes());
        }
    }

    /// Whether a running judge uses the entry in the directory `entry`.
    pub fn by_any(&self, entry: &Path) -> bool {
        let Some(name) = entry.file_name().and_then(|name| name.to_str()) else {
            return false;
        };
        let own = unpoisoned(self.list.lock());
        if own.names.contains(name) {
            return true;
        }
        let files = fs::read_dir(&self.directory);
        let mut paths = files.into_iter().flatten().flatten().map(|e| e.path());
        paths.any(|path| path != self.path && lists(&path, name))
    }
}

/// Whether the file at `path` belongs to a running judge and lists the entry.
fn lists(path: &Path, name: &str) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    if file.try_lock().is_ok() {
        let _ = fs::remove_file(path);
        return false;
    }
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().any(|line| line == name)
}

impl Drop for InUse {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}
