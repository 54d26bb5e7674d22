//! TIOJ 1025: the input is one grid of 9 rows of 9 numbers, 0 for an empty cell. The output is
//! every solution in lexicographic order, each followed by an empty line, and their number.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use sudoku::engine::Visitor;
use sudoku::notation::Notation;

fn main() -> ExitCode {
    program::run(|input, output| {
        let puzzle = input.only_grid(Notation::SPACED)?;
        let search = |visit: &mut Visitor<'_, 9>| {
            sudoku::solve_in_order(&puzzle, visit);
        };
        let count = program::write_solutions(output, Notation::SPACED, search)?;
        Ok(output.text(&format!("there are a total of {count} solution(s).\n"))?)
    })
}
