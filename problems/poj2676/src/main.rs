//! POJ 2676: the input is the number of puzzles, then 9 rows of 9 digits for each, 0 for an empty
//! cell. The output is any solution of each, in the same form.
#![forbid(unsafe_code)]

use program::Failure;
use std::process::ExitCode;
use sudoku::notation::Notation;

fn main() -> ExitCode {
    program::run(|input, output| {
        for number in 1..=input.expect_number()? {
            let puzzle = input.expect_grid::<9>(Notation::ROWS)?;
            let solution = puzzle.solution().ok_or(Failure::NoSolution(number))?;
            output.grid(Notation::ROWS, &solution)?;
        }
        Ok(input.end()?)
    })
}
