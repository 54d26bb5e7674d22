//! `sudokuall`: every solution of a Sudoku in lexicographic order, and how many there are.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use sudokuall::{Solutions, read, run};

fn main() -> ExitCode {
    run(|input, output| {
        let puzzle = read(input)?;
        let mut solutions = Solutions::new(output);
        sudoku::solve_in_order(&puzzle, &mut |solution| solutions.write(solution));
        solutions.finish()
    })
}
