//! Ends every run (from a signal handler), or one run (from another thread).
#![allow(unsafe_code)]

use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::api::Fault;
use crate::sys;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static DESCRIPTOR: AtomicI32 = AtomicI32::new(-1);
static EVENT: OnceLock<OwnedFd> = OnceLock::new();

/// Ends one run from another thread; see [`Sandbox::run_until`](crate::Sandbox::run_until).
///
/// A canceller serves one run: a run that starts with a used canceller ends at once.
#[derive(Clone, Debug)]
pub struct Canceller {
    event: Arc<OwnedFd>,
    output: Arc<Mutex<Option<OwnedFd>>>,
}

impl Canceller {
    /// A new canceller.
    ///
    /// # Errors
    ///
    /// A [`Fault`] if the process has no free descriptor.
    pub fn new() -> Result<Self, Fault> {
        let fd = sys::event_fd().map_err(|e| Fault::os("make an event descriptor", e))?;
        Ok(Canceller {
            event: Arc::new(fd),
            output: Arc::default(),
        })
    }

    /// A new canceller whose run writes its standard output to `output` instead of the job's. This
    /// process closes its copy when the program has started.
    ///
    /// # Errors
    ///
    /// A [`Fault`] if the process has no free descriptor.
    pub fn with_output(output: OwnedFd) -> Result<Self, Fault> {
        let canceller = Self::new()?;
        *canceller.output() = Some(output);
        Ok(canceller)
    }

    /// Closes the standard output of [`with_output`](Self::with_output), unless a run has taken it.
    pub fn drop_output(&self) {
        self.take_output();
    }

    /// Takes the standard output of [`with_output`](Self::with_output), if no run has taken it yet.
    pub(crate) fn take_output(&self) -> Option<OwnedFd> {
        self.output().take()
    }

    fn output(&self) -> MutexGuard<'_, Option<OwnedFd>> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the run; does nothing if it has already ended.
    pub fn cancel(&self) {
        signal_event(self.event.as_raw_fd());
    }

    /// A descriptor that becomes and stays readable after [`cancel`](Self::cancel).
    pub(crate) fn event(&self) -> BorrowedFd<'_> {
        use std::os::fd::AsFd;
        self.event.as_fd()
    }
}

/// Makes an event descriptor readable.
fn signal_event(fd: RawFd) {
    let one = 1_u64;
    // SAFETY: write is async-signal-safe; the buffer has eight bytes, as an eventfd requires. A
    // full counter is already readable. `errno` is restored, because a handler must not change it.
    unsafe {
        let errno = *libc::__errno_location();
        libc::write(fd, (&raw const one).cast(), size_of::<u64>());
        *libc::__errno_location() = errno;
    }
}

/// Ends every current and future run in all boxes of this process: each run kills its processes and
/// returns a [`Fault`] with `interrupted` set.
///
/// Async-signal-safe: sets a flag and writes to one descriptor.
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::SeqCst);
    let fd = DESCRIPTOR.load(Ordering::SeqCst);
    if fd >= 0 {
        // This descriptor is never closed.
        signal_event(fd);
    }
}

/// Whether [`interrupt`] was called.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// A descriptor that becomes and stays readable after [`interrupt`].
pub fn event() -> Result<BorrowedFd<'static>, Fault> {
    use std::os::fd::AsFd;
    if let Some(event) = EVENT.get() {
        return Ok(event.as_fd());
    }
    let made = sys::event_fd().map_err(|e| Fault::os("make an event descriptor", e))?;
    let event = EVENT.get_or_init(|| made);
    DESCRIPTOR.store(event.as_raw_fd(), Ordering::SeqCst);
    if interrupted() {
        interrupt();
    }
    Ok(event.as_fd())
}

/// The fault of an interrupted run.
pub fn fault() -> Fault {
    Fault {
        stage: "finish the run".into(),
        source: None,
        remedy: None,
        interrupted: true,
    }
}
