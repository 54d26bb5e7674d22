//! UVa 10957: the input is grids of 9 rows of 9 numbers with empty lines between. The output for
//! each is whether it has one solution, several or none, or already breaks a rule.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use sudoku::notation::Notation;
use sudoku::{Answer, Rules};

fn main() -> ExitCode {
    program::run(|input, output| {
        let mut number = 0;
        while let Some(puzzle) = input.grid::<9>(Notation::SPACED)? {
            number += 1;
            let verdict = match puzzle.solve() {
                Answer::Unique(_) => "Unique",
                Answer::Several(..) => "Ambiguous",
                Answer::None if Rules::classic().allow(&puzzle) => "Impossible",
                Answer::None => "Illegal",
            };
            output.text(&format!("Case {number}: {verdict}.\n"))?;
        }
        Ok(())
    })
}
