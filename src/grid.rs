//! Cells, digits and grids of `N`x`N` cells, for any side `N` from 1 to 36.
//!
//! `N` is a const parameter, so a grid is a plain array on the stack and every loop over it has a
//! bound the compiler knows. [`Grid`] only ever holds digits in `1..=N`: the constructors check.
//! Which cells form a box is a matter of [`Rules`](crate::Rules).

use core::fmt;
use core::num::NonZeroU8;
use core::ops::Index;

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

impl<const N: usize> fmt::Display for Digit<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value().fmt(f)
    }
}

impl<const N: usize> fmt::Debug for Digit<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value().fmt(f)
    }
}

/// The error for a value that is no digit of a grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidDigit {
    /// The value found.
    pub value: u8,
    /// The largest value allowed.
    pub max: u8,
}

impl fmt::Display for InvalidDigit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InvalidDigit { value, max } = self;
        write!(f, "found {value}, expected a digit from 1 to {max}")
    }
}

impl std::error::Error for InvalidDigit {}

impl<const N: usize> TryFrom<u8> for Digit<N> {
    type Error = InvalidDigit;

    fn try_from(value: u8) -> Result<Self, InvalidDigit> {
        let max = N as u8;
        Digit::new(value).ok_or(InvalidDigit { value, max })
    }
}

impl<const N: usize> From<Digit<N>> for u8 {
    fn from(digit: Digit<N>) -> u8 {
        digit.value()
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

    /// The cell this many rows down and columns to the right, or `None` outside the grid.
    pub(crate) fn offset(self, down: isize, right: isize) -> Option<Self> {
        let row = self.row().checked_add_signed(down)?;
        Self::new(row, self.column().checked_add_signed(right)?)
    }

    /// Every cell, row by row.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..N * N).map(Self::from_index)
    }
}

/// As collectors name it: `r1c2` is the second cell of the first row.
impl<const N: usize> fmt::Display for Cell<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", self.row + 1, self.column + 1)
    }
}

impl<const N: usize> fmt::Debug for Cell<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
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
///
/// ```
/// use sudoku::{Cell, Digit, Grid};
///
/// let mut grid: Grid<4> = "1.....3..4.....2".parse()?;
/// grid.set(Cell::at(0, 1), Digit::new(3));
/// assert_eq!(grid[Cell::at(0, 1)], Digit::new(3));
/// assert_eq!(grid.rows()[0], [1, 3, 0, 0]);
/// # Ok::<(), sudoku::notation::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grid<const N: usize> {
    /// The value of each cell: 0 if it is empty, else its digit.
    rows: [[u8; N]; N],
}

impl<const N: usize> Grid<N> {
    /// The grid without a digit.
    pub const EMPTY: Self = {
        assert!(
            N >= 1 && N <= MAX_SIDE,
            "the side of a grid must be from 1 to 36"
        );
        Grid { rows: [[0; N]; N] }
    };

    /// The grid with these values, where 0 is an empty cell.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] names the first cell, row by row, whose value is above `N`.
    pub fn from_rows(values: &[[u8; N]; N]) -> Result<Self, InvalidValue> {
        let largest = values.as_flattened().iter().position(|&v| v as usize > N);
        match largest.map(|index| (index / N, index % N)) {
            None => Ok(Grid { rows: *values }),
            Some((row, column)) => Err(InvalidValue {
                row,
                column,
                value: values[row][column],
                max: N as u8,
            }),
        }
    }

    /// The grid with these values, row by row, where 0 is an empty cell: the inverse of [`Grid::values`].
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] as [`Grid::from_rows`] returns it. If there are more or fewer than `N * N` values, it names
    /// the first one that is missing or superfluous.
    pub fn from_values(values: &[u8]) -> Result<Self, InvalidValue> {
        let mut rows = [[0; N]; N];
        if values.len() != N * N {
            let index = values.len().min(N * N);
            return Err(InvalidValue {
                row: index / N,
                column: index % N,
                value: values.get(index).copied().unwrap_or(0),
                max: N as u8,
            });
        }
        rows.as_flattened_mut().copy_from_slice(values);
        Self::from_rows(&rows)
    }

    /// The digit in `cell`, or `None` when it is empty.
    pub fn get(&self, cell: Cell<N>) -> Option<Digit<N>> {
        // No value is above `N`: the range is not checked again.
        NonZeroU8::new(self.rows[cell.row()][cell.column()]).map(Digit)
    }

    /// Puts `digit` into `cell`, or empties it.
    pub fn set(&mut self, cell: Cell<N>, digit: Option<Digit<N>>) {
        self.rows[cell.row()][cell.column()] = digit.map_or(0, Digit::value);
    }

    /// The values of the rows, top to bottom; 0 is an empty cell.
    pub const fn rows(&self) -> &[[u8; N]; N] {
        &self.rows
    }

    /// The values of all cells, row by row; 0 is an empty cell.
    pub const fn values(&self) -> &[u8] {
        self.rows.as_flattened()
    }

    /// The rows, to be filled in place with values up to `N`.
    pub(crate) const fn rows_mut(&mut self) -> &mut [[u8; N]; N] {
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
        self.values().iter().filter(|&&value| value != 0).count()
    }

    /// Whether no cell is empty. A full grid may still break the rules.
    pub fn is_full(&self) -> bool {
        self.values().iter().all(|&value| value != 0)
    }
}

/// The digit in a cell, as [`Grid::get`] returns it; [`Grid::set`] changes it.
impl<const N: usize> Index<Cell<N>> for Grid<N> {
    type Output = Option<Digit<N>>;

    fn index(&self, cell: Cell<N>) -> &Option<Digit<N>> {
        let contents = const {
            let mut contents: [Option<Digit<N>>; MAX_SIDE + 1] = [None; MAX_SIDE + 1];
            let mut value = 1;
            while value <= N {
                contents[value] = Digit::new(value as u8);
                value += 1;
            }
            &{ contents }
        };
        &contents[self.rows[cell.row()][cell.column()] as usize]
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
        for (index, &value) in self.values().iter().enumerate() {
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
            for &value in row {
                match value {
                    0 => f.write_str("  .")?,
                    _ => write!(f, "{value:>3}")?,
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
        assert_eq!(grid.rows(), &rows);
        assert_eq!(Grid::from_values(grid.values()), Ok(grid));
        assert!(Grid::<9>::from_values(&grid.values()[1..]).is_err());
        assert_eq!(Digit::<9>::try_from(9).map(u8::from), Ok(9));
        let error = Digit::<9>::try_from(10).unwrap_err();
        assert_eq!(error.to_string(), "found 10, expected a digit from 1 to 9");
        assert_eq!(grid[Cell::at(8, 8)], Digit::new(1));
        assert_eq!(grid[Cell::at(0, 1)], None);
        assert_eq!(Cell::<9>::at(0, 1).to_string(), "r1c2");
        assert_eq!(grid.count_givens(), 2);
        assert!(!grid.is_full());
    }
}
