//! Recognises compiled programs.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Whether the file is an ELF executable rather than source code.
pub fn is_native(path: &Path) -> bool {
    let executable =
        fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0);
    let mut magic = [0; 4];
    executable
        && fs::File::open(path)
            .and_then(|mut file| file.read_exact(&mut magic))
            .is_ok()
        && &magic == b"\x7fELF"
}
