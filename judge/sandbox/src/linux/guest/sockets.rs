//! Closes Unix sockets that outlive a run: sockets inside a message that only these sockets could
//! receive (a reference cycle).
//!
//! Such sockets, and all other files in the message, stay open after the last process has ended,
//! until the kernel's garbage collector finds them. The collector runs in the background, whenever
//! a Unix socket is closed.

use std::fs::File;
use std::io;
use std::time::Duration;

use crate::linux::sys;

/// Timeout of the wait for the kernel's garbage collector.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);
const PAUSE: Duration = Duration::from_millis(1);

/// The Unix sockets of the box.
pub struct Sockets {
    /// The kernel's list of Unix sockets in the box's network namespace. `None` if the box has no
    /// such namespace: then the system-call filter keeps programs from sending descriptors, or
    /// there is no isolation.
    list: Option<File>,
    /// The statistics of all sockets in that namespace, if the kernel has them.
    statistics: Option<File>,
}

impl Sockets {
    pub fn none() -> Self {
        Sockets {
            list: None,
            statistics: None,
        }
    }

    /// The sockets in this process's network namespace, which only the box uses. `/proc` must be
    /// the host's.
    pub fn of_namespace() -> io::Result<Self> {
        Ok(Sockets {
            list: Some(File::open("/proc/self/net/unix")?),
            statistics: File::open("/proc/self/net/sockstat").ok(),
        })
    }

    /// Makes the kernel close the sockets that the last run left open; no process of that run may
    /// be alive. Returns whether there were any: other files in their messages may be closed a
    /// moment later.
    pub fn close_left(&self) -> bool {
        let Some(list) = &self.list else {
            drop(sys::socket_pair());
            return false;
        };
        if self.statistics.as_ref().is_some_and(has_none) || is_empty(list) {
            return false;
        }
        let start = sys::clock(libc::CLOCK_MONOTONIC);
        while !is_empty(list) && sys::clock(libc::CLOCK_MONOTONIC) - start < CLOSE_TIMEOUT {
            drop(sys::socket_pair());
            std::thread::sleep(PAUSE);
        }
        true
    }
}

/// Whether no socket is in use. The kernel adds up a number for each core, whereas reading the list
/// takes the lock of each of its 256 buckets, which costs several microseconds.
fn has_none(statistics: &File) -> bool {
    let mut text = [0; 64];
    let read = sys::read_start(statistics, &mut text).unwrap_or(0);
    text[..read].starts_with(b"sockets: used 0\n")
}

/// Whether the list has no entry below its header line.
fn is_empty(list: &File) -> bool {
    let mut text = [0; 512];
    let read = sys::read_start(list, &mut text).unwrap_or(0);
    text[..read].iter().filter(|&&byte| byte == b'\n').count() <= 1
}
