//! `sudokuall` by method 8 of the array-methods article: four views, all of them counted.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    sudokuall::run_engine("counted_views")
}
