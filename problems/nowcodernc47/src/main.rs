//! NowCoder NC47: fills a Sudoku, with the fastest engine that is small enough to submit.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    nowcodernc47::run(sudoku::engine::nine::Bands)
}
