//! The boxes of the classic rules.

use crate::grid::{Cell, Grid};

impl<const N: usize> Cell<N> {
    /// The height and width of a classic box.
    const BOX: (usize, usize) = box_shape(N);

    /// The cell at a place of a classic box; boxes, and places in a box, are counted row by row
    /// from 0.
    pub(crate) const fn in_box(box_index: usize, place: usize) -> Self {
        let (height, width) = Self::BOX;
        // A band of boxes has as many boxes as a box has rows.
        let (top, left) = (box_index / height * height, box_index % height * width);
        Self::at(top + place / width, left + place % width)
    }

    /// The classic box, from 0, counted row by row.
    pub(crate) const fn box_index(self) -> usize {
        let (height, width) = Self::BOX;
        self.row() / height * height + self.column() / width
    }
}

/// The height and width of a classic box at side `n`: as near to square as `n` allows, and never
/// higher than wide.
#[inline(always)]
pub const fn box_shape(n: usize) -> (usize, usize) {
    // The compiler does not always see through the loop.
    match n {
        4 => return (2, 2),
        9 => return (3, 3),
        16 => return (4, 4),
        25 => return (5, 5),
        36 => return (6, 6),
        _ => {}
    }
    let (mut height, mut next) = (1, 2);
    while next * next <= n {
        if n.is_multiple_of(next) {
            height = next;
        }
        next += 1;
    }
    (height, n / height)
}

/// The side of a square box: for engines that require square boxes, which
/// [`expect_square`] guards.
#[inline]
pub(crate) const fn box_side(n: usize) -> usize {
    box_shape(n).0
}

/// Whether the classic boxes at side `n` are square.
pub(crate) const fn has_square_boxes(n: usize) -> bool {
    let (height, width) = box_shape(n);
    height == width
}

/// Checks that the boxes are square.
///
/// # Panics
///
/// If `N` is not a square number.
pub(crate) fn expect_square<const N: usize>() {
    assert!(
        has_square_boxes(N),
        "this engine solves grids of side 1, 4, 9, 16, 25 or 36 only"
    );
}

/// Whether no row, column or classic box of `grid` holds a digit twice.
///
/// The same as `Rules::classic().allow(grid)`, without building the list of houses.
pub fn allows_classic<const N: usize>(grid: &Grid<N>) -> bool {
    let (mut rows, mut columns, mut boxes) = ([0u64; N], [0u64; N], [0u64; N]);
    for (row, line) in grid.rows().iter().enumerate() {
        for (column, &value) in line.iter().enumerate() {
            if value > 0 {
                let bit = 1u64 << (value - 1);
                let house = Cell::<N>::at(row, column).box_index();
                if (rows[row] | columns[column] | boxes[house]) & bit != 0 {
                    return false;
                }
                rows[row] |= bit;
                columns[column] |= bit;
                boxes[house] |= bit;
            }
        }
    }
    true
}
