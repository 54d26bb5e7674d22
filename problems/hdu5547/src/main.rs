//! HDU 5547: the input is the number of puzzles, then 4 rows of 4 digits for each, `*` for an empty
//! cell. The output is each solution after a line with its number.
#![forbid(unsafe_code)]

use program::Failure;
use std::process::ExitCode;
use sudoku::notation::Notation;

fn main() -> ExitCode {
    program::run(|input, output| {
        for number in 1..=input.expect_number()? {
            let puzzle = input.expect_grid::<4>(Notation::ROWS)?;
            let solution = puzzle.solution().ok_or(Failure::NoSolution(number))?;
            output.text(&format!("Case #{number}:\n"))?;
            output.grid(Notation::ROWS, &solution)?;
        }
        Ok(input.end()?)
    })
}
