//! Temporary directories of this process's own, which boxes show or programs work in.
//!
//! A process that is killed cannot remove them, and an unpacked archive may be large. So each is
//! locked while it is in use, and the first one that a process makes in a place has those removed
//! there that nobody holds any more.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::api::Fault;
use crate::protocol::layout::NOBODY;
use crate::sys::{self, remove_tree};

/// What their names begin with; what each is for, the process and a number follow.
const PREFIX: &str = "judge-scratch-";

/// One that was made just now may not be locked yet.
const YOUNG: Duration = Duration::from_secs(600);

/// A temporary directory; it goes with everything in it when it is dropped. What a process that was
/// killed left of them, another removes that makes one in the same place.
#[derive(Debug)]
pub struct TempDirectory {
    path: PathBuf,
    /// Locked, so that nobody else removes it.
    held: Option<File>,
}

impl TempDirectory {
    /// An empty one in the system's directory for such, with `purpose` in its name. Every user may
    /// read it: what runs in a box may be another one.
    ///
    /// # Errors
    ///
    /// A [`Fault`] that names it when it cannot be made.
    pub fn new(purpose: &str) -> Result<Self, Fault> {
        Self::new_in(&std::env::temp_dir(), purpose)
    }

    /// The same in the directory `place`.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    pub fn new_in(place: &Path, purpose: &str) -> Result<Self, Fault> {
        Self::make(place, purpose, 0o755)
    }

    /// One that only its owner may enter.
    pub(crate) fn private(purpose: &str) -> Result<Self, Fault> {
        Self::make(&std::env::temp_dir(), purpose, 0o700)
    }

    fn make(place: &Path, purpose: &str, mode: u32) -> Result<Self, Fault> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        clear_once(place);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let name = format!("{PREFIX}{purpose}-{}.{number}", std::process::id());
            let path = place.join(name);
            let failed = |e| Fault::os(format!("create {}", path.display()), e);
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => {}
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(e) => return Err(failed(e)),
            }
            // From here on it goes again, whatever fails.
            let mut own = TempDirectory {
                path: path.clone(),
                held: None,
            };
            let held = File::open(&path).map_err(failed)?;
            // Where directories cannot be locked, nobody removes what another left.
            let _ = held.try_lock_shared();
            own.held = Some(held);
            fs::set_permissions(&path, Permissions::from_mode(mode)).map_err(failed)?;
            return Ok(own);
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TempDirectory {
    fn drop(&mut self) {
        // What cannot be removed now may be later, by another.
        let _ = remove_tree::remove_tree(&self.path);
    }
}

/// Lets what runs in boxes write into a directory of ours. Where an ordinary user judges, that is he
/// himself; where root does it is nobody, who then has the directory. Others on the machine get no
/// more rights than they had, unless there is no nobody to give it to.
///
/// # Errors
///
/// A [`Fault`] that names the directory when it cannot be done.
pub fn give_to_boxes(directory: &Path) -> Result<(), Fault> {
    if !sys::is_root() {
        return Ok(());
    }
    chown(directory, Some(NOBODY), Some(NOBODY))
        .or_else(|_| fs::set_permissions(directory, Permissions::from_mode(0o777)))
        .map_err(|e| Fault::os(format!("share {}", directory.display()), e))
}

/// Clears a place where that was not done before.
fn clear_once(place: &Path) {
    static CLEARED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    let mut cleared = CLEARED.lock().unwrap_or_else(PoisonError::into_inner);
    if !cleared.iter().any(|known| known == place) {
        cleared.push(place.to_owned());
        clear(place, YOUNG);
    }
}

/// Removes our directories in `place` that nobody holds and that are older than `young`. It is only
/// tidying up: whatever fails is left.
fn clear(place: &Path, young: Duration) {
    let Ok(entries) = fs::read_dir(place) else {
        return;
    };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(PREFIX) && is_left(&entry.path(), young)
        {
            let _ = remove_tree::remove_tree(&entry.path());
        }
    }
}

fn is_left(path: &Path, young: Duration) -> bool {
    let look = || -> io::Result<bool> {
        let dir = File::options()
            .read(true)
            .custom_flags(libc::O_NOFOLLOW | libc::O_DIRECTORY)
            .open(path)?;
        let about = dir.metadata()?;
        let old = about.modified()?.elapsed().is_ok_and(|age| age >= young);
        // Root gives the work directories of some boxes to nobody.
        let (user, _) = sys::ids();
        let ours = about.uid() == user || sys::is_root() && about.uid() == NOBODY;
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
        let given = make("judge-scratch-work-3");
        if sys::is_root() {
            // Refused where there is no nobody.
            let _ = chown(&given, Some(NOBODY), Some(NOBODY));
        }
        let other = make("judge-notes");
        let link = place.path().join("judge-scratch-link");
        std::os::unix::fs::symlink(&other, &link).unwrap();
        let lock = File::open(&held).unwrap();
        lock.try_lock_shared().unwrap();

        clear(place.path(), YOUNG);
        assert!(left.exists(), "it is young");
        clear(place.path(), Duration::ZERO);
        assert!(!left.exists() && !given.exists());
        assert!(held.join("file").exists() && other.join("file").exists() && link.exists());
        drop(lock);
        clear(place.path(), Duration::ZERO);
        assert!(!held.exists());
    }

    #[test]
    fn one_is_held_as_long_as_it_lives() {
        let own = TempDirectory::new("test").unwrap();
        let path = own.path().to_owned();
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755, "whatever the umask");
        assert!(!is_left(&path, Duration::ZERO));
        drop(own);
        assert!(!path.exists());
    }

    #[test]
    fn only_boxes_may_write_into_what_is_given_to_them() {
        let own = TempDirectory::new("test").unwrap();
        let place = own.path().join("place");
        fs::create_dir(&place).unwrap();
        give_to_boxes(&place).unwrap();
        let about = fs::metadata(&place).unwrap();
        let (user, _) = sys::ids();
        if sys::is_root() && about.uid() != NOBODY {
            eprintln!("skipped: there is no nobody here");
            return;
        }
        assert_eq!(about.mode() & 0o002, 0);
        assert_eq!(about.uid(), if user == 0 { NOBODY } else { user });
    }

    #[test]
    fn one_that_cannot_be_made_is_named() {
        let fault = TempDirectory::new_in(Path::new("/nowhere"), "test").unwrap_err();
        assert!(
            fault.to_string().contains("/nowhere/judge-scratch-test-"),
            "{fault}"
        );
    }
}
