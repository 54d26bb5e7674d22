//! Luogu P1784: one grid of 9 rows of 9 numbers with blanks between, 0 for an empty cell; the output
//! has the same form.
#![forbid(unsafe_code)]

use program::NO_SOLUTION;
use std::process::ExitCode;
use sudoku::engine::Engine;
use sudoku::notation::Notation;

/// The whole program: reads the puzzle, fills it with `engine` and writes the solution.
pub fn run(mut engine: impl Engine<9>) -> ExitCode {
    program::run(|input, output| {
        let puzzle = input.only_grid(Notation::SPACED)?;
        let solution = engine.first(&puzzle).ok_or(NO_SOLUTION)?;
        Ok(output.grid(Notation::SPACED, &solution)?)
    })
}
