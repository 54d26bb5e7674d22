//! POJ 3074: the input is one puzzle per line of 81 characters, `.` for an empty cell, until the
//! line `end`. The output is one line per solution.
#![forbid(unsafe_code)]

use program::Failure;
use std::process::ExitCode;
use sudoku::notation::Notation;

fn main() -> ExitCode {
    program::run(|input, output| {
        let mut number = 0;
        while !input.keyword("end")? {
            number += 1;
            let puzzle = input.expect_grid::<9>(Notation::LINE)?;
            let solution = puzzle.solution().ok_or(Failure::NoSolution(number))?;
            output.grid(Notation::LINE, &solution)?;
        }
        Ok(())
    })
}
