//! NowCoder NC47 by the second method of its article: row by row, with a bit mask per house.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    nowcodernc47::run(sudoku::engine::Bitmask::new())
}
