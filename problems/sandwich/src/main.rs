//! `sandwich`: the input is 9 rows of 9 digits, `.` for an empty cell; the sums of the digits between 1 and 9 of the
//! 9 rows, then of the 9 columns. The output is the solution, as 9 rows of 9 digits.
#![forbid(unsafe_code)]

use program::{Failure, NO_SOLUTION};
use std::process::ExitCode;
use sudoku::notation::Notation;
use sudoku::{Rules, Solver, rules::Constraint};

fn main() -> ExitCode {
    program::run(|input, output| {
        let puzzle = input.expect_grid::<9>(Notation::ROWS)?;
        let mut rules = Rules::classic();
        for line in &Rules::<9>::classic().houses()[..18] {
            let sum = u32::try_from(input.expect_number()?).unwrap_or(u32::MAX);
            let made = Constraint::sandwich(&line.cells, sum);
            rules = rules.with(made.map_err(|error| Failure::Message(error.to_string()))?);
        }
        input.end()?;
        let solution = Solver::with_rules(&rules).first(&puzzle);
        Ok(output.grid(Notation::ROWS, &solution.ok_or(NO_SOLUTION)?)?)
    })
}
