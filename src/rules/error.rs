use core::fmt;

/// The error for invalid rules, with its position. Rows, columns and regions are counted from 0 here
/// and from 1 in the message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RulesError {
    /// Boxes of this shape do not have as many cells as a row.
    Boxes {
        /// The rows of a box.
        height: usize,
        /// The columns of a box.
        width: usize,
        /// The side of the grid.
        side: usize,
    },
    /// A region of a jigsaw has the wrong number of cells.
    Region {
        /// The region.
        region: usize,
        /// The number of its cells in the map.
        cells: usize,
        /// The required number.
        expected: usize,
    },
    /// A house has the wrong number of cells.
    House {
        /// The number of its cells.
        cells: usize,
        /// The required number.
        side: usize,
    },
    /// A house or a cage names a cell twice.
    Twice {
        /// The cell's row.
        row: usize,
        /// The cell's column.
        column: usize,
    },
    /// No different digits have the sum of a cage.
    Cage {
        /// The row and column of its first cell, if it has one.
        place: Option<(usize, usize)>,
        /// The number of its cells.
        cells: usize,
        /// Its sum.
        sum: u32,
    },
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            RulesError::Boxes {
                height,
                width,
                side,
            } => write!(
                f,
                "boxes of {height}x{width} cells: expected {side} cells, as many as in a row"
            ),
            RulesError::Region {
                region,
                cells,
                expected,
            } => write!(
                f,
                "region {}: found {cells} cells, expected {expected}",
                region + 1
            ),
            RulesError::House { cells, side } => {
                write!(f, "house: found {cells} cells, expected {side}")
            }
            RulesError::Twice { row, column } => write!(
                f,
                "row {}, column {}: the cell is named twice",
                row + 1,
                column + 1
            ),
            RulesError::Cage { place, cells, sum } => {
                if let Some((row, column)) = place {
                    write!(f, "row {}, column {}: ", row + 1, column + 1)?;
                }
                write!(
                    f,
                    "a cage of {cells} different digits cannot have the sum {sum}"
                )
            }
        }
    }
}

impl std::error::Error for RulesError {}
