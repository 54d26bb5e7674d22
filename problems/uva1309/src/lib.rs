//! What the programs for UVa 1309 share: the form of the judge's files, and how a program ends.
//!
//! A file holds any number of grids until its end: 16 rows of 16 characters `A` to `P`, or `-` for
//! an empty cell, and one empty line between two grids. The output is in the same form, and has no
//! empty line after the last grid.
#![forbid(unsafe_code)]

use std::fmt;
use std::io::{self, Read, StdinLock, StdoutLock, Write};
use std::process::ExitCode;
use sudoku::Grid;
use sudoku::notation::{Input, Notation, Output, ReadError};

/// What a step of a program gives.
pub type Result<T> = std::result::Result<T, Failure>;

/// Why a program ends early.
#[derive(Debug)]
pub enum Failure {
    /// The input failed, or holds something else than grids.
    Read(ReadError),
    /// The output failed.
    Write(io::Error),
    /// This grid, counted from 1, has no solution: the problem has no words for it.
    NoSolution(u64),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Read(error) => error.fmt(f),
            Failure::Write(error) => error.fmt(f),
            Failure::NoSolution(grid) => {
                write!(f, "grid {grid} has no solution: check its letters")
            }
        }
    }
}

impl std::error::Error for Failure {}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Failure::Read(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Write(error)
    }
}

/// The grids of one run: puzzles come in, solutions go out, in constant memory.
pub struct Grids<R, W: Write> {
    input: Input<R>,
    output: Output<W>,
    read: u64,
    written: u64,
}

impl<R: Read, W: Write> Grids<R, W> {
    /// Reads from `input` and writes to `output`, neither of which needs a buffer.
    pub fn new(input: R, output: W) -> Self {
        Grids {
            input: Input::new(input),
            output: Output::new(output),
            read: 0,
            written: 0,
        }
    }

    /// The next puzzle, or `None` after the last.
    ///
    /// # Errors
    ///
    /// When the input fails or holds something else: with its line and column.
    pub fn read(&mut self) -> Result<Option<Grid<16>>> {
        let puzzle = self.input.grid(Notation::DASHED_ROWS)?;
        self.read += 1;
        Ok(puzzle)
    }

    /// Writes a solution; `None` is an error, since the problem has no words for it.
    ///
    /// # Errors
    ///
    /// When there is no solution, or the output fails.
    pub fn write(&mut self, solution: Option<Grid<16>>) -> Result<()> {
        let solution = solution.ok_or(Failure::NoSolution(self.read))?;
        if self.written > 0 {
            self.output.text("\n")?;
        }
        self.written += 1;
        Ok(self.output.grid(Notation::DASHED_ROWS, &solution)?)
    }

    /// Ends the output.
    ///
    /// # Errors
    ///
    /// The output's.
    pub fn finish(self) -> Result<()> {
        Ok(self.output.finish()?)
    }
}

/// Runs `program` on standard input and output; an error goes to standard error.
pub fn run(program: impl FnOnce(StdinLock, StdoutLock) -> Result<()>) -> ExitCode {
    match program(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("uva1309: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the reader of the output has closed it, like `head`.
fn is_broken_pipe(failure: &Failure) -> bool {
    matches!(failure, Failure::Write(error) if error.kind() == io::ErrorKind::BrokenPipe)
}
