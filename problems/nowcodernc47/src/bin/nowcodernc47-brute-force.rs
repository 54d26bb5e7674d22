//! NowCoder NC47 by the first method of its article: row by row, each digit checked against the
//! whole board.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    nowcodernc47::run(sudoku::engine::BruteForce::new())
}
