//! Whether the server can keep and judge submissions.

use crate::worker::Control;
use rustix::fs::statvfs;
use std::path::{Path, PathBuf};

/// A disk with less room than this is full: the store's log and a package may need as much at any time.
const MIN_ROOM: u64 = 2 << 20;

/// The parts of this process that may fail while pages are served.
#[derive(Default)]
pub struct Health {
    /// The workers of this process; `None`: there are none.
    pub workers: Option<Control>,
    /// The directory with the data.
    pub data: PathBuf,
}

impl Health {
    /// The reason why nothing is judged, with a remedy; `None`: no reason is known. Failures of the workers count only if
    /// there is `work`.
    pub(crate) fn standstill(&self, work: bool) -> Option<String> {
        let data = full(&self.data, "the data");
        let temporary = || full(&std::env::temp_dir(), "temporary files");
        let workers = || self.workers.as_ref().filter(|_| work)?.standstill();
        data.or_else(temporary).or_else(workers)
    }
}

/// Says that the disk of a directory is full, if it is.
fn full(dir: &Path, what: &str) -> Option<String> {
    let is_full = room(dir)? < MIN_ROOM;
    is_full.then(|| {
        let dir = dir.display();
        format!("the disk with {what} is full: {dir}; make room, and judging goes on")
    })
}

/// The bytes that are free on the disk of a directory; `None`: it cannot be asked.
pub(crate) fn room(dir: &Path) -> Option<u64> {
    let disk = statvfs(dir).ok()?;
    (disk.f_blocks > 0).then(|| disk.f_bavail.saturating_mul(disk.f_frsize))
}
