//! NowCoder NC47 as the site runs it, a function. The bundle for the site is made of `Solution`; this
//! program calls its function with a board and with a borrowed one.
#![forbid(unsafe_code)]

use program::NO_SOLUTION;
use std::process::ExitCode;
use sudoku::Grid;
use sudoku::engine::{Engine, nine::Bands};

/// What the site calls.
struct Solution;

impl Solution {
    /// NowCoder makes one per test.
    fn new() -> Self {
        Solution
    }

    /// NowCoder's function. Whether the site hands the board over or lends it is not documented:
    /// either is taken.
    #[allow(non_snake_case)]
    pub fn solveSudoku<B: Board>(&self, board: B) -> B::Answer {
        board.solved()
    }
}

/// A board as the site may pass it.
pub trait Board {
    /// What it gets back.
    type Answer;

    /// The board, filled.
    fn solved(self) -> Self::Answer;
}

impl Board for Vec<Vec<char>> {
    type Answer = Self;

    fn solved(mut self) -> Self {
        fill(&mut self);
        self
    }
}

impl Board for &mut Vec<Vec<char>> {
    type Answer = ();

    fn solved(self) {
        fill(self);
    }
}

/// Fills the board in place; one without a solution stays as it is.
fn fill(board: &mut [Vec<char>]) {
    let mut values = [[0; 9]; 9];
    for (to, from) in values.iter_mut().zip(board.iter()) {
        for (value, c) in to.iter_mut().zip(from) {
            *value = c.to_digit(10).unwrap_or(0) as u8;
        }
    }
    let puzzle = match Grid::from_rows(&values) {
        Ok(puzzle) => puzzle,
        Err(_) => return,
    };
    if let Some(solution) = Bands::new().first(&puzzle) {
        for (to, from) in board.iter_mut().zip(solution.to_rows()) {
            for (c, value) in to.iter_mut().zip(from) {
                *c = char::from(b'0' + value);
            }
        }
    }
}

fn main() -> ExitCode {
    nowcodernc47::run_with(|puzzle| {
        let character = |value: u8| {
            if value == 0 {
                '.'
            } else {
                char::from(b'0' + value)
            }
        };
        let row = |row: [u8; 9]| row.map(character).to_vec();
        let board: Vec<Vec<char>> = puzzle.to_rows().map(row).to_vec();
        let (mut lent, mut given) = (board.clone(), Solution::new().solveSudoku(board));
        Solution::new().solveSudoku(&mut lent);
        if lent != given {
            return Err("the lent board differs from the returned one".into());
        }
        let mut values = [[0; 9]; 9];
        for (to, from) in values.iter_mut().zip(&mut given) {
            for (value, c) in to.iter_mut().zip(from) {
                *value = c.to_digit(10).ok_or(NO_SOLUTION)? as u8;
            }
        }
        Ok(Grid::from_rows(&values).map_err(|_| "a function wrote no digit")?)
    })
}
