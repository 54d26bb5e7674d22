//! UVa 1309: fills 16x16 Sudokus until the end of the input, with the engine for large grids.
#![forbid(unsafe_code)]

use sudoku::engine::big::Large;

fn main() -> std::process::ExitCode {
    uva1309::run(Large)
}
