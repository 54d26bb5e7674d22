//! The board type of a site that calls a function: rows of characters, with `.` for an empty cell.

use crate::{NO_SOLUTION, Result};
use sudoku::engine::Engine;
use sudoku::{Grid, Rules};

/// A board as the site passes it. The site does not document whether it passes the board by value
/// or by reference, so the function accepts both.
pub trait Board {
    /// The type that the function returns to the site.
    type Answer;

    /// Fills the board; leaves a board without a solution unchanged.
    fn solved(self, engine: impl Engine<9>) -> Self::Answer;
}

impl Board for Vec<Vec<char>> {
    type Answer = Self;

    fn solved(mut self, engine: impl Engine<9>) -> Self {
        fill(&mut self, engine);
        self
    }
}

impl Board for &mut Vec<Vec<char>> {
    type Answer = ();

    fn solved(self, engine: impl Engine<9>) {
        fill(self, engine);
    }
}

fn fill(board: &mut [Vec<char>], mut engine: impl Engine<9>) {
    let solution = to_grid(board).and_then(|puzzle| engine.first(&puzzle));
    if let Some(solution) = solution {
        for (to, from) in board.iter_mut().zip(solution.rows()) {
            for (c, &value) in to.iter_mut().zip(from) {
                *c = char::from(b'0' + value);
            }
        }
    }
}

/// Converts the board; `None` if a cell has another digit than 1 to 9.
fn to_grid(board: &[Vec<char>]) -> Option<Grid<9>> {
    let mut values = [[0; 9]; 9];
    for (to, from) in values.iter_mut().zip(board) {
        for (value, c) in to.iter_mut().zip(from) {
            *value = c.to_digit(10).unwrap_or(0) as u8;
        }
    }
    Grid::from_rows(&values).ok()
}

/// Converts a grid to a board, with `.` for empty cells.
pub fn of_grid(grid: &Grid<9>) -> Vec<Vec<char>> {
    let character = |value: u8| match value {
        0 => '.',
        _ => char::from(b'0' + value),
    };
    let row = |row: [u8; 9]| row.map(character).to_vec();
    grid.rows().map(row).to_vec()
}

/// Calls a site's function in both ways in which the site may call it: with the board, and with a
/// reference to the board.
///
/// # Errors
///
/// [`NO_SOLUTION`] if the function does not solve the board.
///
/// # Panics
///
/// If the two calls return different answers.
pub fn call_both(
    puzzle: &Grid<9>,
    own: impl Fn(Vec<Vec<char>>) -> Vec<Vec<char>>,
    lent: impl Fn(&mut Vec<Vec<char>>),
) -> Result<Grid<9>> {
    let mut board = of_grid(puzzle);
    let answer = own(board.clone());
    lent(&mut board);
    assert_eq!(board, answer, "the answers of the two calls differ");
    solution(&answer)
}

/// The grid of a board that a site's function returned.
///
/// # Errors
///
/// [`NO_SOLUTION`] if the board is not solved.
pub fn solution(board: &[Vec<char>]) -> Result<Grid<9>> {
    let is_solved = |grid: &Grid<9>| Rules::classic().is_solved_by(grid);
    to_grid(board).filter(is_solved).ok_or(NO_SOLUTION)
}
