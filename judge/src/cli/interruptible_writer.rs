//! A writer whose reader may stop reading: a pager that pauses, a terminal that is stopped.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

/// How much a pipe that is ready takes without blocking (`PIPE_BUF`).
const AT_ONCE: usize = 4096;
/// How often a writer that waits looks for an interrupt.
const GLANCE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};
/// How long the reader may pause once judging is interrupted.
const PATIENCE: Duration = Duration::from_secs(1);

/// Writes when the reader is ready. It waits as long as the reader pauses; once judging is
/// interrupted only for [`PATIENCE`], and then fails as if the reader had closed the pipe.
pub struct InterruptibleWriter(File);

impl InterruptibleWriter {
    /// Writes to this file.
    pub fn new(file: File) -> Self {
        InterruptibleWriter(file)
    }

    /// Writes to standard output, past the buffer of [`io::stdout`].
    ///
    /// # Errors
    ///
    /// When no descriptor is left.
    pub fn stdout() -> io::Result<Self> {
        io::stdout().flush()?;
        let stdout = io::stdout().as_fd().try_clone_to_owned()?;
        Ok(InterruptibleWriter(stdout.into()))
    }

    fn wait(&self) -> io::Result<()> {
        let mut interrupted_since = None;
        loop {
            let mut ready = [PollFd::new(&self.0, PollFlags::OUT)];
            match poll(&mut ready, Some(&GLANCE)) {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => return Ok(()),
                Err(e) => return Err(e.into()),
            }
            if judge_sandbox::interrupted() {
                let since = *interrupted_since.get_or_insert_with(Instant::now);
                if since.elapsed() >= PATIENCE {
                    return Err(io::ErrorKind::BrokenPipe.into());
                }
            }
        }
    }
}

impl Write for InterruptibleWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.wait()?;
        self.0.write(&bytes[..bytes.len().min(AT_ONCE)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
