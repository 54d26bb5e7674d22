//! Opens files that a command writes: whole or not at all, and never in the place of a device.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Opens `path` itself if it is a device, a pipe (`/dev/stdout`) or a directory, which is an error. `None` if a
/// file may be created or replaced there.
pub fn device(path: &Path) -> Option<io::Result<File>> {
    let of_process = path.is_symlink() && (path.starts_with("/dev") || path.starts_with("/proc"));
    let is_device = path.exists() && (of_process || !path.is_file());
    is_device.then(|| File::options().append(true).open(path))
}

/// The path that is replaced: the target of a symbolic link, not the link.
pub fn target(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

pub fn dir(path: &Path) -> &Path {
    match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir,
        _ => Path::new("."),
    }
}

/// Creates a temporary file beside `path`, which is renamed to it when it is complete.
/// Errors have only their kind: the system's message contains the temporary name.
pub fn temporary(path: &Path) -> Result<NamedTempFile, io::ErrorKind> {
    let mut builder = tempfile::Builder::new();
    if let Some(usual) = judge_os::permissions(0o666) {
        builder.permissions(usual);
    }
    let file = builder.prefix(".judge-").tempfile_in(dir(path));
    file.map_err(|e| e.kind())
}

/// A file that gets its whole content at once.
#[derive(Debug)]
pub enum NewFile {
    /// A device or a pipe, which must not be replaced by a file.
    Device(File),
    /// A temporary file, and the path that it gets when it is complete.
    File(NamedTempFile, PathBuf),
}

impl NewFile {
    /// Opens the file at `path`, or a temporary one beside it.
    pub fn open(path: &Path) -> io::Result<Self> {
        if let Some(device) = device(path) {
            return device.map(NewFile::Device);
        }
        let path = target(path);
        Ok(NewFile::File(temporary(&path)?, path))
    }

    /// Writes the content, and gives a temporary file its path.
    /// If it fails, nothing was replaced.
    pub fn write(self, content: &[u8]) -> io::Result<()> {
        let written = match self {
            NewFile::Device(mut device) => device.write_all(content),
            NewFile::File(mut file, path) => file
                .write_all(content)
                .and_then(|()| Ok(file.persist(path).map(drop)?)),
        };
        written.map_err(|e| e.kind().into())
    }
}

/// Writes a file, whole or not at all.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    NewFile::open(path)?.write(content)
}
