//! Where the input of a run lies: one file in memory for each worker, written anew for every case.

use judge_sandbox::{Fault, scratch_file};
use rustix::fs::{OFlags, fcntl_setfl};
use std::fs::{File, Permissions};
use std::io::{self, Read, Seek};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::Path;

/// The largest input that is copied; judging a larger one must not need as much memory. A program
/// cannot open one that is not copied a second time, by the name `/dev/stdin`.
const COPIED: u64 = 256 << 20;

/// What one read takes.
const PIECE: usize = 64 << 10;

/// What everybody may do with the copy.
const MODE: u32 = 0o444;

/// A copy of the input for the program to read.
///
/// It does not get the package's own file: a program of the same user could change that one's mode
/// through the descriptor, and what it reads for the first time counts as its memory. The copy is
/// written anew before every run, when no process of the run before is left; so whatever a
/// program does to it harms only itself, and a new file for each run is not worth its price.
pub struct InputSlot {
    copy: File,
    /// The same file, for reading only.
    reader: File,
    /// The input itself, where it is too large to be copied.
    large: Option<File>,
    buffer: Vec<u8>,
}

impl InputSlot {
    /// An empty one.
    ///
    /// # Errors
    ///
    /// When there is no descriptor or no memory left.
    pub fn new() -> Result<Self, Fault> {
        let copy = scratch_file()?;
        let reader = copy
            .set_permissions(Permissions::from_mode(MODE))
            .and_then(|()| File::open(format!("/proc/self/fd/{}", copy.as_raw_fd())))
            .map_err(|e| Fault::os("open an input", e))?;
        Ok(InputSlot {
            copy,
            reader,
            large: None,
            buffer: vec![0; PIECE],
        })
    }

    /// The input at `path`, for reading from its start; valid until the next.
    ///
    /// # Errors
    ///
    /// A fault that names the file when it cannot be read, or when memory is short.
    pub fn load(&mut self, path: &Path) -> Result<BorrowedFd<'_>, Fault> {
        self.fill(path)
            .map_err(|e| Fault::os(format!("read {}", path.display()), e))?;
        Ok(self.large.as_ref().unwrap_or(&self.reader).as_fd())
    }

    fn fill(&mut self, path: &Path) -> io::Result<()> {
        self.large = None;
        let mut from = File::open(path)?;
        let mut length = 0;
        loop {
            let n = self.read_on(&mut from)?;
            if n == 0 {
                break;
            }
            if length == 0 && n == PIECE && from.metadata()?.len() > COPIED {
                // Who reads it first is charged for its place in the system's cache.
                while self.read_on(&mut from)? > 0 {}
                from.rewind()?;
                self.large = Some(from);
                return Ok(());
            }
            self.copy.write_all_at(&self.buffer[..n], length)?;
            length += n as u64;
        }
        // A program of our own user may have changed its mode, and then its length.
        let found = self.copy.metadata()?;
        if found.len() != length {
            self.copy.set_len(length)?;
        }
        if found.permissions().mode() & 0o7777 != MODE {
            self.copy.set_permissions(Permissions::from_mode(MODE))?;
        }
        // Both are shared with the program of the run before.
        fcntl_setfl(&self.reader, OFlags::empty())?;
        self.reader.rewind()
    }

    /// Reads the next piece into the buffer.
    fn read_on(&mut self, from: &mut File) -> io::Result<usize> {
        loop {
            match from.read(&mut self.buffer) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(slot: &mut InputSlot, path: &Path) -> String {
        let fd = slot.load(path).expect("the input can be read");
        let mut file = File::from(fd.try_clone_to_owned().expect("a descriptor"));
        let mut text = String::new();
        file.read_to_string(&mut text).expect("text");
        text
    }

    #[test]
    fn every_input_is_whole_whatever_was_there_before() {
        let dir = tempfile::tempdir().expect("a directory");
        let mut slot = InputSlot::new().expect("a slot");
        let long = "long ".repeat(PIECE);
        for (k, input) in ["first, a long one", "2", "", &long, "3 4"]
            .into_iter()
            .enumerate()
        {
            let path = dir.path().join(k.to_string());
            std::fs::write(&path, input).expect("a file");
            assert!(text(&mut slot, &path) == input, "input {k}");
        }
    }

    #[test]
    fn what_a_program_did_to_the_copy_is_undone() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("1.in");
        std::fs::write(&path, "3 4\n").expect("a file");
        let mut slot = InputSlot::new().expect("a slot");
        assert_eq!(text(&mut slot, &path), "3 4\n");
        slot.copy.set_len(1 << 20).expect("longer");
        slot.copy
            .set_permissions(Permissions::from_mode(0o666))
            .expect("another mode");
        fcntl_setfl(&slot.reader, OFlags::NONBLOCK).expect("another flag");
        assert_eq!(text(&mut slot, &path), "3 4\n");
        assert_eq!(
            slot.copy.metadata().unwrap().permissions().mode() & 0o777,
            MODE
        );
        let flags = rustix::fs::fcntl_getfl(&slot.reader).unwrap();
        assert!(!flags.contains(OFlags::NONBLOCK));
        assert!(slot.reader.write_at(b"x", 0).is_err(), "for reading only");
    }

    #[test]
    fn a_missing_input_is_named() {
        let mut slot = InputSlot::new().expect("a slot");
        let fault = slot.load(Path::new("/nowhere/1.in")).unwrap_err();
        assert!(fault.to_string().contains("/nowhere/1.in"), "{fault}");
    }
}
