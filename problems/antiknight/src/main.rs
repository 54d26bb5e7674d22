//! `antiknight`: the input is the number of puzzles, then 9 rows of 9 digits for each, `.` for an empty cell. No
//! digit is a knight's move from the same digit. The output is the unique solution, or `none`, or `several`.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use sudoku::notation::Notation;
use sudoku::rules::Constraint;
use sudoku::{Answer, Rules, Solver};

fn main() -> ExitCode {
    program::run(|input, output| {
        let mut solver = Solver::<9>::with_rules(&Rules::classic().with(Constraint::anti_knight()));
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
