//! TIOJ 1025: one grid of 9 rows of 9 numbers, 0 for an empty cell; every solution in lexicographic order,
//! each with an empty line after it, and how many there are.
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
