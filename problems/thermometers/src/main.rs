//! `thermometers`: the input is 9 rows of 9 digits, `.` for an empty cell; the number of thermometers; for each its
//! number of cells, then their rows and columns from the bulb on. The output is the solution, as 9 rows of 9 digits.
#![forbid(unsafe_code)]

use program::{Failure, NO_SOLUTION};
use std::process::ExitCode;
use sudoku::notation::Notation;
use sudoku::{Cell, Rules, Solver, rules::Constraint};

fn main() -> ExitCode {
    program::run(|input, output| {
        let (puzzle, mut rules) = (input.expect_grid::<9>(Notation::ROWS)?, Rules::classic());
        for _ in 0..input.expect_number()? {
            let mut cells = Vec::new();
            for _ in 0..input.expect_number()? {
                let place = [input.expect_number()?, input.expect_number()?].map(|k| k as usize);
                let cell = Cell::new(place[0].wrapping_sub(1), place[1].wrapping_sub(1));
                cells.push(
                    cell.ok_or("a cell is outside the grid: give rows and columns from 1 to 9")?,
                );
            }
            let made = Constraint::thermometer(&cells);
            rules = rules.with(made.map_err(|error| Failure::Message(error.to_string()))?);
        }
        input.end()?;
        let solution = Solver::with_rules(&rules).first(&puzzle);
        Ok(output.grid(Notation::ROWS, &solution.ok_or(NO_SOLUTION)?)?)
    })
}
