//! Random complete grids.

use super::Random;
use crate::grid::{Cell, Digit, Grid};
use crate::rules::Rules;

/// A random search for a complete grid, which branches on a smallest set of candidates: the digits
/// of a cell or the places of a digit in a house.
struct Fill<'a, const N: usize> {
    random: &'a mut Random,
    rules: &'a Rules<N>,
    grid: Grid<N>,
    left: Left,
    /// The remaining number of digits that may be tried.
    budget: usize,
}

/// The remaining candidates.
#[derive(Clone)]
struct Left {
    /// The digits of each cell, as bits.
    digits: Vec<u64>,
    /// The number of digits of each cell, then of places of each digit in each house; [`CLOSED`]
    /// for those that hold their digit.
    sizes: Vec<u8>,
}

/// The size of a set that holds its digit.
const CLOSED: u8 = u8::MAX;

/// A random complete grid, or `None` if [`RESTARTS`] attempts fail, and for rules with cages or
/// constraints, which random digits hardly ever satisfy.
pub(super) fn fill<const N: usize>(random: &mut Random, rules: &Rules<N>) -> Option<Grid<N>> {
    if rules.has_constraints() {
        return None;
    }
    (0..RESTARTS).find_map(|_| {
        // Restarting is cheaper than completing an unlucky attempt.
        let mut fill = Fill::new(random, rules);
        fill.search().then_some(fill.grid)
    })
}

/// The maximum number of attempts of [`fill`].
const RESTARTS: usize = 1000;

impl<'a, const N: usize> Fill<'a, N> {
    fn new(random: &'a mut Random, rules: &'a Rules<N>) -> Self {
        let sets = N * N + rules.houses().len() * N;
        Fill {
            random,
            rules,
            grid: Grid::EMPTY,
            left: Left {
                digits: vec![(1 << N) - 1; N * N],
                sizes: vec![N as u8; sets],
            },
            budget: 2 * N * N,
        }
    }

    /// Completes the grid. Returns whether that succeeded; if not, some candidates are removed.
    fn search(&mut self) -> bool {
        let smallest = match self.left.sizes.iter().fold(CLOSED, |a, &b| a.min(b)) {
            CLOSED => return true,
            smallest => smallest,
        };
        let mut branches = self.draw_set(smallest);
        self.random.shuffle(&mut branches);
        while let [(cell, digit), others @ ..] = &branches[..] {
            if self.budget == 0 {
                return false;
            }
            self.budget -= 1;
            let (cell, digit) = (*cell, *digit);
            let before = (!others.is_empty()).then(|| self.left.clone());
            self.place(cell, digit);
            self.grid
                .set(Cell::from_index(cell), Some(Digit::from_index(digit)));
            if self.search() {
                return true;
            }
            self.grid.set(Cell::from_index(cell), None);
            if let Some(before) = before {
                self.left = before;
            }
            branches.remove(0);
        }
        false
    }

    /// The candidates (cell, digit) of a set of this size, each set as likely as the others.
    fn draw_set(&mut self, size: u8) -> Vec<(usize, usize)> {
        let sizes = &self.left.sizes;
        let ties = sizes.iter().filter(|&&other| other == size).count();
        let chosen = self.random.below(ties);
        let mut sets = (0..sizes.len()).filter(|&set| sizes[set] == size);
        let set = match sets.nth(chosen) {
            Some(set) => set,
            None => unreachable!("drawn among the sets of this size"),
        };
        let has = |cell: usize, digit: usize| self.left.digits[cell] >> digit & 1 == 1;
        match set.checked_sub(N * N) {
            None => (0..N)
                .filter(|&digit| has(set, digit))
                .map(|digit| (set, digit))
                .collect(),
            Some(place) => {
                let (house, digit) = (place / N, place % N);
                let cells = self.rules.houses()[house].cells.iter();
                cells
                    .map(|cell| (cell.index(), digit))
                    .filter(|&(cell, digit)| has(cell, digit))
                    .collect()
            }
        }
    }

    /// Removes the candidates that this digit in this cell rules out.
    fn place(&mut self, cell: usize, digit: usize) {
        let Left { digits, sizes } = &mut self.left;
        let set = |house: usize, digit: usize| N * N + house * N + digit;
        for seat in self.rules.seats_of(cell) {
            let house = seat.house;
            sizes[set(house, digit)] = CLOSED;
            let mut others = digits[cell] & !(1 << digit);
            while others != 0 {
                sizes[set(house, others.trailing_zeros() as usize)] -= 1;
                others &= others - 1;
            }
        }
        sizes[cell] = CLOSED;
        digits[cell] = 0;
        for seat in self.rules.seats_of(cell) {
            for other in &self.rules.houses()[seat.house].cells {
                let other = other.index();
                if digits[other] >> digit & 1 == 0 {
                    continue;
                }
                digits[other] &= !(1 << digit);
                sizes[other] -= 1;
                for seat in self.rules.seats_of(other) {
                    let size = &mut sizes[set(seat.house, digit)];
                    if *size != CLOSED {
                        *size -= 1;
                    }
                }
            }
        }
    }
}
