//! NowCoder NC47 by the first method of its article: row by row, each digit checked against the
//! whole board.
#![forbid(unsafe_code)]

use nowcodernc47::{NO_SOLUTION, read, run, write};
use std::process::ExitCode;
use sudoku::engine::{BruteForce, Engine};

fn main() -> ExitCode {
    run(|input, output| {
        let (board, notation) = read(input)?;
        let solution = BruteForce::new().first(&board).ok_or(NO_SOLUTION)?;
        write(output, notation, &solution)
    })
}
