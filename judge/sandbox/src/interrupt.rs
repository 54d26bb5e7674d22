//! Ends every run on request, from a signal handler or another thread.
#![allow(unsafe_code)]

use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use crate::{Fault, sys};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static DESCRIPTOR: AtomicI32 = AtomicI32::new(-1);
static BELL: OnceLock<OwnedFd> = OnceLock::new();

/// Ends every run, now and later, in all boxes of this process: each gives a [`Fault`] whose
/// `interrupted` is true, after its processes were killed.
///
/// Safe to call in a signal handler: it sets a flag and writes to one descriptor.
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::SeqCst);
    let fd = DESCRIPTOR.load(Ordering::SeqCst);
    if fd >= 0 {
        let one = 1_u64;
        // SAFETY: write is async-signal-safe; the buffer is eight bytes, as an eventfd wants. The
        // descriptor is never closed. A full counter is readable, which is all we want.
        unsafe {
            let errno = *libc::__errno_location();
            libc::write(fd, (&raw const one).cast(), size_of::<u64>());
            *libc::__errno_location() = errno;
        }
    }
}

/// Whether [`interrupt`] was called.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// A descriptor that becomes readable, for good, when [`interrupt`] is called.
pub fn bell() -> Result<BorrowedFd<'static>, Fault> {
    use std::os::fd::AsFd;
    if let Some(bell) = BELL.get() {
        return Ok(bell.as_fd());
    }
    let made = sys::event_fd().map_err(|e| Fault::os("make an event descriptor", e))?;
    let bell = BELL.get_or_init(|| made);
    DESCRIPTOR.store(bell.as_raw_fd(), Ordering::SeqCst);
    if interrupted() {
        interrupt();
    }
    Ok(bell.as_fd())
}

/// The fault of a run that was interrupted.
pub fn fault() -> Fault {
    Fault {
        stage: "finish the run".into(),
        source: None,
        remedy: None,
        interrupted: true,
    }
}
