//! `sudokuall` by method 1 of the array-methods article: plain backtracking.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    sudokuall::run_engine("backtracking")
}
