//! UVa 1309: grids until the end of the input, each of 16 rows of 16 characters `A` to `P`, or `-` for
//! an empty cell, and one empty line between two grids. The output has the same form, without an
//! empty line after the last grid.
#![forbid(unsafe_code)]

use program::Failure;
use std::process::ExitCode;
use sudoku::engine::Engine;
use sudoku::notation::Notation;

/// The whole program: fills the grids with `engine`, one after the other, in constant memory.
pub fn run(mut engine: impl Engine<16>) -> ExitCode {
    program::run(|input, output| {
        let mut number = 0;
        while let Some(puzzle) = input.grid(Notation::DASHED_ROWS)? {
            number += 1;
            let solution = engine.first(&puzzle).ok_or(Failure::NoSolution(number))?;
            if number > 1 {
                output.text("\n")?;
            }
            output.grid(Notation::DASHED_ROWS, &solution)?;
        }
        Ok(())
    })
}
