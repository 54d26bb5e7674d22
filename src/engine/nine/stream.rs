//! Many puzzles on several threads, as values or as lines of text.

use super::batch::Puzzles;
use super::{Answer, Batch, Values, is_line};
use crate::engine::Statistics;
use core::fmt;
use std::sync::Mutex;

/// Solves streams of puzzles with [`Batch`], on as many threads as the caller says. The order of
/// the answers is that of the puzzles, and they do not depend on the number of threads.
pub struct Stream {
    batches: Vec<Batch>,
    puzzles: Vec<Values>,
    answers: Vec<Answer>,
}

/// So many puzzles a thread takes at a time.
const SHARE: usize = 2048;

/// A line that is no puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineError {
    /// The line, from 1.
    pub line: usize,
    /// How many characters it has.
    pub length: usize,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}: expected 81 cells, each a digit or a dot, found ",
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

impl Stream {
    /// A stream on this many threads; 1 and 0 are the caller's own alone.
    pub fn new(threads: usize) -> Self {
        Stream {
            batches: (0..threads.max(1)).map(|_| Batch::new()).collect(),
            puzzles: Vec::new(),
            answers: Vec::new(),
        }
    }

    /// Solves every puzzle, counting its solutions up to `limit`, as [`Batch::solve`] does.
    ///
    /// # Panics
    ///
    /// If there are fewer answers than puzzles.
    pub fn solve(&mut self, puzzles: &[Values], answers: &mut [Answer], limit: u64) -> Statistics {
        share(&mut self.batches, Puzzles::Values(puzzles), answers, limit)
    }

    /// Solves puzzles as they come and hands each with its answer to `each`, in their order.
    pub fn for_each(
        &mut self,
        puzzles: impl IntoIterator<Item = Values>,
        limit: u64,
        mut each: impl FnMut(&Values, &Answer),
    ) -> Statistics {
        let mut total = Statistics::default();
        let mut puzzles = puzzles.into_iter();
        loop {
            self.puzzles.clear();
            let size = SHARE * self.batches.len();
            self.puzzles.extend(puzzles.by_ref().take(size));
            if self.puzzles.is_empty() {
                return total;
            }
            if self.answers.len() < self.puzzles.len() {
                self.answers.resize(size, Answer::NONE);
            }
            let puzzles = Puzzles::Values(&self.puzzles);
            let cost = share(&mut self.batches, puzzles, &mut self.answers, limit);
            add(&mut total, cost);
            for (puzzle, answer) in self.puzzles.iter().zip(&self.answers) {
                each(puzzle, answer);
            }
        }
    }

    /// Solves the puzzles of `text`, one line of 81 digits and dots each (see [`super::parse_line`]),
    /// and adds to `solutions` one line for each: its first solution, or 81 dots when it has none.
    ///
    /// # Errors
    ///
    /// [`LineError`] for the first line that is no puzzle. `solutions` then has the solutions of
    /// some of the lines before it.
    pub fn solve_lines(
        &mut self,
        text: &[u8],
        limit: u64,
        solutions: &mut Vec<u8>,
    ) -> Result<Statistics, LineError> {
        let mut total = Statistics::default();
        let size = SHARE * self.batches.len();
        let mut lines: Vec<&[u8; 81]> = Vec::with_capacity(size.min(text.len() / 81 + 1));
        let (mut rest, mut line) = (text, 0);
        while !rest.is_empty() {
            lines.clear();
            while !rest.is_empty() && lines.len() < size {
                line += 1;
                let (cells, after) = split_line(rest);
                rest = after;
                let error = LineError {
                    line,
                    length: cells.len(),
                };
                let cells = <&[u8; 81]>::try_from(cells).map_err(|_| error)?;
                if !is_line(cells) {
                    return Err(error);
                }
                lines.push(cells);
            }
            if self.answers.len() < lines.len() {
                self.answers.resize(lines.len(), Answer::NONE);
            }
            let puzzles = Puzzles::Lines(&lines);
            let cost = share(&mut self.batches, puzzles, &mut self.answers, limit);
            add(&mut total, cost);
            solutions.reserve(82 * lines.len());
            for answer in &self.answers[..lines.len()] {
                let mut written = [b'\n'; 82];
                written[..81].copy_from_slice(if answer.count > 0 {
                    &answer.solution
                } else {
                    &[b'.'; 81]
                });
                solutions.extend_from_slice(&written);
            }
        }
        Ok(total)
    }
}

/// The first line of a text, without its end, and what follows it.
fn split_line(text: &[u8]) -> (&[u8], &[u8]) {
    // Nearly every line has its end here; to look for it would take longer than to read the cells.
    if text.len() > 81 && text[81] == b'\n' {
        return (&text[..81], &text[82..]);
    }
    let end = text.iter().position(|&byte| byte == b'\n');
    let (line, rest) = match end {
        Some(end) => (&text[..end], &text[end + 1..]),
        None => (text, &text[text.len()..]),
    };
    match line.split_last() {
        Some((b'\r', line)) => (line, rest),
        _ => (line, rest),
    }
}

fn add(total: &mut Statistics, cost: Statistics) {
    total.nodes += cost.nodes;
    total.guesses += cost.guesses;
}

/// Solves puzzles with one thread for each batch.
fn share(
    batches: &mut [Batch],
    puzzles: Puzzles<'_>,
    answers: &mut [Answer],
    limit: u64,
) -> Statistics {
    let answers = &mut answers[..puzzles.len()];
    if batches.len() == 1 || puzzles.len() <= SHARE {
        return batches[0].solve_any(puzzles, answers, limit);
    }
    let shares = Mutex::new(answers.chunks_mut(SHARE).enumerate());
    let take = || shares.lock().ok()?.next();
    let work = |batch: &mut Batch| {
        let mut total = Statistics::default();
        while let Some((i, answers)) = take() {
            let puzzles = puzzles.part(i * SHARE, i * SHARE + answers.len());
            add(&mut total, batch.solve_any(puzzles, answers, limit));
        }
        total
    };
    let mut total = Statistics::default();
    std::thread::scope(|scope| {
        let threads: Vec<_> = batches
            .iter_mut()
            .map(|batch| scope.spawn(|| work(batch)))
            .collect();
        for thread in threads {
            match thread.join() {
                Ok(cost) => add(&mut total, cost),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    total
}
