//! Brings the files of a program into memory.
//!
//! All runs of a program read the same files. A page that is not in memory is a bit that one run
//! can set, by reading the page, and that the next run can read, by the duration of its access or
//! the number of its page faults. So all pages are read before the first run. Nothing in a box can
//! evict them: the calls that do are refused, and they are not charged to the box's control group.
#![allow(unsafe_code)]

use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::ptr;

/// Bytes to read at most. A compiled program is smaller; an executable that the user gives may be a
/// sparse file of any size.
const MAX_BYTES: u64 = 1 << 30;
/// Maximum depth of directories.
const MAX_DEPTH: u32 = 64;

/// Reads all pages of the file `path`, or of all files below the directory `path`, into memory.
/// Best effort: without it, runs are slower and share a few bits.
pub fn make_resident(path: &Path) {
    let mut left = MAX_BYTES;
    if let Ok(metadata) = fs::metadata(path) {
        let _ = below(path, &metadata, &mut left, 0);
    }
}

fn below(path: &Path, metadata: &fs::Metadata, left: &mut u64, depth: u32) -> io::Result<()> {
    if metadata.is_file() {
        let size = metadata.len().min(*left);
        *left -= size;
        return read_pages(path, size);
    }
    if !metadata.is_dir() || depth > MAX_DEPTH {
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        // Another file may still be readable.
        let _ = below(&entry.path(), &entry.metadata()?, left, depth + 1);
    }
    Ok(())
}

/// Reads the first `size` bytes of a file into memory: a mapping also fills the cache of pages on
/// file systems that read into a cache of their own.
fn read_pages(path: &Path, size: u64) -> io::Result<()> {
    if size == 0 {
        return Ok(());
    }
    let flags = libc::O_NONBLOCK | libc::O_NOCTTY;
    let mut file = File::options().read(true).custom_flags(flags).open(path)?;
    let length = usize::try_from(size).map_err(io::Error::other)?;
    // SAFETY: a new mapping, at an address that the kernel chooses, which is never dereferenced: if
    // the file becomes shorter meanwhile, `madvise` fails.
    let populated = unsafe {
        let (read, private) = (libc::PROT_READ, libc::MAP_PRIVATE);
        let map = libc::mmap(ptr::null_mut(), length, read, private, file.as_raw_fd(), 0);
        if map == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let populated = libc::madvise(map, length, libc::MADV_POPULATE_READ) == 0;
        libc::munmap(map, length);
        populated
    };
    if !populated {
        // `MADV_POPULATE_READ` needs Linux 5.14.
        io::copy(&mut file, &mut io::sink())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages_in_memory(file: &File, length: usize) -> usize {
        let mut pages = vec![0_u8; length.div_ceil(crate::linux::sys::page_size() as usize)];
        // SAFETY: a new mapping, and a byte for each of its pages.
        unsafe {
            let (read, private) = (libc::PROT_READ, libc::MAP_PRIVATE);
            let map = libc::mmap(ptr::null_mut(), length, read, private, file.as_raw_fd(), 0);
            assert_ne!(map, libc::MAP_FAILED);
            assert_eq!(libc::mincore(map, length, pages.as_mut_ptr()), 0);
            libc::munmap(map, length);
        }
        pages.iter().filter(|page| **page & 1 != 0).count()
    }

    #[test]
    fn all_pages_of_a_tree_are_brought_into_memory() {
        let top = tempfile::tempdir().unwrap();
        let inner = top.path().join("a/b");
        fs::create_dir_all(&inner).unwrap();
        std::os::unix::fs::symlink("nowhere", inner.join("link")).unwrap();
        let file = File::create_new(inner.join("sparse")).unwrap();
        let length = 4 << 20;
        file.set_len(length).unwrap();
        let file = File::open(inner.join("sparse")).unwrap();
        assert_eq!(pages_in_memory(&file, length as usize), 0);
        make_resident(top.path());
        let all = length as usize / crate::linux::sys::page_size() as usize;
        assert_eq!(pages_in_memory(&file, length as usize), all);
        make_resident(&top.path().join("missing"));
    }
}
