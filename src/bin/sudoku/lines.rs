//! Reads text in parts of whole lines, and finds the puzzle in a line.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The number of bytes that are read at once.
const READ_BYTES: usize = 1 << 20;

/// The maximum length of a line with a puzzle and its other columns.
const MAX_LINE_BYTES: usize = 1 << 16;

/// Calls `each` with the text of all files, or of standard input, in parts of whole lines; `name` and
/// `line` say where a part begins.
pub fn for_each_part(
    files: &[PathBuf],
    mut each: impl FnMut(&[u8], &Place) -> io::Result<()>,
) -> io::Result<()> {
    if files.is_empty() {
        return parts("standard input", io::stdin().lock(), &mut each);
    }
    for path in files {
        let failed =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let file = File::open(path).map_err(failed)?;
        parts(&Path::display(path).to_string(), file, &mut each)?;
    }
    Ok(())
}

/// The position of a line.
pub struct Place {
    pub name: String,
    /// From 1.
    pub line: usize,
}

fn parts(
    name: &str,
    mut source: impl Read,
    each: &mut impl FnMut(&[u8], &Place) -> io::Result<()>,
) -> io::Result<()> {
    let failed = |error: io::Error| io::Error::new(error.kind(), format!("{name}: {error}"));
    let mut place = Place {
        name: name.to_owned(),
        line: 1,
    };
    let mut buffer = vec![0; READ_BYTES];
    let mut filled = 0;
    loop {
        let read = match source.read(&mut buffer[filled..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read.map_err(failed)?,
        };
        filled += read;
        let end = buffer[..filled].iter().rposition(|&byte| byte == b'\n');
        let whole = match end {
            _ if read == 0 => filled,
            // More than half full: the rest of a line fits after it.
            Some(end) if filled > buffer.len() - MAX_LINE_BYTES => end + 1,
            None if filled == buffer.len() => {
                let message = format!(
                    "{name}:{}: expected a puzzle, found a line of more than {READ_BYTES} bytes",
                    place.line
                );
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            _ => continue,
        };
        if whole > 0 {
            each(&buffer[..whole], &place)?;
            place.line += buffer[..whole]
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count();
            buffer.copy_within(whole..filled, 0);
            filled -= whole;
        }
        if read == 0 {
            return Ok(());
        }
    }
}

/// The content of a line.
pub enum Line<'a> {
    /// Nothing, or a comment.
    Empty,
    /// The cells of a puzzle of this side.
    Puzzle(&'a str, usize),
    /// As many cells as a puzzle of this side has, with numerals instead of letters.
    Numerals(usize),
    /// The names of columns, or the number of puzzles: skipped as the first line of a file.
    Header,
    /// Something else.
    Other,
}

/// Splits a line into its columns and looks at the first.
pub fn read_line(line: &[u8]) -> Line<'_> {
    let Ok(line) = std::str::from_utf8(line) else {
        return Line::Other;
    };
    // Text made under DOS can end in the end mark 0x1a.
    let is_blank = |c: char| c.is_whitespace() || c == '\u{1a}';
    let line = line.trim_start_matches('\u{feff}').trim_matches(is_blank);
    if line.is_empty() || line.starts_with('#') {
        return Line::Empty;
    }
    let first = line.split([' ', '\t', ',', ';']).next().unwrap_or_default();
    match sudoku::notation::side_of_line(first.len()) {
        Some(side) if side > 3 && is_puzzle(first.as_bytes(), side) => Line::Puzzle(first, side),
        Some(side) if side > 9 && has_numerals(first) => Line::Numerals(side),
        _ if is_header(first) => Line::Header,
        _ => Line::Other,
    }
}

/// Whether the characters are those of a grid whose digits are numerals from 1 on, then letters. Such a grid is not read: 0 is a
/// digit in some files and an empty cell in others.
fn has_numerals(cells: &str) -> bool {
    let is_cell = |c: char| c.is_ascii_alphanumeric() || ".-*?".contains(c);
    cells.chars().all(is_cell) && cells.contains(|c| matches!(c, '1'..='9'))
}

/// Whether a first column is the name of a column or a number of puzzles, and cannot be a damaged puzzle: a puzzle has at least
/// 16 cells, digits and marks up to side 9, and at least 100 cells with letters.
fn is_header(first: &str) -> bool {
    let is_number = first.chars().all(|c| c.is_ascii_digit());
    let is_name = first.chars().all(|c| c.is_alphabetic() || c == '_');
    let has_letter = first.contains(char::is_alphabetic);
    (is_number && first.len() < 10)
        || (has_letter && first.len() < 16)
        || (is_name && first.len() < 100)
}

/// Whether all characters are cells of a grid of this side.
fn is_puzzle(cells: &[u8], side: usize) -> bool {
    let first = if side <= 9 { b'1' } else { b'A' };
    cells
        .iter()
        .all(|&byte| usize::from(byte.wrapping_sub(first)) < side || b".0-*?".contains(&byte))
}
