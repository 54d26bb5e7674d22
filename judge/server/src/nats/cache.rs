//! A worker's cache of packages.

use super::archive::unpack;
use super::protocol::Object;
use super::{Connection, objects};
use crate::blobs::temporary_beside;
use crate::packages::{Packages, tree};
use judge_core::error::{Failure, Reason};
use judge_core::judging::{Settings, Toolchain};
use judge_core::parallel::unpoisoned;
use judge_package::Package;
use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};
use walkdir::WalkDir;

/// The packages that a worker judges: a directory of snapshots that is filled from the object store.
pub struct Cache {
    dir: PathBuf,
    packages: Packages,
    /// Bytes.
    limit: u64,
    /// The snapshots that were verified. One is downloaded at a time.
    verified: Mutex<HashSet<String>>,
    /// Two workers do not delete each other's packages.
    _lock: File,
}

/// A package that was used this recently stays.
const RECENT: Duration = Duration::from_secs(600);

impl Cache {
    /// Opens a directory, or one beside it if another worker uses it. Packages whose last use is the
    /// longest ago are deleted when there are more than `limit` bytes.
    pub fn open(dir: &Path, limit: u64) -> io::Result<Self> {
        for k in 1.. {
            let own = match k {
                1 => dir.to_owned(),
                _ => dir.with_extension(k.to_string()),
            };
            judge_tempdir::private_directory(&own)?;
            let lock = File::create(own.join("lock"))?;
            match lock.try_lock() {
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
                Ok(()) => {
                    let dir = own.join("packages");
                    return Ok(Cache {
                        packages: Packages::open(&dir)?,
                        dir,
                        limit,
                        verified: Mutex::default(),
                        _lock: lock,
                    });
                }
            }
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }

    /// A package, which is downloaded and verified if needed; `put` makes its coordinator put it into
    /// the object store.
    pub(crate) fn package(
        &self,
        connection: &Connection,
        hash: &str,
        put: impl Fn() -> Result<(), Reason>,
        settings: &Settings,
        toolchain: &Toolchain,
    ) -> Result<Arc<Package>, Failure> {
        self.provide(connection, hash, put)
            .map_err(Failure::internal)?;
        self.packages.get_tree(hash, settings, toolchain)
    }

    /// Downloads and verifies a snapshot, unless that was done before.
    fn provide(
        &self,
        connection: &Connection,
        hash: &str,
        put: impl Fn() -> Result<(), Reason>,
    ) -> Result<(), Reason> {
        let failed = |e: io::Error| Reason::new(format!("{}: {e}", self.dir.display()));
        let mut verified = unpoisoned(self.verified.lock());
        if !verified.contains(hash) {
            if !self.has(hash) {
                self.shrink(&mut verified).map_err(failed)?;
                put()?;
                self.download(connection, hash)?;
            }
            verified.insert(hash.to_owned());
        }
        self.touch(hash).map_err(failed)
    }

    /// A package that this process judged before.
    pub(crate) fn loaded_package(&self, hash: &str) -> Option<Arc<Package>> {
        let package = self.packages.loaded_tree(hash)?;
        // If that fails, its last use seems to be longer ago.
        let _ = self.touch(hash);
        Some(package)
    }

    /// Notes the time of the last use.
    fn touch(&self, hash: &str) -> io::Result<()> {
        File::open(self.dir.join(hash))?.set_modified(SystemTime::now())
    }

    /// Whether the snapshot is there, undamaged. A damaged one is deleted.
    fn has(&self, hash: &str) -> bool {
        let Ok(root) = self.packages.snapshot(hash) else {
            return false;
        };
        let intact = tree(&root).is_ok_and(|found| found == hash);
        if !intact {
            let _ = fs::remove_dir_all(self.dir.join(hash));
        }
        intact
    }

    fn download(&self, connection: &Connection, hash: &str) -> Result<(), Reason> {
        let place = self.dir.join(hash);
        let temporary = temporary_beside(&place);
        let unpacked = self.unpack(connection, hash, &temporary);
        let kept = unpacked.and_then(|()| {
            fs::rename(&temporary, &place)
                .map_err(|e| Reason::new(format!("{}: {e}", place.display())))
        });
        if kept.is_err() {
            let _ = fs::remove_dir_all(&temporary);
        }
        kept
    }

    fn unpack(&self, connection: &Connection, hash: &str, to: &Path) -> Result<(), Reason> {
        let failed =
            |e: io::Error| Reason::new(format!("failed to unpack the package {hash}: {e}"));
        let file = tempfile::tempfile_in(&self.dir).map_err(failed)?;
        let mut writer = tokio::fs::File::from_std(file.try_clone().map_err(failed)?);
        objects::get(connection, &Object::Tree(hash.to_owned()), &mut writer)?;
        let unpacked = unpack(file, to).map_err(failed)?;
        match tree(&unpacked).map_err(failed)? == hash {
            true => Ok(()),
            false => Err(Reason::new(format!(
                "the package in the object store is not {hash}: its content is another"
            ))),
        }
    }

    /// Deletes packages until the directory is smaller than the limit.
    fn shrink(&self, verified: &mut HashSet<String>) -> io::Result<()> {
        let mut total = 0;
        let mut kept = Vec::new();
        for entry in fs::read_dir(&self.dir)? {
            let entry = entry?;
            let size: u64 = WalkDir::new(entry.path())
                .into_iter()
                .filter_map(|entry| Some(entry.ok()?.metadata().ok()?.len()))
                .sum();
            total += size;
            kept.push((entry.metadata()?.modified()?, entry.file_name(), size));
        }
        kept.sort();
        for (used, name, size) in kept {
            let recent = used.elapsed().unwrap_or_default() < RECENT;
            let hash = name.to_string_lossy();
            if total <= self.limit || recent || !self.packages.unload(&hash) {
                continue;
            }
            fs::remove_dir_all(self.dir.join(&name))?;
            verified.remove(hash.as_ref());
            total -= size;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::archive::{pack, tests::packages};
    use super::*;

    #[test]
    fn a_damaged_copy_is_deleted_and_old_ones_make_room() {
        let dir = tempfile::tempdir().expect("a directory");
        let (packages, hash) = packages(dir.path());
        let cache = Cache::open(&dir.path().join("cache"), 0).expect("it opens");
        let copy = |name: &str| {
            let archive = pack(&packages.snapshot(&hash).expect("kept")).expect("it is packed");
            let place = cache.dir.join(name);
            unpack(archive, &place).expect("it is unpacked");
            place
        };
        let place = copy(&hash);
        assert!(cache.has(&hash));
        fs::write(place.join("sum/1.ans"), "4\n").expect("it is damaged");
        assert!(!cache.has(&hash) && !place.exists());

        let (old, recent) = (copy("old"), copy("recent"));
        let long_ago = SystemTime::now() - 2 * RECENT;
        let set = File::open(&old).and_then(|dir| dir.set_modified(long_ago));
        set.expect("it is set");
        cache.shrink(&mut HashSet::new()).expect("it works");
        assert!(!old.exists() && recent.exists());
        // Another worker on this machine has a cache of its own.
        let second = Cache::open(&dir.path().join("cache"), 0).expect("it opens");
        assert_ne!(second.dir, cache.dir);
    }
}
