//! The built-in comparisons of other judges: DMOJ's, Luogu's, Hydro's.
//!
//! Most compare both texts token by token, and differ in their rules for the white space between
//! tokens. Like the default validator they need two buffers, independent of the size of the files.

mod floats;
mod lines;
mod tokens;

use self::lines::Split;
use self::tokens::same_tokens;
use super::default::{self, Kind, Mismatch};
use super::exact;
use super::flags::Flags;
use super::locate;
use super::matching::identical_prefix;
use super::outcome::{Judgement, Outcome};
use super::source::{Source, Window, is_space};
use super::unordered;
use judge_package::{BuiltinChecker, NumberSyntax};
use std::io;

/// Compares tokens as text.
const TOKENS: Flags = Flags {
    case_sensitive: true,
    space_change_sensitive: false,
    relative: None,
    absolute: None,
    numbers: NumberSyntax::C,
};

/// Checks an output with a built-in comparison.
pub fn check<'a>(
    output: impl Into<Source<'a>>,
    answer: impl Into<Source<'a>>,
    checker: BuiltinChecker,
) -> io::Result<Outcome> {
    let (output, answer) = (output.into(), answer.into());
    let mismatch = match checker {
        BuiltinChecker::Standard => walk(output, answer, Rule::SameLines)?,
        BuiltinChecker::RStripped => walk(output, answer, Rule::StrippedLines)?,
        BuiltinChecker::EveryLine { blank: true } => {
            lines::right_stripped(output, answer, Split::Pieces)?
        }
        BuiltinChecker::EveryLine { blank: false } => {
            lines::right_stripped(output, answer, Split::FullPieces)?
        }
        BuiltinChecker::Floats { tolerance, mode } => {
            floats::compare(output, answer, tolerance, mode)?
        }
        BuiltinChecker::HydroLines { strict: true } => lines::records(output, answer)?,
        BuiltinChecker::HydroLines { strict: false } => lines::stripped_records(output, answer)?,
        BuiltinChecker::Identical { presentation } => {
            let mismatch = exact::compare(output, answer)?;
            if presentation
                && mismatch.is_some()
                && walk(output, answer, Rule::SameLines)?.is_none()
            {
                let outcome = differs(output, answer, mismatch)?;
                return Ok(Outcome {
                    judgement: Judgement::PresentationError,
                    ..outcome
                });
            }
            mismatch
        }
        BuiltinChecker::Easy => return unordered::characters(output, answer),
        BuiltinChecker::Sorted { lines: true } => return unordered::lines(output, answer),
        BuiltinChecker::Sorted { lines: false } | BuiltinChecker::Unordered => {
            return unordered::tokens(output, answer);
        }
        BuiltinChecker::Linecount => return lines::line_count(output, answer),
    };
    differs(output, answer, mismatch)
}

/// The outcome of a comparison; the message says so if only white space differs.
pub fn differs<'a>(
    output: impl Into<Source<'a>>,
    answer: impl Into<Source<'a>>,
    mismatch: Option<Mismatch>,
) -> io::Result<Outcome> {
    let (output, answer) = (output.into(), answer.into());
    let Some(mismatch) = mismatch else {
        return Ok(Outcome::accepted());
    };
    let mut difference = locate(output, answer, &mismatch)?;
    if default::compare(output, answer, &TOKENS)?.is_none() {
        difference.only_white_space = true;
        let note = "differs only in white space";
        difference.note = Some(match difference.note {
            Some(more) => format!("{note}; {more}"),
            None => note.to_owned(),
        });
    }
    Ok(Outcome::differs(difference))
}

/// Rules for tokens and for the white space between them.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Rule {
    /// Line breaks in the same places, and blanks in the same places; their number does not matter.
    SameLines,
    /// The same lines, except for white space at their ends and empty lines at the end.
    StrippedLines,
}

/// The white space between two tokens.
struct Run {
    start: u64,
    end: u64,
    line_feeds: u64,
    /// Number of line feeds and carriage returns.
    breaks: u64,
    /// Offset of the last line in the run of white space.
    last_line: u64,
    at_end: bool,
}

fn read_run(window: &mut Window<'_>) -> io::Result<Run> {
    let start = window.offset();
    let mut run = Run {
        start,
        end: start,
        line_feeds: 0,
        breaks: 0,
        last_line: start,
        at_end: false,
    };
    loop {
        window.fill()?;
        let offset = window.offset();
        let rest = window.rest();
        let length = rest.iter().position(|&byte| !is_space(byte));
        let n = length.unwrap_or(rest.len());
        for (index, &byte) in rest[..n].iter().enumerate() {
            if byte == b'\n' || byte == b'\r' {
                run.breaks += 1;
            }
            if byte == b'\n' {
                run.line_feeds += 1;
                run.last_line = offset + index as u64 + 1;
            }
        }
        let done = length.is_some() || n == 0;
        run.at_end = length.is_none();
        window.advance(n);
        if done {
            run.end = window.offset();
            return Ok(run);
        }
    }
}

fn walk(output: Source<'_>, answer: Source<'_>, rule: Rule) -> io::Result<Option<Mismatch>> {
    let (mut found, mut wanted) = (Window::new(output), Window::new(answer));
    let mut first = true;
    loop {
        first &= !skip_identical(&mut found, &mut wanted)?;
        let (space, wanted_space) = (read_run(&mut found)?, read_run(&mut wanted)?);
        let mismatch = |kind, output, answer| Some(Mismatch::at(kind, output, answer));
        match (space.at_end, wanted_space.at_end) {
            (true, true) => return Ok(None),
            (true, false) => return Ok(mismatch(Kind::Missing, space.end, wanted_space.end)),
            (false, true) => return Ok(mismatch(Kind::Extra, space.end, wanted_space.end)),
            (false, false) => {}
        }
        let same = match rule {
            Rule::SameLines => first || (space.breaks > 0) == (wanted_space.breaks > 0),
            Rule::StrippedLines => {
                space.line_feeds == wanted_space.line_feeds
                    && same_bytes(
                        (output, space.last_line, space.end),
                        (answer, wanted_space.last_line, wanted_space.end),
                    )?
            }
        };
        if !same {
            return Ok(mismatch(Kind::Space, space.start, wanted_space.start));
        }
        first = false;
        let mismatch = same_tokens(&mut found, &mut wanted)?;
        if mismatch.is_some() {
            return Ok(mismatch);
        }
    }
}

/// Skips equal bytes up to the end of a token; returns whether it skipped any.
fn skip_identical(found: &mut Window<'_>, wanted: &mut Window<'_>) -> io::Result<bool> {
    found.fill()?;
    wanted.fill()?;
    let n = identical_prefix(found.rest(), wanted.rest());
    let same = &found.rest()[..n];
    let last_space = same.iter().rposition(|&byte| is_space(byte));
    let last_token = last_space.and_then(|at| same[..at].iter().rposition(|&byte| !is_space(byte)));
    let Some(last) = last_token else {
        return Ok(false);
    };
    found.advance(last + 1);
    wanted.advance(last + 1);
    Ok(true)
}

/// Whether two ranges hold the same bytes. They are white space, so usually short.
fn same_bytes(
    (a, a_start, a_end): (Source<'_>, u64, u64),
    (b, b_start, b_end): (Source<'_>, u64, u64),
) -> io::Result<bool> {
    let length = a_end - a_start;
    if length != b_end - b_start {
        return Ok(false);
    }
    let (mut x, mut y) = ([0; 512], [0; 512]);
    for done in (0..length).step_by(x.len()) {
        let n = x.len().min((length - done) as usize);
        let read = a.read_at(&mut x[..n], a_start + done)?;
        if read != b.read_at(&mut y[..n], b_start + done)? || x[..n] != y[..n] {
            return Ok(false);
        }
    }
    Ok(true)
}
