//! Sources of text: files that are read in parallel by position, pipes and packed files in sequence.

use crate::formats::line::{self, Line};
use crate::formats::{Column, Format, recognise};
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
#[cfg(windows)]
use std::os::windows::{fs::FileExt, io::AsHandle};
#[cfg(unix)]
use std::os::{fd::AsFd, unix::fs::FileExt};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The maximum length of a line.
const MAX_LINE_BYTES: usize = 1 << 20;

/// The number of bytes that are read at once from a pipe.
const READ_BYTES: usize = 1 << 16;

/// An opened input.
pub struct Source {
    pub name: String,
    /// The number of bytes, if it is known.
    pub length: Option<u64>,
    kind: Kind,
}

enum Kind {
    /// A file, from this position on, and the next chunk to claim.
    Positions(File, u64, AtomicU64),
    Sequence(Mutex<Sequence>),
}

struct Sequence {
    reader: Box<dyn Read + Send>,
    /// Text that was read and not claimed.
    text: Vec<u8>,
    is_end: bool,
    /// The number of the next chunk.
    next: u64,
}

impl Source {
    /// Opens a file, or standard input.
    pub fn open(path: Option<&PathBuf>) -> io::Result<Self> {
        let (name, file) = match path {
            Some(path) => (Path::display(path).to_string(), File::open(path)),
            None => ("standard input".to_owned(), standard_input()),
        };
        Self::of_file(file, &name).map_err(|error| {
            let is_puzzle = || matches!(line::read(name.as_bytes(), &Column::Any, &mut Vec::new()), Line::Puzzle(_));
            match error.kind() == io::ErrorKind::NotFound && is_puzzle() {
                true => io::Error::new(
                    error.kind(),
                    format!("{name} is a puzzle and no file: pass it on standard input, as in `echo {name} | sudoku solve`"),
                ),
                false => named(&name, &error),
            }
        })
    }

    fn of_file(file: io::Result<File>, name: &str) -> io::Result<Self> {
        let mut file = file?;
        // On Windows a pipe has none.
        let metadata = file.metadata().ok();
        if metadata.as_ref().is_some_and(Metadata::is_dir) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let metadata = metadata.filter(Metadata::is_file);
        let start = if metadata.is_some() {
            file.stream_position()?
        } else {
            0
        };
        let length = metadata.map_or(0, |metadata| metadata.len().saturating_sub(start));
        let is_regular = length > 0;
        let mut head = Vec::new();
        if is_regular {
            head.resize(READ_BYTES, 0);
            let filled = read_at(&file, &mut head, start)?;
            head.truncate(filled);
            file.seek(SeekFrom::Start(start))?;
        } else {
            (&file).take(2).read_to_end(&mut head)?;
        }
        let is_packed = head.starts_with(&GZIP);
        let is_wide = [[0xff, 0xfe], [0xfe, 0xff]]
            .iter()
            .any(|mark| head.starts_with(mark));
        let is_plain = !is_packed && !is_wide && !has_lone_return(&head);
        let kind = if is_regular && is_plain {
            Kind::Positions(file, start, AtomicU64::new(0))
        } else {
            let mut begun: Box<dyn Read + Send> = match is_regular {
                true => Box::new(file),
                false => Box::new(io::Cursor::new(head).chain(file)),
            };
            let reader: Box<dyn Read + Send> = match (is_packed, is_wide) {
                (true, _) => Box::new(flate2::read::MultiGzDecoder::new(begun)),
                (_, true) => Box::new(io::Cursor::new(narrow(&mut begun)?)),
                _ => begun,
            };
            Kind::Sequence(Mutex::new(Sequence {
                reader,
                text: Vec::new(),
                is_end: false,
                next: 0,
            }))
        };
        Ok(Source {
            name: name.to_owned(),
            length: (is_regular && is_plain).then_some(length),
            kind,
        })
    }

    /// Recognises the form of the text from its beginning.
    pub fn format(&self) -> io::Result<Format> {
        let mut size = READ_BYTES;
        loop {
            let (found, is_end) = match &self.kind {
                Kind::Positions(file, start, _) => {
                    let mut text = vec![0; size];
                    let filled = read_full_at(file, &mut text, *start)?;
                    (recognise(&text[..filled], filled < size), filled < size)
                }
                Kind::Sequence(sequence) => {
                    let mut sequence = lock(sequence);
                    sequence.fill()?;
                    (recognise(&sequence.text, sequence.is_end), sequence.is_end)
                }
            };
            if let Some(format) = found {
                return Ok(format);
            }
            if is_end {
                return Ok(Format::Lines);
            }
            size *= 4;
        }
    }

    /// The first line.
    pub fn first_line(&self) -> io::Result<Vec<u8>> {
        let text = match &self.kind {
            Kind::Positions(file, start, _) => {
                let mut text = vec![0; MAX_LINE_BYTES];
                let filled = read_full_at(file, &mut text, *start)?;
                text.truncate(filled);
                text
            }
            Kind::Sequence(sequence) => {
                let mut sequence = lock(sequence);
                while !sequence.is_end && !sequence.text.contains(&b'\n') {
                    sequence.fill()?;
                }
                sequence.text.clone()
            }
        };
        Ok(text
            .split(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default()
            .to_vec())
    }

    /// The whole text.
    pub fn whole(&self) -> io::Result<Vec<u8>> {
        match &self.kind {
            Kind::Positions(file, start, _) => {
                let mut text = vec![0; self.length.unwrap_or(0) as usize];
                let filled = read_full_at(file, &mut text, *start)?;
                text.truncate(filled);
                Ok(text)
            }
            Kind::Sequence(sequence) => {
                let mut sequence = lock(sequence);
                while !sequence.is_end {
                    sequence.fill()?;
                }
                Ok(std::mem::take(&mut sequence.text))
            }
        }
    }

    /// Claims the next chunk of about `size` bytes that ends at a line's end. Returns its number, from 0, and its place in
    /// `buffer`; `None` at the end.
    pub fn claim(
        &self,
        size: usize,
        buffer: &mut Vec<u8>,
    ) -> io::Result<Option<(u64, std::ops::Range<usize>)>> {
        match &self.kind {
            Kind::Positions(file, start, next) => {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let begin = number * size as u64;
                let length = self.length.unwrap_or(0);
                if begin >= length {
                    return Ok(None);
                }
                let range = lines_at(file, *start, begin, size, length, buffer)?;
                Ok(Some((number, range)))
            }
            Kind::Sequence(sequence) => {
                let mut sequence = lock(sequence);
                let Some(end) = sequence.claim(size, buffer)? else {
                    return Ok(None);
                };
                let number = sequence.next;
                sequence.next += 1;
                drop(sequence);
                end_lines(buffer);
                Ok(Some((number, 0..end)))
            }
        }
    }
}

/// The first bytes of a packed file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Whether a line ends with a carriage return alone, as on old Macintoshes.
fn has_lone_return(text: &[u8]) -> bool {
    text.windows(2)
        .any(|pair| pair[0] == b'\r' && pair[1] != b'\n')
}

/// Reads a text of UTF-16 that begins with a byte-order mark, as Windows' programs write it; returns it as UTF-8.
fn narrow(reader: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    let unit = match bytes.first() {
        Some(0xff) => u16::from_le_bytes,
        _ => u16::from_be_bytes,
    };
    let units = bytes[2..]
        .chunks_exact(2)
        .map(|pair| unit([pair[0], pair[1]]));
    let text: String = char::decode_utf16(units)
        .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    Ok(text.into_bytes())
}

/// An error with the name of its file.
pub fn named(name: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{name}: {error}"))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Sequence {
    /// Reads once.
    fn fill(&mut self) -> io::Result<()> {
        self.is_end |= read_once(&mut *self.reader, &mut self.text)? == 0;
        end_lines(&mut self.text);
        Ok(())
    }

    /// Claims the next chunk, which has one line at least: reads into `buffer`, which replaces the text, and keeps only what
    /// follows the chunk. Other threads wait meanwhile, so nothing else is copied. Returns the chunk's length.
    fn claim(&mut self, size: usize, buffer: &mut Vec<u8>) -> io::Result<Option<usize>> {
        buffer.clear();
        std::mem::swap(buffer, &mut self.text);
        let end = loop {
            let head = &buffer[..size.min(buffer.len())];
            let end = head.iter().rposition(|&byte| byte == b'\n');
            let end = end.or_else(|| buffer.iter().position(|&byte| byte == b'\n'));
            match end {
                Some(end) => break end + 1,
                None if end_lines(buffer) => {}
                None if self.is_end => break buffer.len(),
                None if buffer.len() > MAX_LINE_BYTES => return Err(too_long()),
                None => self.is_end = read_once(&mut *self.reader, buffer)? == 0,
            }
        };
        self.text.extend_from_slice(&buffer[end..]);
        buffer.truncate(end);
        Ok((end > 0).then_some(end))
    }
}

/// Appends what one call reads, and returns its length: 0 at the end.
fn read_once(reader: &mut dyn Read, text: &mut Vec<u8>) -> io::Result<usize> {
    let filled = text.len();
    text.resize(filled + READ_BYTES, 0);
    let read = loop {
        match reader.read(&mut text[filled..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read,
        }
    };
    text.truncate(filled + *read.as_ref().unwrap_or(&0));
    read
}

/// Replaces carriage returns that alone end a line, but for one in the end: whether it is alone shows the text after it. Returns
/// whether there were any.
fn end_lines(text: &mut [u8]) -> bool {
    let mut found = false;
    // Compares several bytes at once.
    if text.contains(&b'\r') {
        for at in 1..text.len() {
            if text[at - 1] == b'\r' && text[at] != b'\n' {
                text[at - 1] = b'\n';
                found = true;
            }
        }
    }
    found
}

fn too_long() -> io::Error {
    let message = format!("expected a puzzle, found a line of more than {MAX_LINE_BYTES} bytes");
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// Standard input as a file, at its present position.
fn standard_input() -> io::Result<File> {
    #[cfg(unix)]
    let input = io::stdin().as_fd().try_clone_to_owned();
    #[cfg(windows)]
    let input = io::stdin().as_handle().try_clone_to_owned();
    input.map(File::from)
}

/// Reads at a position. On Windows this also moves the position of the file.
fn read_at(file: &File, buffer: &mut [u8], position: u64) -> io::Result<usize> {
    #[cfg(unix)]
    let read = file.read_at(buffer, position);
    #[cfg(windows)]
    let read = file.seek_read(buffer, position);
    read
}

/// Reads until the buffer is full or the file ends.
fn read_full_at(file: &File, buffer: &mut [u8], position: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match read_at(file, &mut buffer[filled..], position + filled as u64) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// The bytes after a chunk that are read with it, so that its last line is complete.
const SLACK: usize = 256;

/// Reads the lines that begin in the chunk of `size` bytes at `begin`; returns their place in the buffer.
fn lines_at(
    file: &File,
    start: u64,
    begin: u64,
    size: usize,
    length: u64,
    buffer: &mut Vec<u8>,
) -> io::Result<std::ops::Range<usize>> {
    // A line begins with the chunk if the byte before the chunk ends one.
    let before = usize::from(begin > 0);
    let first = begin - before as u64;
    let size = size.min((length - begin) as usize) + before;
    let want = (size + SLACK).min((length - first) as usize);
    // Shrinking is free, and only growth is zeroed.
    buffer.resize(want, 0);
    let filled = read_full_at(file, buffer, start + first)?;
    buffer.truncate(filled);
    let newline = |text: &[u8]| text.iter().position(|&byte| byte == b'\n');
    let from = match before {
        0 => 0,
        _ => match newline(&buffer[..size.min(filled)]) {
            Some(at) if at + 1 < size => at + 1,
            _ => return Ok(0..0),
        },
    };
    let mut searched = size.min(filled).saturating_sub(1);
    loop {
        if let Some(at) = newline(&buffer[searched..]) {
            return Ok(from..searched + at + 1);
        }
        searched = buffer.len();
        if searched > size + MAX_LINE_BYTES {
            return Err(too_long());
        }
        buffer.resize(searched + READ_BYTES, 0);
        let read = read_full_at(
            file,
            &mut buffer[searched..],
            start + first + searched as u64,
        )?;
        buffer.truncate(searched + read);
        if read == 0 {
            return Ok(from..searched);
        }
    }
}
