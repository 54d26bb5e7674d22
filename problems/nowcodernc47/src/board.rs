//! The board as the site's function gets it.

use sudoku::Grid;
use sudoku::engine::Engine;

/// A board as the site passes it. Whether it hands the board over or lends it is not documented: the
/// function takes either.
pub trait Board {
    /// What the site gets back.
    type Answer;

    /// The board, filled; one without a solution as it is.
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
        for (to, from) in board.iter_mut().zip(solution.to_rows()) {
            for (c, value) in to.iter_mut().zip(from) {
                *c = char::from(b'0' + value);
            }
        }
    }
}

/// The digits of the board; `None` if a cell has another digit than 1 to 9.
pub(crate) fn to_grid(board: &[Vec<char>]) -> Option<Grid<9>> {
    let mut values = [[0; 9]; 9];
    for (to, from) in values.iter_mut().zip(board) {
        for (value, c) in to.iter_mut().zip(from) {
            *value = c.to_digit(10).unwrap_or(0) as u8;
        }
    }
    Grid::from_rows(&values).ok()
}

/// The board with `.` for empty cells.
pub(crate) fn of_grid(grid: &Grid<9>) -> Vec<Vec<char>> {
    let character = |value: u8| match value {
        0 => '.',
        _ => char::from(b'0' + value),
    };
    let row = |row: [u8; 9]| row.map(character).to_vec();
    grid.to_rows().map(row).to_vec()
}
