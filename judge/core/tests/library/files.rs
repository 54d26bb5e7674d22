//! Helper that writes files.

use std::fs;
use std::path::Path;

/// Writes a file, and creates its parent directories.
pub fn write(dir: &Path, name: &str, content: impl AsRef<[u8]>) {
    let path = dir.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}
