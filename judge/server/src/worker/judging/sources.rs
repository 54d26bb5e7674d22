//! Writes the files of a submission for the compiler.

use crate::store::SourceFile;
use judge_core::error::Reason;
use std::path::{Component, Path};

/// Writes files below a directory.
pub fn write_sources(
    content_of: impl Fn(&SourceFile) -> Result<Vec<u8>, Reason>,
    dir: &Path,
    files: &[SourceFile],
) -> Result<(), Reason> {
    for file in files {
        // Names were checked when they were submitted, and are checked again: they become paths.
        let name = Path::new(&file.name);
        let is_inside = |part| matches!(part, Component::Normal(_));
        if name.as_os_str().is_empty() || !name.components().all(is_inside) {
            return Err(Reason::new(format!(
                "{:?} is not the name of a source file",
                file.name
            )));
        }
        let content = content_of(file);
        let content =
            content.map_err(|e| Reason::new(format!("failed to read {}: {e}", file.name)))?;
        let path = dir.join(name);
        let written = std::fs::create_dir_all(path.parent().unwrap_or(dir))
            .and_then(|()| std::fs::write(&path, content));
        written.map_err(|e| Reason::new(format!("failed to write {}: {e}", file.name)))?;
    }
    Ok(())
}
