//! Comparisons of whole lines: DMOJ's `rstripped` and `linecount`, Hydro's `default` and `strict`.

use super::super::default::{Kind, Mismatch};
use super::super::matching::identical_prefix;
use super::super::outcome::{Outcome, Score};
use super::super::source::{Source, Window, is_space};
use std::io;

/// Which parts of a text are lines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Split {
    /// A line feed ends a line; the last line may lack it (awk).
    Records,
    /// Line feeds and carriage returns separate lines; the part after the last one is a line, too
    /// (Python's `re.split`).
    Pieces,
    /// The pieces that are not empty.
    FullPieces,
}

/// A line without its end, as offsets in the text.
#[derive(Clone, Copy)]
struct Line {
    start: u64,
    end: u64,
    /// Of the first byte that is not blank.
    first: u64,
    /// After the last byte that is not blank.
    last: u64,
}

impl Line {
    fn empty(at: u64) -> Self {
        Line {
            start: at,
            end: at,
            first: at,
            last: at,
        }
    }
}

/// Reads the lines of a text.
struct Lines<'a> {
    source: Source<'a>,
    window: Window<'a>,
    split: Split,
    is_blank: fn(u8) -> bool,
    ended: bool,
}

impl<'a> Lines<'a> {
    fn new(source: Source<'a>, split: Split, is_blank: fn(u8) -> bool) -> Self {
        Lines {
            source,
            window: Window::new(source),
            split,
            is_blank,
            ended: false,
        }
    }

    fn next(&mut self) -> io::Result<Option<Line>> {
        while !self.ended {
            let line = self.read()?;
            let is_empty = line.start == line.end;
            let counts = match self.split {
                Split::Records => !(is_empty && self.ended),
                Split::Pieces => true,
                Split::FullPieces => !is_empty,
            };
            if counts {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// Reads up to the end of a line.
    fn read(&mut self) -> io::Result<Line> {
        let start = self.window.offset();
        let (mut first, mut last) = (None, start);
        let ends_at_return = self.split != Split::Records;
        loop {
            self.window.fill()?;
            let offset = self.window.offset();
            let rest = self.window.rest();
            let is_end = |&byte: &u8| byte == b'\n' || ends_at_return && byte == b'\r';
            let end = rest.iter().position(is_end);
            let part = &rest[..end.unwrap_or(rest.len())];
            let is_full = |&byte: &u8| !(self.is_blank)(byte);
            if let Some(at) = part.iter().position(is_full) {
                first = first.or(Some(offset + at as u64));
            }
            if let Some(at) = part.iter().rposition(is_full) {
                last = offset + at as u64 + 1;
            }
            let (n, is_last) = (part.len(), rest.is_empty());
            self.window.advance(n);
            if end.is_none() && !is_last {
                continue;
            }
            let end = self.window.offset();
            match is_last {
                true => self.ended = true,
                false => self.window.advance(1),
            }
            let first = first.unwrap_or(last);
            return Ok(Line {
                start,
                end,
                first,
                last,
            });
        }
    }
}

/// Compares lines except for white space at their ends.
pub fn right_stripped(
    output: Source<'_>,
    answer: Source<'_>,
    split: Split,
) -> io::Result<Option<Mismatch>> {
    let mut found = Lines::new(output, split, is_space);
    let mut wanted = Lines::new(answer, split, is_space);
    compare(output, answer, || Ok((found.next()?, wanted.next()?)))
}

/// Compares lines except for carriage returns at their ends.
pub fn records(output: Source<'_>, answer: Source<'_>) -> io::Result<Option<Mismatch>> {
    let is_return = |byte| byte == b'\r';
    let mut found = Lines::new(output, Split::Records, is_return);
    let mut wanted = Lines::new(answer, Split::Records, is_return);
    compare(output, answer, || Ok((found.next()?, wanted.next()?)))
}

/// Compares lines except for blanks, tabs and carriage returns at their ends, and empty lines at the
/// end of the text. A line of blanks is not empty: Hydro's judge keeps it there.
pub fn stripped_records(output: Source<'_>, answer: Source<'_>) -> io::Result<Option<Mismatch>> {
    let mut found = WithoutEmptyEnd::new(output);
    let mut wanted = WithoutEmptyEnd::new(answer);
    compare(output, answer, || Ok((found.next()?, wanted.next()?)))
}

/// The lines of a text without the empty ones at its end.
struct WithoutEmptyEnd<'a> {
    lines: Lines<'a>,
    /// The number of empty lines before the one ahead.
    empty: u64,
    ahead: Option<Line>,
}

impl<'a> WithoutEmptyEnd<'a> {
    fn new(source: Source<'a>) -> Self {
        let is_blank = |byte| matches!(byte, b' ' | b'\t' | b'\r');
        WithoutEmptyEnd {
            lines: Lines::new(source, Split::Records, is_blank),
            empty: 0,
            ahead: None,
        }
    }

    fn next(&mut self) -> io::Result<Option<Line>> {
        while self.ahead.is_none() {
            let Some(line) = self.lines.next()? else {
                return Ok(None);
            };
            match self.is_empty(line)? {
                true => self.empty += 1,
                false => self.ahead = Some(line),
            }
        }
        if self.empty > 0 {
            self.empty -= 1;
            return Ok(self.ahead.map(|line| Line::empty(line.start)));
        }
        Ok(self.ahead.take())
    }

    /// Whether a line has nothing but carriage returns.
    fn is_empty(&mut self, line: Line) -> io::Result<bool> {
        if line.start == line.end || line.first < line.last {
            return Ok(line.start == line.end);
        }
        let mut window = Window::new(self.lines.source);
        window.seek(line.start);
        while window.offset() < line.end {
            if window.peek()? != Some(b'\r') {
                return Ok(false);
            }
            window.advance(1);
        }
        Ok(true)
    }
}

/// Compares the lines that `next` returns, up to their last byte that is not blank.
fn compare(
    output: Source<'_>,
    answer: Source<'_>,
    mut next: impl FnMut() -> io::Result<(Option<Line>, Option<Line>)>,
) -> io::Result<Option<Mismatch>> {
    let mut ends = (0, 0);
    loop {
        let (found, wanted) = match next()? {
            (None, None) => return Ok(None),
            (None, Some(wanted)) => {
                return Ok(Some(Mismatch::at(Kind::Missing, ends.0, wanted.first)));
            }
            (Some(found), None) => {
                return Ok(Some(Mismatch::at(Kind::Extra, found.first, ends.1)));
            }
            (Some(found), Some(wanted)) => (found, wanted),
        };
        let ranges = ((found.start, found.last), (wanted.start, wanted.last));
        if let Some(mismatch) = difference((output, ranges.0), (answer, ranges.1))? {
            return Ok(Some(mismatch));
        }
        ends = (found.last, wanted.last);
    }
}

type Range<'a> = (Source<'a>, (u64, u64));

/// The first difference of two ranges.
fn difference(
    (output, (found, found_end)): Range<'_>,
    (answer, (wanted, wanted_end)): Range<'_>,
) -> io::Result<Option<Mismatch>> {
    let length = (found_end - found).min(wanted_end - wanted);
    let (mut x, mut y) = ([0; 512], [0; 512]);
    let mut same = 0;
    // The length of the token that ends at `same`.
    let mut token = 0;
    while same < length {
        let n = x
            .len()
            .min(usize::try_from(length - same).unwrap_or(usize::MAX));
        output.read_at(&mut x[..n], found + same)?;
        answer.read_at(&mut y[..n], wanted + same)?;
        let common = identical_prefix(&x[..n], &y[..n]);
        let space = x[..common].iter().rposition(|&byte| is_space(byte));
        token = match space {
            Some(at) => (common - at - 1) as u64,
            None => token + common as u64,
        };
        same += common as u64;
        if common < n {
            break;
        }
    }
    if same == length && found_end - found == wanted_end - wanted {
        return Ok(None);
    }
    let ends = |source: Source<'_>, at: u64, end: u64| -> io::Result<bool> {
        let mut byte = [0];
        Ok(at >= end || source.read_at(&mut byte, at)? == 0 || is_space(byte[0]))
    };
    let (at, wanted_at) = (found + same, wanted + same);
    let is_space = ends(output, at, found_end)? || ends(answer, wanted_at, wanted_end)?;
    if token == 0 && is_space {
        return Ok(Some(Mismatch::at(Kind::Space, at, wanted_at)));
    }
    Ok(Some(Mismatch {
        common: token,
        ..Mismatch::at(Kind::Token, at - token, wanted_at - token)
    }))
}

/// DMOJ's `linecount`: lines are equal except for white space at both ends, empty lines do not count,
/// and each equal line gives its share of the points. An output with too many lines gets none.
pub fn line_count(output: Source<'_>, answer: Source<'_>) -> io::Result<Outcome> {
    let mut found = Lines::new(output, Split::FullPieces, is_space);
    let mut wanted = Lines::new(answer, Split::FullPieces, is_space);
    let (mut lines, mut right, mut extra) = (0_u64, 0_u64, 0_u64);
    loop {
        match (found.next()?, wanted.next()?) {
            (None, None) => break,
            (Some(_), None) => extra += 1,
            (None, Some(_)) => lines += 1,
            (Some(found), Some(wanted)) => {
                let ranges = ((found.first, found.last), (wanted.first, wanted.last));
                lines += 1;
                let difference = difference((output, ranges.0), (answer, ranges.1))?;
                right += u64::from(difference.is_none());
            }
        }
    }
    if extra > 0 {
        return Ok(Outcome::rejected(format!(
            "expected {lines} lines, found {}",
            lines + extra
        )));
    }
    if right == lines {
        return Ok(Outcome::accepted());
    }
    Ok(Outcome {
        score: Some(Score::Multiplier(right as f64 / lines as f64)),
        ..Outcome::rejected(format!("{right} of {lines} lines are right"))
    })
}
