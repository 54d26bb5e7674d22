//! A writer that stays interruptible while its reader does not read, such as a pager or a stopped
//! terminal.

use judge_os::{AsStream, is_writable_within};
use std::fs::File;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// A pipe that is ready accepts this many bytes without blocking (`PIPE_BUF`).
pub const AT_ONCE: usize = 4096;
/// Polling interval for interrupts.
const GLANCE: Duration = Duration::from_millis(50);
/// How long to wait for the reader after an interrupt.
const PATIENCE: Duration = Duration::from_secs(1);

/// Writes when the reader is ready. Waits for the reader without limit; after an interrupt only for
/// [`PATIENCE`], and then fails with a broken pipe.
pub struct InterruptibleWriter(File);

impl InterruptibleWriter {
    pub fn new(file: File) -> Self {
        InterruptibleWriter(file)
    }

    /// A writer to standard output that bypasses the buffer of [`io::stdout`].
    pub fn stdout() -> io::Result<Self> {
        io::stdout().flush()?;
        let stdout = io::stdout().as_stream().try_clone_to_owned()?;
        Ok(InterruptibleWriter(stdout.into()))
    }

    fn wait(&self) -> io::Result<()> {
        let mut interrupted_since = None;
        loop {
            if is_writable_within(&self.0, GLANCE)? {
                return Ok(());
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
