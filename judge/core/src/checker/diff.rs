//! Converts a difference's byte offsets to line, column, grid cell, and the differing tokens.
//!
//! Only rejected outputs are read a second time, so accepted ones cost nothing.

use super::default::{Kind, Mismatch};
use super::number;
use super::outcome::{Cell, Difference};
use super::source::{Source, Window, is_space};
use crate::text::{escaped, is_wide};
use judge_package::NumberSyntax;
use std::io;

/// Number of bytes of a token that are shown before and after the first difference.
const SHOWN_BEFORE: u64 = 12;
const SHOWN_AFTER: u64 = 28;
/// A grid has at most this many rows of at most [`MAX_ROW_BYTES`] bytes.
const MAX_ROWS: usize = 64;
const MAX_ROW_BYTES: usize = 4096;

/// Describes the first difference between `output` and `answer`.
/// Fails when reading fails.
pub fn locate<'a>(
    output: impl Into<Source<'a>>,
    answer: impl Into<Source<'a>>,
    mismatch: &Mismatch,
) -> io::Result<Difference> {
    let (output, answer) = (output.into(), answer.into());
    let numbers = matches!(mismatch.kind, Kind::NotANumber | Kind::TooFar(..));
    let shared = if numbers { 0 } else { mismatch.common };
    let place = Place::find(output, mismatch.output, mismatch.output + shared)?;
    let wanted = Place::find(answer, mismatch.answer, mismatch.answer + shared)?;
    let found = show(output, mismatch.output, shared, mismatch.kind)?;
    let expected = show(answer, mismatch.answer, shared, mismatch.kind)?;
    let cell = match mismatch.kind {
        // The answer's layout is right, so it determines the cell.
        Kind::Token | Kind::NotANumber | Kind::TooFar(..) | Kind::Missing | Kind::Byte => {
            wanted.cell(answer)?
        }
        Kind::Extra | Kind::Space => None,
    };
    let near = near_numbers(output, answer, mismatch)?;
    Ok(Difference {
        line: place.line,
        column: place.column,
        cell,
        expected,
        found,
        note: note(output, answer, mismatch, near)?,
        token: place.token,
        offset: mismatch.output + shared,
        answer_line: wanted.line,
        answer_offset: mismatch.answer + shared,
        only_white_space: false,
        near_numbers: near.is_some(),
    })
}

/// The expected and the found number, if tokens that are compared as text are almost the same number.
fn near_numbers(
    output: Source<'_>,
    answer: Source<'_>,
    mismatch: &Mismatch,
) -> io::Result<Option<(f64, f64)>> {
    if !matches!(mismatch.kind, Kind::Token) {
        return Ok(None);
    }
    let expected = head(answer, mismatch.answer)?;
    let found = head(output, mismatch.output)?;
    let is_fraction = expected.iter().any(|byte| b".eE".contains(byte));
    // A larger error is wrong under any tolerance that problems use.
    let is_near = |&(expected, found): &(f64, f64)| {
        (expected - found).abs() <= 1e-3 * expected.abs().max(1.0)
    };
    let numbers =
        number::parse(&expected, NumberSyntax::C).zip(number::parse(&found, NumberSyntax::C));
    Ok(numbers.filter(|numbers| is_fraction && is_near(numbers)))
}

fn note(
    output: Source<'_>,
    answer: Source<'_>,
    mismatch: &Mismatch,
    near: Option<(f64, f64)>,
) -> io::Result<Option<String>> {
    for (name, source, offset) in [
        ("output", output, mismatch.output),
        ("answer", answer, mismatch.answer),
    ] {
        if offset == 0 && head(source, 0)?.starts_with(b"\xef\xbb\xbf") {
            return Ok(Some(format!("the {name} begins with a byte order mark")));
        }
        if offset == 0 && is_wide(&head(source, 0)?) {
            return Ok(Some(format!("the {name} is in UTF-16 instead of UTF-8")));
        }
    }
    let off = |expected: f64, found: f64| {
        let off = (expected - found).abs();
        let relative = match expected {
            0.0 => String::new(),
            _ => format!(", relative {:.3e}", off / expected.abs()),
        };
        format!("off by {off:.3e}{relative}")
    };
    Ok(match mismatch.kind {
        Kind::TooFar(expected, found) => Some(off(expected, found)),
        _ => near.map(|(expected, found)| format!("as numbers {}", off(expected, found))),
    })
}

/// The token at this offset, at most its first bytes.
fn head(source: Source<'_>, offset: u64) -> io::Result<Vec<u8>> {
    let mut start = [0; 64];
    let length = source.read_at(&mut start, offset)?;
    let end = start[..length].iter().position(|byte| is_space(*byte));
    Ok(start[..end.unwrap_or(length)].to_vec())
}

/// A position in a text.
#[derive(Debug)]
struct Place {
    /// From 1.
    line: u64,
    /// The byte in the line, from 1.
    column: u64,
    /// The number of blocks (runs of lines that are not blank) up to here.
    block: u64,
    /// Offset and line of the current block.
    block_start: u64,
    block_line: u64,
    /// The index in the line of the token at this position, from 1.
    token: u64,
    /// The byte in that token, from 1.
    in_token: u64,
}

impl Place {
    /// Reads up to `end`; the token at that position begins at `token`.
    fn find(source: Source<'_>, token: u64, end: u64) -> io::Result<Place> {
        let mut place = Place {
            line: 1,
            column: 1,
            block: 0,
            block_start: 0,
            block_line: 1,
            token: 1,
            in_token: end - token + 1,
        };
        let mut window = Window::new(source);
        let mut line_start = 0;
        let (mut blank, mut last_blank) = (true, true);
        let mut before_is_space = true;
        while window.offset() < end {
            window.fill()?;
            let offset = window.offset();
            let rest = window.rest();
            let n = rest
                .len()
                .min(usize::try_from(end - offset).unwrap_or(usize::MAX));
            if n == 0 {
                break;
            }
            for (index, &byte) in rest[..n].iter().enumerate() {
                if byte == b'\n' {
                    last_blank = blank;
                    blank = true;
                    place.line += 1;
                    line_start = offset + index as u64 + 1;
                    place.token = 1;
                    before_is_space = true;
                } else if is_space(byte) {
                    place.token += u64::from(!before_is_space);
                    before_is_space = true;
                } else {
                    if blank {
                        blank = false;
                        if last_blank {
                            place.block += 1;
                            place.block_start = line_start;
                            place.block_line = place.line;
                        }
                    }
                    before_is_space = false;
                }
            }
            window.advance(n);
        }
        if blank && last_blank {
            // The position is the first of its block.
            place.block += 1;
            place.block_start = line_start;
            place.block_line = place.line;
        }
        place.column = end - line_start + 1;
        Ok(place)
    }

    /// The cell at the position, if its block is a grid.
    fn cell(&self, source: Source<'_>) -> io::Result<Option<Cell>> {
        let Some(shape) = Shape::of_block(source, self.block_start)? else {
            return Ok(None);
        };
        let row = self.line - self.block_line + 1;
        let (row, column) = match shape {
            Shape::Tokens if self.in_token >= 1 => (row, self.token),
            Shape::Characters => (row, self.in_token),
            Shape::Line(side) => (
                (self.in_token - 1) / side + 1,
                (self.in_token - 1) % side + 1,
            ),
            Shape::Tokens => return Ok(None),
        };
        let grid = match shape {
            Shape::Line(_) => Some(self.line),
            _ if self.block > 1 => Some(self.block),
            _ => None,
        };
        Ok(Some(Cell { grid, row, column }))
    }
}

/// How a block of lines represents a grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// Each line has the same number of tokens.
    Tokens,
    /// Each line is one token of the same length.
    Characters,
    /// Each line is a whole square grid of this side, row by row.
    Line(u64),
}

impl Shape {
    /// The layout of the block that begins at `start`.
    fn of_block(source: Source<'_>, start: u64) -> io::Result<Option<Shape>> {
        let mut buffer = vec![0; 64 << 10];
        let n = source.read_at(&mut buffer, start)?;
        let whole = n < buffer.len();
        let mut lines = buffer[..n].split(|&byte| byte == b'\n');
        let mut rows = Vec::new();
        for line in lines.by_ref() {
            let tokens: Vec<&[u8]> = line
                .split(|&byte| is_space(byte))
                .filter(|token| !token.is_empty())
                .collect();
            if tokens.is_empty() {
                break;
            }
            rows.push((tokens.len(), tokens[0].len()));
            if rows.len() > MAX_ROWS || line.len() > MAX_ROW_BYTES {
                break;
            }
        }
        let Some(&(tokens, length)) = rows.first() else {
            return Ok(None);
        };
        let even = rows
            .iter()
            .all(|&row| row.0 == tokens && (tokens > 1 || row.1 == length));
        let side = [4, 9, 16, 25]
            .into_iter()
            .find(|side| side * side == length);
        Ok(match (even, tokens) {
            (true, 1) if side.is_some() => side.map(|side| Shape::Line(side as u64)),
            _ if rows.len() > MAX_ROWS || rows.len() < 2 => None,
            // The block was cut, so its last line may be incomplete.
            _ if !whole && lines.next().is_none() => None,
            (true, 1) if length > 1 => Some(Shape::Characters),
            (true, 2..) => Some(Shape::Tokens),
            _ => None,
        })
    }
}

/// The token at `start`, whose first `shared` bytes are the same on both sides.
fn show(source: Source<'_>, start: u64, shared: u64, kind: Kind) -> io::Result<String> {
    let skipped = if shared > SHOWN_BEFORE + 4 {
        shared - SHOWN_BEFORE
    } else {
        0
    };
    let mut bytes = vec![0; (shared - skipped + SHOWN_AFTER + 1) as usize];
    let n = source.read_at(&mut bytes, start + skipped)?;
    bytes.truncate(n);
    if bytes.is_empty() {
        return Ok("the end".to_string());
    }
    let length = match kind {
        Kind::Byte => bytes
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(n, |at| (at + 1).min(n)),
        Kind::Space => {
            let space = |byte: &u8| is_space(*byte);
            let first = space(&bytes[0]);
            let run = bytes.iter().take_while(|byte| space(byte) == first).count();
            if !first {
                return Ok(quote(
                    &bytes[..run.min(SHOWN_AFTER as usize)],
                    false,
                    run == bytes.len(),
                ));
            }
            run.min(8)
        }
        _ => bytes.iter().position(|&byte| is_space(byte)).unwrap_or(n),
    };
    if length == 0 {
        return Ok("white space".to_string());
    }
    let cut = length == bytes.len() && n as u64 > shared - skipped + SHOWN_AFTER;
    let length = if cut { length - 1 } else { length };
    Ok(quote(&bytes[..length], skipped > 0, cut))
}

/// `bytes` in quotes, with unprintable characters escaped.
fn quote(bytes: &[u8], cut_before: bool, cut_after: bool) -> String {
    let mut text = String::from(if cut_before { "\"…" } else { "\"" });
    text.push_str(&escape(bytes));
    text.push_str(if cut_after { "…\"" } else { "\"" });
    text
}

/// Text with unprintable characters escaped; bytes that are not UTF-8 as `\xNN`.
pub fn escape(bytes: &[u8]) -> String {
    escaped(bytes, |c| match c {
        '"' | '\\' => Some(format!("\\{c}")),
        // Invisible characters and ends of lines.
        '\u{a0}' | '\u{200b}'..='\u{200f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
            Some(c.escape_unicode().to_string())
        }
        _ => None,
    })
}
