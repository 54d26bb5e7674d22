//! Arithmetic of cages: which digits still fit cells whose sum is known.
//!
//! Sums are known of the cages, and of what the cages leave of a house or of several rows or columns
//! side by side, since the sum of a house is that of all digits (killer players call these cells
//! innies and outies).

use super::mask::Mask;
use crate::grid::Cell;
use crate::rules::{HouseKind, Rules};

/// What an engine knows of sums. `()` is for rules without cages, and costs nothing.
pub(super) trait Arithmetic: Send {
    /// Whether it knows anything.
    const ACTIVE: bool;

    fn new<const N: usize>(rules: &Rules<N>) -> Self;

    /// Starts over: every sum is to be looked at.
    fn start(&mut self);

    /// Notes that a cell lost a candidate.
    fn touch(&mut self, cell: usize);

    /// Forgets which cells lost candidates.
    fn clear(&mut self);

    /// Looks at a sum whose cells lost candidates: hands each of its cells, and the digits that no
    /// longer fit there, to `remove`. `None` when there is no such sum left.
    ///
    /// The digits of a cell are those of `state`.
    fn next<M: Mask>(&mut self, state: &[M]) -> Option<&[(usize, u64)]>;
}

impl Arithmetic for () {
    const ACTIVE: bool = false;

    fn new<const N: usize>(_: &Rules<N>) -> Self {}

    fn start(&mut self) {}

    #[inline(always)]
    fn touch(&mut self, _: usize) {}

    #[inline(always)]
    fn clear(&mut self) {}

    #[inline(always)]
    fn next<M: Mask>(&mut self, _: &[M]) -> Option<&[(usize, u64)]> {
        None
    }
}

/// Cells whose digits have a known sum.
#[derive(Clone, Debug)]
pub(crate) struct Sum {
    pub(crate) cells: Vec<usize>,
    pub(crate) sum: u32,
    /// Whether no two of the cells can hold the same digit.
    different: bool,
}

/// All sums that follow from some rules, and which of them are to be looked at.
#[derive(Clone, Debug)]
pub(crate) struct Sums {
    sums: Vec<Sum>,
    /// The sums that each cell is in.
    of: Vec<Vec<usize>>,
    /// The sums to look at, and for each sum whether it is among them.
    agenda: Vec<usize>,
    is_due: Vec<bool>,
    gone: Vec<(usize, u64)>,
    pruner: Pruner,
}

impl Sums {
    /// The sums that follow from the cages of `rules`, the cages first.
    pub(crate) fn of_rules<const N: usize>(rules: &Rules<N>) -> Vec<Sum> {
        let mut sums: Vec<Sum> = rules
            .cages()
            .iter()
            .map(|cage| Sum {
                cells: cage.cells().iter().map(|cell| cell.index()).collect(),
                sum: cage.sum(),
                different: true,
            })
            .collect();
        let cages = sums.clone();
        let mut add = |sum: Sum| {
            let size = sum.cells.len();
            if (1..=MOST_CELLS).contains(&size) && sums.iter().all(|other| other.cells != sum.cells)
            {
                sums.push(sum);
            }
        };
        if cages.is_empty() {
            return sums;
        }
        for (region, houses) in regions(rules) {
            let total = (houses * N * (N + 1) / 2) as u32;
            for (cells, sum) in [
                within(&cages, &region, total),
                around(&cages, &region, total),
            ]
            .into_iter()
            .flatten()
            {
                let different = all_different(rules, &cells);
                add(Sum {
                    cells,
                    sum,
                    different,
                });
            }
        }
        sums
    }
}

/// Sums of more cells say little.
const MOST_CELLS: usize = 9;

/// The maximum number of adjacent rows or columns that are examined together.
const MOST_LINES: usize = 5;

/// Cells that consist of whole houses, which ones as one flag per cell, and how many houses.
fn regions<const N: usize>(rules: &Rules<N>) -> Vec<(Vec<bool>, usize)> {
    let mut regions = Vec::new();
    let mut add = |houses: &[usize]| {
        let mut region = vec![false; N * N];
        for &house in houses {
            for cell in rules.houses()[house].cells() {
                region[cell.index()] = true;
            }
        }
        regions.push((region, houses.len()));
    };
    for (house, description) in rules.houses().iter().enumerate() {
        match description.kind() {
            HouseKind::Row | HouseKind::Column => {
                let end = (house / N + 1) * N;
                for lines in 1..=MOST_LINES.min(end - house) {
                    add(&(house..house + lines).collect::<Vec<_>>());
                }
            }
            _ => add(&[house]),
        }
    }
    regions
}

/// What the cages within a region, each cell in one of them at most, leave of it.
fn within(cages: &[Sum], region: &[bool], total: u32) -> Option<(Vec<usize>, u32)> {
    let mut left = region.to_vec();
    let mut sum = 0;
    for cage in cages {
        if cage.cells.iter().all(|&cell| left[cell]) {
            sum += cage.sum;
            for &cell in &cage.cells {
                left[cell] = false;
            }
        }
    }
    let cells: Vec<usize> = (0..left.len()).filter(|&cell| left[cell]).collect();
    // Cages that have more than the region: no digits have the sum, so the search ends.
    (sum > 0).then(|| (cells, total.checked_sub(sum).unwrap_or(u32::MAX)))
}

/// What the cages that cover a region have outside of it.
fn around(cages: &[Sum], region: &[bool], total: u32) -> Option<(Vec<usize>, u32)> {
    let mut left = region.to_vec();
    let mut cells = Vec::new();
    let mut sum = 0;
    for cage in cages {
        if cage.cells.iter().any(|&cell| region[cell]) {
            sum += cage.sum;
            for &cell in &cage.cells {
                if !region[cell] {
                    cells.push(cell);
                } else if !core::mem::replace(&mut left[cell], false) {
                    return None; // two cages share the cell
                }
            }
        }
    }
    cells.sort_unstable();
    let covers = !left.contains(&true) && cells.windows(2).all(|two| two[0] != two[1]);
    covers.then(|| (cells, sum.checked_sub(total).unwrap_or(u32::MAX)))
}

/// Whether no two of the cells can hold the same digit.
fn all_different<const N: usize>(rules: &Rules<N>, cells: &[usize]) -> bool {
    let mut cells = cells.iter().copied();
    core::iter::from_fn(|| cells.next().map(|first| (first, cells.clone()))).all(|(first, rest)| {
        let peers = rules.peers(Cell::from_index(first));
        rest.clone()
            .all(|cell| peers.contains(&Cell::from_index(cell)))
    })
}

impl Arithmetic for Sums {
    const ACTIVE: bool = true;

    fn new<const N: usize>(rules: &Rules<N>) -> Self {
        let sums = Self::of_rules(rules);
        let mut of = vec![Vec::new(); N * N];
        for (index, sum) in sums.iter().enumerate() {
            for &cell in &sum.cells {
                of[cell].push(index);
            }
        }
        Sums {
            of,
            agenda: Vec::new(),
            is_due: vec![false; sums.len()],
            gone: Vec::new(),
            pruner: Pruner::default(),
            sums,
        }
    }

    fn start(&mut self) {
        self.agenda = (0..self.sums.len()).collect();
        self.is_due.fill(true);
    }

    fn touch(&mut self, cell: usize) {
        for &sum in &self.of[cell] {
            if !core::mem::replace(&mut self.is_due[sum], true) {
                self.agenda.push(sum);
            }
        }
    }

    fn clear(&mut self) {
        for sum in self.agenda.drain(..) {
            self.is_due[sum] = false;
        }
    }

    fn next<M: Mask>(&mut self, state: &[M]) -> Option<&[(usize, u64)]> {
        let index = self.agenda.pop()?;
        self.is_due[index] = false;
        let sum = &self.sums[index];
        self.gone.clear();
        let digits = |&cell: &usize| (cell, state[cell].bits());
        self.gone.extend(sum.cells.iter().map(digits));
        self.pruner.prune(sum, &mut self.gone);
        Some(&self.gone)
    }
}

/// Finds the digits that take part in no way to make a sum.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pruner {
    /// The cells, those with the fewest digits first.
    order: Vec<usize>,
    /// By number of cells: what their digits can be, as (digits, sum).
    layers: Vec<Vec<(u64, u32)>>,
    /// By number of cells: the least and the greatest sum of the cells behind them.
    bounds: Vec<(u32, u32)>,
}

/// With more sets of digits than this, only their bounds are looked at.
const MOST_SETS: usize = 4096;

impl Pruner {
    /// Gets the candidates of each cell of a sum; leaves those that no longer fit.
    pub(crate) fn prune(&mut self, sum: &Sum, cells: &mut [(usize, u64)]) {
        let count = cells.len();
        self.order.clear();
        self.order.extend(0..count);
        self.order.sort_by_key(|&index| cells[index].1.count_ones());
        self.bounds.clear();
        self.bounds.resize(count + 1, (0, 0));
        for step in (0..count).rev() {
            let digits = cells[self.order[step]].1;
            let (least, most) = self.bounds[step + 1];
            // A cell without a candidate is a contradiction that the search has seen itself.
            let least_digit = digits.trailing_zeros().min(63) + 1;
            let greatest_digit = 64 - digits.leading_zeros();
            self.bounds[step] = (least + least_digit, most + greatest_digit);
        }
        if self.layers.len() <= count {
            self.layers.resize(count + 1, Vec::new());
        }
        self.layers[0].clear();
        self.layers[0].push((0, 0));
        for step in 0..count {
            let digits = cells[self.order[step]].1;
            let (least, most) = self.bounds[step + 1];
            let (before, behind) = self.layers.split_at_mut(step + 1);
            behind[0].clear();
            for &(used, so_far) in &before[step] {
                for digit in members(digits & !used) {
                    let value = so_far + digit + 1;
                    if value + least <= sum.sum && sum.sum <= value.saturating_add(most) {
                        let used = if sum.different { used | 1 << digit } else { 0 };
                        behind[0].push((used, value));
                    }
                }
            }
            behind[0].sort_unstable();
            behind[0].dedup();
            if behind[0].len() > MOST_SETS {
                return self.prune_bounds(sum, cells);
            }
        }
        // Backwards: what leads to the sum, and the digits on the way.
        for step in (0..count).rev() {
            let cell = &mut cells[self.order[step]];
            let digits = cell.1;
            let (before, behind) = self.layers.split_at_mut(step + 1);
            let mut fit = 0;
            before[step].retain(|&(used, so_far)| {
                let mut leads_on = false;
                for digit in members(digits & !used) {
                    let used = if sum.different { used | 1 << digit } else { 0 };
                    if behind[0].binary_search(&(used, so_far + digit + 1)).is_ok() {
                        fit |= 1 << digit;
                        leads_on = true;
                    }
                }
                leads_on
            });
            cell.1 = digits & !fit;
        }
    }

    /// The same from the bounds of the other cells alone.
    fn prune_bounds(&self, sum: &Sum, cells: &mut [(usize, u64)]) {
        let (least, most) = self.bounds[0];
        for (_, digits) in cells {
            let own_least = digits.trailing_zeros().min(63) + 1;
            let own_most = 64 - digits.leading_zeros();
            let fits = |&digit: &u32| {
                least - own_least + digit < sum.sum && sum.sum <= most - own_most + digit + 1
            };
            *digits = members(*digits)
                .filter(|digit| !fits(digit))
                .fold(0, |all, d| all | 1 << d);
        }
    }
}

/// The members of a set of bits.
fn members(mut set: u64) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        let member = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (member < 64).then_some(member)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;

    /// What `prune` must leave, by trying all digits.
    fn slow(sum: &Sum, cells: &[(usize, u64)]) -> Vec<u64> {
        fn go(sum: &Sum, cells: &[(usize, u64)], chosen: &mut Vec<u32>, fit: &mut [u64]) {
            if chosen.len() == cells.len() {
                if chosen.iter().map(|digit| digit + 1).sum::<u32>() == sum.sum {
                    for (fit, digit) in fit.iter_mut().zip(chosen) {
                        *fit |= 1 << *digit;
                    }
                }
                return;
            }
            for digit in members(cells[chosen.len()].1) {
                if !(sum.different && chosen.contains(&digit)) {
                    chosen.push(digit);
                    go(sum, cells, chosen, fit);
                    chosen.pop();
                }
            }
        }
        let mut fit = vec![0; cells.len()];
        go(sum, cells, &mut Vec::new(), &mut fit);
        fit
    }

    #[test]
    fn pruning_finds_what_trying_everything_finds() {
        let mut random = Random::new(1);
        let mut pruner = Pruner::default();
        for round in 0..3000 {
            let count = 1 + random.below(5);
            let cells: Vec<(usize, u64)> = (0..count)
                .map(|cell| (cell, 1 + random.next_u64() % 511))
                .collect();
            let sum = Sum {
                cells: (0..count).collect(),
                sum: random.below(46) as u32,
                different: round % 2 == 0,
            };
            let mut gone = cells.clone();
            pruner.prune(&sum, &mut gone);
            let left: Vec<u64> = cells
                .iter()
                .zip(&gone)
                .map(|(all, gone)| all.1 & !gone.1)
                .collect();
            let expected = slow(&sum, &cells);
            assert_eq!(left, expected, "{sum:?} {cells:?}");
            // The bounds take no digit that fits.
            let mut gone = cells.clone();
            pruner.prune_bounds(&sum, &mut gone);
            assert!(
                gone.iter()
                    .zip(&expected)
                    .all(|(gone, fit)| gone.1 & fit == 0)
            );
        }
    }

    #[test]
    fn what_cages_leave_of_a_house_is_a_sum() {
        let cells = |columns: core::ops::Range<usize>| -> Vec<Cell<4>> {
            columns.map(|column| Cell::at(0, column)).collect()
        };
        let rules = Rules::<4>::classic().with_cage(&cells(0..3), 7).unwrap();
        let sums = Sums::of_rules(&rules);
        let left = sums
            .iter()
            .find(|sum| sum.cells == [3])
            .expect("the fourth cell");
        assert_eq!((left.sum, left.different), (3, true));
        let rules = Rules::<4>::classic()
            .with_cage(&cells(0..3), 7)
            .unwrap()
            .with_cage(&[Cell::at(0, 3), Cell::at(1, 3)], 4)
            .unwrap();
        let sums = Sums::of_rules(&rules);
        let outside = sums
            .iter()
            .find(|sum| sum.cells == [7])
            .expect("the cell below");
        assert_eq!(outside.sum, 1);
        assert!(Sums::of_rules(&Rules::<4>::classic()).is_empty());
    }
}
