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
    /// A constraint has too few or too many cells.
    Cells {
        /// The constraint's name.
        name: &'static str,
        /// The row and column of its first cell, if it has one.
        place: Option<(usize, usize)>,
        /// The number of its cells.
        cells: usize,
        /// The minimum.
        least: usize,
        /// The maximum; 0 if this side of the grid has no such constraint.
        most: usize,
    },
    /// No digits satisfy a constraint.
    Impossible {
        /// The constraint's name.
        name: &'static str,
        /// The row and column of its first cell, if it has one.
        place: Option<(usize, usize)>,
    },
    /// Grids that overlap do not fit together.
    Overlap {
        /// The number of the grid, from 0.
        grid: usize,
    },
    /// No set of distinct digits adds up to the cage's sum.
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
            RulesError::Cells {
                name,
                place,
                cells,
                least,
                most,
            } => {
                write_place(f, place)?;
                match (least, most) {
                    (_, 0) => write!(f, "{name}: the side of the grid is too large"),
                    _ if least == most => {
                        write!(f, "{name}: found {cells} cells, expected {least}")
                    }
                    _ => write!(f, "{name}: found {cells} cells, expected {least} to {most}"),
                }
            }
            RulesError::Impossible { name, place } => {
                write_place(f, place)?;
                write!(f, "{name}: no digits satisfy it")
            }
            RulesError::Overlap { grid } => write!(
                f,
                "grid {}: expected one to 64 grids, each at another place within 1,000 rows and columns",
                grid + 1
            ),
            RulesError::Cage { place, cells, sum } => {
                write_place(f, place)?;
                write!(
                    f,
                    "a cage of {cells} different digits cannot have the sum {sum}"
                )
            }
        }
    }
}

/// Writes the place of a first cell, if there is one.
fn write_place(f: &mut fmt::Formatter<'_>, place: Option<(usize, usize)>) -> fmt::Result {
    match place {
        Some((row, column)) => write!(f, "row {}, column {}: ", row + 1, column + 1),
        None => Ok(()),
    }
}

impl std::error::Error for RulesError {}
