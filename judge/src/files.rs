//! Temporary directories of the judge's own, which boxes show.
//!
//! A judge that is killed cannot remove them, and an unpacked archive may be large. So each is
//! locked while it is in use, and a judge that makes its first removes what nobody holds any more.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::sync::Once;
use std::time::Duration;
use tempfile::TempDir;

/// What their names begin with; those of the sandbox's work directories, too.
const PREFIX: &str = "judge-scratch-";

/// One that was made just now may not be locked yet.
const YOUNG: Duration = Duration::from_secs(600);

/// A temporary directory; it goes with everything in it when it is dropped.
#[derive(Debug)]
pub struct OwnDirectory {
    dir: TempDir,
    /// Locked, so that no other judge removes it.
    _held: File,
}

impl OwnDirectory {
    /// An empty one with `purpose` in its name, which every user may read: what runs in a box may be
    /// another one.
    ///
    /// # Errors
    ///
    /// When it cannot be made.
    pub fn new(purpose: &str) -> io::Result<Self> {
        static CLEARED: Once = Once::new();
        CLEARED.call_once(|| clear(&std::env::temp_dir(), YOUNG));
        let dir = tempfile::Builder::new()
            .prefix(&format!("{PREFIX}{purpose}-"))
            .permissions(Permissions::from_mode(0o755))
            .tempdir()?;
        let held = File::open(dir.path())?;
        // Where directories cannot be locked, no judge removes what another left.
        let _ = held.try_lock_shared();
        Ok(OwnDirectory { dir, _held: held })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }
}

/// Removes our directories in `place` that no judge holds and that are older than `young`. It is
/// only tidying up: whatever fails is left.
fn clear(place: &Path, young: Duration) {
    let Ok(entries) = fs::read_dir(place) else {
        return;
    };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(PREFIX) && is_left(&entry.path(), young)
        {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_left(path: &Path, young: Duration) -> bool {
    let look = || -> io::Result<bool> {
        let no_link = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::DIRECTORY;
        let dir = File::options()
            .read(true)
            .custom_flags(no_link.bits().cast_signed())
            .open(path)?;
        let about = dir.metadata()?;
        let old = about.modified()?.elapsed().is_ok_and(|age| age >= young);
        let ours = about.uid() == rustix::process::geteuid().as_raw();
        Ok(ours && old && dir.try_lock().is_ok())
    };
    look().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_holds_is_removed() {
        let place = tempfile::tempdir().unwrap();
        let make = |name: &str| {
            let path = place.path().join(name);
            fs::create_dir(&path).unwrap();
            fs::write(path.join("file"), "content").unwrap();
            path
        };
        let left = make("judge-scratch-package-1");
        let held = make("judge-scratch-package-2");
        let other = make("judge-notes");
        let link = place.path().join("judge-scratch-link");
        std::os::unix::fs::symlink(&other, &link).unwrap();
        let lock = File::open(&held).unwrap();
        lock.try_lock_shared().unwrap();

        clear(place.path(), YOUNG);
        assert!(left.exists(), "it is young");
        clear(place.path(), Duration::ZERO);
        assert!(!left.exists());
        assert!(held.join("file").exists() && other.join("file").exists() && link.exists());
        drop(lock);
        clear(place.path(), Duration::ZERO);
        assert!(!held.exists());
    }

    #[test]
    fn one_is_held_as_long_as_it_lives() {
        let own = OwnDirectory::new("test").unwrap();
        let path = own.path().to_owned();
        assert!(!is_left(&path, Duration::ZERO));
        drop(own);
        assert!(!path.exists());
    }
}
