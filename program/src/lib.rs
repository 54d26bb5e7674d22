//! Code shared by the programs in `problems/`: standard input and output, errors, exit status.
//!
//! ```no_run
//! use sudoku::notation::Notation;
//!
//! fn main() -> std::process::ExitCode {
//!     program::run(|input, output| {
//!         let puzzle = input.only_grid::<9>(Notation::SPACED)?;
//!         let solution = puzzle.solution().ok_or(program::NO_SOLUTION)?;
//!         Ok(output.grid(Notation::SPACED, &solution)?)
//!     })
//! }
//! ```
#![forbid(unsafe_code)]

pub mod board;
pub mod digits;

use std::fmt;
use std::io::{self, StdinLock, StdoutLock, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;
use sudoku::Grid;
use sudoku::notation::{Input, Notation, Output, ReadError};

/// The result of a program or of one of its steps.
pub type Result<T> = std::result::Result<T, Failure>;

/// The error for a puzzle without a solution, if the problem defines no output for it.
pub const NO_SOLUTION: Failure = Failure::NoSolution(1);

/// An error that ends a program.
///
/// An enum instead of `Box<dyn Error>`: a C++ bundle writes no messages, and the linker drops the
/// formatting code only if no value refers to it (18 KB for UVa 1309, whose limit is 40).
#[derive(Debug)]
pub enum Failure {
    /// The input failed, or is malformed.
    Read(ReadError),
    /// The output failed.
    Write(io::Error),
    /// The puzzle with this number, from 1, has no solution, and the problem defines no output for it.
    NoSolution(u64),
    /// Any other error.
    Message(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Read(error) => error.fmt(f),
            Failure::Write(error) => error.fmt(f),
            Failure::NoSolution(1) => f.write_str("the puzzle has no solution: check its givens"),
            Failure::NoSolution(number) => {
                write!(f, "puzzle {number} has no solution: check its givens")
            }
            Failure::Message(message) => f.write_str(message),
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

impl From<&str> for Failure {
    fn from(message: &str) -> Self {
        Failure::Message(message.to_owned())
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Failure::Message(message)
    }
}

/// Runs `solve` on standard input and output, and flushes the output.
///
/// An error is written to standard error and ends the program with failure; output written before
/// it is still flushed. A closed output (`... | head -1`) is not a failure.
pub fn run<S>(solve: S) -> ExitCode
where
    S: FnOnce(&mut Input<StdinLock>, &mut Output<StdoutLock>) -> Result<()>,
{
    let mut output = Output::new(io::stdout().lock());
    let solved = solve(&mut Input::new(io::stdin().lock()), &mut output);
    let finished = output.finish();
    match solved.and_then(|()| Ok(finished?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the solutions that `search` passes to its visitor, in that order, each in `notation` and
/// followed by an empty line. Returns the number of solutions.
///
/// # Errors
///
/// The error of the output, which also ends the search.
pub fn write_solutions<const N: usize>(
    output: &mut Output<impl Write>,
    notation: Notation,
    search: impl FnOnce(&mut dyn FnMut(&Grid<N>) -> ControlFlow<()>),
) -> Result<u64> {
    let (mut count, mut written) = (0, Ok(()));
    search(&mut |solution| {
        count += 1;
        let grid = output.grid(notation, solution);
        written = grid.and_then(|()| output.text("\n"));
        match written.is_ok() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    written?;
    Ok(count)
}
