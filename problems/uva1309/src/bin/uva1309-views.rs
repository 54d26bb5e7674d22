//! UVa 1309 with the search on views, without learning. The bundles contain this program.
#![forbid(unsafe_code)]

use sudoku::engine::big::LargeViews;

fn main() -> std::process::ExitCode {
    uva1309::run(LargeViews)
}
