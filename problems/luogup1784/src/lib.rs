//! What the programs for Luogu P1784 share: the form of the judge's files, and how a program ends.
//!
//! A file holds one grid: 9 rows of 9 numbers with blanks between, 0 for an empty cell.
#![forbid(unsafe_code)]

use std::error::Error;
use std::io::{self, Read, StdinLock, StdoutLock, Write};
use std::process::ExitCode;
use sudoku::Grid;
use sudoku::notation::{Input, Notation, Output};

/// What a step of a program gives.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What is said of a puzzle that cannot be filled; the problem has no words of its own for it.
pub const NO_SOLUTION: &str = "the puzzle has no solution: check its digits";

/// Reads the puzzle, which is all that `input` may hold.
///
/// # Errors
///
/// When `input` fails, or holds something else: with its line and column.
pub fn read(input: impl Read) -> Result<Grid<9>> {
    let mut input = Input::new(input);
    let puzzle = input.expect_grid(Notation::SPACED)?;
    input.end()?;
    Ok(puzzle)
}

/// Writes the solution.
///
/// # Errors
///
/// The output's.
pub fn write(output: impl Write, solution: &Grid<9>) -> Result<()> {
    let mut output = Output::new(output);
    output.grid(Notation::SPACED, solution)?;
    Ok(output.finish()?)
}

/// Runs `program` on standard input and output; an error goes to standard error.
pub fn run(program: impl FnOnce(StdinLock, StdoutLock) -> Result<()>) -> ExitCode {
    match program(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("luogup1784: {error}");
            ExitCode::FAILURE
        }
    }
}
