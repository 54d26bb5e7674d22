//! UVa 1309 by the method of its article: exact cover with dancing links.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use sudoku::engine::{DancingLinks, Engine};
use uva1309::{Grids, run};

fn main() -> ExitCode {
    run(|input, output| {
        let mut grids = Grids::new(input, output);
        let mut engine = DancingLinks::default();
        while let Some(puzzle) = grids.read()? {
            grids.write(engine.first(&puzzle))?;
        }
        grids.finish()
    })
}
