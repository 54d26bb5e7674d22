//! `six`: the input is the number of puzzles, then 6 rows of 6 digits for each, `.` for an empty
//! cell, with boxes 2 cells high and 3 wide. The output is the unique solution, or `none`, or
//! `several`.
#![forbid(unsafe_code)]

use program::Failure;
use std::process::ExitCode;
use sudoku::notation::Notation;
use sudoku::{Answer, Rules, Solver};

fn main() -> ExitCode {
    program::run(|input, output| {
        let rules = Rules::<6>::boxes(2, 3).map_err(|e| Failure::Message(e.to_string()))?;
        let mut solver = Solver::with_rules(&rules);
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
