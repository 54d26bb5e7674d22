//! Closes Unix sockets that outlive a run: sockets inside a message that only these sockets could
//! receive (a reference cycle).
//!
//! Such sockets, and all other files in the message, stay open after the last process has ended,
//! until the kernel's garbage collector finds them. The collector runs in the background, whenever
//! a Unix socket is closed.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::time::Duration;

use crate::sys;

/// Timeout of the wait for the kernel's garbage collector.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);
const PAUSE: Duration = Duration::from_millis(1);

/// The Unix sockets of the box.
pub struct Sockets {
    /// The kernel's list of Unix sockets in the box's network namespace. `None` if the box has no
    /// such namespace: then the system-call filter keeps programs from sending descriptors, or
    /// there is no isolation.
    list: Option<File>,
}

impl Sockets {
    pub fn none() -> Self {
        Sockets { list: None }
    }

    /// The sockets in this process's network namespace, which only the box uses. `/proc` must be
    /// the host's.
    pub fn of_namespace() -> io::Result<Self> {
        File::open("/proc/self/net/unix").map(|list| Sockets { list: Some(list) })
    }

    /// Makes the kernel close the sockets that the last run left open; no process of that run may
    /// be alive. Returns whether there were any: other files in their messages may be closed a
    /// moment later.
    pub fn close_left(&self) -> bool {
        let Some(list) = &self.list else {
            drop(sys::socket_pair());
            return false;
        };
        if is_empty(list) {
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

/// Whether the list has no entry below its header line.
fn is_empty(list: &File) -> bool {
    let mut text = [0; 512];
    let read = list.read_at(&mut text, 0).unwrap_or(0);
    text[..read].iter().filter(|&&byte| byte == b'\n').count() <= 1
}
