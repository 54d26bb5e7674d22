//! `sudokuall` by method 4 of the array-methods article: naked singles on one grid, undone from a stack.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    sudokuall::run_engine("naked_singles_undo")
}
