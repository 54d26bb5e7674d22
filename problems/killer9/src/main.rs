//! `killer9`: the number of cages, then for each its sum, its number of cells, and their numbers, row by row from
//! 1 to 81; the solution as 9 rows of 9 digits.
#![forbid(unsafe_code)]

use program::{Failure, NO_SOLUTION};
use std::process::ExitCode;
use sudoku::notation::Notation;
use sudoku::{Cell, Grid, Rules, Solver};

fn main() -> ExitCode {
    program::run(|input, output| {
        let mut rules = Rules::<9>::classic();
        for _ in 0..input.expect_number()? {
            let (sum, mut cells) = (input.expect_number()?, Vec::new());
            for _ in 0..input.expect_number()? {
                let index = (input.expect_number()? as usize).wrapping_sub(1);
                cells.push(Cell::new(index / 9, index % 9).ok_or("a cell is not from 1 to 81")?);
            }
            let cage = rules.with_cage(&cells, u32::try_from(sum).unwrap_or(u32::MAX));
            rules = cage.map_err(|e| Failure::Message(e.to_string()))?;
        }
        input.end()?;
        let solution = Solver::with_rules(&rules)
            .first(&Grid::EMPTY)
            .ok_or(NO_SOLUTION)?;
        Ok(output.grid(Notation::ROWS, &solution)?)
    })
}
