//! NowCoder NC47: the site runs a function, and its sample files hold the board in brackets,
//! `[[.,.,9,...],...]`, with `.` for an empty cell. The programs read these files, and also nine plain
//! rows of nine characters; the output has the form of the input.
#![forbid(unsafe_code)]

mod board;

pub use board::Board;

use program::{NO_SOLUTION, Result};
use std::process::ExitCode;
use sudoku::Grid;
use sudoku::engine::Engine;
use sudoku::notation::Notation;

/// Reads the board, fills it with `solve` and writes it: a whole program.
pub fn run_with(solve: impl FnOnce(Grid<9>) -> Result<Grid<9>>) -> ExitCode {
    program::run(|input, output| {
        let is_bracketed = input.starts_with(b'[')?;
        let notation = [Notation::ROWS, Notation::BRACKETS][usize::from(is_bracketed)];
        let board = input.only_grid(notation)?;
        Ok(output.grid(notation, &solve(board)?)?)
    })
}

/// The same with an engine.
pub fn run(mut engine: impl Engine<9>) -> ExitCode {
    run_with(|board| engine.first(&board).ok_or(NO_SOLUTION))
}

/// The same with the site's function, for both ways in which the site may call it: with the board, and
/// with a reference to it.
///
/// # Panics
///
/// If the two ways give different answers.
pub fn run_function(
    own: impl Fn(Vec<Vec<char>>) -> Vec<Vec<char>>,
    lent: impl Fn(&mut Vec<Vec<char>>),
) -> ExitCode {
    run_with(|puzzle| {
        let mut board = board::of_grid(&puzzle);
        let answer = own(board.clone());
        lent(&mut board);
        assert_eq!(board, answer, "the two ways differ");
        let solution = board::to_grid(&answer);
        solution.filter(Grid::is_full).ok_or(NO_SOLUTION)
    })
}
