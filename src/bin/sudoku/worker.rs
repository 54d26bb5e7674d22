//! The work of a thread on its chunks: finds the puzzles of lines, and collects those of the same side.

use crate::Variant;
use crate::formats::line::{self, Line};
use crate::formats::{Column, Extra, Problem};
use crate::tasks::{Part, Side, Task};
use std::any::Any;
use sudoku::engine::nine::Stream;
use sudoku::{Grid, Rules};

/// A thread's memory.
pub struct Worker {
    rules: Variant,
    pub buffer: Vec<u8>,
    stream: Stream,
    counts: Vec<u64>,
    /// The puzzles that wait to be worked on, all of the same side: their values and their lines.
    pub values: Vec<u8>,
    waiting: Vec<usize>,
    side: usize,
    /// The solvers of each side used so far: `Side<N>`.
    sides: Vec<Box<dyn Any + Send>>,
}

/// Defines the sides that are solved, each of which adds to the time to compile.
macro_rules! sides {
    ($($n:literal)*) => {
        const SOLVED_SIDES: &[usize] = &[$($n),*];

        /// Runs the task for the waiting puzzles, whose side is one of [`SOLVED_SIDES`].
        fn work(worker: &mut Worker, extra: Option<&Extra>, task: &Task, part: &mut Part<'_, '_>) {
            match worker.side {
                $($n => work_on::<$n>(worker, extra, task, part),)*
                _ => unreachable!("only puzzles of these sides are collected"),
            }
        }
    };
}

sides!(4 5 6 7 8 9 10 12 14 15 16 18 20 24 25 30 36);

impl Worker {
    pub fn new(rules: Variant) -> Self {
        Worker {
            rules,
            buffer: Vec::new(),
            stream: Stream::new(1),
            counts: Vec::new(),
            values: Vec::new(),
            waiting: Vec::new(),
            side: 0,
            sides: Vec::new(),
        }
    }

    /// Runs the task for the puzzles of a chunk of lines, and counts its lines.
    pub fn lines(&mut self, text: &[u8], column: &Column, task: &Task, part: &mut Part<'_, '_>) {
        let is_plain =
            self.rules == Variant::Classic && *column == Column::Any && task.takes_lines();
        let (mut rest, mut line) = (text, 0);
        while !rest.is_empty() && part.is_open {
            let plain = if is_plain { plain_lines(rest) } else { 0 };
            if plain > 0 {
                self.flush(task, part);
                let solved = self.plain(&rest[..plain], line, task, part);
                line += solved;
                rest = &rest[solved * plain_line(rest).unwrap_or(0)..];
                if solved > 0 {
                    continue;
                }
            }
            let end = rest
                .iter()
                .position(|&byte| byte == b'\n')
                .map_or(rest.len(), |end| end + 1);
            let (first, after) = rest.split_at(end);
            self.line(first, line, column, task, part);
            rest = after;
            line += 1;
        }
        self.flush(task, part);
        part.done.lines = line;
    }

    /// Runs the task for lines of 81 characters; returns the number of lines before the first that is no puzzle.
    fn plain(&mut self, text: &[u8], line: usize, task: &Task, part: &mut Part<'_, '_>) -> usize {
        let stride = plain_line(text).unwrap_or(82);
        let puzzles = |index: usize| &text[stride * index..stride * index + 81];
        let out = &mut part.done.text;
        let count;
        if let Task::Solve { .. } = task {
            let before = out.len();
            // An error stops at its line, which is then read as others are.
            let _ = self.stream.solve_lines(text, 1, out);
            count = (out.len() - before) / 82;
            for index in 0..count {
                if part.done.text[before + 82 * index] == b'.' {
                    part.no_solution(line + index, &grid(puzzles(index)), &Rules::classic());
                }
            }
        } else {
            self.counts.clear();
            let _ = self
                .stream
                .count_lines(text, task.limit(), &mut self.counts);
            count = self.counts.len();
            for (index, &solutions) in self.counts.iter().enumerate() {
                task.put_count(&grid(puzzles(index)), line + index, solutions, part);
            }
        }
        part.done.puzzles += count;
        count
    }

    /// Reads a line.
    fn line(
        &mut self,
        text: &[u8],
        number: usize,
        column: &Column,
        task: &Task,
        part: &mut Part<'_, '_>,
    ) {
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        match line::read(text, column, &mut self.values) {
            Line::Empty => {}
            Line::Puzzle(side) => self.push(number, side, task, part),
            Line::Header if part.is_first() && number == 0 => {}
            Line::Header => {
                part.skip(number, &Problem::length(line::trim(text).len()));
            }
            Line::Other(problem) => part.skip(number, &problem),
        }
    }

    /// Adds a puzzle, whose values were appended.
    pub fn push(&mut self, line: usize, side: usize, task: &Task, part: &mut Part<'_, '_>) {
        let start = self.values.len() - side * side;
        if !SOLVED_SIDES.contains(&side) {
            self.values.truncate(start);
            let sides: Vec<String> = SOLVED_SIDES.iter().map(usize::to_string).collect();
            let text = format!(
                "expected a puzzle of side {}, found side {side}",
                sides.join(", ")
            );
            part.skip(line, &Problem::text(text));
            return;
        }
        if side != self.side {
            let values = self.values.split_off(start);
            self.flush(task, part);
            self.side = side;
            self.values = values;
        }
        self.waiting.push(line);
    }

    /// Runs the task for the puzzles that wait.
    pub fn flush(&mut self, task: &Task, part: &mut Part<'_, '_>) {
        self.flush_under(None, task, part);
    }

    /// Runs the task for the puzzles that wait, under rules of their own.
    pub fn flush_under(&mut self, extra: Option<&Extra>, task: &Task, part: &mut Part<'_, '_>) {
        if !self.waiting.is_empty() {
            work(self, extra, task, part);
        }
        self.waiting.clear();
        self.values.clear();
    }
}

/// The grid of 81 characters that are a puzzle.
fn grid(line: &[u8]) -> Grid<9> {
    let mut values = [0; 81];
    for (value, &byte) in values.iter_mut().zip(line) {
        *value = if byte.is_ascii_digit() {
            byte - b'0'
        } else {
            0
        };
    }
    Grid::from_values(&values).unwrap_or_default()
}

/// The length of the first line with its line end, if it is 81 characters and `\n` or `\r\n`.
fn plain_line(text: &[u8]) -> Option<usize> {
    let stride = if *text.get(81)? == b'\r' { 83 } else { 82 };
    let is_plain = text.get(stride - 1) == Some(&b'\n') && !has_line_end(&text[..81]);
    is_plain.then_some(stride)
}

/// The length of the plain lines at the beginning of a text, all with the same line end.
fn plain_lines(text: &[u8]) -> usize {
    let Some(stride) = plain_line(text) else {
        return 0;
    };
    let lines = text.chunks_exact(stride);
    stride
        * lines
            .take_while(|line| plain_line(line) == Some(stride))
            .count()
}

/// Whether there is a line end. Without an early exit, which costs more on a line than it saves.
fn has_line_end(line: &[u8]) -> bool {
    line.iter().fold(false, |any, &byte| any | (byte == b'\n'))
}

/// Runs the task for the waiting puzzles.
fn work_on<const N: usize>(
    worker: &mut Worker,
    extra: Option<&Extra>,
    task: &Task,
    part: &mut Part<'_, '_>,
) {
    if let Some(extra) = extra {
        match extra.rules() {
            Ok(rules) => {
                let mut side = Side::<N>::new(rules);
                side.run(worker.values.as_slice(), &worker.waiting, task, part);
                if matches!(task, Task::Convert(_)) {
                    let text = "only the grid is written, not its rules";
                    part.message(worker.waiting[0], &Problem::text(text));
                }
            }
            Err(error) => part.skip(worker.waiting[0], &Problem::text(error.to_string())),
        }
        return;
    }
    let position = worker.sides.iter().position(|side| side.is::<Side<N>>());
    let position = position.unwrap_or_else(|| {
        let side = Side::<N>::new(worker.rules.rules());
        worker.sides.push(Box::new(side));
        worker.sides.len() - 1
    });
    let Some(side) = worker.sides[position].downcast_mut::<Side<N>>() else {
        unreachable!("found by its type");
    };
    side.run(&worker.values, &worker.waiting, task, part);
}
