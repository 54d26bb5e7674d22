//! `killer9`: the input is 9 rows of 9 digits, `.` for an empty cell; 9 rows of 9 numbers, the cage
//! of each cell, 0 for a cell without a cage; the sums of the cages. The output is the solution, as
//! 9 rows of 9 digits.
#![forbid(unsafe_code)]

use program::{Failure, NO_SOLUTION};
use std::process::ExitCode;
use sudoku::notation::Notation;
use sudoku::{Cell, Rules, Solver};

fn main() -> ExitCode {
    program::run(|input, output| {
        let puzzle = input.expect_grid::<9>(Notation::ROWS)?;
        let mut cages = vec![Vec::new(); 82];
        for cell in Cell::all() {
            let cage = cages.get_mut(input.expect_number()? as usize);
            cage.ok_or("the number of a cage is above 81")?.push(cell);
        }
        let mut rules = Rules::classic();
        for cells in cages[1..].iter().filter(|cells| !cells.is_empty()) {
            let sum = u32::try_from(input.expect_number()?).unwrap_or(u32::MAX);
            let caged = rules.with_cage(cells, sum);
            rules = caged.map_err(|error| Failure::Message(error.to_string()))?;
        }
        input.end()?;
        let solution = Solver::with_rules(&rules).first(&puzzle);
        Ok(output.grid(Notation::ROWS, &solution.ok_or(NO_SOLUTION)?)?)
    })
}
