//! The method of the UVa 1309 article: exact cover by dancing links.

use crate::engine::{Checked, Method, Statistics, Support, Unsupported, Visitor};
use crate::grid::{Cell, Digit, Grid};
use crate::rules::{HouseKind, Rules};
use core::ops::ControlFlow;

/// Solves the puzzle as an exact cover: a matrix whose rows are the candidates and whose columns
/// are what must happen exactly once - a cell is filled, a house holds a digit. Chooses rows until
/// every column is covered; always branches on the first of the columns with the fewest rows.
///
/// ```text
///                 cell r1c1  r1c2  ..  | column 1: digit 1  2 .. | row 1: 1  2 .. | box 1: 1  2 ..
/// r1c1 = 1                1            |                 1       |        1       |        1
/// r1c1 = 2                1            |                    1    |           1    |           1
/// r1c2 = 1                      1      |                         |        1       |        1
/// ```
///
/// The ones of the matrix are nodes of an arena, linked left, right, up and down by index; to
/// cover a column unlinks it and every row in it, and to uncover it puts them back in the opposite
/// order. Source: the UVa 1309 article, after Knuth: "Dancing links" (2000). As in the article, a
/// row is linked in at the top of its columns, so that the last candidates are tried first, and
/// the givens are the only rows of their cells. Takes any houses; a cage's sum is no column.
#[derive(Clone, Debug)]
pub struct DancingLinks<const N: usize> {
    rules: Rules<N>,
    /// `columns_of[cell]`: the matrix column "the cell is filled", then for each house of the cell
    /// the column "the house holds digit 1"; those of the other digits follow it.
    columns_of: Vec<Vec<usize>>,
    nodes: Vec<Node>,
    sizes: Vec<u32>,
}

/// A one of the matrix, or the head of a column. Node 0 is the head of the list of columns.
#[derive(Clone, Copy, Debug)]
struct Node {
    left: u32,
    right: u32,
    up: u32,
    down: u32,
    column: u32,
    /// The candidate, cell * N + digit; unused in a head.
    row: u32,
}

impl<const N: usize> DancingLinks<N> {
    /// The engine for puzzles under `rules`.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] when there are cages: a sum is no column of a matrix.
    pub fn new(rules: &Rules<N>) -> Result<Self, Unsupported> {
        if Support::AnyHouses.includes(rules) {
            Ok(Self::over_houses(rules))
        } else {
            Err(Unsupported::Rules {
                engine: "dancing_links",
                support: Support::AnyHouses,
            })
        }
    }

    fn over_houses(rules: &Rules<N>) -> Self {
        // The article puts columns before rows. Pairs, because a key function would be compiled with the
        // sort for every side.
        let rank = |kind| match kind {
            HouseKind::Column => 0,
            HouseKind::Row => 1,
            _ => 2,
        };
        let houses = rules.houses().iter().enumerate();
        let mut order: Vec<(u8, usize)> =
            houses.map(|(house, it)| (rank(it.kind), house)).collect();
        order.sort_unstable();
        let mut first_column = vec![0; order.len()];
        let mut next = 1 + N * N;
        for &(_, house) in &order {
            first_column[house] = next;
            next += N;
        }
        let columns_of = (0..N * N)
            .map(|cell| {
                let houses = rules.seats_of(cell).iter();
                let mut columns: Vec<usize> = houses.map(|seat| first_column[seat.house]).collect();
                columns.sort_unstable();
                columns.insert(0, 1 + cell);
                columns
            })
            .collect();
        DancingLinks {
            rules: rules.clone(),
            columns_of,
            nodes: Vec::new(),
            sizes: vec![0; next],
        }
    }

    /// Builds the matrix of a puzzle.
    fn link(&mut self, puzzle: &Grid<N>) {
        let columns = self.sizes.len() as u32;
        self.nodes.clear();
        self.nodes.extend((0..columns).map(|column| Node {
            left: if column == 0 { columns } else { column } - 1,
            right: if column + 1 == columns { 0 } else { column + 1 },
            up: column,
            down: column,
            column,
            row: 0,
        }));
        for size in &mut self.sizes {
            *size = 0;
        }
        for cell in Cell::all() {
            match puzzle.get(cell) {
                Some(digit) => self.link_row(cell, digit),
                None => Digit::all().for_each(|digit| self.link_row(cell, digit)),
            }
        }
    }

    fn link_row(&mut self, cell: Cell<N>, digit: Digit<N>) {
        let first = self.nodes.len() as u32;
        let count = self.columns_of[cell.index()].len() as u32;
        for (place, &column) in self.columns_of[cell.index()].iter().enumerate() {
            // The cell's own column is one; a house has one for each digit.
            let column = if place == 0 {
                column
            } else {
                column + digit.index()
            };
            let (this, place) = (self.nodes.len() as u32, place as u32);
            let below = self.nodes[column].down;
            self.nodes.push(Node {
                left: first + (place + count - 1) % count,
                right: first + (place + 1) % count,
                up: column as u32,
                down: below,
                column: column as u32,
                row: (cell.index() * N + digit.index()) as u32,
            });
            self.nodes[below as usize].up = this;
            self.nodes[column].down = this;
            self.sizes[column] += 1;
        }
    }
}

/// The engine for classic puzzles.
impl<const N: usize> Default for DancingLinks<N> {
    fn default() -> Self {
        Self::over_houses(&Rules::classic())
    }
}

impl<const N: usize> Method<N> for DancingLinks<N> {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        let puzzle = puzzle.grid();
        self.link(puzzle);
        let mut dance = Dance {
            nodes: &mut self.nodes,
            sizes: &mut self.sizes,
            chosen: Vec::with_capacity(Cell::<N>::COUNT),
            statistics: Statistics::default(),
            visit,
        };
        let _ = dance.search();
        dance.statistics
    }

    fn allows(&self, puzzle: &Grid<N>) -> bool {
        self.rules.allow(puzzle)
    }
}

struct Dance<'a, 'v, const N: usize> {
    nodes: &'a mut [Node],
    /// The number of rows of each column.
    sizes: &'a mut [u32],
    /// The rows taken so far.
    chosen: Vec<u32>,
    statistics: Statistics,
    visit: &'a mut Visitor<'v, N>,
}

impl<const N: usize> Dance<'_, '_, N> {
    fn search(&mut self) -> ControlFlow<()> {
        self.statistics.nodes += 1;
        let column = match self.smallest_column() {
            Some(column) => column,
            None => {
                let solution = self.solution();
                return (self.visit)(&solution);
            }
        };
        let forced = self.sizes[column as usize] == 1;
        self.cover(column);
        let mut row = self.down(column);
        while row != column {
            self.statistics.guesses += u64::from(!forced);
            self.chosen.push(self.nodes[row as usize].row);
            let mut one = self.right(row);
            while one != row {
                self.cover(self.nodes[one as usize].column);
                one = self.right(one);
            }
            self.search()?;
            let mut one = self.left(row);
            while one != row {
                self.uncover(self.nodes[one as usize].column);
                one = self.left(one);
            }
            self.chosen.pop();
            row = self.down(row);
        }
        self.uncover(column);
        ControlFlow::Continue(())
    }

    /// The first of the columns with the fewest rows, or `None` when all are covered.
    fn smallest_column(&self) -> Option<u32> {
        let mut best = self.right(0);
        if best == 0 {
            return None;
        }
        let mut column = self.right(best);
        while column != 0 {
            if self.sizes[column as usize] < self.sizes[best as usize] {
                best = column;
            }
            column = self.right(column);
        }
        Some(best)
    }

    /// Unlinks a column, and its rows from the other columns.
    fn cover(&mut self, column: u32) {
        let Node { left, right, .. } = self.nodes[column as usize];
        self.nodes[right as usize].left = left;
        self.nodes[left as usize].right = right;
        let mut row = self.down(column);
        while row != column {
            let mut one = self.right(row);
            while one != row {
                let Node {
                    up, down, column, ..
                } = self.nodes[one as usize];
                self.nodes[down as usize].up = up;
                self.nodes[up as usize].down = down;
                self.sizes[column as usize] -= 1;
                one = self.right(one);
            }
            row = self.down(row);
        }
    }

    /// Undoes [`Dance::cover`], in the opposite order.
    fn uncover(&mut self, column: u32) {
        let mut row = self.up(column);
        while row != column {
            let mut one = self.left(row);
            while one != row {
                let Node {
                    up, down, column, ..
                } = self.nodes[one as usize];
                self.sizes[column as usize] += 1;
                self.nodes[down as usize].up = one;
                self.nodes[up as usize].down = one;
                one = self.left(one);
            }
            row = self.up(row);
        }
        let Node { left, right, .. } = self.nodes[column as usize];
        self.nodes[right as usize].left = column;
        self.nodes[left as usize].right = column;
    }

    fn left(&self, node: u32) -> u32 {
        self.nodes[node as usize].left
    }

    fn right(&self, node: u32) -> u32 {
        self.nodes[node as usize].right
    }

    fn up(&self, node: u32) -> u32 {
        self.nodes[node as usize].up
    }

    fn down(&self, node: u32) -> u32 {
        self.nodes[node as usize].down
    }

    fn solution(&self) -> Grid<N> {
        let mut grid = Grid::EMPTY;
        for &row in &self.chosen {
            let (cell, digit) = (row as usize / N, row as usize % N);
            grid.set(Cell::from_index(cell), Some(Digit::from_index(digit)));
        }
        grid
    }
}
