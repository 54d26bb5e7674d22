//! Cells, digits and grids of `N`x`N` cells, for any side `N` from 1 to 36.
//!
//! `N` is a const parameter, so a grid is a plain array on the stack and every loop over it has a
//! bound the compiler knows. [`Grid`] only ever holds digits in `1..=N`: the constructors check.
//! Which cells form a box is a matter of [`Rules`](crate::Rules).

use core::fmt;
use core::num::NonZeroU8;

/// The largest `N` that the types allow.
pub const MAX_SIDE: usize = 36;

/// A digit from 1 to `N`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digit<const N: usize>(NonZeroU8);

impl<const N: usize> Digit<N> {
    /// The digit with this value, or `None` when it is not in `1..=N`.
    pub const fn new(value: u8) -> Option<Self> {
        if value as usize > N {
            return None;
        }
        match NonZeroU8::new(value) {
            Some(value) => Some(Digit(value)),
            None => None,
        }
    }

    /// The digit with this index, counted from 0.
    ///
    /// # Panics
    ///
    /// If `index` is not below `N`.
    pub const fn from_index(index: usize) -> Self {
        assert!(index < N, "a digit's index must be below N");
        match Self::new(index as u8 + 1) {
            Some(digit) => digit,
            None => panic!("a digit's index must be below N"),
        }
    }

    /// The value, from 1 to `N`.
    pub const fn value(self) -> u8 {
        self.0.get()
    }

    /// The index, from 0 to `N - 1`.
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// Every digit, smallest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..N).map(Self::from_index)
    }
}

impl<const N: usize> fmt::Debug for Digit<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value())
    }
}

/// The position of a cell: its row and column, each from 0 to `N - 1`. Cells are ordered row by row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell<const N: usize> {
    row: u8,
    column: u8,
}

impl<const N: usize> Cell<N> {
    /// The number of cells of a grid.
    pub const COUNT: usize = N * N;

    /// The cell in this row and column, counted from 0, or `None` outside the grid.
    pub const fn new(row: usize, column: usize) -> Option<Self> {
        if row < N && column < N {
            Some(Cell {
                row: row as u8,
                column: column as u8,
            })
        } else {
            None
        }
    }

    /// The cell in this row and column, counted from 0, where both are known to be in the grid.
    ///
    /// # Panics
    ///
    /// If either is not below `N`.
    pub const fn at(row: usize, column: usize) -> Self {
        match Self::new(row, column) {
            Some(cell) => cell,
            None => panic!("a cell's row and column must be below N"),
        }
    }

    /// The cell with this index, counted row by row from 0.
    ///
    /// # Panics
    ///
    /// If `index` is not below `N * N`.
    pub const fn from_index(index: usize) -> Self {
        match Self::new(index / N, index % N) {
            Some(cell) => cell,
            None => panic!("a cell's index must be below N * N"),
        }
    }

    /// The row, from 0.
    pub const fn row(self) -> usize {
        self.row as usize
    }

    /// The column, from 0.
    pub const fn column(self) -> usize {
        self.column as usize
    }

    /// The index, row by row, from 0 to `N * N - 1`.
    pub const fn index(self) -> usize {
        self.row() * N + self.column()
    }

    /// Every cell, row by row.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..N * N).map(Self::from_index)
    }
}

impl<const N: usize> fmt::Debug for Cell<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", self.row + 1, self.column + 1)
    }
}

/// The error for a value that is not a digit of the grid, with its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidValue {
    /// The row, from 0.
    pub row: usize,
    /// The column, from 0.
    pub column: usize,
    /// The value found.
    pub value: u8,
    /// The largest value allowed.
    pub max: u8,
}

impl fmt::Display for InvalidValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "row {}, column {}: found {}, expected 0 (empty) or a digit from 1 to {}",
            self.row + 1,
            self.column + 1,
            self.value,
            self.max
        )
    }
}

impl std::error::Error for InvalidValue {}

/// A grid of `N`x`N` cells, each empty or holding a [`Digit`].
///
/// Grids are ordered lexicographically, row by row, an empty cell before any digit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grid<const N: usize> {
    rows: [[Option<Digit<N>>; N]; N],
}

impl<const N: usize> Grid<N> {
    /// The grid without a digit.
    pub const EMPTY: Self = {
        assert!(
            N >= 1 && N <= MAX_SIDE,
            "the side of a grid must be from 1 to 36"
        );
        Grid {
            rows: [[None; N]; N],
        }
    };

    /// The grid with these values, where 0 is an empty cell.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] names the first cell, row by row, whose value is above `N`.
    pub fn from_rows(values: &[[u8; N]; N]) -> Result<Self, InvalidValue> {
        let mut grid = Self::EMPTY;
        for (row, line) in values.iter().enumerate() {
            for (column, &value) in line.iter().enumerate() {
                if value == 0 {
                    continue;
                }
                match Digit::new(value) {
                    Some(digit) => grid.rows[row][column] = Some(digit),
                    None => {
                        return Err(InvalidValue {
                            row,
                            column,
                            value,
                            max: N as u8,
                        });
                    }
                }
            }
        }
        Ok(grid)
    }

    /// The values, 0 for an empty cell.
    pub fn to_rows(&self) -> [[u8; N]; N] {
        let mut values = [[0; N]; N];
        for (line, row) in values.iter_mut().zip(&self.rows) {
            for (value, cell) in line.iter_mut().zip(row) {
                *value = cell.map_or(0, Digit::value);
            }
        }
        values
    }

    /// The digit in `cell`, or `None` when it is empty.
    pub fn get(&self, cell: Cell<N>) -> Option<Digit<N>> {
        self.rows[cell.row()][cell.column()]
    }

    /// Puts `digit` into `cell`, or empties it.
    pub fn set(&mut self, cell: Cell<N>, digit: Option<Digit<N>>) {
        self.rows[cell.row()][cell.column()] = digit;
    }

    /// The rows, top to bottom.
    pub fn rows(&self) -> &[[Option<Digit<N>>; N]; N] {
        &self.rows
    }

    /// The rows, top to bottom, to be filled in place.
    pub fn rows_mut(&mut self) -> &mut [[Option<Digit<N>>; N]; N] {
        &mut self.rows
    }

    /// The cells that hold a digit, row by row.
    pub fn givens(&self) -> impl Iterator<Item = (Cell<N>, Digit<N>)> + '_ {
        Cell::all().filter_map(move |cell| self.get(cell).map(|digit| (cell, digit)))
    }

    /// The grid as a `Grid<M>`, if `M` is `N`: generic code calls functions for one side with it.
    /// Decided at compile time.
    pub(crate) fn as_side<const M: usize>(&self) -> Option<&Grid<M>> {
        (self as &dyn core::any::Any).downcast_ref()
    }

    /// The number of cells that hold a digit.
    pub fn count_givens(&self) -> usize {
        self.rows.iter().flatten().flatten().count()
    }

    /// Whether no cell is empty. A full grid may still break the rules.
    pub fn is_full(&self) -> bool {
        self.rows.iter().flatten().all(Option::is_some)
    }
}

impl<const N: usize> Default for Grid<N> {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// One line, as [`Notation::LINE`](crate::notation::Notation::LINE) has it; above side 26, where
/// there are no symbols for all digits, numbers with blanks between.
///
/// ```
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// assert_eq!(line.parse::<sudoku::Grid<9>>()?.to_string(), line);
/// # Ok::<(), sudoku::notation::ParseError>(())
/// ```
impl<const N: usize> fmt::Display for Grid<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, cell) in self.rows.iter().flatten().enumerate() {
            let value = cell.map_or(0, Digit::value);
            match value {
                _ if N > 26 && index > 0 => write!(f, " {value}")?,
                _ if N > 26 => write!(f, "{value}")?,
                0 => f.write_str(".")?,
                1..=9 if N <= 9 => write!(f, "{value}")?,
                _ => write!(f, "{}", char::from(b'A' + value - 1))?,
            }
        }
        Ok(())
    }
}

impl<const N: usize> fmt::Debug for Grid<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.rows {
            f.write_str("\n")?;
            for cell in row {
                match cell {
                    Some(digit) => write!(f, "{:>3}", digit.value())?,
                    None => f.write_str("  .")?,
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stay_in_range() {
        assert_eq!(Digit::<9>::new(0), None);
        assert_eq!(Digit::<9>::new(10), None);
        assert_eq!(Digit::<9>::new(9).map(Digit::index), Some(8));
        assert_eq!(Digit::<25>::all().count(), 25);
    }

    #[test]
    fn a_value_out_of_range_is_named() {
        let mut rows = [[0; 4]; 4];
        rows[2][1] = 5;
        let error = Grid::<4>::from_rows(&rows).unwrap_err();
        assert_eq!(
            error.to_string(),
            "row 3, column 2: found 5, expected 0 (empty) or a digit from 1 to 4"
        );
    }

    #[test]
    fn rows_round_trip() {
        let mut rows = [[0; 9]; 9];
        rows[0][0] = 9;
        rows[8][8] = 1;
        let grid = Grid::<9>::from_rows(&rows).unwrap();
        assert_eq!(grid.to_rows(), rows);
        assert_eq!(grid.count_givens(), 2);
        assert!(!grid.is_full());
    }
}
