//! NowCoder NC47 as the site runs it, a function. The bundle for the site is made of `Solution`; this
//! program calls its function with a board and with a borrowed one.
#![forbid(unsafe_code)]

use nowcodernc47::Board;
use std::process::ExitCode;
use sudoku::engine::nine::Bands;

/// What the site calls.
struct Solution;

impl Solution {
    /// The site makes one per test.
    fn new() -> Self {
        Solution
    }

    /// The function that the site calls.
    #[allow(non_snake_case)]
    pub fn solveSudoku<B: Board>(&self, board: B) -> B::Answer {
        board.solved(Bands)
    }
}

fn main() -> ExitCode {
    nowcodernc47::run_function(
        |board| Solution::new().solveSudoku(board),
        |board| Solution::new().solveSudoku(board),
    )
}
