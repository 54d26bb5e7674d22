//! Kattis sudokunique: the input is grids of 9 rows of 9 numbers. The output for each is the unique
//! solution, or a message that there are several or none, with an empty line between two answers.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use sudoku::Answer;
use sudoku::notation::Notation;

fn main() -> ExitCode {
    program::run(|input, output| {
        let mut between = "";
        while let Some(puzzle) = input.grid::<9>(Notation::SPACED)? {
            output.text(std::mem::replace(&mut between, "\n"))?;
            match puzzle.solve() {
                Answer::Unique(solution) => output.grid(Notation::SPACED, &solution)?,
                Answer::Several(..) => output.text("Non-unique\n")?,
                Answer::None => output.text("Find another job\n")?,
            }
        }
        Ok(())
    })
}
