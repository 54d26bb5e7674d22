//! HDU 1426: the input is grids of 9 rows of 9 digits with blanks between, `?` for an empty cell.
//! The output is the solutions. An empty line separates two grids in input and output.
#![forbid(unsafe_code)]

use program::Failure;
use std::process::ExitCode;
use sudoku::notation::Notation;

fn main() -> ExitCode {
    program::run(|input, output| {
        let mut number = 0;
        while let Some(puzzle) = input.grid::<9>(Notation::SPACED)? {
            number += 1;
            let solution = puzzle.solution().ok_or(Failure::NoSolution(number))?;
            if number > 1 {
                output.text("\n")?;
            }
            output.grid(Notation::SPACED, &solution)?;
        }
        Ok(())
    })
}
