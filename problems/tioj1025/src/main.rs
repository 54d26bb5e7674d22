//! TIOJ 1025: one grid of 9 rows of 9 numbers, 0 for an empty cell; every solution in lexicographic order,
//! each with an empty line after it, and how many there are.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use sudoku::notation::Notation;

fn main() -> ExitCode {
    program::run(|input, output| {
        let puzzle = input.only_grid::<9>(Notation::SPACED)?;
        let mut count = 0;
        for solution in sudoku::solutions(&puzzle) {
            count += 1;
            output.grid(Notation::SPACED, &solution)?;
            output.text("\n")?;
        }
        Ok(output.text(&format!("there are a total of {count} solution(s).\n"))?)
    })
}
