//! Windows, without unsafe code.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::windows::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::os::windows::io::AsRawHandle;
use std::os::windows::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub use std::os::windows::io::{AsHandle, BorrowedHandle as Stream, OwnedHandle as OwnedStream};

/// `ERROR_HANDLE_EOF`: a read beyond the end of a file.
const END_OF_FILE: i32 = 38;
/// `FILE_FLAG_BACKUP_SEMANTICS`, without which no directory can be opened.
const DIRECTORY: u32 = 0x0200_0000;
/// `CREATE_NEW_PROCESS_GROUP`: the keys that interrupt the judge do not reach the process.
const NEW_GROUP: u32 = 0x0000_0200;
/// The time between two looks at a process or a listener.
const PAUSE: Duration = Duration::from_millis(20);

/// A file, a pipe or anything else with a descriptor or handle.
pub trait AsStream {
    /// Its descriptor or handle.
    fn as_stream(&self) -> Stream<'_>;
}

impl<T: AsHandle> AsStream for T {
    fn as_stream(&self) -> Stream<'_> {
        self.as_handle()
    }
}

/// Whether both are the same handle.
pub fn is_same_stream(a: Stream<'_>, b: Stream<'_>) -> bool {
    a.as_raw_handle() == b.as_raw_handle()
}

pub(crate) fn read_some_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    match file.seek_read(buffer, offset) {
        Err(e) if e.raw_os_error() == Some(END_OF_FILE) => Ok(0),
        read => read,
    }
}

/// The path as people write it: without the prefix `\\?\` of paths that the system returns, where it is not needed.
pub fn plain_path(path: &Path) -> &Path {
    dunce::simplified(path)
}

/// An empty file, which takes everything that is written to it.
pub fn null() -> io::Result<File> {
    File::open("NUL")
}

/// The permission bits of a file, as far as Windows has them: everybody may execute everything.
pub fn mode(metadata: &Metadata) -> u32 {
    match metadata.permissions().readonly() {
        true => 0o555,
        false => 0o777,
    }
}

/// Permissions with these bits, for files that are created with them; `None`, because there are none.
pub fn permissions(_mode: u32) -> Option<Permissions> {
    None
}

/// Sets the permission bits of a file: whether its owner may write to it.
pub fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    let metadata = fs::metadata(path)?;
    // The attribute of a directory has another meaning.
    if metadata.is_dir() {
        return Ok(());
    }
    fs::set_permissions(path, changed(&metadata, mode))
}

/// Sets the permission bits of an open file, like [`set_mode`].
pub fn set_mode_of(file: &File, mode: u32) -> io::Result<()> {
    file.set_permissions(changed(&file.metadata()?, mode))
}

fn changed(metadata: &Metadata, mode: u32) -> Permissions {
    let mut permissions = metadata.permissions();
    permissions.set_readonly(mode & 0o200 == 0);
    permissions
}

/// Files have no permission bits when they are created.
pub fn create_with_mode(options: &mut OpenOptions, _mode: u32) -> &mut OpenOptions {
    options
}

/// Programs here make neither links nor pipes in directories.
pub fn open_only_files(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Creates a directory, with the rights of the one above.
pub fn create_dir(path: &Path, _mode: u32) -> io::Result<()> {
    fs::create_dir(path)
}

/// Opens a directory. It cannot be locked.
pub fn open_dir(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).custom_flags(DIRECTORY).open(path)
}

/// Distinguishes a file from another one that has had the same path: its times.
pub fn identity(metadata: &Metadata) -> crate::Identity {
    (metadata.creation_time(), metadata.last_write_time())
}

/// The number of names of a file; a file without a name is not distinguished.
pub fn names(_metadata: &Metadata) -> u64 {
    1
}

/// The user that owns a file: all are this user's.
pub fn owner(_metadata: &Metadata) -> u32 {
    user_id()
}

/// Fails: files have no numbers of owners.
pub fn chown(_path: &Path, _user: Option<u32>, _group: Option<u32>) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Makes a symbolic link, which needs a privilege.
pub fn symlink(target: &Path, place: &Path) -> io::Result<()> {
    match target.is_dir() {
        true => std::os::windows::fs::symlink_dir(target, place),
        false => std::os::windows::fs::symlink_file(target, place),
    }
}

/// Makes `place` show the file or directory `target`: a copy, because links need a privilege.
/// Fails when `place` exists or cannot be made.
pub fn link_or_copy(target: &Path, place: &Path) -> io::Result<()> {
    if !target.is_dir() {
        return fs::copy(target, place).map(drop);
    }
    fs::create_dir(place)?;
    for entry in fs::read_dir(target)? {
        let entry = entry?;
        link_or_copy(&entry.path(), &place.join(entry.file_name()))?;
    }
    Ok(())
}

/// Fails: [`std::fs::rename`] does not replace a directory here.
pub fn rename_new(_from: &Path, _to: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Fails.
pub fn exchange(_a: &Path, _b: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Whether this process is root: there is none.
pub fn is_root() -> bool {
    false
}

/// The user of this process: users have no numbers.
pub fn user_id() -> u32 {
    0
}

/// Fails: without unsafe code the free space is unknown.
pub fn free_bytes(_dir: &Path) -> io::Result<u64> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The system and the kind of processor.
pub fn system_name() -> String {
    format!("Windows {}", std::env::consts::ARCH)
}

/// Suffixes that the system adds to the names of executables.
pub(crate) fn suffixes() -> Vec<String> {
    let list = std::env::var("PATHEXT").unwrap_or_else(|_| ".EXE;.CMD;.BAT".into());
    let added = list.split(';').filter(|suffix| !suffix.is_empty());
    let mut all: Vec<String> = added.map(str::to_lowercase).collect();
    // A name may already have its suffix.
    all.push(String::new());
    all
}

/// The signal that ended a process: there are none.
pub fn signal(_status: ExitStatus) -> Option<i32> {
    None
}

/// Runs the command and ends with its exit code; returns only if it cannot be started.
pub fn replace_process(command: &mut Command, _shown: &str) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(e) => e,
    }
}

/// Whether a stream takes some bytes: always, because the system cannot check all of them.
pub fn is_writable_within(_stream: &impl AsHandle, _timeout: Duration) -> io::Result<bool> {
    Ok(true)
}

/// A child process of `judge watch`: one round, a `judge run`. Its programs end with it, because
/// their job objects do.
pub struct ProcessGroup(Arc<Mutex<Child>>);

impl ProcessGroup {
    /// Starts `command`; `ended` is called on another thread when it exits.
    pub fn start(command: &mut Command, ended: impl FnOnce() + Send + 'static) -> io::Result<Self> {
        let child = Arc::new(Mutex::new(command.creation_flags(NEW_GROUP).spawn()?));
        let watched = Arc::clone(&child);
        std::thread::Builder::new().spawn(move || {
            let runs = || {
                let mut child = watched.lock().unwrap_or_else(PoisonError::into_inner);
                matches!(child.try_wait(), Ok(None))
            };
            while runs() {
                std::thread::sleep(PAUSE);
            }
            ended();
        })?;
        Ok(ProcessGroup(child))
    }

    /// Ends the process.
    pub fn interrupt(&mut self) {
        let _ = self.0.lock().unwrap_or_else(PoisonError::into_inner).kill();
    }

    /// As [`interrupt`](Self::interrupt).
    pub fn insist(&mut self) {
        self.interrupt();
    }
}

/// Ends the process.
impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.interrupt();
        let _ = self.0.lock().unwrap_or_else(PoisonError::into_inner).wait();
    }
}
