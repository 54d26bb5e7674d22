//! Linux: `/proc`, pipes of another size, scheduling.

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use rustix::pipe::{fcntl_getpipe_size, fcntl_setpipe_size};
use rustix::process::{getpid, setpriority_process};
use rustix::thread::{sched_getaffinity, sched_setaffinity};

/// The memory of this machine in bytes.
pub fn total_memory() -> Option<u64> {
    let machine = rustix::system::sysinfo();
    Some((machine.totalram as u64).saturating_mul(u64::from(machine.mem_unit)))
}

/// A command that starts this program again, also if its file was replaced since by a newer build.
pub fn own_command() -> Command {
    let mut command = Command::new("/proc/self/exe");
    command.arg0("judge");
    command
}

/// Gives the calling thread all cores of the process, which it may be pinned to one of, and the lowest
/// priority. Best effort.
pub fn work_in_background() {
    let _ = sched_getaffinity(Some(getpid())).and_then(|all| sched_setaffinity(None, &all));
    let _ = setpriority_process(None, 19);
}

/// Either end of a pipe and every open file can be opened again here.
fn path_of(fd: RawFd) -> String {
    format!("/proc/self/fd/{fd}")
}

/// Opens the file for reading, with a separate description, which has its own offset and flags.
/// `None` where the system cannot.
pub fn reopen(file: &File) -> io::Result<Option<File>> {
    File::open(path_of(file.as_raw_fd())).map(Some)
}

/// Opens a separate description of the same end of a pipe, if the system can, so that flags that a
/// program sets on its own are not shared.
pub fn reopen_reader(reader: &PipeReader) -> io::Result<File> {
    File::open(path_of(reader.as_raw_fd()))
}

/// Makes a pipe hold this many bytes, if the system lets this user; returns what it holds.
pub fn enlarge_pipe(writer: &PipeWriter, bytes: usize) -> io::Result<usize> {
    match fcntl_setpipe_size(writer, bytes) {
        Ok(_) => Ok(bytes),
        Err(_) => Ok(fcntl_getpipe_size(writer)?),
    }
}

/// Detects when a program has closed the write end of a pipe, with `flock`: the lock belongs to the
/// program's open file description, is shared by all copies of the descriptor, and is released when
/// the last copy is closed. A thread waits for the same lock through a description of its own.
#[derive(Debug)]
pub struct WriteEnd {
    /// Opened for reading, because the waiting thread must not count as a writer.
    lock: File,
}

impl WriteEnd {
    /// Locks the program's end, and opens another one for the judge to hold.
    pub fn hold(writer: &PipeWriter) -> io::Result<(File, Self)> {
        let again = path_of(writer.as_raw_fd());
        let held = File::options().write(true).open(&again)?;
        let lock = File::open(&again)?;
        flock(writer, FlockOperation::LockExclusive)?;
        Ok((held, WriteEnd { lock }))
    }

    /// Waits until all copies of the program's end are closed; false if the system cannot detect that.
    pub fn wait(&self) -> bool {
        loop {
            match flock(&self.lock, FlockOperation::LockExclusive) {
                Ok(()) => return true,
                Err(Errno::INTR) => {}
                Err(_) => return false,
            }
        }
    }
}
