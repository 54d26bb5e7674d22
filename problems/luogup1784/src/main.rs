//! Luogu P1784: fills a Sudoku, with the fastest engine that is small enough to submit.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    luogup1784::run(sudoku::engine::nine::Bands)
}
