//! Several grids that share cells, such as a Samurai.

use super::{Rules, RulesError};
use crate::grid::{Cell, Digit, Grid};
use core::fmt::{self, Write};

/// Grids of `N`x`N` cells at places of a larger board; where two overlap, they share the cells.
///
/// Each grid has its own rules. A puzzle is one [`Grid`] for each, in the same order; a shared
/// cell may be given in any of its grids. [`OverlapSolver`](crate::OverlapSolver) solves it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Overlap<const N: usize> {
    /// The row and column of the first cell of each grid.
    corners: Vec<(usize, usize)>,
    rules: Vec<Rules<N>>,
    /// The number of each cell of each grid, `N * N` per grid. Numbers count the board's cells row by row.
    numbers: Vec<usize>,
    cells: usize,
    size: (usize, usize),
}

/// The maximum number of grids, and the maximum row or column of a corner.
const MAX_GRIDS: usize = 64;
const MAX_CORNER: usize = 1000;

impl<const N: usize> Overlap<N> {
    /// Grids with their rules, each with the row and column of its first cell on the board, from 0.
    ///
    /// # Errors
    ///
    /// [`RulesError::Overlap`] without a grid, with more than 64, two at the same place, or a
    /// corner beyond row or column 1000.
    pub fn new(
        grids: impl IntoIterator<Item = ((usize, usize), Rules<N>)>,
    ) -> Result<Self, RulesError> {
        let (corners, rules): (Vec<(usize, usize)>, Vec<Rules<N>>) = grids.into_iter().unzip();
        if corners.is_empty() || corners.len() > MAX_GRIDS {
            let grid = corners.len().min(MAX_GRIDS);
            return Err(RulesError::Overlap { grid });
        }
        for (grid, corner) in corners.iter().enumerate() {
            if corner.0.max(corner.1) > MAX_CORNER || corners[..grid].contains(corner) {
                return Err(RulesError::Overlap { grid });
            }
        }
        let places = |&(top, left): &(usize, usize)| {
            (0..N * N).map(move |cell| (top + cell / N, left + cell % N))
        };
        let mut all: Vec<(usize, usize)> = corners.iter().flat_map(places).collect();
        all.sort_unstable();
        all.dedup();
        let number = |place| match all.binary_search(&place) {
            Ok(number) => number,
            Err(_) => unreachable!("every cell is in the list"),
        };
        let size = all.iter().fold((0, 0), |(height, width), place| {
            (height.max(place.0 + 1), width.max(place.1 + 1))
        });
        Ok(Overlap {
            numbers: corners.iter().flat_map(places).map(number).collect(),
            cells: all.len(),
            corners,
            rules,
            size,
        })
    }

    /// The rules of each grid.
    pub fn rules(&self) -> &[Rules<N>] {
        &self.rules
    }

    /// The rows and columns of the board.
    pub fn size(&self) -> (usize, usize) {
        self.size
    }

    /// The number of cells; shared ones count once.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// The number of a grid's cell.
    pub(crate) fn cell(&self, grid: usize, cell: usize) -> usize {
        self.numbers[grid * N * N + cell]
    }

    /// The digits of a puzzle by the numbers of the cells, or `None` if two grids give a shared cell
    /// different digits, a rule is broken, or there are not as many grids.
    pub(crate) fn values(&self, puzzle: &[Grid<N>]) -> Option<Vec<u8>> {
        if puzzle.len() != self.rules.len() {
            return None;
        }
        let mut values = vec![0; self.cells];
        for (grid, digits) in puzzle.iter().enumerate() {
            for (cell, digit) in digits.givens() {
                let value = &mut values[self.cell(grid, cell.index())];
                if *value != 0 && *value != digit.value() {
                    return None;
                }
                *value = digit.value();
            }
        }
        let grids = self.grids(&values);
        let mut rules = self.rules.iter().zip(&grids);
        rules
            .all(|(rules, grid)| rules.allow(grid))
            .then_some(values)
    }

    /// The grids with these digits, by the numbers of the cells; 0 for an empty one.
    pub(crate) fn grids(&self, values: &[u8]) -> Vec<Grid<N>> {
        let grid = |grid: usize| {
            let mut digits = Grid::EMPTY;
            for cell in Cell::all() {
                digits.set(cell, Digit::new(values[self.cell(grid, cell.index())]));
            }
            digits
        };
        (0..self.rules.len()).map(grid).collect()
    }

    /// Whether all grids are full, agree where they overlap and break no rule.
    pub fn is_solved_by(&self, grids: &[Grid<N>]) -> bool {
        self.values(grids).is_some() && grids.iter().all(Grid::is_full)
    }

    /// Reads the board: a line per row, a character per column, `.` or `0` for an empty cell, `#` outside the grids.
    /// Values above 9 are letters from `A`.
    ///
    /// # Errors
    ///
    /// [`BoardError`] names the first character that is none of these, or missing.
    pub fn parse(&self, board: &str) -> Result<Vec<Grid<N>>, BoardError> {
        let mut places = vec![None; self.size.0 * self.size.1];
        for (index, &number) in self.numbers.iter().enumerate() {
            let (top, left) = self.corners[index / (N * N)];
            let (row, column) = (index % (N * N) / N, index % N);
            places[(top + row) * self.size.1 + left + column] = Some(number);
        }
        let mut values = vec![0; self.cells];
        let mut lines = board.lines();
        for row in 0..self.size.0 {
            let mut line = lines.next().unwrap_or("").trim_end().chars();
            for column in 0.. {
                let found = line.next();
                if found.is_none() && column >= self.size.1 {
                    break;
                }
                let place = places.get(row * self.size.1 + column);
                let place = place.filter(|_| column < self.size.1).copied().flatten();
                let value = match found {
                    Some('.') => Some(0),
                    Some(symbol @ ('0'..='9' | 'A'..='Z')) => symbol.to_digit(36),
                    _ => None,
                };
                match (place, value.filter(|&value| value as usize <= N)) {
                    (Some(number), Some(value)) => values[number] = value as u8,
                    (None, _) if found == Some('#') && column < self.size.1 => {}
                    _ => return Err(BoardError { row, column, found }),
                }
            }
        }
        match lines.flat_map(|line| line.trim().chars()).next() {
            None => Ok(self.grids(&values)),
            found => Err(BoardError {
                row: self.size.0,
                column: 0,
                found,
            }),
        }
    }

    /// Writes the board as [`Overlap::parse`] reads it. Of a shared cell the last grid counts.
    pub fn format(&self, grids: &[Grid<N>]) -> String {
        let mut board = vec![vec!['#'; self.size.1]; self.size.0];
        for (&(top, left), grid) in self.corners.iter().zip(grids) {
            for cell in Cell::all() {
                let value = grid[cell].map_or(0, Digit::value);
                board[top + cell.row()][left + cell.column()] = match value {
                    0 => '.',
                    value => char::from_digit(u32::from(value), 36)
                        .unwrap_or('?')
                        .to_ascii_uppercase(),
                };
            }
        }
        let mut text = String::new();
        for row in board {
            let _ = writeln!(text, "{}", row.into_iter().collect::<String>());
        }
        text
    }
}

/// A board of overlapping grids that cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct BoardError {
    /// The row, from 0.
    pub row: usize,
    /// The column, from 0.
    pub column: usize,
    /// The character there; `None` at the end of the line.
    pub found: Option<char>,
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: found ",
            self.row + 1,
            self.column + 1
        )?;
        match self.found {
            Some(found) => write!(f, "{found:?}")?,
            None if self.column == 0 => f.write_str("the end of the input")?,
            None => f.write_str("the end of the line")?,
        }
        f.write_str(", expected a digit or '.' in the grids, '#' outside, and no more rows")
    }
}

impl std::error::Error for BoardError {}

impl Overlap<9> {
    /// A Samurai: four classic grids around a fifth, which shares a box with each of them. The first two
    /// are above, the third is in the middle.
    pub fn samurai() -> Self {
        let corners = [(0, 0), (0, 12), (6, 6), (12, 0), (12, 12)];
        match Self::new(corners.map(|corner| (corner, Rules::classic()))) {
            Ok(samurai) => samurai,
            Err(_) => unreachable!("five grids at different places"),
        }
    }
}
