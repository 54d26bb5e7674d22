//! Luogu P1784 by the method of its article: bit masks, fewest candidates first.
#![forbid(unsafe_code)]

use luogup1784::{NO_SOLUTION, read, run, write};
use std::process::ExitCode;
use sudoku::engine::{BitmaskFewest, Engine};

fn main() -> ExitCode {
    run(|input, output| {
        let puzzle = read(input)?;
        let solution = BitmaskFewest::new().first(&puzzle).ok_or(NO_SOLUTION)?;
        write(output, &solution)
    })
}
