//! NowCoder NC47: fills a Sudoku, with the fastest engine that is small enough to submit.
#![forbid(unsafe_code)]

use nowcodernc47::{NO_SOLUTION, read, run, write};
use std::process::ExitCode;
use sudoku::engine::{Engine, nine::Bands};

fn main() -> ExitCode {
    run(|input, output| {
        let (board, notation) = read(input)?;
        let solution = Bands::new().first(&board).ok_or(NO_SOLUTION)?;
        write(output, notation, &solution)
    })
}
