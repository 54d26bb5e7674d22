//! Rules as lists of houses: a house is `N` cells that hold every digit exactly once.
//!
//! The classic rules are the rows, the columns and the boxes. A variant is one more constructor
//! here; the engines that work from houses alone (see [`crate::engine::Support`]) take it as it is.

use crate::grid::{Cell, Grid, box_of, box_side};
use core::fmt;

/// What a house is, for messages and for engines that treat lines and boxes apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HouseKind {
    /// A row.
    Row,
    /// A column.
    Column,
    /// A box: a square block of the classic rules, or a region of a jigsaw.
    Box,
    /// One of the two long diagonals.
    Diagonal,
}

/// `N` cells that hold every digit exactly once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct House<const N: usize> {
    kind: HouseKind,
    cells: [Cell<N>; N],
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

/// The houses of a puzzle. The first `N` are the rows, the next `N` the columns, the next `N` the
/// boxes or jigsaw regions; further houses follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules<const N: usize> {
    houses: Vec<House<N>>,
    classic: bool,
}

/// A map of regions that is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegionError {
    /// The region, counted from 0.
    pub region: usize,
    /// How many cells the map gives it.
    pub cells: usize,
    /// How many it must have.
    pub expected: usize,
}

impl fmt::Display for RegionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "region {} has {} cells, expected {}",
            self.region, self.cells, self.expected
        )
    }
}

impl std::error::Error for RegionError {}

impl<const N: usize> Rules<N> {
    /// Rows, columns and square boxes.
    pub fn classic() -> Self {
        let mut rules = Self::lines();
        for index in 0..N {
            let side = box_side(N);
            let (top, left) = (index / side * side, index % side * side);
            rules.push(HouseKind::Box, |k| (top + k / side, left + k % side));
        }
        rules.classic = true;
        rules
    }

    /// The classic rules, and each digit once on both long diagonals.
    pub fn diagonal() -> Self {
        let mut rules = Self::classic();
        rules.push(HouseKind::Diagonal, |k| (k, k));
        rules.push(HouseKind::Diagonal, |k| (k, N - 1 - k));
        rules.classic = false;
        rules
    }

    /// Rows, columns and the regions of `map`, which gives each cell its region, from 0 to `N - 1`.
    ///
    /// # Errors
    ///
    /// [`RegionError`] names the first region that does not have exactly `N` cells; a region
    /// number that is not below `N` is reported as a region that must have no cell.
    pub fn jigsaw(map: &[[usize; N]; N]) -> Result<Self, RegionError> {
        let mut regions: Vec<Vec<(usize, usize)>> = vec![Vec::with_capacity(N); N];
        for (row, line) in map.iter().enumerate() {
            for (column, &region) in line.iter().enumerate() {
                match regions.get_mut(region) {
                    Some(cells) => cells.push((row, column)),
                    None => {
                        return Err(RegionError {
                            region,
                            cells: map.iter().flatten().filter(|&&r| r == region).count(),
                            expected: 0,
                        });
                    }
                }
            }
        }
        let mut rules = Self::lines();
        for (region, cells) in regions.iter().enumerate() {
            if cells.len() != N {
                return Err(RegionError {
                    region,
                    cells: cells.len(),
                    expected: N,
                });
            }
            rules.push(HouseKind::Box, |k| cells[k]);
        }
        rules.classic =
            (0..N).all(|row| (0..N).all(|column| map[row][column] == box_of(N, row, column)));
        Ok(rules)
    }

    fn lines() -> Self {
        let mut rules = Rules {
            houses: Vec::with_capacity(3 * N),
            classic: false,
        };
        for row in 0..N {
            rules.push(HouseKind::Row, |k| (row, k));
        }
        for column in 0..N {
            rules.push(HouseKind::Column, |k| (k, column));
        }
        rules
    }

    fn push(&mut self, kind: HouseKind, place: impl Fn(usize) -> (usize, usize)) {
        let mut cells = [Cell::from_index(0); N];
        for (k, cell) in cells.iter_mut().enumerate() {
            let (row, column) = place(k);
            *cell = Cell::from_index(row * N + column);
        }
        cells.sort_unstable();
        self.houses.push(House { kind, cells });
    }

    /// The houses: rows, columns, boxes, then what the variant adds.
    pub fn houses(&self) -> &[House<N>] {
        &self.houses
    }

    /// Whether these are the classic rules and nothing else.
    pub fn is_classic(&self) -> bool {
        self.classic
    }

    /// Whether no house holds a digit twice. Empty cells break no rule.
    pub fn allow(&self, grid: &Grid<N>) -> bool {
        self.houses.iter().all(|house| {
            let mut seen = [false; N];
            house.cells.iter().all(|&cell| match grid.get(cell) {
                Some(digit) => !core::mem::replace(&mut seen[digit.index()], true),
                None => true,
            })
        })
    }

    /// Whether `grid` is full and breaks no rule.
    pub fn is_solved_by(&self, grid: &Grid<N>) -> bool {
        grid.is_full() && self.allow(grid)
    }
}

impl<const N: usize> Default for Rules<N> {
    fn default() -> Self {
        Self::classic()
    }
}

/// Whether no row, column or classic box of `grid` holds a digit twice.
///
/// The same as `Rules::classic().allow(grid)`, without building the list of houses.
pub fn allows_classic<const N: usize>(grid: &Grid<N>) -> bool {
    let (mut rows, mut columns, mut boxes) = ([0u64; N], [0u64; N], [0u64; N]);
    for (row, line) in grid.rows().iter().enumerate() {
        for (column, cell) in line.iter().enumerate() {
            if let Some(digit) = cell {
                let bit = 1u64 << digit.index();
                let house = box_of(N, row, column);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classic_houses_are_rows_columns_boxes() {
        let rules = Rules::<9>::classic();
        assert_eq!(rules.houses().len(), 27);
        let corner: Vec<usize> = rules.houses()[18]
            .cells()
            .iter()
            .map(|c| c.index())
            .collect();
        assert_eq!(corner, [0, 1, 2, 9, 10, 11, 18, 19, 20]);
        assert!(rules.is_classic());
        assert_eq!(Rules::<16>::diagonal().houses().len(), 50);
    }

    #[test]
    fn a_jigsaw_of_square_boxes_is_classic() {
        let mut map = [[0; 4]; 4];
        for cell in Cell::<4>::all() {
            map[cell.row()][cell.column()] = cell.box_index();
        }
        assert!(Rules::<4>::jigsaw(&map).unwrap().is_classic());
        map[0][0] = 3;
        let error = Rules::<4>::jigsaw(&map).unwrap_err();
        assert_eq!(error.to_string(), "region 0 has 3 cells, expected 4");
        map[0][0] = 4;
        assert_eq!(Rules::<4>::jigsaw(&map).unwrap_err().expected, 0);
    }

    #[test]
    fn twice_in_a_house_is_seen() {
        for (row, column) in [(0, 3), (3, 0), (1, 1)] {
            let mut values = [[0; 4]; 4];
            values[0][0] = 2;
            values[row][column] = 2;
            let grid = Grid::from_rows(&values).unwrap();
            assert!(!Rules::classic().allow(&grid));
            assert!(!allows_classic(&grid));
        }
        let mut values = [[0; 4]; 4];
        values[0][0] = 2;
        values[3][3] = 2;
        let grid = Grid::from_rows(&values).unwrap();
        assert!(allows_classic(&grid));
        assert!(!Rules::diagonal().allow(&grid));
    }
}
