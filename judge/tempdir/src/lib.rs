//! Temporary directories of this process, for boxes and for unpacked packages.
//!
//! A killed process cannot remove its directories, and an unpacked archive may be large. Therefore
//! each directory is locked while in use, and a process that makes its first temporary directory in
//! a place removes the unlocked ones there, in the background if there are many.
//!
//! They hold answers and sources of submissions, so other users of the machine cannot enter them.
#![forbid(unsafe_code)]

pub mod remove_tree;

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use judge_os::{chown, create_dir, is_root, open_dir, set_mode};

pub use remove_tree::{empty_directory, remove_tree};

/// The user and the group as which programs run in boxes if root judges.
pub const NOBODY: u32 = 65534;

/// An error of the system, and what failed.
#[derive(Debug)]
pub struct Error {
    /// The step that failed, with the directory: `create /tmp/judge-scratch-work-7.0`.
    pub what: String,
    /// The error of the system.
    pub source: io::Error,
}

impl Error {
    fn new(what: &str, directory: &Path, source: io::Error) -> Self {
        let what = format!("{what} {}", directory.display());
        Error { what, source }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "failed to {}: {}", self.what, self.source)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// Prefix of the directories' names; the purpose, the process id and a number follow.
const PREFIX: &str = "judge-scratch-";

/// Age below which a directory may not be locked yet.
const MIN_AGE: Duration = Duration::from_secs(600);

/// The same for a directory whose process does not exist here: only a process in another PID
/// namespace may be about to lock it.
const MIN_AGE_ORPHANED: Duration = Duration::from_secs(2);

/// How long the first directory in a place waits for the removal of leftovers there.
const REMOVAL_WAIT: Duration = Duration::from_millis(200);

/// The callback for a removal that continues in the background.
static ON_SLOW_REMOVAL: OnceLock<fn(&Path)> = OnceLock::new();

/// A temporary directory, removed with its contents on drop. If this process is killed, the next
/// process that makes a temporary directory in the same place removes it.
#[derive(Debug)]
pub struct TempDirectory {
    path: PathBuf,
    /// The open directory, whose lock keeps other processes from removing it.
    lock: Option<File>,
}

impl TempDirectory {
    /// Makes an empty directory in the system's directory for temporary files, with `purpose` in
    /// its name. Only this user and programs in boxes may read it.
    pub fn new(purpose: &str) -> Result<Self, Error> {
        Self::new_in(&std::env::temp_dir(), purpose)
    }

    /// As [`new`](Self::new), in the directory `place`.
    pub fn new_in(place: &Path, purpose: &str) -> Result<Self, Error> {
        let own = Self::make(place, purpose)?;
        // A program in a box may list its own directory.
        close_to_others(own.path(), 0o050).map_err(|e| Error::new("share", own.path(), e))?;
        Ok(own)
    }

    /// A directory that only its owner may enter.
    pub fn private(purpose: &str) -> Result<Self, Error> {
        Self::make(&std::env::temp_dir(), purpose)
    }

    fn make(place: &Path, purpose: &str) -> Result<Self, Error> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        clear_once(place);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let name = format!("{PREFIX}{purpose}-{}.{number}", std::process::id());
            let path = place.join(name);
            let failed = |e| Error::new("create", &path, e);
            match create_dir(&path, 0o700) {
                Ok(()) => {}
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(e) => return Err(failed(e)),
            }
            // From here on the directory is removed on any error.
            let mut own = TempDirectory {
                path: path.clone(),
                lock: None,
            };
            let lock = open_dir(&path).map_err(failed)?;
            // Best effort: on a file system without locks, leftovers are not removed.
            let _ = lock.try_lock_shared();
            own.lock = Some(lock);
            return Ok(own);
        }
    }

    /// Removes the directories that killed processes left in the system's directory for temporary
    /// files, and returns their number. The first directory that a process makes does the same.
    /// Best effort.
    pub fn remove_leftovers() -> usize {
        clear(&std::env::temp_dir(), MIN_AGE, || ())
    }

    /// Sets the function that is called, with the place, when the removal of what killed processes
    /// left takes long and therefore continues in the background. Only the first call counts.
    pub fn on_slow_removal(notify: fn(&Path)) {
        let _ = ON_SLOW_REMOVAL.set(notify);
    }

    /// The path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TempDirectory {
    fn drop(&mut self) {
        // Best effort: another process removes the rest later.
        let _ = remove_tree(&self.path);
    }
}

/// Lets programs in boxes write to a directory. If an ordinary user judges, programs run as that
/// user and the directory does not change. If root judges, programs run as `nobody`, who becomes
/// the owner; without that user, the directory becomes writable for everyone.
pub fn give_to_boxes(directory: &Path) -> Result<(), Error> {
    if !is_root() {
        return Ok(());
    }
    chown(directory, Some(NOBODY), Some(NOBODY))
        .or_else(|_| set_mode(directory, 0o777))
        .map_err(|e| Error::new("share", directory, e))
}

/// Closes a directory to the other users of this machine. If root judges, programs in boxes run as
/// `nobody`, whose group gets the rights `of_boxes`.
fn close_to_others(directory: &Path, of_boxes: u32) -> io::Result<()> {
    // Where that group does not exist, root's programs run as root.
    let is_shared = is_root() && chown(directory, None, Some(NOBODY)).is_ok();
    let mode = if is_shared { 0o700 | of_boxes } else { 0o700 };
    set_mode(directory, mode)
}

/// Creates a directory that is closed to other users, and the parents that it lacks. One that exists
/// is closed if this user owns it. Programs that root judges may open files in it whose names they
/// are given, but not list it.
pub fn private_directory(directory: &Path) -> io::Result<()> {
    if let Some(parent) = directory.parent() {
        fs::create_dir_all(parent)?;
    }
    match create_dir(directory, 0o700) {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists && directory.is_dir() => {
            let _ = close_to_others(directory, 0o010);
            Ok(())
        }
        created => created.and_then(|()| close_to_others(directory, 0o010)),
    }
}

/// Removes leftover directories in a place, once per process. Removing a hundred thousand takes a
/// minute; after a moment this returns, and a thread continues.
fn clear_once(place: &Path) {
    static CLEARED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
    let mut cleared = CLEARED.lock().unwrap_or_else(PoisonError::into_inner);
    if cleared.iter().any(|known| known == place) {
        return;
    }
    cleared.push(place.to_owned());
    drop(cleared);
    let named = place.to_owned();
    clear_in_background(place, MIN_AGE, REMOVAL_WAIT, move || {
        if let Some(notify) = ON_SLOW_REMOVAL.get() {
            notify(&named);
        }
    });
}

/// The state of a removal that may continue in the background.
#[derive(Default)]
struct Removal {
    /// Whether there is something to remove.
    found: bool,
    /// Whether the caller waits no longer.
    late: bool,
}

/// As [`clear`], in a thread. Returns when it is done, or after `wait`; `notify` is called once if it
/// then removes something.
fn clear_in_background(
    place: &Path,
    min_age: Duration,
    wait: Duration,
    notify: impl Fn() + Send + Sync + 'static,
) {
    let removal = Arc::new(Mutex::new(Removal::default()));
    let update = move |change: fn(&mut Removal)| {
        let mut removal = removal.lock().unwrap_or_else(PoisonError::into_inner);
        let before = removal.found && removal.late;
        change(&mut removal);
        if removal.found && removal.late && !before {
            notify();
        }
    };
    let update = Arc::new(update);
    let (done, end) = channel::<()>();
    let (owned, found) = (place.to_owned(), Arc::clone(&update));
    let work = move || {
        // The caller may be pinned to the core on which its programs run.
        judge_os::work_in_background();
        clear(&owned, min_age, || found(|removal| removal.found = true));
        drop(done);
    };
    let started = thread::Builder::new().name("leftovers".into()).spawn(work);
    // Without a thread they stay, as without this process.
    if started.is_ok() && end.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
        update(|removal| removal.late = true);
    }
}

/// Removes the temporary directories in `place` that are not locked and older than `min_age`; calls
/// `found` before each. Returns their number. Best effort.
fn clear(place: &Path, min_age: Duration, found: impl Fn()) -> usize {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    let named = entries.filter(|e| e.file_name().to_string_lossy().starts_with(PREFIX));
    let left = named.filter(|entry| is_leftover(&entry.path(), min_age));
    left.inspect(|_| found())
        .filter(|entry| remove_tree(&entry.path()).is_ok())
        .count()
}

fn is_leftover(path: &Path, min_age: Duration) -> bool {
    let look = || -> io::Result<bool> {
        let dir = open_dir(path)?;
        let metadata = dir.metadata()?;
        let min_age = match is_orphaned(path) {
            true => min_age.min(MIN_AGE_ORPHANED),
            false => min_age,
        };
        let old = metadata
            .modified()?
            .elapsed()
            .is_ok_and(|age| age >= min_age);
        // If root judges, the work directories of some boxes belong to `nobody`.
        let owner = judge_os::owner(&metadata);
        let ours = owner == judge_os::user_id() || is_root() && owner == NOBODY;
        Ok(ours && old && dir.try_lock().is_ok())
    };
    look().unwrap_or(false)
}

/// Whether the process that made the directory has ended. A directory with this process's id
/// belongs to an earlier process, because this process has locked its own.
fn is_orphaned(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let made_by = name
        .rsplit_once('-')
        .and_then(|(_, end)| end.split_once('.')?.0.parse::<u32>().ok());
    made_by.is_some_and(|pid| {
        let is_gone = || !Path::new("/proc").join(pid.to_string()).exists();
        pid == std::process::id() || (Path::new("/proc/self").exists() && is_gone())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt;

    #[test]
    fn directories_of_ended_processes_are_removed_soon() {
        let place = tempfile::tempdir().unwrap();
        let make = |pid: u32, age: u64| {
            let path = place.path().join(format!("judge-scratch-work-{pid}.{age}"));
            fs::create_dir(&path).unwrap();
            let then = std::time::SystemTime::now() - Duration::from_secs(age);
            File::open(&path).unwrap().set_modified(then).unwrap();
            path
        };
        // No process has this id: it is above the highest `pid_max`.
        let gone = u32::MAX;
        let (old, fresh) = (make(gone, 60), make(gone, 0));
        let earlier = make(std::process::id(), 60);
        let of_others = make(std::os::unix::process::parent_id(), 60);
        let locked = make(gone, 61);
        let lock = File::open(&locked).unwrap();
        lock.try_lock_shared().unwrap();
        clear(place.path(), MIN_AGE, || ());
        assert!(!old.exists() && !earlier.exists());
        assert!(fresh.exists() && of_others.exists() && locked.exists());
    }

    #[test]
    fn only_unlocked_directories_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let make = |name: &str| {
            let path = place.path().join(name);
            fs::create_dir(&path).unwrap();
            fs::write(path.join("file"), "content").unwrap();
            path
        };
        let left = make("judge-scratch-package-1");
        let locked = make("judge-scratch-package-2");
        let given = make("judge-scratch-work-3");
        if is_root() {
            // Fails in a user namespace without that user.
            let _ = chown(&given, Some(NOBODY), Some(NOBODY));
        }
        let other = make("judge-notes");
        let link = place.path().join("judge-scratch-link");
        std::os::unix::fs::symlink(&other, &link).unwrap();
        let lock = File::open(&locked).unwrap();
        lock.try_lock_shared().unwrap();

        clear(place.path(), MIN_AGE, || ());
        assert!(left.exists(), "the directory is too young");
        clear(place.path(), Duration::ZERO, || ());
        assert!(!left.exists() && !given.exists());
        assert!(locked.join("file").exists() && other.join("file").exists() && link.exists());
        drop(lock);
        clear(place.path(), Duration::ZERO, || ());
        assert!(!locked.exists());
    }

    #[test]
    fn a_temporary_directory_is_locked_until_dropped() {
        let own = TempDirectory::new("test").unwrap();
        let path = own.path().to_owned();
        assert!(!is_leftover(&path, Duration::ZERO));
        drop(own);
        assert!(!path.exists());
    }

    #[test]
    fn other_users_cannot_enter_a_directory() {
        let own = TempDirectory::new("test").unwrap();
        let (user, open) = (own.path().join("a/user"), own.path().join("open"));
        private_directory(&user).unwrap();
        fs::create_dir(&open).unwrap();
        set_mode(&open, 0o777).unwrap();
        private_directory(&open).unwrap();
        for path in [own.path(), &user, &open] {
            let metadata = fs::metadata(path).unwrap();
            let of_boxes = is_root() && metadata.gid() == NOBODY;
            let group = if path == own.path() { 0o050 } else { 0o010 };
            let expected = if of_boxes { 0o700 | group } else { 0o700 };
            assert_eq!(metadata.mode() & 0o7777, expected, "{}", path.display());
        }
    }

    #[test]
    fn many_leftovers_are_removed_in_the_background() {
        let place = tempfile::tempdir().unwrap();
        let left = place.path().join("judge-scratch-work-1");
        let notified = Arc::new(AtomicU64::new(0));
        let clear_within = |place: &Path, wait: Duration| {
            let notified = Arc::clone(&notified);
            let notify = move || {
                notified.fetch_add(1, Ordering::SeqCst);
            };
            clear_in_background(place, Duration::ZERO, wait, notify);
        };
        let long = Duration::from_secs(60);
        fs::create_dir(&left).unwrap();
        clear_within(place.path(), long);
        assert!(!left.exists());
        // Nothing is there to remove.
        let empty = tempfile::tempdir().unwrap();
        clear_within(empty.path(), Duration::ZERO);
        assert_eq!(notified.load(Ordering::SeqCst), 0);
        fs::create_dir(&left).unwrap();
        (0..3000).for_each(|k| fs::write(left.join(k.to_string()), "").unwrap());
        clear_within(place.path(), Duration::ZERO);
        let until = std::time::Instant::now() + long;
        while left.exists() && std::time::Instant::now() < until {
            thread::sleep(Duration::from_millis(10));
        }
        assert!(!left.exists());
        assert_eq!(notified.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn only_boxes_may_write_to_a_directory_given_to_them() {
        let own = TempDirectory::new("test").unwrap();
        let place = own.path().join("place");
        fs::create_dir(&place).unwrap();
        give_to_boxes(&place).unwrap();
        let metadata = fs::metadata(&place).unwrap();
        let user = judge_os::user_id();
        if is_root() && metadata.uid() != NOBODY {
            eprintln!("skipped: there is no user 65534 here");
            return;
        }
        assert_eq!(metadata.mode() & 0o002, 0);
        assert_eq!(metadata.uid(), if user == 0 { NOBODY } else { user });
    }

    #[test]
    fn the_error_names_a_directory_that_cannot_be_made() {
        let error = TempDirectory::new_in(Path::new("/nowhere"), "test").unwrap_err();
        assert!(
            error.to_string().contains("/nowhere/judge-scratch-test-"),
            "{error}"
        );
    }
}
