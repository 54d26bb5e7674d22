//! Reads puzzles, processes them on all threads, and writes the results in their order.

use crate::lines::{Line, Place, for_each_part, read_line};
use crate::tasks::{Task, Worker};
use crate::{Input, Outcome, Variant};
use std::any::Any;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};
use sudoku::Grid;
use sudoku::engine::nine::Stream;
use sudoku::notation::Notation;

/// Writes a solution of each puzzle. Classic 9x9 puzzles in plain lines go through a [`Stream`].
pub fn solve(input: &Input, all: bool, count: bool) -> io::Result<Outcome> {
    let task = Task::Solve { all, count };
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
            // Plain lines lie at a fixed distance: they are solved where they are.
            let plain = left
                .chunks_exact(82)
                .take_while(|line| line[81] == b'\n' && !has_line_end(&line[..81]))
                .count();
            if plain > 0 {
                solutions.clear();
                let (lines, after) = left.split_at(82 * plain);
                let solved = stream.solve_lines(lines, 1, &mut solutions);
                rest.out.write_all(&solutions)?;
                rest.done(solutions.len() / 82);
                match solved {
                    Ok(_) => {
                        line += plain;
                        left = after;
                        continue;
                    }
                    Err(error) => {
                        line += error.line - 1;
                        left = &left[82 * (error.line - 1)..];
                    }
                }
            }
            // Up to the next plain line, or one line at least.
            let end = left.iter().position(|&byte| byte == b'\n');
            let (other, after) = left.split_at(end.map_or(left.len(), |end| end + 1));
            rest.part(other, place, line, &task)?;
            line += 1;
            left = after;
        }
        Ok(())
    })?;
    rest.finish()
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

/// Calls the function for a side, if it is one of these.
macro_rules! for_side {
    ($side:expr, $function:ident $arguments:tt, $($n:literal)*) => {
        match $side {
            $($n => $function::<$n> $arguments,)*
            side => Err(io::Error::other(format!("no puzzles of side {side} are solved here"))),
        }
    };
}

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
                Line::Puzzle(cells, other) => {
                    if other != side {
                        self.work(side, &puzzles, task)?;
                        puzzles.clear();
                        side = other;
                    }
                    puzzles.push(cells);
                }
                // A header.
                Line::Other if line + index == 1 => {}
                Line::Other => {
                    self.outcome = Outcome::Bad;
                    eprintln!(
                        "{}:{}: expected the cells of a puzzle, found {} characters; skipped",
                        place.name,
                        line + index,
                        bytes.trim_ascii().len()
                    );
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
        for_side!(side, work_on (self, puzzles, task), 4 5 6 7 8 9 10 12 14 15 16 18 20 25)
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
        let results = std::thread::scope(|scope| {
            let shares = workers.iter_mut().zip(together.chunks(share));
            let threads: Vec<_> = shares
                .map(|(worker, puzzles)| scope.spawn(|| work_share(worker, puzzles, task)))
                .collect();
            let results = threads.into_iter().map(|thread| match thread.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            results.collect::<Vec<_>>()
        });
        for (text, outcome) in results {
            session.out.write_all(text.as_bytes())?;
            if outcome == Outcome::Bad {
                session.outcome = Outcome::Bad;
            }
        }
    }
    session.done(puzzles.len());
    Ok(())
}

fn work_share<const N: usize>(
    worker: &mut Worker<N>,
    puzzles: &[&str],
    task: &Task,
) -> (String, Outcome) {
    let mut text = String::new();
    let mut outcome = Outcome::Good;
    for cells in puzzles {
        let puzzle: Grid<N> = match Notation::LINE.parse(cells) {
            Ok(puzzle) => puzzle,
            Err(error) => unreachable!("its characters are cells: {error}"),
        };
        if task.work(worker, &puzzle, &mut text) == Outcome::Bad {
            outcome = Outcome::Bad;
        }
    }
    (text, outcome)
}
