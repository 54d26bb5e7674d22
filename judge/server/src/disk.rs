//! Full disks.

use std::path::Path;

/// A disk with less room than this is full: the store's log and a package may need as much at any time.
const MIN_ROOM: u64 = 2 << 20;

/// Says that the disk of a directory is full, if it is.
pub(crate) fn full(dir: &Path, what: &str) -> Option<String> {
    let is_full = judge_os::free_bytes(dir).ok()? < MIN_ROOM;
    is_full.then(|| {
        let dir = dir.display();
        format!("the disk with {what} is full: {dir}; make room, and judging goes on")
    })
}
