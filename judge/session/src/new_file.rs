//! Opens files that a command writes: whole or not at all, and never in the place of a device.

use std::fs::File;
use std::io;
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

/// The directory of a file.
pub fn dir(path: &Path) -> &Path {
    match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir,
        _ => Path::new("."),
    }
}

/// Creates a temporary file beside `path`, which is renamed to it when it is complete.
///
/// # Errors
///
/// The kind alone: the system's own message contains the temporary name.
pub fn temporary(path: &Path) -> Result<NamedTempFile, io::ErrorKind> {
    let mut builder = tempfile::Builder::new();
    if let Some(usual) = judge_os::permissions(0o666) {
        builder.permissions(usual);
    }
    let file = builder.prefix(".judge-").tempfile_in(dir(path));
    file.map_err(|e| e.kind())
}
