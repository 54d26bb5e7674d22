//! Files for the standard streams of one run, as temporary files without a name.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::Path;

use crate::api::Fault;

/// An empty file for the standard output or error of one run. Make a new one for every run.
pub fn scratch_file() -> Result<File, Fault> {
    tempfile::tempfile().map_err(|e| Fault::os("make a scratch file", e))
}

/// Standard input of one run: a private copy.
#[derive(Debug)]
pub struct Input(File);

impl Input {
    /// Copies the file at `path`.
    pub fn from_path(path: &Path) -> Result<Self, Fault> {
        let open = || File::open(path);
        open()
            .and_then(|mut from| Self::copy(|to| io::copy(&mut from, to).map(drop)))
            .map_err(|e| Fault::os(format!("read {}", path.display()), e))
    }

    /// Copies an open file, from its start.
    pub fn from_file(file: &File) -> Result<Self, Fault> {
        let copy = |to: &mut File| {
            let (mut buffer, mut offset) = (vec![0; 64 << 10], 0);
            loop {
                let n = judge_os::read_at(file, &mut buffer, offset)?;
                if n == 0 {
                    return Ok(());
                }
                to.write_all(&buffer[..n])?;
                offset += n as u64;
            }
        };
        Self::copy(copy).map_err(|e| Fault::os("copy an input", e))
    }

    /// Copies `bytes`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Fault> {
        Self::copy(|to| to.write_all(bytes)).map_err(|e| Fault::os("copy an input", e))
    }

    fn copy(write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<Self> {
        let mut file = tempfile::tempfile()?;
        write(&mut file)?;
        file.rewind()?;
        Ok(Input(file))
    }
}

impl From<Input> for File {
    fn from(input: Input) -> Self {
        input.0
    }
}

#[cfg(unix)]
impl std::os::fd::AsFd for Input {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(windows)]
impl std::os::windows::io::AsHandle for Input {
    fn as_handle(&self) -> std::os::windows::io::BorrowedHandle<'_> {
        self.0.as_handle()
    }
}

/// Copies files to [`Input`]s.
#[derive(Debug, Default)]
pub struct InputCopier;

impl InputCopier {
    /// Copies the file at `path` for one run. Fails if it cannot be read or the copy does not fit.
    pub fn copy(&mut self, path: &Path) -> Result<Input, Fault> {
        Input::from_path(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn an_input_is_a_copy_from_its_start() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("1.in");
        std::fs::write(&path, "3 4\n").unwrap();
        let copies = [
            InputCopier.copy(&path).unwrap(),
            Input::from_bytes(b"3 4\n").unwrap(),
            Input::from_file(&File::open(&path).unwrap()).unwrap(),
        ];
        std::fs::write(&path, "changed").unwrap();
        for copy in copies {
            let mut text = String::new();
            File::from(copy).read_to_string(&mut text).unwrap();
            assert_eq!(text, "3 4\n");
        }
        let fault = Input::from_path(Path::new("/nowhere/1.in")).unwrap_err();
        assert!(fault.to_string().contains("/nowhere/1.in"), "{fault}");
        assert_eq!(scratch_file().unwrap().metadata().unwrap().len(), 0);
    }
}
