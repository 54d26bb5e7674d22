//! `samurai`: the input is 21 rows of 21 symbols, digits, `.` for an empty cell and `#` outside the five grids. The
//! output is the solution in the same form.
#![forbid(unsafe_code)]

use program::{Failure, NO_SOLUTION};
use std::process::ExitCode;
use sudoku::OverlapSolver;
use sudoku::rules::Overlap;

fn main() -> ExitCode {
    program::run(|input, output| {
        let samurai = Overlap::samurai();
        let mut rows = Vec::new();
        while let Some(row) = input.word()? {
            rows.push(row);
        }
        let puzzle = samurai.parse(&rows.join("\n"));
        let puzzle = puzzle.map_err(|error| Failure::Message(error.to_string()))?;
        let solutions = OverlapSolver::new(&samurai).solutions(&puzzle, 1);
        let solution = solutions.first().ok_or(NO_SOLUTION)?;
        Ok(output.text(&samurai.format(solution))?)
    })
}
