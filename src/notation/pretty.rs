//! A grid drawn as a board.

use crate::grid::Grid;
use crate::rules::box_shape;
use core::fmt;

impl<const N: usize> Grid<N> {
    /// The grid as a board with borders around the classic boxes.
    ///
    /// ```
    /// let grid: sudoku::Grid<4> = "1.....3..4.....2".parse()?;
    /// assert_eq!(grid.pretty().to_string(), "\
    /// 1 . | . .
    /// . . | 3 .
    /// ----+----
    /// . 4 | . .
    /// . . | . 2
    /// ");
    /// # Ok::<(), sudoku::notation::ParseError>(())
    /// ```
    pub fn pretty(&self) -> Pretty<'_, N> {
        Pretty(self)
    }
}

/// A grid that is displayed as a board: see [`Grid::pretty`].
#[derive(Clone, Copy, Debug)]
pub struct Pretty<'a, const N: usize>(&'a Grid<N>);

impl<const N: usize> fmt::Display for Pretty<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (height, width) = box_shape(N);
        let digits = if N > 9 { 2 } else { 1 };
        for (row, line) in self.0.rows().iter().enumerate() {
            if row > 0 && row % height == 0 && width < N {
                for stack in 0..N / width {
                    let border = if stack > 0 { "+" } else { "" };
                    // A blank beside each inner border.
                    let blanks = usize::from(stack > 0) + usize::from(stack + 1 < N / width);
                    let length = width * (digits + 1) - 1 + blanks;
                    write!(f, "{border}{:-<length$}", "")?;
                }
                f.write_str("\n")?;
            }
            for (column, &value) in line.iter().enumerate() {
                match column {
                    0 => {}
                    _ if column % width == 0 => f.write_str(" | ")?,
                    _ => f.write_str(" ")?,
                }
                match value {
                    0 => write!(f, "{:>digits$}", '.')?,
                    _ => write!(f, "{value:>digits$}")?,
                }
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}
