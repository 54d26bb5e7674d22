//! Rules as values: the houses of a puzzle, its cages, and any other constraints.
//!
//! A house is `N` cells that hold every digit exactly once, a cage is some cells with different
//! digits of a given sum; a [`Constraint`] is any other rule, such as a thermometer. The classic rules
//! are the rows, the columns and the boxes; variants are built from them or from [`Rules::latin`], and
//! need no code in the engines:
//!
//! ```
//! use sudoku::{Cell, Rules, Solver};
//!
//! let six = Rules::<6>::boxes(2, 3)?.with_cage(&[Cell::at(0, 0), Cell::at(0, 1)], 11)?;
//! let solution = Solver::with_rules(&six).first(&sudoku::Grid::EMPTY).expect("a solution");
//! assert!(six.is_solved_by(&solution));
//! # Ok::<(), sudoku::rules::RulesError>(())
//! ```

mod boxes;
mod constraint;
mod error;
mod house;
mod layout;
mod overlap;
mod part;

pub use boxes::{allows_classic, box_shape};
pub(crate) use boxes::{box_side, expect_square, has_square_boxes};
pub use constraint::Constraint;
pub use error::RulesError;
pub use house::{Cage, House, HouseKind};
pub(crate) use layout::Layout;
pub use overlap::{BoardError, Overlap};
pub(crate) use part::{Part, Patterns};

use crate::grid::{Cell, Grid};

/// A cell's place in one of its houses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Seat {
    /// The index of the house in [`Rules::houses`].
    pub(crate) house: usize,
    /// The index of the cell in [`House::cells`].
    pub(crate) place: usize,
}

/// The houses, cages and constraints of a puzzle. The first `N` houses are the rows, the next `N` the columns;
/// boxes, if there are any, and further houses follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules<const N: usize> {
    houses: Vec<House<N>>,
    cages: Vec<Cage<N>>,
    constraints: Vec<Constraint<N>>,
    /// The seats of cell `c` are `seats[first_seat[c]..first_seat[c + 1]]`.
    seats: Vec<Seat>,
    first_seat: Vec<usize>,
    classic: bool,
}

impl<const N: usize> Rules<N> {
    /// Rows, columns and boxes that are as near to square as the side allows, and never higher than
    /// wide: 3x3 cells at side 9, 2x3 at side 6, 3x4 at side 12. At a prime side a box is a row.
    pub fn classic() -> Self {
        let (height, width) = box_shape(N);
        let mut rules = Self::lines();
        rules.add_boxes(height, width);
        rules.classic = true;
        rules.seated()
    }

    /// Rows, columns and boxes of `height` rows and `width` columns.
    ///
    /// # Errors
    ///
    /// [`RulesError::Boxes`] unless `height` times `width` is `N`.
    pub fn boxes(height: usize, width: usize) -> Result<Self, RulesError> {
        if height.checked_mul(width) != Some(N) {
            return Err(RulesError::Boxes {
                height,
                width,
                side: N,
            });
        }
        let mut rules = Self::lines();
        rules.add_boxes(height, width);
        rules.classic = (height, width) == box_shape(N);
        Ok(rules.seated())
    }

    /// Rows and columns only: Latin squares.
    pub fn latin() -> Self {
        Self::lines().seated()
    }

    /// The classic rules, and each digit once on both long diagonals.
    pub fn diagonal() -> Self {
        let mut rules = Self::classic();
        rules.push(HouseKind::Diagonal, |k| (k, k));
        rules.push(HouseKind::Diagonal, |k| (k, N - 1 - k));
        rules.seated()
    }

    /// Rows, columns and the regions of `map`, which gives each cell its region, from 0 to `N - 1`.
    ///
    /// # Errors
    ///
    /// [`RulesError::Region`] names the first region that does not have exactly `N` cells; a region
    /// number that is not below `N` is reported as a region that must have no cell.
    pub fn jigsaw(map: &[[usize; N]; N]) -> Result<Self, RulesError> {
        let mut regions: Vec<Vec<(usize, usize)>> = vec![Vec::with_capacity(N); N];
        for (row, line) in map.iter().enumerate() {
            for (column, &region) in line.iter().enumerate() {
                match regions.get_mut(region) {
                    Some(cells) => cells.push((row, column)),
                    None => {
                        return Err(RulesError::Region {
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
                return Err(RulesError::Region {
                    region,
                    cells: cells.len(),
                    expected: N,
                });
            }
            rules.push(HouseKind::Box, |k| cells[k]);
        }
        rules.classic = Cell::<N>::all().all(|c| map[c.row()][c.column()] == c.box_index());
        Ok(rules.seated())
    }

    /// Rows, columns and the regions that walls between neighbouring cells separate: two neighbours lie
    /// in one region if `is_open` says so of them, the left or upper one first.
    ///
    /// # Errors
    ///
    /// The errors of [`Rules::jigsaw`]; regions are numbered in the order of their first cells.
    pub fn jigsaw_by_walls(is_open: impl Fn(Cell<N>, Cell<N>) -> bool) -> Result<Self, RulesError> {
        let mut map = [[usize::MAX; N]; N];
        let mut region = 0;
        for first in Cell::<N>::all() {
            if map[first.row()][first.column()] != usize::MAX {
                continue;
            }
            let mut open = vec![first];
            while let Some(cell) = open.pop() {
                let (row, column) = (cell.row(), cell.column());
                map[row][column] = region;
                let around = [
                    Cell::new(row.wrapping_sub(1), column),
                    Cell::new(row, column.wrapping_sub(1)),
                    Cell::new(row, column + 1),
                    Cell::new(row + 1, column),
                ];
                open.extend(around.into_iter().flatten().filter(|&next| {
                    map[next.row()][next.column()] == usize::MAX
                        && is_open(cell.min(next), cell.max(next))
                }));
            }
            region += 1;
        }
        Self::jigsaw(&map)
    }

    /// The rules with one more house of these cells.
    ///
    /// # Errors
    ///
    /// [`RulesError::House`] unless there are `N` cells, [`RulesError::Twice`] if one of them is
    /// there twice.
    pub fn with_house(mut self, cells: &[Cell<N>]) -> Result<Self, RulesError> {
        if cells.len() != N {
            return Err(RulesError::House {
                cells: cells.len(),
                side: N,
            });
        }
        different(cells)?;
        self.push(HouseKind::Extra, |k| (cells[k].row(), cells[k].column()));
        Ok(self.seated())
    }

    /// The rules with a cage: these cells hold different digits whose sum is `sum`.
    ///
    /// # Errors
    ///
    /// [`RulesError::Twice`] if a cell is there twice, [`RulesError::Cage`] if no different digits
    /// of as many cells have this sum.
    pub fn with_cage(mut self, cells: &[Cell<N>], sum: u32) -> Result<Self, RulesError> {
        let sorted = different(cells)?;
        // `count` different digits: at least 1 + 2 + .., at most N + (N - 1) + ..
        let (count, side) = (cells.len() as u32, N as u32);
        let least = count * (count + 1) / 2;
        let most = (count * (2 * side + 1)).saturating_sub(count * count) / 2;
        if cells.is_empty() || cells.len() > N || !(least..=most).contains(&sum) {
            return Err(RulesError::Cage {
                place: cells.first().map(|cell| (cell.row(), cell.column())),
                cells: cells.len(),
                sum,
            });
        }
        self.cages.push(Cage { cells: sorted, sum });
        self.classic = false;
        Ok(self)
    }

    /// The rules with one more constraint.
    #[must_use]
    pub fn with(mut self, constraint: Constraint<N>) -> Self {
        self.constraints.push(constraint);
        self.classic = false;
        self
    }

    fn lines() -> Self {
        let mut rules = Rules {
            houses: Vec::with_capacity(3 * N),
            cages: Vec::new(),
            constraints: Vec::new(),
            seats: Vec::new(),
            first_seat: Vec::new(),
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

    fn add_boxes(&mut self, height: usize, width: usize) {
        for index in 0..N {
            // A band of boxes has as many boxes as a box has rows.
            let (top, left) = (index / height * height, index % height * width);
            self.push(HouseKind::Box, |k| (top + k / width, left + k % width));
        }
    }

    fn push(&mut self, kind: HouseKind, place: impl Fn(usize) -> (usize, usize)) {
        let mut cells = [Cell::from_index(0); N];
        for (k, cell) in cells.iter_mut().enumerate() {
            let (row, column) = place(k);
            *cell = Cell::from_index(row * N + column);
        }
        cells.sort_unstable();
        self.houses.push(House { kind, cells });
        self.classic = false;
    }

    /// Computes the seats of all houses.
    fn seated(mut self) -> Self {
        self.first_seat = vec![0; N * N + 1];
        for house in &self.houses {
            for cell in &house.cells {
                self.first_seat[cell.index() + 1] += 1;
            }
        }
        for cell in 0..N * N {
            self.first_seat[cell + 1] += self.first_seat[cell];
        }
        let mut next = self.first_seat.clone();
        self.seats = vec![Seat { house: 0, place: 0 }; self.first_seat[N * N]];
        for (house, description) in self.houses.iter().enumerate() {
            for (place, cell) in description.cells.iter().enumerate() {
                self.seats[next[cell.index()]] = Seat { house, place };
                next[cell.index()] += 1;
            }
        }
        self
    }

    /// The houses: rows, columns, boxes, then what the variant adds.
    pub fn houses(&self) -> &[House<N>] {
        &self.houses
    }

    /// The cages.
    pub fn cages(&self) -> &[Cage<N>] {
        &self.cages
    }

    /// The constraints that are neither houses nor cages.
    pub fn constraints(&self) -> &[Constraint<N>] {
        &self.constraints
    }

    /// Whether there are rules besides houses.
    pub(crate) fn has_constraints(&self) -> bool {
        !(self.cages.is_empty() && self.constraints.is_empty())
    }

    /// The parts of all constraints, each with the constraint's name.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (&'static str, &Part)> {
        let constraints = self.constraints.iter();
        constraints.flat_map(|constraint| constraint.parts.iter().map(|p| (constraint.name(), p)))
    }

    /// The houses that `cell` lies in, in the order of [`Rules::houses`].
    pub fn houses_of(&self, cell: Cell<N>) -> impl Iterator<Item = &House<N>> {
        let seats = self.seats_of(cell.index()).iter();
        seats.map(|seat| &self.houses[seat.house])
    }

    /// The other cells that must hold another digit than `cell`, because they share a house, a cage or
    /// distinct cells of a constraint with it, row by row.
    pub fn peers(&self, cell: Cell<N>) -> Vec<Cell<N>> {
        let mut is_peer = vec![false; N * N];
        for house in self.houses_of(cell) {
            for peer in &house.cells {
                is_peer[peer.index()] = true;
            }
        }
        for cage in &self.cages {
            if cage.cells.contains(&cell) {
                for peer in &cage.cells {
                    is_peer[peer.index()] = true;
                }
            }
        }
        for (_, part) in self.parts() {
            match part {
                Part::Distinct(cells) if cells.contains(&cell.index()) => {
                    cells.iter().for_each(|&peer| is_peer[peer] = true);
                }
                _ => {}
            }
        }
        is_peer[cell.index()] = false;
        Cell::all().filter(|peer| is_peer[peer.index()]).collect()
    }

    /// The seats of the cell with this index.
    pub(crate) fn seats_of(&self, cell: usize) -> &[Seat] {
        &self.seats[self.first_seat[cell]..self.first_seat[cell + 1]]
    }

    /// Whether these are the rules of [`Rules::classic`] and nothing else.
    pub fn is_classic(&self) -> bool {
        self.classic
    }

    /// Whether no house and no cage holds a digit twice, no cage has another sum than its own, and
    /// no constraint is broken. Empty cells break no rule.
    pub fn allow(&self, grid: &Grid<N>) -> bool {
        self.houses
            .iter()
            .all(|house| has_no_twins(&house.cells, grid))
            && self.cages.iter().all(|cage| {
                let digits = cage.cells.iter().map(|&cell| grid.get(cell));
                let sum: u32 = digits.clone().flatten().map(|d| u32::from(d.value())).sum();
                let is_open = digits.clone().any(|digit| digit.is_none());
                let fits = if is_open {
                    sum < cage.sum
                } else {
                    sum == cage.sum
                };
                fits && has_no_twins(&cage.cells, grid)
            })
            && self.constraints.iter().all(|rule| rule.allows(grid))
    }

    /// Whether `grid` is full and breaks no rule.
    pub fn is_solved_by(&self, grid: &Grid<N>) -> bool {
        grid.is_full() && self.allow(grid)
    }
}

impl Rules<9> {
    /// The classic rules, and each digit once in each of four windows: the squares of 3x3 cells that
    /// leave one line between them and the borders.
    pub fn windoku() -> Self {
        let mut rules = Self::classic();
        for (top, left) in [(1, 1), (1, 5), (5, 1), (5, 5)] {
            rules.push(HouseKind::Extra, |k| (top + k / 3, left + k % 3));
        }
        rules.seated()
    }
}

impl<const N: usize> Default for Rules<N> {
    fn default() -> Self {
        Self::classic()
    }
}

/// The cells row by row, if each is there once.
fn different<const N: usize>(cells: &[Cell<N>]) -> Result<Vec<Cell<N>>, RulesError> {
    let mut sorted = cells.to_vec();
    sorted.sort_unstable();
    match sorted.windows(2).find(|two| two[0] == two[1]) {
        Some(twice) => Err(RulesError::Twice {
            row: twice[0].row(),
            column: twice[0].column(),
        }),
        None => Ok(sorted),
    }
}

/// Whether no two of the cells hold the same digit.
fn has_no_twins<const N: usize>(cells: &[Cell<N>], grid: &Grid<N>) -> bool {
    let mut seen = 0u64;
    cells.iter().all(|&cell| match grid.get(cell) {
        Some(digit) => {
            let bit = 1 << digit.index();
            let is_new = seen & bit == 0;
            seen |= bit;
            is_new
        }
        None => true,
    })
}

#[cfg(test)]
mod tests;
