//! Archives to download.

use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;

/// A zip archive of files, each with its name.
pub(crate) fn zip(files: &[(String, Vec<u8>)]) -> ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        archive.start_file(name, SimpleFileOptions::default())?;
        archive.write_all(content)?;
    }
    Ok(archive.finish()?.into_inner())
}
