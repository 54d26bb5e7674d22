//! The room on disks.

use rustix::fs::statvfs;
use std::path::Path;

/// A disk with less room than this is full: the store's log and a package may need as much at any time.
const MIN_ROOM: u64 = 2 << 20;

/// Says that the disk of a directory is full, if it is.
pub(crate) fn full(dir: &Path, what: &str) -> Option<String> {
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
