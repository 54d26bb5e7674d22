//! What rules consist of: houses and cages.

use crate::grid::Cell;

/// What a house is, for messages and for engines that treat lines and boxes apart.
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
pub struct House<const N: usize> {
    pub(super) kind: HouseKind,
    pub(super) cells: [Cell<N>; N],
}

impl<const N: usize> House<N> {
    /// What the house is.
    pub fn kind(&self) -> HouseKind {
        self.kind
    }

    /// Its cells, row by row.
    pub fn cells(&self) -> &[Cell<N>; N] {
        &self.cells
    }
}

/// Cells that hold different digits of a given sum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cage<const N: usize> {
    pub(super) cells: Vec<Cell<N>>,
    pub(super) sum: u32,
}

impl<const N: usize> Cage<N> {
    /// Its cells, row by row.
    pub fn cells(&self) -> &[Cell<N>] {
        &self.cells
    }

    /// The sum of their digits.
    pub fn sum(&self) -> u32 {
        self.sum
    }
}
