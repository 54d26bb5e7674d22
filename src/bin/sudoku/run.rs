//! Reads puzzles, processes them on all threads, and writes the results in their order.

use crate::lines::{Line, Place, for_each_part, read_line};
use crate::tasks::{Results, Task, Worker};
use crate::{Input, Outcome, Variant};
use std::any::Any;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::time::{Duration, Instant};
use sudoku::engine::nine::Stream;
use sudoku::notation::Notation;

/// Writes a solution of each puzzle. Classic 9x9 puzzles in plain lines go through a [`Stream`].
pub fn solve(input: &Input, all: bool, count: bool) -> io::Result<Outcome> {
    let task = if all {
        Task::SolveAll
    } else {
        Task::Solve { count }
    };
    if all || count || input.rules != Variant::Classic {
        return each(input, &task);
    }
    let mut stream = Stream::new(threads(input));
    let mut solutions = Vec::new();
    let mut rest = Session::new(input);
    for_each_part(&input.files, |text, place| {
        let mut left = text;
        let mut line = place.line;
        while !left.is_empty() {
            let Some(stride) = plain_line(left) else {
                let (others, count) = other_lines(left);
                rest.part(&left[..others], place, line, &task)?;
                line += count;
                left = &left[others..];
                continue;
            };
            // Plain lines lie at a fixed distance: they are solved where they are.
            let plain = left
                .chunks_exact(stride)
                .take_while(|line| plain_line(line) == Some(stride))
                .count();
            let (mut lines, after) = left.split_at(stride * plain);
            while !lines.is_empty() {
                solutions.clear();
                let solved = stream.solve_lines(lines, 1, &mut solutions);
                rest.out.write_all(&solutions)?;
                let count = solutions.len() / 82;
                rest.done(count);
                line += count;
                lines = &lines[stride * count..];
                if solved.is_err() {
                    let (other, after) = lines.split_at(stride);
                    rest.part(other, place, line, &task)?;
                    line += 1;
                    lines = after;
                }
            }
            left = after;
        }
        Ok(())
    })?;
    rest.finish()
}

/// The length of the first line with its line end, if it is 81 characters and `\n` or `\r\n`.
fn plain_line(text: &[u8]) -> Option<usize> {
    let stride = if *text.get(81)? == b'\r' { 83 } else { 82 };
    let is_plain = text.get(stride - 1) == Some(&b'\n') && !has_line_end(&text[..81]);
    is_plain.then_some(stride)
}

/// The length and the number of the lines before the next plain line; the first line is not plain.
fn other_lines(text: &[u8]) -> (usize, usize) {
    let mut length = 0;
    let mut count = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if plain_line(&text[length..]).is_some() {
            break;
        }
        length += line.len();
        count += 1;
    }
    (length, count)
}

/// Whether there is a line end. Without an early exit, which costs more on a line than it saves.
fn has_line_end(line: &[u8]) -> bool {
    line.iter().fold(false, |any, &byte| any | (byte == b'\n'))
}

/// Runs a task for each puzzle.
pub fn each(input: &Input, task: &Task) -> io::Result<Outcome> {
    let mut session = Session::new(input);
    for_each_part(&input.files, |text, place| {
        session.part(text, place, place.line, task)
    })?;
    session.finish()
}

fn threads(input: &Input) -> usize {
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    input.threads.unwrap_or_else(available).max(1)
}

/// The output of a run, and the state that is kept from part to part.
struct Session {
    out: io::BufWriter<io::StdoutLock<'static>>,
    outcome: Outcome,
    variant: Variant,
    threads: usize,
    /// The workers of each side used so far: `Vec<Worker<N>>`.
    workers: Vec<Box<dyn Any>>,
    puzzles: usize,
    /// The time at which the progress was last shown, if standard error is a terminal.
    shown: Option<Instant>,
}

/// Results that wait to be written, per thread.
const MAX_WAITING: usize = 1024;

/// Defines the sides that are solved, each of which adds to the time to compile.
macro_rules! sides {
    ($($n:literal)*) => {
        const SIDES: &[usize] = &[$($n),*];

        /// Runs the task for puzzles of one of the [`SIDES`].
        fn work(session: &mut Session, side: usize, puzzles: &[&str], task: &Task) -> io::Result<()> {
            match side {
                $($n => work_on::<$n>(session, puzzles, task),)*
                _ => unreachable!("only puzzles of these sides are collected"),
            }
        }
    };
}

sides!(4 5 6 7 8 9 10 12 14 15 16 18 20 25);

impl Session {
    fn new(input: &Input) -> Self {
        Session {
            out: io::BufWriter::with_capacity(1 << 16, io::stdout().lock()),
            outcome: Outcome::Good,
            variant: input.rules,
            threads: threads(input),
            workers: Vec::new(),
            puzzles: 0,
            shown: io::stderr().is_terminal().then(Instant::now),
        }
    }

    /// Runs the task for the puzzles of a part of the text, which begins with this line.
    fn part(&mut self, text: &[u8], place: &Place, line: usize, task: &Task) -> io::Result<()> {
        let mut puzzles: Vec<&str> = Vec::new();
        let mut side = 0;
        for (index, bytes) in text.split(|&byte| byte == b'\n').enumerate() {
            match read_line(bytes) {
                Line::Empty => {}
                Line::Puzzle(cells, other) if SIDES.contains(&other) => {
                    if other != side {
                        self.work(side, &puzzles, task)?;
                        puzzles.clear();
                        side = other;
                    }
                    puzzles.push(cells);
                }
                Line::Header if line + index == 1 => {}
                other => {
                    self.outcome = Outcome::Bad;
                    let (name, line) = (&place.name, line + index);
                    let problem = problem(&other, bytes);
                    eprintln!("{name}:{line}: {problem}; skipped");
                }
            }
        }
        self.work(side, &puzzles, task)
    }

    /// Runs the task for puzzles of the same side.
    fn work(&mut self, side: usize, puzzles: &[&str], task: &Task) -> io::Result<()> {
        if puzzles.is_empty() {
            return Ok(());
        }
        work(self, side, puzzles, task)
    }

    /// Counts puzzles, and shows their number.
    fn done(&mut self, puzzles: usize) {
        self.puzzles += puzzles;
        if let Some(shown) = &mut self.shown
            && shown.elapsed() > Duration::from_millis(200)
        {
            *shown = Instant::now();
            eprint!("\r{} puzzles", self.puzzles);
        }
    }

    fn finish(mut self) -> io::Result<Outcome> {
        self.out.flush()?;
        if self.shown.is_some() {
            eprint!("\r\x1b[K");
        }
        Ok(self.outcome)
    }
}

/// Why a line is not solved.
fn problem(line: &Line<'_>, bytes: &[u8]) -> String {
    match line {
        Line::Puzzle(_, side) => {
            let sides: Vec<String> = SIDES.iter().map(usize::to_string).collect();
            format!(
                "expected a puzzle of side {}, found side {side}",
                sides.join(", ")
            )
        }
        Line::Numerals(side) => format!(
            "expected letters for the digits of side {side}, A for 1, found numerals: convert them"
        ),
        _ => {
            let length = bytes.trim_ascii().len();
            format!("expected the cells of a puzzle, found {length} characters")
        }
    }
}

fn work_on<const N: usize>(session: &mut Session, puzzles: &[&str], task: &Task) -> io::Result<()> {
    let rules = session.variant.rules::<N>();
    let position = session
        .workers
        .iter()
        .position(|workers| workers.is::<Vec<Worker<N>>>());
    let position = position.unwrap_or_else(|| {
        let workers: Vec<Worker<N>> = (0..session.threads).map(|_| Worker::new(&rules)).collect();
        session.workers.push(Box::new(workers));
        session.workers.len() - 1
    });
    let Some(workers) = session.workers[position].downcast_mut::<Vec<Worker<N>>>() else {
        unreachable!("found by its type");
    };
    // A few puzzles each, so that the output appears soon and no thread waits long for another.
    let share = puzzles
        .len()
        .div_ceil(workers.len())
        .min(if N <= 9 { 2048 } else { 16 });
    for together in puzzles.chunks(share * workers.len()) {
        std::thread::scope(|scope| -> io::Result<()> {
            let shares = workers.iter_mut().zip(together.chunks(share));
            let threads: Vec<_> = shares
                .map(|(worker, puzzles)| {
                    let (sender, results) = sync_channel(MAX_WAITING);
                    let work = move || work_share(worker, puzzles, task, &sender);
                    (scope.spawn(work), results)
                })
                .collect();
            // An error drops the other receivers, which ends their threads.
            for (thread, results) in threads {
                write_results(&mut session.out, &results, task)?;
                match thread.join() {
                    Ok(Outcome::Good) => {}
                    Ok(Outcome::Bad) => session.outcome = Outcome::Bad,
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            Ok(())
        })?;
    }
    session.done(puzzles.len());
    Ok(())
}

/// Writes the results of a thread until it ends. The solutions of a puzzle are written as soon as they are found: the next
/// one may take long.
fn write_results(out: &mut impl Write, results: &Receiver<String>, task: &Task) -> io::Result<()> {
    loop {
        let text = match results.try_recv() {
            Ok(text) => text,
            Err(TryRecvError::Disconnected) => return Ok(()),
            Err(TryRecvError::Empty) => {
                if matches!(task, Task::SolveAll) {
                    out.flush()?;
                }
                match results.recv() {
                    Ok(text) => text,
                    Err(_) => return Ok(()),
                }
            }
        };
        out.write_all(text.as_bytes())?;
    }
}

/// Runs the task for some puzzles and sends the results. Returns early if the output failed, which [`work_on`] reports.
fn work_share<const N: usize>(
    worker: &mut Worker<N>,
    puzzles: &[&str],
    task: &Task,
    sender: &SyncSender<String>,
) -> Outcome {
    let mut results = Results::new(sender);
    let mut outcome = Outcome::Good;
    for cells in puzzles {
        let puzzle = match Notation::LINE.parse::<N>(cells) {
            Ok(puzzle) => puzzle,
            Err(error) => unreachable!("its characters are cells: {error}"),
        };
        if task.work(worker, &puzzle, &mut results) == Outcome::Bad {
            outcome = Outcome::Bad;
        }
        if results.is_closed {
            break;
        }
    }
    results.finish();
    outcome
}
