//! LeetCode 37: the site calls a function; its sample files contain the board as JSON,
//! `[["5",".",...],...]`. The program reads a board, calls the function and writes the board.
#![forbid(unsafe_code)]

use program::board;
use std::process::ExitCode;
use sudoku::notation::Notation;

/// The type that the site declares.
struct Solution;

impl Solution {
    /// The function that the site calls, with the site's signature. Leaves a board without a solution unchanged.
    #[allow(clippy::ptr_arg)]
    pub fn solve_sudoku(board: &mut Vec<Vec<char>>) {
        let line: String = board.iter().flatten().collect();
        let puzzle = Notation::LINE.parse::<9>(&line).ok();
        let Some(solution) = puzzle.and_then(|puzzle| puzzle.solution()) else {
            return;
        };
        let solved = Notation::LINE.format(&solution);
        for (cell, c) in board.iter_mut().flatten().zip(solved.chars()) {
            *cell = c;
        }
    }
}

fn main() -> ExitCode {
    program::run(|input, output| {
        let puzzle = input.only_grid::<9>(Notation::BRACKETS)?;
        let mut board = board::of_grid(&puzzle);
        Solution::solve_sudoku(&mut board);
        board::solution(&board)?;
        let strings = |row: &Vec<char>| row.iter().map(char::to_string).collect::<Vec<_>>();
        let board: Vec<_> = board.iter().map(strings).collect();
        Ok(output.text(&format!("{board:?}\n"))?)
    })
}
