//! HDU 4069 (Squiggly Sudoku): the input is the number of puzzles, then 81 numbers for each: the
//! digit of the cell plus its walls, 16 above, 32 right, 64 below, 128 left. The output is the
//! unique solution, or a message that there are none or several.
#![forbid(unsafe_code)]

use program::Failure;
use std::process::ExitCode;
use sudoku::notation::Notation;
use sudoku::{Answer, Cell, Grid, Rules, Solver};

fn main() -> ExitCode {
    program::run(|input, output| {
        for number in 1..=input.expect_number()? {
            let mut codes = [[0; 9]; 9];
            for code in codes.as_flattened_mut() {
                *code = input.expect_number()?;
            }
            let wall = |a: Cell<9>, b: Cell<9>| if a.row() == b.row() { 32 } else { 64 };
            let rules = Rules::jigsaw_by_walls(|a, b| codes[a.row()][a.column()] & wall(a, b) == 0);
            let rules = rules.map_err(|e| Failure::Message(e.to_string()))?;
            let digits = codes.map(|row| row.map(|code| (code % 16) as u8));
            let puzzle = Grid::from_rows(&digits).map_err(|_| "a digit is above 9")?;
            output.text(&format!("Case {number}:\n"))?;
            match Solver::with_rules(&rules).solve(&puzzle) {
                Answer::Unique(solution) => output.grid(Notation::ROWS, &solution)?,
                Answer::Several(..) => output.text("Multiple Solutions\n")?,
                Answer::None => output.text("No solution\n")?,
            }
        }
        Ok(input.end()?)
    })
}
