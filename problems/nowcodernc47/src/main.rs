//! NowCoder NC47: fills a Sudoku, with the fastest engine.
#![forbid(unsafe_code)]

use nowcodernc47::{NO_SOLUTION, read, run, write};
use std::process::ExitCode;

fn main() -> ExitCode {
    run(|input, output| {
        let (board, notation) = read(input)?;
        let solution = sudoku::solve(&board).ok_or(NO_SOLUTION)?;
        write(output, notation, &solution)
    })
}
