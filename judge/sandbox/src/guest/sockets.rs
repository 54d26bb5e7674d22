//! Unix sockets that outlive a run: those in a message that only they themselves could receive.
//!
//! Such sockets, and all other files in the message, stay open after the last process has ended, until
//! the kernel looks for them. It does so in the background, whenever a Unix socket is closed.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::time::Duration;

use crate::sys;

/// How long to wait until the kernel has found them.
const PATIENCE: Duration = Duration::from_millis(500);
const PAUSE: Duration = Duration::from_millis(1);

/// The Unix sockets of the box.
pub struct Sockets {
    /// The kernel's list of those in the box's network namespace. Without one, programs can send no
    /// descriptors (the system-call filter), or there is no isolation.
    list: Option<File>,
}

impl Sockets {
    pub fn none() -> Self {
        Sockets { list: None }
    }

    /// Those of this process's network namespace, which only the box uses. `/proc` must be the host's.
    pub fn of_namespace() -> io::Result<Self> {
        File::open("/proc/self/net/unix").map(|list| Sockets { list: Some(list) })
    }

    /// Has the kernel close the sockets that the last run left; no process of it may be alive. Returns
    /// whether there were any: other files that they held may be closed a moment later.
    pub fn close_left(&self) -> bool {
        let Some(list) = &self.list else {
            drop(sys::socket_pair());
            return false;
        };
        if is_empty(list) {
            return false;
        }
        let start = sys::clock(libc::CLOCK_MONOTONIC);
        while !is_empty(list) && sys::clock(libc::CLOCK_MONOTONIC) - start < PATIENCE {
            drop(sys::socket_pair());
            std::thread::sleep(PAUSE);
        }
        true
    }
}

/// Whether there is no line below the header.
fn is_empty(list: &File) -> bool {
    let mut text = [0; 512];
    let read = list.read_at(&mut text, 0).unwrap_or(0);
    text[..read].iter().filter(|&&byte| byte == b'\n').count() <= 1
}
