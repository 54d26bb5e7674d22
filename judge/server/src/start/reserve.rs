//! Opening the store on a full disk.

use crate::store::Store;
use judge_core::error::Failure;
use std::fs;
use std::path::{Path, PathBuf};

/// A file that takes room on the disk with the data: a server that starts on a full disk removes it, to be able to open
/// its store and to serve pages.
struct Reserve(PathBuf);

impl Reserve {
    /// Size of the file: more than opening a store writes.
    const BYTES: usize = 1 << 20;

    /// Creates the file, unless it exists or the disk is almost full.
    fn fill(&self, data: &Path) {
        let is_there = fs::metadata(&self.0).is_ok_and(|file| file.len() == Self::BYTES as u64);
        let has_room =
            || judge_os::free_bytes(data).is_ok_and(|free| free >= 4 * Self::BYTES as u64);
        if !is_there && has_room() && fs::write(&self.0, vec![b'r'; Self::BYTES]).is_err() {
            self.free();
        }
    }

    /// Returns whether there was one.
    fn free(&self) -> bool {
        fs::remove_file(&self.0).is_ok()
    }
}

/// Opens the store, on a full disk with the room of the reserve.
pub(super) fn open_store(data: &Path) -> Result<Store, Failure> {
    let (file, reserve) = (data.join("judge.sqlite"), Reserve(data.join("reserve")));
    let opened = match Store::open(&file) {
        Ok(store) => {
            reserve.fill(data);
            return Ok(store);
        }
        Err(error) if error.is_disk_full() && reserve.free() => Store::open(&file),
        failed => failed,
    };
    opened.map_err(|error| match error.is_disk_full() {
        true => Failure::usage(format!("{}: the disk is full", data.display())).help("make room"),
        false => error.into(),
    })
}
