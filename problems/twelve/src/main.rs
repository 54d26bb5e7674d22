//! `twelve`: the input is the number of puzzles, then 12 rows of 12 letters from `A` to `L` for each, `.` for an empty
//! cell, with boxes 3 cells high and 4 wide. The output is the unique solution, or `none`, or `several`.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use sudoku::notation::Notation;
use sudoku::{Answer, Solver};

fn main() -> ExitCode {
    program::run(|input, output| {
        let mut solver = Solver::<12>::new();
        for _ in 0..input.expect_number()? {
            match solver.solve(&input.expect_grid(Notation::ROWS)?) {
                Answer::Unique(solution) => output.grid(Notation::ROWS, &solution)?,
                Answer::Several(..) => output.text("several\n")?,
                Answer::None => output.text("none\n")?,
            }
        }
        Ok(input.end()?)
    })
}
