//! The files below a path of a package.

use judge_package::PackageError;
use std::path::Path;
use walkdir::{DirEntry, WalkDir};

/// The regular files at `path`, a file or a directory of the package in `root`, sorted by path. Links are followed.
/// Fails when a link leads out of the package: the export would show a file of the user to others.
pub fn files(root: &Path, path: &Path) -> Result<Vec<DirEntry>, PackageError> {
    let failed = |e: std::io::Error| PackageError::new(path, format!("failed to read: {e}"));
    // Programs with constants are in a directory of their own.
    let bounds = if path.starts_with(root) { root } else { path };
    let bounds = bounds.canonicalize().map_err(failed)?;
    let mut files = Vec::new();
    for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
        let entry = entry.map_err(|e| failed(e.into()))?;
        // Checked before the walk descends into it.
        if entry.path_is_symlink()
            && !entry
                .path()
                .canonicalize()
                .map_err(failed)?
                .starts_with(&bounds)
        {
            let what = "is a symbolic link out of the package";
            return Err(PackageError::new(entry.path(), what)
                .remedy("put the file itself into the package"));
        }
        if entry.file_type().is_file() {
            files.push(entry);
        }
    }
    Ok(files)
}
