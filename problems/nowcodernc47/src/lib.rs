//! NowCoder NC47: the site calls a function, and its sample files contain the board in brackets,
//! `[[.,.,9,...],...]`, with `.` for an empty cell. The programs read these files, and also nine
//! plain rows of nine characters; the output has the form of the input.
#![forbid(unsafe_code)]

pub use program::board::Board;

use program::board::call_both;
use program::{NO_SOLUTION, Result};
use std::process::ExitCode;
use sudoku::Grid;
use sudoku::engine::Engine;
use sudoku::notation::Notation;

/// The whole program: reads the board, fills it with `solve` and writes it.
pub fn run_with(solve: impl FnOnce(Grid<9>) -> Result<Grid<9>>) -> ExitCode {
    program::run(|input, output| {
        let is_bracketed = input.starts_with(b'[')?;
        let notation = [Notation::ROWS, Notation::BRACKETS][usize::from(is_bracketed)];
        let board = input.only_grid(notation)?;
        Ok(output.grid(notation, &solve(board)?)?)
    })
}

/// As [`run_with`], with an engine.
pub fn run(mut engine: impl Engine<9>) -> ExitCode {
    run_with(|board| engine.first(&board).ok_or(NO_SOLUTION))
}

/// As [`run_with`], with the site's function.
pub fn run_function(
    own: impl Fn(Vec<Vec<char>>) -> Vec<Vec<char>>,
    lent: impl Fn(&mut Vec<Vec<char>>),
) -> ExitCode {
    run_with(|puzzle| call_both(&puzzle, own, lent))
}
