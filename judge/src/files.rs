//! Directories of the judge's own that boxes show.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use tempfile::TempDir;

/// A temporary directory that every user may read: what runs in a box may be another one.
///
/// # Errors
///
/// When it cannot be made.
pub fn shown_directory(prefix: &str) -> io::Result<TempDir> {
    tempfile::Builder::new()
        .prefix(prefix)
        .permissions(Permissions::from_mode(0o755))
        .tempdir()
}
