//! Luogu P1784: fills a Sudoku, with the fastest engine that is small enough to submit.
#![forbid(unsafe_code)]

use luogup1784::{NO_SOLUTION, read, run, write};
use std::process::ExitCode;
use sudoku::engine::{Engine, nine::Bands};

fn main() -> ExitCode {
    run(|input, output| {
        let puzzle = read(input)?;
        let solution = Bands::new().first(&puzzle).ok_or(NO_SOLUTION)?;
        write(output, &solution)
    })
}
