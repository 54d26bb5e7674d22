//! UVa 1309: fills 16x16 Sudokus until the end of the input, with the engine for large grids.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use sudoku::engine::{Engine, big::Large};
use uva1309::{Grids, run};

fn main() -> ExitCode {
    run(|input, output| {
        let mut grids = Grids::new(input, output);
        let mut engine = Large::new();
        while let Some(puzzle) = grids.read()? {
            grids.write(engine.first(&puzzle))?;
        }
        grids.finish()
    })
}
