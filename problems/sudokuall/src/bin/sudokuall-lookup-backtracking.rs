//! `sudokuall` by method 2 of the array-methods article: backtracking with look-up tables.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    sudokuall::run_engine("lookup_backtracking")
}
