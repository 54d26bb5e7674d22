//! `sudokuall` by method 7 of the array-methods article: four views, with the candidates of each cell counted.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    sudokuall::run_engine("counted_cells")
}
