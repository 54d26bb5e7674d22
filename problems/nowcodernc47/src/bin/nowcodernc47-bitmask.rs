//! NowCoder NC47 by the second method of its article: row by row, with a bit mask per house.
#![forbid(unsafe_code)]

use nowcodernc47::{NO_SOLUTION, read, run, write};
use std::process::ExitCode;
use sudoku::engine::{Bitmask, Engine};

fn main() -> ExitCode {
    run(|input, output| {
        let (board, notation) = read(input)?;
        let solution = Bitmask::new().first(&board).ok_or(NO_SOLUTION)?;
        write(output, notation, &solution)
    })
}
