//! An event that a signal handler or another thread signals, and that a run polls.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{EventfdFlags, eventfd};

/// An event that happens once.
#[derive(Debug)]
pub struct Event {
    /// A counter that can be polled, closes on exec and never blocks.
    counter: OwnedFd,
    signalled: AtomicBool,
}

impl Event {
    pub fn new() -> io::Result<Self> {
        Ok(Event {
            counter: eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?,
            signalled: AtomicBool::new(false),
        })
    }

    /// Makes the descriptor readable, which it stays. Async-signal-safe.
    pub fn signal(&self) {
        self.signalled.store(true, Ordering::SeqCst);
        let one = 1_u64;
        // SAFETY: write is async-signal-safe; the buffer has eight bytes, as an eventfd requires. A
        // full counter is already readable. `errno` is restored, because a handler must not change
        // it.
        unsafe {
            let errno = *libc::__errno_location();
            libc::write(
                self.counter.as_raw_fd(),
                (&raw const one).cast(),
                size_of::<u64>(),
            );
            *libc::__errno_location() = errno;
        }
    }

    /// Whether it was signalled.
    pub fn is_signalled(&self) -> bool {
        self.signalled.load(Ordering::SeqCst)
    }
}

impl AsFd for Event {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.counter.as_fd()
    }
}
