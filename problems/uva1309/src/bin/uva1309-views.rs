//! UVa 1309 with the search on views without learning: the program that is bundled.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    uva1309::run(sudoku::engine::big::LargeViews::new())
}
