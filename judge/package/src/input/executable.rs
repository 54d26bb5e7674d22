//! Recognises compiled programs.

use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// The first bytes of a file, if it is a regular one of at least this length.
pub fn first_bytes(path: &Path) -> Option<[u8; 4]> {
    if !path.is_file() {
        return None;
    }
    let mut start = [0; 4];
    File::open(path).ok()?.read_exact(&mut start).ok()?;
    Some(start)
}

/// Whether the file is an ELF executable rather than source code.
pub fn is_native(path: &Path) -> bool {
    let mode = path
        .metadata()
        .map_or(0, |metadata| metadata.permissions().mode());
    mode & 0o111 != 0 && first_bytes(path).as_ref() == Some(b"\x7fELF")
}
