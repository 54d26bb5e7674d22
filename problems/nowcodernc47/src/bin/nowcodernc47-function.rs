//! NowCoder NC47 as a function, as the site runs it. The bundle for the site is made of `Solution`;
//! this program calls its function with a board and with a borrowed board.
#![forbid(unsafe_code)]

use nowcodernc47::Board;
use std::process::ExitCode;
use sudoku::engine::nine::Bands;

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
        board.solved(Bands)
    }
}

fn main() -> ExitCode {
    nowcodernc47::run_function(
        |board| Solution::new().solveSudoku(board),
        |board| Solution::new().solveSudoku(board),
    )
}
