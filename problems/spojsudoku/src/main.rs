//! SPOJ SUDOKU: the input is the number of puzzles, then 16 rows of 16 letters `A` to `P` for each,
//! `-` for an empty cell. The output is the solutions in the same form, with an empty line between
//! two.
#![forbid(unsafe_code)]

use program::Failure;
use std::process::ExitCode;
use sudoku::notation::Notation;

fn main() -> ExitCode {
    program::run(|input, output| {
        for number in 1..=input.expect_number()? {
            let puzzle = input.expect_grid::<16>(Notation::DASHED_ROWS)?;
            let solution = puzzle.solution().ok_or(Failure::NoSolution(number))?;
            if number > 1 {
                output.text("\n")?;
            }
            output.grid(Notation::DASHED_ROWS, &solution)?;
        }
        Ok(input.end()?)
    })
}
