//! UVa 1309 with the engine that makes the smallest fast program: what is bundled for C++.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use sudoku::Rules;
use sudoku::engine::{Engine, Order, Views};
use uva1309::{Grids, run};

fn main() -> ExitCode {
    run(|input, output| {
        let mut grids = Grids::new(input, output);
        let mut engine = Views::<16, u16>::new(&Rules::classic(), Order::Smallest);
        while let Some(puzzle) = grids.read()? {
            grids.write(engine.first(&puzzle))?;
        }
        grids.finish()
    })
}
