//! `sudokuall` by method 6 of the array-methods article: four views, guessing where there are fewest candidates.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    sudokuall::run_engine("four_views_fewest")
}
