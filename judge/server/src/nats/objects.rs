//! Packages and large sources in the object store, under their hashes, and a worker's cache of
//! packages.

use super::protocol::{OBJECTS, Object};
use super::{Connection, Error};
use crate::blobs::{self, temporary_beside};
use crate::packages::{Packages, tree};
use async_nats::jetstream::object_store::{Config, ObjectStore};
use judge::judging::{Settings, Toolchain};
use judge::parallel::unpoisoned;
use judge_package::Package;
use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, Cursor, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use walkdir::WalkDir;

/// An object is deleted this long after it was put: workers keep their own copies.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);
/// Bound on moving one object.
const TRANSFER: Duration = Duration::from_secs(600);

/// Creates the bucket, unless there is one.
///
/// # Errors
///
/// When JetStream fails.
pub fn create(connection: &Connection, replicas: usize) -> Result<(), Error> {
    let jetstream = connection.jetstream();
    connection.request("create the object store", async {
        if jetstream.get_object_store(OBJECTS).await.is_ok() {
            return Ok(());
        }
        let config = Config {
            bucket: OBJECTS.to_owned(),
            description: Some("judge: packages and sources that are being judged".to_owned()),
            max_age: KEPT,
            num_replicas: replicas,
            ..Config::default()
        };
        jetstream.create_object_store(config).await.map(drop)
    })
}

fn bucket(connection: &Connection) -> Result<ObjectStore, Error> {
    let bucket = connection.jetstream().get_object_store(OBJECTS);
    connection.request("find the object store", bucket)
}

/// The content of an object.
pub enum Content {
    /// In memory.
    Bytes(Vec<u8>),
    /// In a file, from its position.
    File(File),
}

/// Puts an object into the store, unless it stays there for some days.
///
/// # Errors
///
/// When the content is gone, or NATS fails.
pub fn put(
    connection: &Connection,
    object: &Object,
    content: impl FnOnce(&Object) -> Result<Content, String>,
) -> Result<(), String> {
    let bucket = bucket(connection)?;
    let name = object.name();
    let known = connection.request("look for an object", async {
        Ok::<_, Error>(bucket.info(&name).await.ok())
    });
    let put_at = known?
        .filter(|info| !info.deleted)
        .and_then(|info| info.modified);
    let recently = SystemTime::now() - KEPT / 2;
    if put_at.is_some_and(|at| SystemTime::from(at) > recently) {
        return Ok(());
    }
    match content(object)? {
        Content::Bytes(bytes) => store(connection, &bucket, &name, &mut Cursor::new(bytes)),
        Content::File(file) => {
            let mut file = tokio::fs::File::from_std(file);
            store(connection, &bucket, &name, &mut file)
        }
    }
}

fn store(
    connection: &Connection,
    bucket: &ObjectStore,
    name: &str,
    content: &mut (impl AsyncRead + Unpin),
) -> Result<(), String> {
    connection.request_within(TRANSFER, "put an object", bucket.put(name, content))?;
    Ok(())
}

/// The directory of a snapshot as a tar archive in a file without a name.
pub fn pack(dir: &Path) -> io::Result<File> {
    let id = dir.file_name().unwrap_or_default();
    packed(|archive| archive.append_dir_all(id, dir))
}

/// A tar archive in a file without a name.
pub fn packed(fill: impl FnOnce(&mut tar::Builder<File>) -> io::Result<()>) -> io::Result<File> {
    let mut archive = tar::Builder::new(unnamed(&std::env::temp_dir())?);
    fill(&mut archive)?;
    let mut file = archive.into_inner()?;
    file.rewind()?;
    Ok(file)
}

/// A new file in a directory, which is gone when it is closed.
fn unnamed(dir: &Path) -> io::Result<File> {
    let path = temporary_beside(&dir.join("judge-object"));
    let mut options = File::options();
    let file = options
        .read(true)
        .write(true)
        .create_new(true)
        .open(&path)?;
    fs::remove_file(&path)?;
    Ok(file)
}

/// Reads a source from the object store, and verifies it.
///
/// # Errors
///
/// When it is not there or damaged, or NATS fails.
pub fn source(connection: &Connection, hash: &str) -> Result<Vec<u8>, String> {
    let mut content = Vec::new();
    let object = Object::Source(hash.to_owned());
    get(connection, &object, &mut content)?;
    match blobs::hash(&content) == hash {
        true => Ok(content),
        false => Err(format!("the object {} is damaged", object.name())),
    }
}

fn get(
    connection: &Connection,
    object: &Object,
    to: &mut (impl AsyncWrite + Unpin),
) -> Result<(), String> {
    let bucket = bucket(connection)?;
    let name = object.name();
    connection.request_within(TRANSFER, "get an object", async {
        let mut object = bucket.get(&name).await?;
        tokio::io::copy(&mut object, to).await?;
        to.flush().await?;
        Ok::<_, async_nats::Error>(())
    })?;
    Ok(())
}

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
    ///
    /// # Errors
    ///
    /// When it cannot be created.
    pub fn open(dir: &Path, limit: u64) -> io::Result<Self> {
        for k in 1.. {
            let own = match k {
                1 => dir.to_owned(),
                _ => dir.with_extension(k.to_string()),
            };
            fs::create_dir_all(&own)?;
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
    ///
    /// # Errors
    ///
    /// When it cannot be downloaded, or is not what its hash says, or its data cannot be generated.
    pub(crate) fn package(
        &self,
        connection: &Connection,
        hash: &str,
        put: impl Fn() -> Result<(), String>,
        settings: &Settings,
        toolchain: &Toolchain,
    ) -> Result<Arc<Package>, String> {
        let failed = |e: io::Error| format!("{}: {e}", self.dir.display());
        {
            let mut verified = unpoisoned(self.verified.lock());
            if !verified.contains(hash) {
                if !self.has(hash) {
                    self.shrink(&mut verified).map_err(failed)?;
                    put()?;
                    self.download(connection, hash)?;
                }
                verified.insert(hash.to_owned());
            }
            self.touch(hash).map_err(failed)?;
        }
        self.packages.get_tree(hash, settings, toolchain)
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

    fn download(&self, connection: &Connection, hash: &str) -> Result<(), String> {
        let place = self.dir.join(hash);
        let temporary = temporary_beside(&place);
        let unpacked = self.unpack(connection, hash, &temporary);
        let kept = unpacked.and_then(|()| {
            fs::rename(&temporary, &place).map_err(|e| format!("{}: {e}", place.display()))
        });
        if kept.is_err() {
            let _ = fs::remove_dir_all(&temporary);
        }
        kept
    }

    fn unpack(&self, connection: &Connection, hash: &str, to: &Path) -> Result<(), String> {
        let failed = |e: io::Error| format!("failed to unpack the package {hash}: {e}");
        let file = unnamed(&self.dir).map_err(failed)?;
        let mut writer = tokio::fs::File::from_std(file.try_clone().map_err(failed)?);
        get(connection, &Object::Tree(hash.to_owned()), &mut writer)?;
        let unpacked = unpack_tar(file, to).map_err(failed)?;
        match tree(&unpacked).map_err(failed)? == hash {
            true => Ok(()),
            false => Err(format!(
                "the package in the object store is not {hash}: its content is another"
            )),
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

/// Unpacks an archive of one directory; returns the directory.
fn unpack_tar(mut file: File, to: &Path) -> io::Result<PathBuf> {
    file.rewind()?;
    fs::create_dir_all(to)?;
    let invalid = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    for entry in tar::Archive::new(io::BufReader::new(file)).entries()? {
        let mut entry = entry?;
        let kind = entry.header().entry_type();
        // A snapshot has no links.
        if !(kind.is_file() || kind.is_dir()) || !entry.unpack_in(to)? {
            return Err(invalid("the archive has other things than files inside it"));
        }
    }
    let mut roots = fs::read_dir(to)?;
    match (roots.next(), roots.next()) {
        (Some(root), None) => Ok(root?.path()),
        _ => Err(invalid("the archive is not one directory")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packages(dir: &Path) -> (Packages, String) {
        let given = dir.join("given/sum");
        fs::create_dir_all(&given).expect("it is created");
        for (name, text) in [("1.in", "1 2\n"), ("1.ans", "3\n")] {
            fs::write(given.join(name), text).expect("it is written");
        }
        let packages = Packages::open(&dir.join("kept")).expect("it opens");
        let hash = packages.add(&given).expect("it is added").tree;
        (packages, hash)
    }

    #[test]
    fn a_packed_snapshot_is_unpacked_to_the_same_tree() {
        let dir = tempfile::tempdir().expect("a directory");
        let (packages, hash) = packages(dir.path());
        let archive = pack(&packages.snapshot(&hash).expect("it is kept")).expect("it is packed");
        let root = unpack_tar(archive, &dir.path().join("to")).expect("it is unpacked");
        assert_eq!(tree(&root).expect("it is read"), hash);
    }

    #[test]
    fn an_archive_with_a_link_is_refused() {
        let dir = tempfile::tempdir().expect("a directory");
        let mut archive = tar::Builder::new(unnamed(dir.path()).expect("a file"));
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Symlink);
        header.set_size(0);
        let added = archive.append_link(&mut header, "sum", "/etc");
        added.expect("it is added");
        let file = archive.into_inner().expect("a file");
        assert!(unpack_tar(file, &dir.path().join("to")).is_err());
    }

    #[test]
    fn a_damaged_copy_is_deleted_and_old_ones_make_room() {
        let dir = tempfile::tempdir().expect("a directory");
        let (packages, hash) = packages(dir.path());
        let cache = Cache::open(&dir.path().join("cache"), 0).expect("it opens");
        let copy = |name: &str| {
            let archive = pack(&packages.snapshot(&hash).expect("kept")).expect("it is packed");
            let place = cache.dir.join(name);
            unpack_tar(archive, &place).expect("it is unpacked");
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
