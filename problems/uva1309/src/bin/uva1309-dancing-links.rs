//! UVa 1309 by the method of its article: exact cover with dancing links.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    uva1309::run(sudoku::engine::DancingLinks::default())
}
