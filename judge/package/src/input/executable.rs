//! Recognises compiled programs.

use std::fs::File;
use std::io::Read;
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

/// Whether a file begins as executables of Linux, Windows or macOS do.
fn is_own_format(start: &[u8; 4]) -> bool {
    match std::env::consts::OS {
        "windows" => start.starts_with(b"MZ"),
        "macos" => matches!(start, b"\xcf\xfa\xed\xfe" | b"\xca\xfe\xba\xbe"),
        _ => start == b"\x7fELF",
    }
}

/// Whether the file is an executable of this system rather than source code.
pub fn is_native(path: &Path) -> bool {
    judge_os::is_executable(path) && first_bytes(path).is_some_and(|start| is_own_format(&start))
}
