//! The solution whose digits have the highest weighted sum: branch and bound over all solutions.
//!
//! The search places singles and guesses in a cell with the fewest candidates, highest digit first.
//! Before a guess, two upper bounds of the sum are compared with the best solution so far:
//!
//! - by houses: in each house, the highest missing digit goes into the heaviest empty cell, and so on.
//!   The rows, the columns and the boxes each cover the grid, so each of the three totals is a bound;
//! - by digits: the cells of a digit weigh at most the sum over the rows (columns, boxes) of the
//!   heaviest cell that allows it, and at least that of the lightest. Together, the cells of all digits
//!   weigh as much as the grid, so what one digit gains another one loses.
//!
//! In two grids with 24 givens in six rows and columns the second bound saves 4/5 of the nodes.

use crate::grid::{Cell, Digit, Grid};
use crate::rules::allows_classic;

/// The solution of a classic puzzle with the highest sum of `weights[row][column]` times the digit of
/// that cell, and this sum; `None` if the puzzle has no solution. Which of several with the same sum
/// is not promised.
///
/// ```
/// use sudoku::Grid;
///
/// let puzzle: Grid<4> = "1...............".parse()?;
/// let corner = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 2]];
/// let (solution, sum) = sudoku::heaviest_solution(&puzzle, &corner).expect("a solution");
/// assert_eq!((solution.to_rows()[3][2..].to_vec(), sum), (vec![3, 4], 11));
/// # Ok::<(), sudoku::notation::ParseError>(())
/// ```
pub fn heaviest_solution<const N: usize>(
    puzzle: &Grid<N>,
    weights: &[[u32; N]; N],
) -> Option<(Grid<N>, u64)> {
    if !allows_classic(puzzle) {
        return None;
    }
    let weight = |cell: Cell<N>| u64::from(weights[cell.row()][cell.column()]);
    let mut search = Search {
        weight: Cell::all().map(weight).collect(),
        houses: houses(weights),
        used: [[0; N]; 3],
        grid: Grid::EMPTY,
        best: None,
    };
    for (cell, digit) in puzzle.givens() {
        search.grid.set(cell, Some(digit));
        search.flip(cell, 1 << digit.index());
    }
    search.run();
    search.best
}

/// The rows, the columns and the boxes: the cells of each, heaviest first.
fn houses<const N: usize>(weights: &[[u32; N]; N]) -> [Vec<[Cell<N>; N]>; 3] {
    let place: [fn(usize, usize) -> Cell<N>; 3] =
        [Cell::at, |column, row| Cell::at(row, column), Cell::in_box];
    place.map(|place| {
        let house = |house| {
            let mut cells = core::array::from_fn(|k| place(house, k));
            cells.sort_by_key(|c| core::cmp::Reverse(weights[c.row()][c.column()]));
            cells
        };
        (0..N).map(house).collect()
    })
}

struct Search<const N: usize> {
    /// By the index of the cell.
    weight: Vec<u64>,
    houses: [Vec<[Cell<N>; N]>; 3],
    /// The digits that each row, column and box holds; bit `d` is the digit with the index `d`.
    used: [[u64; N]; 3],
    grid: Grid<N>,
    best: Option<(Grid<N>, u64)>,
}

impl<const N: usize> Search<N> {
    const ALL: u64 = (1 << N) - 1;

    fn flip(&mut self, cell: Cell<N>, bit: u64) {
        self.used[0][cell.row()] ^= bit;
        self.used[1][cell.column()] ^= bit;
        self.used[2][cell.box_index()] ^= bit;
    }

    /// The digits that each cell can hold: of a filled one, its digit.
    fn candidates(&self) -> Vec<u64> {
        let of_cell = |cell: Cell<N>| match self.grid.get(cell) {
            Some(digit) => 1 << digit.index(),
            None => {
                let [rows, columns, boxes] = &self.used;
                Self::ALL & !(rows[cell.row()] | columns[cell.column()] | boxes[cell.box_index()])
            }
        };
        Cell::all().map(of_cell).collect()
    }

    fn run(&mut self) {
        let candidates = self.candidates();
        let Some((cell, mut digits)) = self.branch(&candidates) else {
            let digit = |cell: Cell<N>| 64 - u64::from(candidates[cell.index()].leading_zeros());
            let sum = Cell::all()
                .map(|cell| self.weight[cell.index()] * digit(cell))
                .sum();
            if self.best.is_none_or(|(_, best)| best < sum) {
                self.best = Some((self.grid, sum));
            }
            return;
        };
        let is_bounded = |best| {
            self.bound_by_houses(&candidates) <= best || self.bound_by_digits(&candidates) <= best
        };
        if digits.count_ones() > 1 && self.best.is_some_and(|(_, best)| is_bounded(best)) {
            return;
        }
        while digits != 0 {
            let index = 63 - digits.leading_zeros() as usize;
            digits ^= 1 << index;
            self.grid.set(cell, Some(Digit::from_index(index)));
            self.flip(cell, 1 << index);
            self.run();
            self.flip(cell, 1 << index);
        }
        self.grid.set(cell, None);
    }

    /// An empty cell and the digits to try there, none if there is no solution: a single if there is
    /// one, else a cell with the fewest candidates. `None` if the grid is full.
    fn branch(&self, candidates: &[u64]) -> Option<(Cell<N>, u64)> {
        let empty = Cell::<N>::all().filter(|&cell| self.grid.get(cell).is_none());
        let fewest = empty.min_by_key(|cell| {
            let count = candidates[cell.index()].count_ones();
            (count, core::cmp::Reverse(self.weight[cell.index()]))
        })?;
        let digits = candidates[fewest.index()];
        if digits.count_ones() < 2 {
            return Some((fewest, digits));
        }
        for (houses, used) in self.houses.iter().zip(&self.used) {
            for (cells, used) in houses.iter().zip(used) {
                let (mut once, mut twice) = (0, 0);
                for cell in cells {
                    twice |= once & candidates[cell.index()];
                    once |= candidates[cell.index()];
                }
                let hidden = once & !twice & !used;
                if once != Self::ALL {
                    return Some((fewest, 0));
                }
                if hidden != 0 {
                    let digit = hidden & hidden.wrapping_neg();
                    let allows = |cell: &&Cell<N>| candidates[cell.index()] & digit != 0;
                    return cells.iter().find(allows).map(|&cell| (cell, digit));
                }
            }
        }
        Some((fewest, digits))
    }

    fn bound_by_houses(&self, candidates: &[u64]) -> u64 {
        let of_house = |cells: &[Cell<N>; N], used: u64| {
            let mut missing = Self::ALL & !used;
            let of_cell = |cell: &Cell<N>| {
                let mut digit = candidates[cell.index()];
                if self.grid.get(*cell).is_none() {
                    digit = missing;
                    missing ^= 1 << (63 - missing.leading_zeros());
                }
                self.weight[cell.index()] * (64 - u64::from(digit.leading_zeros()))
            };
            cells.iter().map(of_cell).sum::<u64>()
        };
        let totals = self.houses.iter().zip(&self.used).map(|(houses, used)| {
            let houses = houses.iter().zip(used);
            houses.map(|(cells, &used)| of_house(cells, used)).sum()
        });
        totals.min().unwrap_or(0)
    }

    fn bound_by_digits(&self, candidates: &[u64]) -> u64 {
        let (mut least, mut most) = ([0; N], [u64::MAX; N]);
        for houses in &self.houses {
            let (mut lightest, mut heaviest) = ([0; N], [0; N]);
            for cells in houses {
                self.add_first(cells.iter(), candidates, &mut heaviest);
                self.add_first(cells.iter().rev(), candidates, &mut lightest);
            }
            for d in 0..N {
                least[d] = least[d].max(lightest[d]);
                most[d] = most[d].min(heaviest[d]);
            }
        }
        // What is left goes to the highest digits.
        let total: u64 = self.weight.iter().sum();
        let mut left = total.saturating_sub(least.iter().sum());
        let mut bound = 0;
        for d in (0..N).rev() {
            let more = left.min(most[d].saturating_sub(least[d]));
            left -= more;
            bound += (d as u64 + 1) * (least[d] + more);
        }
        bound
    }

    /// Adds to `sums`, by digit, the weight of the first of a house's cells that allows it.
    fn add_first<'a>(
        &self,
        cells: impl Iterator<Item = &'a Cell<N>>,
        candidates: &[u64],
        sums: &mut [u64; N],
    ) {
        let mut left = Self::ALL;
        for cell in cells {
            let mut new = candidates[cell.index()] & left;
            left ^= new;
            while new != 0 {
                sums[new.trailing_zeros() as usize] += self.weight[cell.index()];
                new &= new - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::heaviest_solution;
    use crate::generate::Generator;
    use crate::{Grid, solutions};

    /// The highest sum over all solutions, listed one by one.
    fn highest<const N: usize>(puzzle: &Grid<N>, weights: &[[u32; N]; N]) -> Option<u64> {
        let sum = |solution: Grid<N>| {
            let rows = solution.to_rows();
            let cells = weights.iter().flatten().zip(rows.iter().flatten());
            cells.map(|(&w, &d)| u64::from(w) * u64::from(d)).sum()
        };
        solutions(puzzle).map(sum).max()
    }

    fn agrees<const N: usize>(seeds: core::ops::Range<u64>, solutions: u64, givens: usize) {
        let mut several = 0;
        for seed in seeds {
            let mut generator = Generator::<N>::new(seed);
            let puzzle = generator.several(solutions, givens);
            let puzzle = puzzle.expect("a puzzle with so many solutions");
            let mut weights = [[0; N]; N];
            for weight in weights.iter_mut().flatten() {
                *weight = generator.random().below(9) as u32;
            }
            let found = heaviest_solution(&puzzle, &weights);
            assert_eq!(found.map(|(_, sum)| sum), highest(&puzzle, &weights));
            let (solution, sum) = found.expect("a solution");
            assert_eq!(highest(&solution, &weights), Some(sum));
            several += 1;
        }
        assert!(several > 0);
    }

    #[test]
    fn no_solution_has_a_higher_sum() {
        agrees::<4>(1..30, 6, 8);
        agrees::<6>(1..20, 12, 20);
        agrees::<9>(1..20, 12, 40);
    }

    #[test]
    fn a_puzzle_without_a_solution_has_no_heaviest_one() {
        let weights = [[1; 4]; 4];
        for line in ["11..............", "123....4........"] {
            let puzzle: Grid<4> = line.parse().expect("a grid");
            assert_eq!(heaviest_solution(&puzzle, &weights), None);
        }
    }

    /// All weights equal: every solution has the same sum, which the first bound shows at once.
    #[test]
    fn equal_weights_need_no_search_through_all_solutions() {
        let found = heaviest_solution(&Grid::<9>::EMPTY, &[[2; 9]; 9]);
        assert_eq!(found.map(|(_, sum)| sum), Some(2 * 9 * 45));
    }
}
