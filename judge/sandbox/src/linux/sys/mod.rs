//! Thin safe wrappers for system calls that `std` lacks.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::time::{Duration, Instant};

use libc::{c_int, c_long, c_ulong, pid_t};
use rustix::event::{PollFd, PollFlags};
use rustix::fs::{
    Access, FileType, Mode, OFlags, Timespec, Timestamps, access, fstat, fstatfs, openat,
};
use rustix::io::{Errno, retry_on_intr};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::path::Arg;
use rustix::process::{Pid, WaitOptions, getegid, geteuid, waitpid};
use rustix::rand::{GetRandomFlags, getrandom};
use rustix::system::sethostname;

pub mod event;
pub mod plain_tree;
pub mod process;
pub mod ptrace;
pub mod scheduler;

/// Converts the result of a call that returns -1 and sets `errno` on failure.
pub fn check(result: c_int) -> io::Result<c_int> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}

/// As [`check`], for `syscall`.
pub fn check_long(result: c_long) -> io::Result<c_long> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}

/// Repeats a call that a signal interrupted.
pub fn retry<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(e) if e.raw_os_error() == Some(libc::EINTR) => {}
            result => return result,
        }
    }
}

/// A connected pair of sockets that keep message boundaries and close on exec.
pub fn socket_pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let (family, kind) = (AddressFamily::UNIX, SocketType::SEQPACKET);
    Ok(socketpair(family, kind, SocketFlags::CLOEXEC, None)?)
}

/// Opens `path` below the directory `dir` ([`CWD`](rustix::fs::CWD) for the current one).
pub fn open_at(dir: impl AsFd, path: impl Arg, flags: OFlags) -> io::Result<OwnedFd> {
    let no_mode = Mode::empty();
    Ok(openat(dir, path, flags | OFlags::CLOEXEC, no_mode)?)
}

/// Waits until one of `fds` is readable or `timeout` is over. Returns which are readable or closed.
pub fn poll<const N: usize>(fds: [BorrowedFd<'_>; N], timeout: Duration) -> io::Result<[bool; N]> {
    let mut polled = fds.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
    let timeout = Timespec {
        tv_sec: timeout.as_secs().min(u64::from(u32::MAX >> 1)) as _,
        tv_nsec: timeout.subsec_nanos().into(),
    };
    match rustix::event::poll(&mut polled, Some(&timeout)) {
        Ok(_) => Ok(polled.map(|p| !p.revents().is_empty())),
        Err(Errno::INTR) => Ok([false; N]),
        Err(e) => Err(e.into()),
    }
}

/// Whether `fd` becomes readable or is closed within `time`; signals do not end the wait.
pub fn is_readable_within(fd: BorrowedFd<'_>, time: Duration) -> bool {
    let until = Instant::now() + time;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        match poll([fd], left) {
            Ok([true]) => return true,
            Ok([false]) if !left.is_zero() => {}
            _ => return false,
        }
    }
}

/// The current time of a clock; 0 if there is no such clock.
pub fn clock(clock: libc::clockid_t) -> Duration {
    let mut t = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `t` is writable.
    unsafe { libc::clock_gettime(clock, &mut t) };
    duration(t)
}

/// Converts a time; negative times become 0.
pub fn duration(time: libc::timespec) -> Duration {
    let secs = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(secs, u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Sends `signal` to one process, if it still exists.
pub fn kill(pid: pid_t, signal: c_int) {
    if pid > 0 {
        // SAFETY: no pointers. `pid` is positive: one process, never a group or all processes.
        unsafe { libc::kill(pid, signal) };
    }
}

/// Waits for the end of the child `pid`, if it exists.
pub fn wait_for(pid: pid_t) {
    if let Some(pid) = Pid::from_raw(pid) {
        let _ = retry_on_intr(|| waitpid(Some(pid), WaitOptions::empty()));
    }
}

/// `prctl` with up to two numbers.
pub fn prctl(option: c_int, a: c_ulong, b: c_ulong) -> io::Result<c_int> {
    // SAFETY: the callers in this crate pass only options that take numbers.
    check(unsafe { libc::prctl(option, a, b, 0 as c_ulong, 0 as c_ulong) })
}

/// The kernel's version of Landlock; 0 without Landlock.
pub fn landlock_version() -> i64 {
    const VERSION: u32 = 1;
    let nothing = std::ptr::null::<u8>();
    // SAFETY: no attributes, of size 0, as the flag requires.
    let version =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, nothing, 0_usize, VERSION) };
    version.max(0)
}

/// Writes all of `text` to the file at `path` in one call, as the kernel's control files require.
pub fn write_file(path: &Path, text: &str) -> io::Result<()> {
    use std::io::Write;
    let mut file = std::fs::OpenOptions::new().write(true).open(path)?;
    retry(|| file.write(text.as_bytes()).map(drop))
}

/// Writes to a file in `/proc/<pid>`.
pub fn write_of_process(pid: pid_t, file: &str, text: &str) -> io::Result<()> {
    write_file(Path::new(&format!("/proc/{pid}/{file}")), text)
}

/// The number in a small file, read from its start.
pub fn read_number(file: &std::fs::File) -> io::Result<u64> {
    let mut text = [0; 32];
    let n = read_start(file, &mut text)?;
    let text = std::str::from_utf8(&text[..n]).unwrap_or("").trim();
    text.parse()
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, format!("no number: {text:?}")))
}

/// Reads the start of a file without using its offset.
pub fn read_start(file: &std::fs::File, buffer: &mut [u8]) -> io::Result<usize> {
    use std::os::unix::fs::FileExt;
    retry(|| file.read_at(buffer, 0))
}

/// Size of a page, the unit in which the kernel counts memory.
pub fn page_size() -> u64 {
    rustix::param::page_size() as u64
}

/// Whether this process may write to `path`.
pub fn may_write(path: &Path) -> bool {
    access(path, Access::WRITE_OK).is_ok()
}

/// Whether this process is root, of the machine or of its container.
pub fn is_root() -> bool {
    geteuid().is_root()
}

/// The effective user and group of this process.
pub fn ids() -> (u32, u32) {
    (geteuid().as_raw(), getegid().as_raw())
}

/// Calls a function when this process exits normally. Functions run in the reverse order.
pub fn at_exit(function: extern "C" fn()) {
    // SAFETY: the function lives as long as the process and does not unwind.
    unsafe { libc::atexit(function) };
}

/// Moves this process to a network, an IPC and a UTS namespace of its own.
pub fn own_network_ipc_and_host_name() -> io::Result<()> {
    let namespaces = libc::CLONE_NEWNET | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;
    // SAFETY: no pointers; the process has one thread.
    check(unsafe { libc::unshare(namespaces) }).map(drop)
}

/// Moves this process to a cgroup namespace of its own, whose root is its group.
pub fn own_cgroup_namespace() -> io::Result<()> {
    // SAFETY: no pointers.
    check(unsafe { libc::unshare(libc::CLONE_NEWCGROUP) }).map(drop)
}

/// Sets the host name of this namespace.
pub fn set_host_name(name: &str) -> io::Result<()> {
    Ok(sethostname(name.as_bytes())?)
}

/// An unpredictable number.
pub fn random() -> io::Result<u64> {
    let mut bytes = [0; 8];
    getrandom(&mut bytes, GetRandomFlags::empty())?;
    Ok(u64::from_ne_bytes(bytes))
}

/// The kernel's version, for example `(6, 12)`.
pub fn kernel_version() -> (u32, u32) {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = release
        .split(['.', '-'])
        .map(|n| n.trim().parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

/// A regular file behind a descriptor.
pub struct RegularFile {
    pub device: u64,
    pub inode: u64,
    pub bytes: u64,
    /// Allocated bytes up to the end of the file.
    pub allocated: u64,
}

/// The attributes of a directory that a program can change without changing its entries.
pub struct DirectoryAttributes {
    /// The permission bits.
    pub mode: Mode,
    /// The size: on some file systems a directory stays as large as it once was.
    pub size: i64,
    pub times: Timestamps,
}

/// The attributes of the directory behind a descriptor.
pub fn directory_attributes(fd: BorrowedFd<'_>) -> io::Result<DirectoryAttributes> {
    let stat = fstat(fd)?;
    let time = |tv_sec, tv_nsec| Timespec {
        tv_sec,
        tv_nsec: tv_nsec as _,
    };
    Ok(DirectoryAttributes {
        mode: Mode::from_raw_mode(stat.st_mode),
        size: stat.st_size,
        times: Timestamps {
            last_access: time(stat.st_atime, stat.st_atime_nsec),
            last_modification: time(stat.st_mtime, stat.st_mtime_nsec),
        },
    })
}

/// The regular file behind a descriptor; `None` if it is of another type.
pub fn regular_file(fd: BorrowedFd<'_>) -> Option<RegularFile> {
    let stat = fstat(fd).ok()?;
    let bytes = u64::try_from(stat.st_size).unwrap_or(0);
    let allocated = u64::try_from(stat.st_blocks)
        .unwrap_or(0)
        .saturating_mul(512);
    let is_regular = FileType::from_raw_mode(stat.st_mode).is_file();
    is_regular.then_some(RegularFile {
        device: stat.st_dev,
        inode: stat.st_ino,
        bytes,
        allocated: allocated.min(bytes.saturating_add(4095) / 4096 * 4096),
    })
}

/// Whether a file is on tmpfs, as memory files are. The device number does not distinguish tmpfs:
/// btrfs, overlayfs and NFS have no major number either.
pub fn is_in_memory(fd: BorrowedFd<'_>) -> bool {
    fstatfs(fd).is_ok_and(|stat| i128::from(stat.f_type) == i128::from(libc::TMPFS_MAGIC))
}

/// The part of a file system that is in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileSystemUsage {
    pub files: u64,
    pub bytes: u64,
}

/// The usage of the file system of a descriptor.
pub fn file_system_usage(fd: BorrowedFd<'_>) -> io::Result<FileSystemUsage> {
    let stat = fstatfs(fd)?;
    let block = u64::try_from(stat.f_bsize).unwrap_or(0);
    Ok(FileSystemUsage {
        files: stat.f_files - stat.f_ffree,
        bytes: (stat.f_blocks - stat.f_bfree).saturating_mul(block),
    })
}

/// Reads a file into the page cache, charged to this process; best effort.
pub fn read_ahead(mut file: &std::fs::File) {
    use std::io::{Read, Seek};
    let mut buffer = vec![0; 1 << 20];
    while matches!(file.read(&mut buffer), Ok(n) if n > 0) {}
    let _ = file.rewind();
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::FallocateFlags;

    #[test]
    fn a_file_system_without_a_device_is_not_a_tmpfs() {
        use std::os::fd::AsFd;
        use std::os::unix::fs::MetadataExt;
        let file = std::fs::File::open("/proc/self/status").unwrap();
        assert_eq!(libc::major(file.metadata().unwrap().dev()), 0);
        assert!(!is_in_memory(file.as_fd()));
        assert!(is_in_memory(crate::scratch_file().unwrap().as_fd()));
    }

    #[test]
    fn blocks_beyond_the_end_of_a_file_do_not_count() {
        use std::os::fd::AsFd;
        let file = crate::scratch_file().unwrap();
        rustix::fs::fallocate(&file, FallocateFlags::KEEP_SIZE, 0, 1 << 20).unwrap();
        assert_eq!(regular_file(file.as_fd()).unwrap().allocated, 0);
        file.set_len(5000).unwrap();
        assert_eq!(regular_file(file.as_fd()).unwrap().allocated, 8192);
    }
}
