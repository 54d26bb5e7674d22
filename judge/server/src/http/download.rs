//! Files to download.

use axum::http::{HeaderName, header};
use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;

/// The headers of a file that the browser saves under a name.
pub(crate) fn saved_as(mime: &str, name: &str) -> [(HeaderName, String); 2] {
    let disposition = format!("attachment; filename=\"{name}\"");
    [
        (header::CONTENT_TYPE, mime.to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
    ]
}

/// A zip archive of files, each with its name.
pub(crate) fn zip(files: &[(String, Vec<u8>)]) -> ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        archive.start_file(name, SimpleFileOptions::default())?;
        archive.write_all(content)?;
    }
    Ok(archive.finish()?.into_inner())
}
