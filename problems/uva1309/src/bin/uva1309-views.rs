//! UVa 1309 with the search on views without learning: what is bundled.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use sudoku::engine::{Engine, big::LargeViews};
use uva1309::{Grids, run};

fn main() -> ExitCode {
    run(|input, output| {
        let mut grids = Grids::new(input, output);
        let mut engine = LargeViews::new();
        while let Some(puzzle) = grids.read()? {
            grids.write(engine.first(&puzzle))?;
        }
        grids.finish()
    })
}
