//! What the programs for NowCoder NC47 share: the form of the site's files, and how a program
//! ends.
//!
//! The site runs a function; its sample files hold the board in brackets, `[[.,.,9,...],...]`,
//! with `.` for an empty cell. Nine plain rows of nine characters are read as well, and answered
//! in the same form.
#![forbid(unsafe_code)]

use std::error::Error;
use std::io::{self, Read, StdinLock, StdoutLock, Write};
use std::process::ExitCode;
use sudoku::Grid;
use sudoku::notation::{Input, Notation, Output};

/// What a step of a program gives.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What is said of a board that cannot be filled; the problem has no words of its own for it.
pub const NO_SOLUTION: &str = "the board has no solution: check its digits";

/// Reads the board, which is all that `input` may hold, and the form that it is written in.
///
/// # Errors
///
/// When `input` fails, or holds something else: with its line and column.
pub fn read(input: impl Read) -> Result<(Grid<9>, Notation)> {
    let mut input = Input::new(input);
    let notation = if input.starts_with(b'[')? {
        Notation::BRACKETS
    } else {
        Notation::ROWS
    };
    let board = input.expect_grid(notation)?;
    input.end()?;
    Ok((board, notation))
}

/// Writes the board in the given form.
///
/// # Errors
///
/// The output's.
pub fn write(output: impl Write, notation: Notation, board: &Grid<9>) -> Result<()> {
    let mut output = Output::new(output);
    output.grid(notation, board)?;
    Ok(output.finish()?)
}

/// Runs `program` on standard input and output; an error goes to standard error.
pub fn run(program: impl FnOnce(StdinLock, StdoutLock) -> Result<()>) -> ExitCode {
    match program(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("nowcodernc47: {error}");
            ExitCode::FAILURE
        }
    }
}
