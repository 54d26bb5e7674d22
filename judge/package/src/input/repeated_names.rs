//! Finds names that a zip archive gives to several entries. The reader of archives keeps the last one
//! of them.

use std::collections::HashSet;
use std::io::{self, Read, Seek, SeekFrom};

/// The first bytes of a record of the central directory.
const RECORD: &[u8] = b"PK\x01\x02";
/// The length of a record without its name, extra field and comment.
const FIXED: usize = 46;

/// Returns the names of several of the first `most` records of the central directory that begins at
/// `start`, each once. Ends at the first bytes that are no record.
pub fn repeated_names(
    mut archive: impl Read + Seek,
    start: u64,
    most: usize,
) -> io::Result<Vec<String>> {
    archive.seek(SeekFrom::Start(start))?;
    let mut names = HashSet::new();
    let mut repeated = Vec::new();
    for _ in 0..most {
        let mut record = [0; FIXED];
        if archive.read_exact(&mut record).is_err() || !record.starts_with(RECORD) {
            break;
        }
        let length = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
        let mut name = vec![0; usize::from(length(28))];
        archive.read_exact(&mut name)?;
        let rest = i64::from(length(30)) + i64::from(length(32));
        archive.seek(SeekFrom::Current(rest))?;
        let text = String::from_utf8_lossy(&name).into_owned();
        if !names.insert(name) && !repeated.contains(&text) {
            repeated.push(text);
        }
    }
    Ok(repeated)
}
