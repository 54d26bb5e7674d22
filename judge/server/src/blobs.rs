//! Files by the hash of their content.

use judge_core::text::hex;
use sha2::{Digest, Sha256};
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use walkdir::WalkDir;

/// A directory of files named by the SHA-256 hash of their content, in lower-case hexadecimal.
#[derive(Clone, Debug)]
pub struct Blobs {
    dir: PathBuf,
}

impl Blobs {
    /// Opens the directory, or creates it. It holds sources of submissions, so only the server's user can enter it.
    pub fn open(dir: &Path) -> io::Result<Self> {
        fs::create_dir_all(dir)?;
        fs::set_permissions(dir, Permissions::from_mode(0o700))?;
        Ok(Blobs {
            dir: dir.to_owned(),
        })
    }

    /// Keeps a file and returns its hash. It is on the disk when this returns.
    pub fn put(&self, content: &[u8]) -> io::Result<String> {
        let hash = hash(content);
        let path = self.path(&hash)?;
        if path.exists() {
            return Ok(hash);
        }
        let above = path.parent().unwrap_or(&self.dir);
        if !above.exists() {
            fs::create_dir_all(above)?;
            File::open(&self.dir)?.sync_all()?;
        }
        let temporary = temporary_beside(&path);
        let written =
            write_synced(&temporary, content).and_then(|()| fs::rename(&temporary, &path));
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        written?;
        File::open(above)?.sync_all()?;
        Ok(hash)
    }

    /// Reads a file and verifies its content.
    pub(crate) fn get(&self, wanted: &str) -> io::Result<Vec<u8>> {
        let path = self.path(wanted)?;
        let content = fs::read(&path)?;
        if hash(&content) != wanted {
            let what = format!(
                "{}: the content is damaged: its hash differs from its name\n  help: restore it from a backup",
                path.display()
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        Ok(content)
    }

    /// The path of a hash, in one of 256 subdirectories.
    fn path(&self, hash: &str) -> io::Result<PathBuf> {
        if hash.len() != 64 || !hash.bytes().all(|b| b.is_ascii_hexdigit()) {
            let what = format!("{hash:?} is not the hash of a file");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        Ok(self.dir.join(&hash[..2]).join(hash))
    }
}

/// A name beside `path` that no other thread uses.
pub(crate) fn temporary_beside(path: &Path) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let k = NEXT.fetch_add(1, Ordering::Relaxed);
    path.with_extension(format!("{}-{k}.tmp", std::process::id()))
}

/// Whether a blob or a snapshot of a package is just being written: [`temporary_beside`].
pub(crate) fn is_temporary(name: &str) -> bool {
    let hash = name.split('.').next().unwrap_or_default();
    hash.len() == 64 && name.ends_with(".tmp")
}

/// Removes what processes that were killed were writing in a directory. Best effort.
pub(crate) fn remove_unfinished(dir: &Path) {
    let own = format!(".{}-", std::process::id());
    let entries = WalkDir::new(dir).min_depth(1).max_depth(2);
    for entry in entries.into_iter().flatten() {
        let name = entry.file_name().to_string_lossy();
        if is_temporary(&name) && !name.contains(&own) {
            let _ = match entry.file_type().is_dir() {
                true => fs::remove_dir_all(entry.path()),
                false => fs::remove_file(entry.path()),
            };
        }
    }
}

fn write_synced(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(content)?;
    file.sync_all()
}

/// The SHA-256 hash in lower-case hexadecimal.
pub(crate) fn hash(content: &[u8]) -> String {
    hex(&Sha256::digest(content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_kept_once_and_verified() {
        let dir = tempfile::tempdir().expect("a directory");
        let blobs = Blobs::open(dir.path()).expect("it opens");
        let mode = fs::metadata(dir.path()).expect("it is there").permissions();
        assert_eq!(mode.mode() & 0o777, 0o700);
        let hash = blobs.put(b"abc").expect("it is written");
        assert_eq!(
            hash,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(blobs.put(b"abc").expect("it is there"), hash);
        assert_eq!(blobs.get(&hash).expect("it is there"), b"abc");
        fs::write(blobs.path(&hash).expect("a hash"), "abd").expect("it is damaged");
        let why = blobs.get(&hash).expect_err("it is refused").to_string();
        assert!(why.contains("damaged"), "{why}");
        assert!(blobs.get("../../etc/passwd").is_err());
    }
}
