//! NowCoder NC47 by the second method of its article, as a function: row by row, with a bit mask per
//! house.
#![forbid(unsafe_code)]

use nowcodernc47::Board;
use std::process::ExitCode;
use sudoku::engine::Bitmask;

/// The type that the site calls.
struct Solution;

impl Solution {
    /// The site creates one instance per test.
    fn new() -> Self {
        Solution
    }

    /// The function that the site calls.
    #[allow(non_snake_case)]
    pub fn solveSudoku<B: Board>(&self, board: B) -> B::Answer {
        board.solved(Bitmask)
    }
}

fn main() -> ExitCode {
    nowcodernc47::run_function(
        |board| Solution::new().solveSudoku(board),
        |board| Solution::new().solveSudoku(board),
    )
}
