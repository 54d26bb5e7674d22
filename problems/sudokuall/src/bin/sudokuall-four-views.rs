//! `sudokuall` by method 5 of the array-methods article: singles seen from cell, row, column and box.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    sudokuall::run_engine("four_views")
}
