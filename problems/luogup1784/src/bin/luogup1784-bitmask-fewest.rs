//! Luogu P1784 by the method of its article: bit masks, fewest candidates first.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    luogup1784::run(sudoku::engine::BitmaskFewest)
}
