//! UVa 1309 with the search on views, without learning. The bundles contain this program.
#![forbid(unsafe_code)]

use sudoku::engine::big::{Large, ViewsOnly};

fn main() -> std::process::ExitCode {
    uva1309::run(Large::new(ViewsOnly))
}
