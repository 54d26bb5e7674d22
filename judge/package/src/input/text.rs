//! Reads small text files that are not trusted, with a bound on their size.

use crate::error::PackageError;
use crate::words::is_hidden;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Reads a text file of at most `most` bytes.
pub fn read(path: &Path, most: u64) -> Result<String, PackageError> {
    let bytes = read_bytes(path, most)?;
    String::from_utf8(bytes).map_err(|e| {
        let valid = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let (line, column) = position(valid);
        let what = format!("is not UTF-8: byte 0x{:02x}", e.as_bytes()[valid.len()]);
        PackageError::new(path, what)
            .at(line, column)
            .remedy("save the file as UTF-8")
    })
}

/// Reads a file of at most `most` bytes.
pub fn read_bytes(path: &Path, most: u64) -> Result<Vec<u8>, PackageError> {
    let failed = |e: std::io::Error| PackageError::new(path, format!("failed to read: {e}"));
    // Checked before opening: opening a named pipe would block until a writer opens it.
    if !path.metadata().map_err(failed)?.is_file() {
        return Err(PackageError::new(path, "is not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .map_err(failed)?
        .take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > most {
        let what = format!("is larger than the {most} bytes that are read of such a file");
        return Err(PackageError::new(path, what));
    }
    Ok(bytes)
}

/// Line and column, counted from 1, of the position after `before`.
pub fn position(before: &[u8]) -> (usize, usize) {
    let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
    let start = before
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    let column = 1 + String::from_utf8_lossy(&before[start..]).chars().count();
    (line, column)
}

/// The byte at a line and a column, both counted from 1; `None` if the text has no such place.
pub fn offset(text: &str, line: usize, column: usize) -> Option<usize> {
    let before = text.split_inclusive('\n').take(line.checked_sub(1)?);
    let start: usize = before.map(str::len).sum();
    let rest = text.get(start..)?;
    let places = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
    Some(start + places.take(column).last().filter(|_| column > 0)?)
}

/// The first `most` characters of a text on one line, followed by `...` if it is longer.
pub fn shorten(text: &str, most: usize) -> String {
    let mut short: String = text
        .chars()
        .take(most)
        .map(|c| if is_hidden(c) { ' ' } else { c })
        .collect();
    if text.chars().nth(most).is_some() {
        short.push_str("...");
    }
    short
}
