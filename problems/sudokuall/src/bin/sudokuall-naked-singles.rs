//! `sudokuall` by method 3 of the array-methods article: naked singles, then a guess on a copy.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    sudokuall::run_engine("naked_singles")
}
