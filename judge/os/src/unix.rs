//! Linux and macOS.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{CWD, OFlags, RenameFlags, renameat_with};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

pub use std::os::fd::{AsFd, BorrowedFd as Stream, OwnedFd as OwnedStream};

/// A file, a pipe or anything else with a descriptor or handle.
pub trait AsStream {
    /// Its descriptor or handle.
    fn as_stream(&self) -> Stream<'_>;
}

impl<T: AsFd> AsStream for T {
    fn as_stream(&self) -> Stream<'_> {
        self.as_fd()
    }
}

/// Whether both are the same descriptor.
pub fn is_same_stream(a: Stream<'_>, b: Stream<'_>) -> bool {
    a.as_raw_fd() == b.as_raw_fd()
}

pub(crate) fn read_some_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.read_at(buffer, offset)
}

/// The path as people write it: the same path.
pub fn plain_path(path: &Path) -> &Path {
    path
}

/// An empty file, which takes everything that is written to it.
pub fn null() -> io::Result<File> {
    File::open("/dev/null")
}

/// The permission bits of a file.
pub fn mode(metadata: &Metadata) -> u32 {
    metadata.permissions().mode() & 0o7777
}

/// Permissions with these bits, for files that are created with them; `None` where there are none.
pub fn permissions(mode: u32) -> Option<Permissions> {
    Some(Permissions::from_mode(mode))
}

/// Sets the permission bits of a file.
pub fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Sets the permission bits of an open file.
pub fn set_mode_of(file: &File, mode: u32) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(mode))
}

/// Creates files with these permission bits.
pub fn create_with_mode(options: &mut OpenOptions, mode: u32) -> &mut OpenOptions {
    options.mode(mode)
}

/// Opens neither symbolic links nor waits for the other end of a pipe.
pub fn open_only_files(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32)
}

/// Creates a directory with these permission bits.
pub fn create_dir(path: &Path, mode: u32) -> io::Result<()> {
    DirBuilder::new().mode(mode).create(path)
}

/// Opens a directory, but no link to one, to lock it.
pub fn open_dir(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::DIRECTORY;
    let mut options = File::options();
    options
        .read(true)
        .custom_flags(flags.bits() as i32)
        .open(path)
}

/// Distinguishes a file from another one that has had the same path.
pub fn identity(metadata: &Metadata) -> crate::Identity {
    (metadata.dev(), metadata.ino())
}

/// The number of names of a file.
pub fn names(metadata: &Metadata) -> u64 {
    metadata.nlink()
}

/// The user that owns a file.
pub fn owner(metadata: &Metadata) -> u32 {
    metadata.uid()
}

/// Sets the owner and the group of a file.
pub fn chown(path: &Path, user: Option<u32>, group: Option<u32>) -> io::Result<()> {
    std::os::unix::fs::chown(path, user, group)
}

/// Makes a symbolic link.
pub fn symlink(target: &Path, place: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, place)
}

/// Makes `place` show the file or directory `target`: a symbolic link, or a copy where links are
/// forbidden.
/// Fails when `place` exists or cannot be made.
pub fn link_or_copy(target: &Path, place: &Path) -> io::Result<()> {
    symlink(target, place)
}

/// Renames a file or directory; never replaces another. `Unsupported` or `InvalidInput` if this file
/// system cannot guarantee that.
pub fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    Ok(renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)?)
}

/// Exchanges two files or directories in one step. `Unsupported` or `InvalidInput` if this file system
/// cannot.
pub fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    Ok(renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE)?)
}

/// Whether this process is root, of the machine or of its container.
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// The user of this process.
pub fn user_id() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// The bytes that this user may still write to the disk of a directory. Fails for a file system without a size.
pub fn free_bytes(dir: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(dir)?;
    match disk.f_blocks {
        0 => Err(io::ErrorKind::Unsupported.into()),
        _ => Ok(disk.f_bavail.saturating_mul(disk.f_frsize)),
    }
}

/// The system, its version and the kind of processor.
pub fn system_name() -> String {
    let system = rustix::system::uname();
    let parts = [system.sysname(), system.release(), system.machine()];
    parts
        .map(|part| part.to_string_lossy().into_owned())
        .join(" ")
}

/// Suffixes that the system adds to the names of executables.
pub(crate) fn suffixes() -> Vec<String> {
    vec![String::new()]
}

/// The signal that ended a process.
pub fn signal(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// Replaces this process by the command, whose messages call it `shown`; returns only if that fails.
pub fn replace_process(command: &mut Command, shown: &str) -> io::Error {
    command.arg0(shown).exec()
}

/// Whether a stream takes some bytes without blocking, within this time. A signal ends the wait.
pub fn is_writable_within(stream: &impl AsFd, timeout: Duration) -> io::Result<bool> {
    let timeout = Timespec {
        tv_sec: timeout.as_secs().min(u64::from(u32::MAX >> 1)) as _,
        tv_nsec: timeout.subsec_nanos().into(),
    };
    match poll(&mut [PollFd::new(stream, PollFlags::OUT)], Some(&timeout)) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::INTR) => Ok(false),
        Err(e) => Err(e.into()),
    }
}

/// A child process that leads its own group: one round of `judge watch`, a `judge run` and its
/// children.
///
/// Signals go to the whole group, so that no compiler outlives its round. (Programs under test are
/// in their own groups; the sandbox ends them.) The child is reaped only after the last signal:
/// until then its PID, which is the group's id, cannot be reused.
pub struct ProcessGroup {
    child: Child,
    group: Pid,
    is_interrupted: bool,
}

impl ProcessGroup {
    /// Starts `command`; `ended` is called on another thread when it exits.
    pub fn start(command: &mut Command, ended: impl FnOnce() + Send + 'static) -> io::Result<Self> {
        let child = command.process_group(0).spawn()?;
        let group = Pid::from_child(&child);
        let round = ProcessGroup {
            child,
            group,
            is_interrupted: false,
        };
        std::thread::Builder::new().spawn(move || {
            let not_reaped = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while let Err(Errno::INTR) = waitid(WaitId::Pid(group), not_reaped) {}
            ended();
        })?;
        Ok(round)
    }

    /// Sends SIGINT to the group, only once: a second one would end the judge before it has cleaned
    /// up.
    pub fn interrupt(&mut self) {
        if !self.is_interrupted {
            self.insist();
        }
    }

    /// Sends SIGINT to the group, even if it was sent before.
    pub fn insist(&mut self) {
        self.is_interrupted = true;
        let _ = kill_process_group(self.group, Signal::INT);
    }
}

/// Ends the process, kills the rest of an interrupted group, and reaps the process.
impl Drop for ProcessGroup {
    fn drop(&mut self) {
        let group = self.group;
        let wait = |options| waitid(WaitId::Pid(group), options);
        let not_reaped = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        if let Ok(None) = wait(not_reaped | WaitIdOptions::NOHANG) {
            self.interrupt();
            let _ = wait(not_reaped);
        }
        if self.is_interrupted {
            let _ = kill_process_group(self.group, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}
