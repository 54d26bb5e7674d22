//! Houses and cages.

use crate::grid::Cell;

/// The kind of a house, for messages and for engines that treat lines and boxes apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum HouseKind {
    /// A row.
    Row,
    /// A column.
    Column,
    /// A box: a rectangular block, or a region of a jigsaw.
    Box,
    /// One of the two long diagonals.
    Diagonal,
    /// A house that [`Rules::with_house`](super::Rules::with_house) added, such as a window of a windoku.
    Extra,
}

/// `N` cells that hold every digit exactly once.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct House<const N: usize> {
    /// The kind of the house.
    pub kind: HouseKind,
    /// Its cells, row by row.
    pub cells: [Cell<N>; N],
}

/// Cells that hold different digits of a given sum.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Cage<const N: usize> {
    /// Its cells, row by row.
    pub cells: Vec<Cell<N>>,
    /// The sum of their digits.
    pub sum: u32,
}
