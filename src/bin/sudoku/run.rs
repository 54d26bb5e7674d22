//! Reads puzzles, processes them on all threads, and writes the results in their order.

use crate::formats::line;
use crate::formats::{Column, Format, Found, Whole, addresses, grids, lists};
use crate::input::{Source, named};
use crate::order::Ordered;
use crate::report::Report;
use crate::tasks::{Part, Task};
use crate::worker::Worker;
use crate::{Input, Outcome};
use std::ffi::OsStr;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};

/// A chunk of text for a task that takes a microsecond or less per puzzle; others get less, so that no thread waits long for
/// another.
const FAST_CHUNK: usize = 1 << 18;
const SLOW_CHUNK: usize = 1 << 12;
const MIN_CHUNK: usize = 1 << 9;

/// Puzzles of a text that was read as a whole, per chunk.
const MAX_SHARE: usize = 64;

/// Runs a task for each puzzle of the inputs.
pub fn run(input: &Input, task: &Task) -> io::Result<Outcome> {
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = input.threads.unwrap_or_else(available).max(1);
    let mut workers: Vec<Worker> = (0..threads).map(|_| Worker::new(input.rules)).collect();
    let paths: Vec<_> = match input.files.as_slice() {
        [] => vec![None],
        files => files.iter().map(Some).collect(),
    };
    let sizes = paths
        .iter()
        .map(|path| (*path).filter(|path| path.extension() != Some(OsStr::new("gz"))))
        .map(|path| Some(std::fs::metadata(path?).ok()?.len()));
    let mut report = Report::new(sizes.sum());
    let mut out = io::stdout();
    let mut outcome = Outcome::Good;
    for path in paths {
        let job = Job {
            input,
            task,
            threads,
        };
        let done = job.source(path, &mut workers, &mut out, &mut report);
        match done {
            Ok(Outcome::Good) => {}
            Ok(Outcome::Bad) => outcome = Outcome::Bad,
            Err(error) => {
                report.end();
                return Err(error);
            }
        }
    }
    report.end();
    out.flush()?;
    Ok(outcome)
}

struct Job<'a> {
    input: &'a Input,
    task: &'a Task,
    threads: usize,
}

impl Job<'_> {
    fn source(
        &self,
        path: Option<&std::path::PathBuf>,
        workers: &mut [Worker],
        out: &mut (dyn Write + Send),
        report: &mut Report,
    ) -> io::Result<Outcome> {
        let source = Source::open(path)?;
        let of_source = |error: io::Error| match error.kind() {
            io::ErrorKind::BrokenPipe => error,
            _ => named(&source.name, &error),
        };
        let format = match (self.input.from, &self.input.column) {
            (Some(format), _) => format,
            (None, Some(_)) => Format::Lines,
            (None, None) => source.format().map_err(of_source)?,
        };
        let ordered = Ordered::new(out, report, &source.name, self.threads);
        let lines;
        let whole;
        let work: &(dyn Fn(&mut Worker) -> Outcome + Sync) = match format {
            Format::Lines => {
                let (column, size) = (self.column(&source)?, self.chunk_size(&source));
                let (source, ordered) = (&source, &ordered);
                lines =
                    move |worker: &mut Worker| self.lines(source, &column, size, worker, ordered);
                &lines
            }
            Format::Grids | Format::Lists | Format::Addresses => {
                let text = source.whole().map_err(of_source)?;
                let text = String::from_utf8_lossy(&text);
                let puzzles = match format {
                    Format::Lists => lists::read(&text),
                    Format::Addresses => addresses::read(&text),
                    _ => grids::read(&text),
                };
                let (next, bytes) = (AtomicU64::new(0), text.len() as u64);
                let ordered = &ordered;
                whole =
                    move |worker: &mut Worker| self.whole(&puzzles, bytes, &next, worker, ordered);
                &whole
            }
        };
        let bad = std::thread::scope(|scope| {
            let threads: Vec<_> = workers
                .iter_mut()
                .map(|worker| scope.spawn(move || work(worker)))
                .collect();
            let mut is_bad = false;
            for thread in threads {
                match thread.join() {
                    Ok(outcome) => is_bad |= outcome == Outcome::Bad,
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            is_bad
        });
        let is_good = ordered.end().map_err(of_source)? && !bad;
        Ok(if is_good { Outcome::Good } else { Outcome::Bad })
    }

    /// The column of the puzzles, by its number.
    fn column(&self, source: &Source) -> io::Result<Column> {
        let Some(Column::Named(name)) = &self.input.column else {
            return Ok(self.input.column.clone().unwrap_or(Column::Any));
        };
        let header = source.first_line()?;
        match line::column_number(&header, name) {
            Some(number) => Ok(Column::Number(number)),
            None => Err(io::Error::other(format!(
                "{}:1: no column '{name}' in the first line: {}",
                source.name,
                String::from_utf8_lossy(line::trim(&header))
            ))),
        }
    }

    /// The size of a chunk: every thread gets several of them.
    fn chunk_size(&self, source: &Source) -> usize {
        let most = if self.task.is_fast() {
            FAST_CHUNK
        } else {
            SLOW_CHUNK
        };
        let share = source
            .length
            .map_or(most as u64, |length| length / (16 * self.threads as u64));
        (share as usize).clamp(MIN_CHUNK, most)
    }

    /// Works on chunks of lines until none is left.
    fn lines(
        &self,
        source: &Source,
        column: &Column,
        size: usize,
        worker: &mut Worker,
        ordered: &Ordered<'_>,
    ) -> Outcome {
        let mut outcome = Outcome::Good;
        let mut buffer = std::mem::take(&mut worker.buffer);
        while !ordered.has_failed() {
            let (number, range) = match source.claim(size, &mut buffer) {
                Ok(Some(claimed)) => claimed,
                Ok(None) => break,
                Err(error) => {
                    ordered.fail(error);
                    break;
                }
            };
            let mut part = Part::new(ordered, number);
            let text = &buffer[range];
            worker.lines(text, column, self.task, &mut part);
            if part.is_bad {
                outcome = Outcome::Bad;
            }
            part.done.bytes = text.len() as u64;
            if !part.finish() {
                break;
            }
        }
        worker.buffer = buffer;
        outcome
    }

    /// Works on shares of the puzzles of a whole text until none is left.
    fn whole(
        &self,
        whole: &Whole,
        bytes: u64,
        next: &AtomicU64,
        worker: &mut Worker,
        ordered: &Ordered<'_>,
    ) -> Outcome {
        let mut outcome = Outcome::Good;
        let share = (whole.puzzles.len() / (4 * self.threads)).clamp(1, MAX_SHARE);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let mut part = Part::new(ordered, number);
            if number == 0 {
                for (line, problem) in &whole.problems {
                    part.skip(*line, problem);
                }
                if whole.puzzles.is_empty() {
                    part.done.bytes = bytes;
                }
            } else {
                let start = (number as usize - 1) * share;
                if start >= whole.puzzles.len() {
                    break;
                }
                let puzzles = &whole.puzzles[start..whole.puzzles.len().min(start + share)];
                for Found {
                    line,
                    side,
                    values,
                    extra,
                } in puzzles
                {
                    if extra.is_some() {
                        worker.flush(self.task, &mut part);
                    }
                    worker.values.extend_from_slice(values);
                    worker.push(*line, *side, self.task, &mut part);
                    if extra.is_some() {
                        worker.flush_under(extra.as_ref(), self.task, &mut part);
                    }
                }
                worker.flush(self.task, &mut part);
                part.done.bytes = bytes * puzzles.len() as u64 / whole.puzzles.len() as u64;
            }
            if part.is_bad {
                outcome = Outcome::Bad;
            }
            if !part.finish() {
                break;
            }
        }
        outcome
    }
}
