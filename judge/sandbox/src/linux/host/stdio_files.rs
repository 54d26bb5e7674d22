//! Makes the files for the standard streams of one run.
//!
//! Every run has its own inodes and its own open file descriptions. A file that two runs share
//! would carry the effects of the first program into the second: seals, locks, leases, flags,
//! modes, times.

use std::ffi::CStr;
use std::fs::{File, Permissions};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use judge_tempdir::TempDirectory;
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use rustix::io::Errno;

use crate::api::Fault;
use crate::linux::sys;

/// The largest input that is copied into memory; a larger one is copied to `TMPDIR`.
pub const MAX_IN_MEMORY: u64 = 256 << 20;

/// Bytes per read when copying an input.
const PIECE: usize = 64 << 10;

/// An empty unnamed file in memory for the standard output or error of one run.
///
/// It is readable and writable, freed when closed, bounded by
/// [`Limits::output`](crate::Limits::output), and cannot be sealed: otherwise a program could make
/// it read-only for the next writer. Make a new one for every run.
pub fn scratch_file() -> Result<File, Fault> {
    memory_file(c"judge-scratch")
        .and_then(|file| Ok(fcntl_add_seals(&file, SealFlags::SEAL).map(|()| file)?))
        .map_err(|e| Fault::os("make a scratch file", e))
}

/// Standard input of one run: a private copy that is immutable.
///
/// With a descriptor of the original, a program of the same user could change its mode, lock it or
/// take a lease on it; a copy shared by several runs would carry these changes from run to run. The
/// kernel also charges a page of a file to the first program that reads it.
#[derive(Debug)]
pub struct Input(File);

impl Input {
    /// Copies the file at `path`.
    pub fn from_path(path: &Path) -> Result<Self, Fault> {
        InputCopier::default().copy(path)
    }

    /// Copies an open file, from its start.
    pub fn from_file(file: &File) -> Result<Self, Fault> {
        Self::from_path(Path::new(&format!("/proc/self/fd/{}", file.as_raw_fd())))
    }

    /// Copies `bytes`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Fault> {
        let make = || {
            let file = memory_file(c"judge-input")?;
            write_at_start(&file, bytes, 0)?;
            finish(file)
        };
        make().map_err(|e| Fault::os("copy an input", e))
    }
}

impl AsFd for Input {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl From<Input> for File {
    fn from(input: Input) -> Self {
        input.0
    }
}

/// Copies files to [`Input`]s, reusing one buffer.
#[derive(Debug, Default)]
pub struct InputCopier {
    buffer: Vec<u8>,
}

impl InputCopier {
    /// Copies the file at `path` for one run. Fails if it cannot be read or the copy does not fit.
    pub fn copy(&mut self, path: &Path) -> Result<Input, Fault> {
        self.try_copy(path)
            .map_err(|e| Fault::os(format!("read {}", path.display()), e))?
            .map_or_else(|| copy_to_disk(path), Ok)
    }

    /// Copies the file in memory; returns `None` if it is too large.
    fn try_copy(&mut self, path: &Path) -> io::Result<Option<Input>> {
        self.buffer.resize(PIECE, 0);
        let mut from = File::open(path)?;
        let to = memory_file(c"judge-input")?;
        let mut length = 0;
        loop {
            let n = sys::retry(|| from.read(&mut self.buffer))?;
            if n == 0 {
                return finish(to).map(Some);
            }
            if length == 0 && n == PIECE && from.metadata()?.len() > MAX_IN_MEMORY {
                return Ok(None);
            }
            write_at_start(&to, &self.buffer[..n], length)?;
            length += n as u64;
        }
    }
}

/// Writes without moving the file offset, so that the program reads from the start.
fn write_at_start(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    use std::os::unix::fs::FileExt;
    file.write_all_at(bytes, offset)
}

fn finish(file: File) -> io::Result<Input> {
    let content = SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE;
    fcntl_add_seals(&file, content | SealFlags::SEAL)?;
    Ok(Input(file))
}

/// Makes a private copy in `TMPDIR`, for an input that is too large for memory. The program gets a
/// read-only descriptor of an unlinked file.
fn copy_to_disk(path: &Path) -> Result<Input, Fault> {
    let directory = TempDirectory::private("input")?;
    let place = directory.path().join("input");
    let copy = || -> io::Result<File> {
        let mut from = File::open(path)?;
        let mut to = File::create_new(&place)?;
        io::copy(&mut from, &mut to)?;
        to.flush()?;
        to.set_permissions(Permissions::from_mode(0o444))?;
        File::open(&place)
    };
    let file = copy().map_err(|e| Fault::os(format!("copy {}", path.display()), e))?;
    // Reads the file into the page cache here, because the kernel charges a page to its first
    // reader.
    sys::read_ahead(&file);
    Ok(Input(file))
}

/// Makes a memory file that can be sealed and cannot be executed.
fn memory_file(name: &CStr) -> io::Result<File> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let fd = match memfd_create(name, flags | MemfdFlags::NOEXEC_SEAL) {
        // Falls back on Linux before 6.3, which lacks the flag.
        Err(Errno::INVAL) => memfd_create(name, flags)?,
        other => other?,
    };
    Ok(File::from(fd))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Seek;

    fn text(input: Input) -> String {
        let mut text = String::new();
        File::from(input).read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn an_input_starts_at_offset_0_and_is_read_only() {
        let input = Input::from_bytes(b"3 4\n").unwrap();
        let again = format!("/proc/self/fd/{}", input.0.as_raw_fd());
        let written = std::fs::OpenOptions::new()
            .write(true)
            .open(again)
            .and_then(|mut file| file.write_all(b"x"));
        assert!(written.is_err());
        assert!((&input.0).write_all(b"x").is_err());
        assert!(input.0.set_len(0).is_err());
        assert_eq!(text(input), "3 4\n");
    }

    #[test]
    fn every_input_is_a_complete_separate_file() {
        use std::os::unix::fs::MetadataExt;
        let directory = tempfile::tempdir().unwrap();
        let mut copier = InputCopier::default();
        let long = "long ".repeat(PIECE);
        let mut inodes = Vec::new();
        for (k, content) in ["first", "2", "", &long, "3 4"].into_iter().enumerate() {
            let path = directory.path().join(k.to_string());
            std::fs::write(&path, content).unwrap();
            let inputs = [copier.copy(&path).unwrap(), copier.copy(&path).unwrap()];
            inodes.extend(inputs.each_ref().map(|i| i.0.metadata().unwrap().ino()));
            for input in inputs {
                assert!(text(input) == content, "input {k}");
            }
        }
        inodes.dedup();
        assert_eq!(inodes.len(), 10);
    }

    #[test]
    fn a_copy_on_disk_is_private_read_only_and_unlinked() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("1.in");
        std::fs::write(&path, "large").unwrap();
        let copy = copy_to_disk(&path).unwrap();
        use std::os::unix::fs::MetadataExt;
        assert_ne!(
            copy.0.metadata().unwrap().ino(),
            std::fs::metadata(&path).unwrap().ino()
        );
        assert_eq!(copy.0.metadata().unwrap().nlink(), 0);
        assert!((&copy.0).write_all(b"x").is_err());
        assert_eq!(text(copy), "large");
    }

    #[test]
    fn a_scratch_file_keeps_content_and_rejects_seals() {
        let mut file = scratch_file().unwrap();
        for seals in [SealFlags::WRITE, SealFlags::GROW, SealFlags::SHRINK] {
            assert!(fcntl_add_seals(&file, seals).is_err());
        }
        file.write_all(b"out").unwrap();
        file.rewind().unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "out");
    }

    #[test]
    fn the_fault_names_a_missing_input() {
        let fault = Input::from_path(Path::new("/nowhere/1.in")).unwrap_err();
        assert!(fault.to_string().contains("/nowhere/1.in"), "{fault}");
    }
}
