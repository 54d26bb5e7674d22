//! Many puzzles on several threads, as grids or as lines of text.

use super::batch::{Answers, LINE, Lines, Puzzles};
use super::{Batch, is_line, parse_line};
use crate::engine::Statistics;
use crate::grid::Grid;
use crate::solver::Answer;
use core::fmt;
use std::io::{self, Read, Write};
use std::sync::Mutex;

/// Solves streams of puzzles with [`Batch`], on the given number of threads. The answers are
/// in the order of the puzzles and do not depend on the number of threads.
pub struct Stream {
    batches: Vec<Batch>,
    /// Buffers of input and output text.
    buffers: [Vec<u8>; 2],
}

/// The largest and the smallest number of puzzles that a thread claims at a time, if there are several
/// threads: smaller sets are divided evenly, but starting a thread for fewer costs more than it saves.
const MAX_SHARE: usize = 2048;
const MIN_SHARE: usize = 256;

/// Lines per thread that are solved before their solutions are written: at the end of each such
/// part lanes are idle, and a whole part must fit into a near cache.
const PART: usize = 8192;

/// The error for a line that is not a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineError {
    /// The line, from 1.
    pub line: usize,
    /// The number of its characters.
    pub length: usize,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}: expected 81 cells, each a digit or a mark for an empty one, found ",
            self.line
        )?;
        if self.length == 81 {
            f.write_str("another character")
        } else {
            write!(f, "{} characters", self.length)
        }
    }
}

impl std::error::Error for LineError {}

/// Why a text was not solved to its end.
#[derive(Debug)]
pub enum StreamError {
    /// A line is no puzzle.
    Line(LineError),
    /// The input or the output failed.
    Io(io::Error),
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StreamError::Line(error) => error.fmt(f),
            StreamError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StreamError {}

impl Stream {
    /// A stream on this many threads; 0 and 1 mean the calling thread.
    pub fn new(threads: usize) -> Self {
        Stream {
            batches: (0..threads.max(1)).map(|_| Batch::new()).collect(),
            buffers: [Vec::new(), Vec::new()],
        }
    }

    /// Solves every puzzle as [`Batch::solve`] does.
    ///
    /// # Panics
    ///
    /// If there are fewer answers than puzzles.
    pub fn solve(&mut self, puzzles: &[Grid<9>], answers: &mut [Answer<9>]) -> Statistics {
        self.grids(puzzles, Answers::Two(&mut answers[..puzzles.len()]), 2)
    }

    /// Finds a solution of every puzzle as [`Batch::first`] does.
    ///
    /// # Panics
    ///
    /// If there are fewer solutions than puzzles.
    pub fn first(&mut self, puzzles: &[Grid<9>], solutions: &mut [Option<Grid<9>>]) -> Statistics {
        self.grids(puzzles, Answers::First(&mut solutions[..puzzles.len()]), 1)
    }

    /// Counts the solutions of every puzzle as [`Batch::count`] does.
    ///
    /// # Panics
    ///
    /// If there are fewer counts than puzzles.
    pub fn count(&mut self, puzzles: &[Grid<9>], counts: &mut [u64], limit: u64) -> Statistics {
        self.grids(
            puzzles,
            Answers::Counts(&mut counts[..puzzles.len()]),
            limit,
        )
    }

    fn grids(&mut self, puzzles: &[Grid<9>], answers: Answers<'_>, limit: u64) -> Statistics {
        share(&mut self.batches, Puzzles::Grids(puzzles), answers, limit)
    }

    /// Solves the puzzles of `text`, one line of 81 characters each, and appends one line for each to
    /// `solutions`: its first solution, or 81 dots if it has none. Each character is a digit or one of
    /// `.`, `0`, `-`, `*` and `?` for an empty cell; lines with other marks than dots and zeros take
    /// longer.
    ///
    /// # Errors
    ///
    /// [`LineError`] for the first line that is not a puzzle. The solutions of all lines before it are
    /// appended.
    pub fn solve_lines(
        &mut self,
        text: &[u8],
        limit: u64,
        solutions: &mut Vec<u8>,
    ) -> Result<Statistics, LineError> {
        self.lines(text, &mut 0, limit, &mut Written::after(solutions))
    }

    /// Like [`Stream::solve_lines`], but appends the number of solutions of each puzzle, counted up to
    /// `limit`, to `counts`.
    ///
    /// # Errors
    ///
    /// [`LineError`] for the first line that is not a puzzle. The counts of all lines before it are
    /// appended.
    pub fn count_lines(
        &mut self,
        text: &[u8],
        limit: u64,
        counts: &mut Vec<u64>,
    ) -> Result<Statistics, LineError> {
        self.lines(text, &mut 0, limit, &mut Written::Counts(counts))
    }

    /// Like [`Stream::solve_lines`], from `input` to `output`, in buffers of a fixed size: neither
    /// needs its own buffer. Solutions are written when a buffer is full (8,192 puzzles for each
    /// thread) or the input has ended.
    ///
    /// # Errors
    ///
    /// [`StreamError`] for the first line that is no puzzle, or when the input or the output fails.
    /// The solutions of all earlier lines are written, unless `output` failed.
    pub fn solve_text(
        &mut self,
        mut input: impl Read,
        mut output: impl Write,
        limit: u64,
    ) -> Result<Statistics, StreamError> {
        let mut total = Statistics::default();
        let [mut buffer, mut solutions] = core::mem::take(&mut self.buffers);
        // Room for line ends of two bytes.
        buffer.resize((LINE + 1) * PART * self.batches.len(), 0);
        let (mut filled, mut line, mut ended) = (0, 0, false);
        while !ended {
            while filled < buffer.len() && !ended {
                match input.read(&mut buffer[filled..]) {
                    Ok(bytes) => {
                        filled += bytes;
                        ended = bytes == 0;
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(StreamError::Io(error)),
                }
            }
            let newline = buffer[..filled].iter().rposition(|&byte| byte == b'\n');
            let whole = match newline {
                Some(newline) if !ended => newline + 1,
                // A line that fills the buffer is no puzzle, and found to be none.
                _ => filled,
            };
            solutions.clear();
            let mut written = Written::after(&mut solutions);
            let solved = self.lines(&buffer[..whole], &mut line, limit, &mut written);
            output.write_all(&solutions).map_err(StreamError::Io)?;
            total += solved.map_err(StreamError::Line)?;
            buffer.copy_within(whole..filled, 0);
            filled -= whole;
        }
        output.flush().map_err(StreamError::Io)?;
        self.buffers = [buffer, solutions];
        Ok(total)
    }

    /// Solves the lines of `text`, the first of which is line `before` + 1, and adds their number
    /// to `before`. Where a line is no puzzle, the answers of all before it have been added.
    fn lines(
        &mut self,
        text: &[u8],
        before: &mut usize,
        limit: u64,
        written: &mut Written<'_>,
    ) -> Result<Statistics, LineError> {
        let mut total = Statistics::default();
        let mut rest = text;
        while !rest.is_empty() {
            let (lines, after) = Lines::split(rest, PART * self.batches.len());
            if lines.len() == 0 {
                return Err(LineError {
                    line: *before + 1,
                    length: first_length(rest),
                });
            }
            rest = after;
            let start = written.len();
            written.resize(start + lines.len());
            let answers = written.answers(start);
            total += share(&mut self.batches, Puzzles::Lines(lines), answers, limit);
            // A line with another character has no candidate in that cell, and so no solution.
            let others = (0..lines.len())
                .filter(|&i| written.is_unsolved(start + i) && !is_line(lines.get(i)));
            let (mut places, mut puzzles) = (Vec::new(), Vec::new());
            let mut wrong = None;
            for other in others {
                match parse_line(lines.get(other)) {
                    Some(puzzle) => {
                        places.push(start + other);
                        puzzles.push(puzzle);
                    }
                    None => {
                        wrong = Some(other);
                        break;
                    }
                }
            }
            total += written.solve_others(self, &places, &puzzles, limit);
            if let Some(wrong) = wrong {
                written.resize(start + wrong);
                let line = lines.get(wrong);
                let end = line.iter().position(|&byte| byte == b'\n');
                return Err(LineError {
                    line: *before + wrong + 1,
                    length: end.map_or(81, |_| first_length(line)),
                });
            }
            *before += lines.len();
        }
        Ok(total)
    }
}

/// The answers to lines of text.
enum Written<'a> {
    /// Lines of [`LINE`] bytes, after this number of bytes of other text.
    Solutions(&'a mut Vec<u8>, usize),
    Counts(&'a mut Vec<u64>),
}

impl<'a> Written<'a> {
    /// Solutions after what a text holds.
    fn after(text: &'a mut Vec<u8>) -> Self {
        let before = text.len();
        Written::Solutions(text, before)
    }

    fn len(&self) -> usize {
        match self {
            Written::Solutions(text, before) => (text.len() - *before) / LINE,
            Written::Counts(counts) => counts.len(),
        }
    }

    fn resize(&mut self, len: usize) {
        match self {
            Written::Solutions(text, before) => text.resize(*before + LINE * len, b'\n'),
            Written::Counts(counts) => counts.resize(len, 0),
        }
    }

    fn answers(&mut self, start: usize) -> Answers<'_> {
        match self {
            Written::Solutions(text, before) => Answers::Lines(&mut text[*before + LINE * start..]),
            Written::Counts(counts) => Answers::Counts(&mut counts[start..]),
        }
    }

    fn is_unsolved(&self, index: usize) -> bool {
        match self {
            Written::Solutions(text, before) => text[*before + LINE * index] == b'.',
            Written::Counts(counts) => counts[index] == 0,
        }
    }

    /// Solves puzzles with other marks, whose answers belong to these places.
    fn solve_others(
        &mut self,
        stream: &mut Stream,
        places: &[usize],
        puzzles: &[Grid<9>],
        limit: u64,
    ) -> Statistics {
        if puzzles.is_empty() {
            return Statistics::default();
        }
        match self {
            Written::Solutions(text, before) => {
                let mut solutions = vec![None; puzzles.len()];
                let cost = stream.grids(puzzles, Answers::First(&mut solutions), limit);
                for (place, solution) in places.iter().zip(solutions) {
                    let solution: Grid<9> = solution.unwrap_or_default();
                    let line: &mut [u8] = &mut text[*before + LINE * place..][..81];
                    for (byte, &value) in line.iter_mut().zip(solution.values()) {
                        *byte = if value == 0 { b'.' } else { b'0' + value };
                    }
                }
                cost
            }
            Written::Counts(counts) => {
                let mut found = vec![0; puzzles.len()];
                let cost = stream.count(puzzles, &mut found, limit);
                for (&place, found) in places.iter().zip(found) {
                    counts[place] = found;
                }
                cost
            }
        }
    }
}

/// The number of characters of the first line of a text.
fn first_length(text: &[u8]) -> usize {
    let end = text.iter().position(|&byte| byte == b'\n');
    let line = &text[..end.unwrap_or(text.len())];
    line.strip_suffix(b"\r").unwrap_or(line).len()
}

/// Solves puzzles with one thread for each batch.
fn share(
    batches: &mut [Batch],
    puzzles: Puzzles<'_>,
    mut answers: Answers<'_>,
    limit: u64,
) -> Statistics {
    let share = puzzles.len().div_ceil(batches.len());
    let share = share.clamp(MIN_SHARE, MAX_SHARE);
    if batches.len() == 1 || puzzles.len() <= share {
        return batches[0].solve_any(puzzles, &mut answers, limit);
    }
    let left = Mutex::new((0, Some(answers)));
    let take = || {
        let mut left = left.lock().ok()?;
        let (start, answers) = (left.0, left.1.take()?);
        let end = puzzles.len().min(start + share);
        let (first, rest) = answers.split_at(end - start);
        *left = (end, Some(rest).filter(|_| end < puzzles.len()));
        Some((puzzles.part(start, end), first))
    };
    let work = |batch: &mut Batch| {
        let mut total = Statistics::default();
        while let Some((puzzles, mut answers)) = take() {
            total += batch.solve_any(puzzles, &mut answers, limit);
        }
        total
    };
    let mut total = Statistics::default();
    std::thread::scope(|scope| {
        let threads: Vec<_> = batches
            .iter_mut()
            .take(puzzles.len().div_ceil(share))
            .map(|batch| scope.spawn(|| work(batch)))
            .collect();
        for thread in threads {
            match thread.join() {
                Ok(cost) => total += cost,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    total
}
