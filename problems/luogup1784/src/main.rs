//! Luogu P1784: fills a Sudoku, with the fastest engine.
#![forbid(unsafe_code)]

use luogup1784::{NO_SOLUTION, read, run, write};
use std::process::ExitCode;

fn main() -> ExitCode {
    run(|input, output| {
        let puzzle = read(input)?;
        let solution = sudoku::solve(&puzzle).ok_or(NO_SOLUTION)?;
        write(output, &solution)
    })
}
