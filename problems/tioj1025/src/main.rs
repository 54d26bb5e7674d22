//! TIOJ 1025: the input is one grid of 9 rows of 9 numbers, 0 for an empty cell. The output is
//! every solution in lexicographic order, each followed by an empty line, and their number.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use sudoku::notation::Notation;

fn main() -> ExitCode {
    program::run(|input, output| {
        let puzzle = input.only_grid::<9>(Notation::SPACED)?;
        let count = program::write_solutions(output, Notation::SPACED, |visit| {
            puzzle.for_each_solution(visit);
        })?;
        Ok(output.text(&format!("there are a total of {count} solution(s).\n"))?)
    })
}
