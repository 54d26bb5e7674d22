//! Files to download.

use axum::body::Body;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use std::fs::File;
use std::io::{self, Cursor, Write};
use std::path::Path;
use tokio::io::AsyncReadExt;
use zip::ZipWriter;
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;

/// Bytes of a file that are read at a time.
const CHUNK: usize = 64 << 10;

/// A file as the body of an answer, read while it is sent: it may be larger than the memory, and many clients may read slowly.
pub(crate) fn streamed(file: File) -> Body {
    let file = tokio::fs::File::from_std(file);
    Body::from_stream(stream::try_unfold(file, |mut file| async move {
        let mut chunk = vec![0; CHUNK];
        let length = file.read(&mut chunk).await?;
        chunk.truncate(length);
        Ok::<_, io::Error>((length > 0).then_some((chunk, file)))
    }))
}

/// The file with this path as an answer without other headers than its length.
pub(crate) fn sent_file(path: &Path) -> io::Result<Response> {
    let file = File::open(path)?;
    let length = file.metadata()?.len().to_string();
    Ok(([(header::CONTENT_LENGTH, length)], streamed(file)).into_response())
}

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
