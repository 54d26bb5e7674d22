//! Finds the candidates that a known sum rules out.

use super::subsets::SubsetPruner;
use super::{Sum, mirror};
use crate::engine::mask::Mask;

/// Finds the digits that take part in no way to make a sum.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pruner {
    /// By group of the sum: the digits that every way to make it has in the group.
    pub(super) needed: Vec<u64>,
    subsets: SubsetPruner,
    general: GeneralPruner,
}

impl Pruner {
    /// Replaces the candidates of each cell of a sum, in a grid of this side, by those that no longer fit.
    pub(crate) fn prune(&mut self, sum: &Sum, side: usize, cells: &mut [(usize, u64)]) {
        for (_, digits) in &mut cells[..sum.mirrored] {
            *digits = mirror(*digits, side);
        }
        self.prune_values(sum, cells);
        for (_, digits) in &mut cells[..sum.mirrored] {
            *digits = mirror(*digits, side);
        }
    }

    fn prune_values(&mut self, sum: &Sum, cells: &mut [(usize, u64)]) {
        self.needed.clear();
        if cells.iter().all(|cell| cell.1 >> SubsetPruner::DIGITS == 0)
            && cells.len() <= SubsetPruner::MAX_CELLS
        {
            self.subsets.prune(sum, cells, &mut self.needed);
        } else {
            self.general.prune(sum, cells);
        }
    }
}
/// The pruner for any number of digits. It ignores groups unless all cells are in one.
#[derive(Clone, Debug, Default)]
struct GeneralPruner {
    /// The cells, those with the fewest digits first.
    order: Vec<usize>,
    /// By number of cells: the possible (digits, sum) of the first cells.
    layers: Vec<Vec<(u64, u32)>>,
    /// By number of cells: the minimum and maximum sum of the remaining cells.
    bounds: Vec<(u32, u32)>,
}

/// The maximum number of sets of digits; with more, only their bounds are examined.
const MAX_SETS: usize = 4096;

impl GeneralPruner {
    fn prune(&mut self, sum: &Sum, cells: &mut [(usize, u64)]) {
        let different = sum.is_distinct();
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
                for digit in (digits & !used).members() {
                    let value = so_far + digit as u32 + 1;
                    if value + least <= sum.sum && sum.sum <= value.saturating_add(most) {
                        let used = if different { used | 1 << digit } else { 0 };
                        behind[0].push((used, value));
                    }
                }
            }
            behind[0].sort_unstable();
            behind[0].dedup();
            if behind[0].len() > MAX_SETS {
                return self.prune_bounds(sum, cells);
            }
        }
        // Backwards: keeps the states that lead to the sum, and collects their digits.
        for step in (0..count).rev() {
            let cell = &mut cells[self.order[step]];
            let digits = cell.1;
            let (before, behind) = self.layers.split_at_mut(step + 1);
            let mut fit = 0;
            before[step].retain(|&(used, so_far)| {
                let mut leads_on = false;
                for digit in (digits & !used).members() {
                    let used = if different { used | 1 << digit } else { 0 };
                    if behind[0]
                        .binary_search(&(used, so_far + digit as u32 + 1))
                        .is_ok()
                    {
                        fit |= 1 << digit;
                        leads_on = true;
                    }
                }
                leads_on
            });
            cell.1 = digits & !fit;
        }
    }

    /// Prunes by the bounds of the other cells alone.
    fn prune_bounds(&self, sum: &Sum, cells: &mut [(usize, u64)]) {
        let (least, most) = self.bounds[0];
        for (_, digits) in cells {
            let own_least = digits.trailing_zeros().min(63) + 1;
            let own_most = 64 - digits.leading_zeros();
            let fits = |&digit: &usize| {
                let value = digit as u32 + 1;
                least - own_least + value <= sum.sum && sum.sum <= most - own_most + value
            };
            *digits = digits
                .members()
                .filter(|digit| !fits(digit))
                .fold(0, |all, d| all | 1 << d);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Group;
    use super::*;
    use crate::generate::Random;

    /// The expected result of `prune`, by trying all digits, and the needs of each group.
    fn slow(sum: &Sum, cells: &[(usize, u64)]) -> (Vec<u64>, Vec<u64>) {
        fn go(
            sum: &Sum,
            cells: &[(usize, u64)],
            chosen: &mut Vec<usize>,
            fit: &mut [u64],
            needed: &mut [u64],
        ) {
            if chosen.len() == cells.len() {
                if chosen.iter().map(|digit| digit + 1).sum::<usize>() == sum.sum as usize {
                    for (fit, digit) in fit.iter_mut().zip(chosen.iter()) {
                        *fit |= 1 << *digit;
                    }
                    for (needed, group) in needed.iter_mut().zip(&sum.groups) {
                        *needed &= group.indices.iter().fold(0, |all, &i| all | 1 << chosen[i]);
                    }
                }
                return;
            }
            let group = sum
                .groups
                .iter()
                .find(|group| group.indices.contains(&chosen.len()));
            let group = &group.expect("a group").indices;
            for digit in cells[chosen.len()].1.members() {
                let mut before = group.iter().filter(|&&i| i < chosen.len());
                if before.all(|&i| chosen[i] != digit) {
                    chosen.push(digit);
                    go(sum, cells, chosen, fit, needed);
                    chosen.pop();
                }
            }
        }
        let mut fit = vec![0; cells.len()];
        let mut needed = vec![511; sum.groups.len()];
        go(sum, cells, &mut Vec::new(), &mut fit, &mut needed);
        (fit, needed)
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
            // One group, one for each cell, or two.
            let group = |cell: usize| [0, cell, cell % 2][round % 3];
            let groups = (0..count).map(|number| Group {
                indices: (0..count).filter(|&cell| group(cell) == number).collect(),
                seen_by: Vec::new(),
            });
            let sum = Sum {
                name: None,
                mirrored: 0,
                is_derived: false,
                cells: (0..count).collect(),
                sum: random.below(46) as u32,
                groups: groups.filter(|group| !group.indices.is_empty()).collect(),
            };
            let left = |gone: &[(usize, u64)]| -> Vec<u64> {
                let both = cells.iter().zip(gone);
                both.map(|(all, gone)| all.1 & !gone.1).collect()
            };
            let (expected, needed) = slow(&sum, &cells);
            let mut gone = cells.clone();
            pruner.prune(&sum, 9, &mut gone);
            assert_eq!(left(&gone), expected, "{sum:?} {cells:?}");
            if expected[0] != 0 {
                assert_eq!(pruner.needed, needed, "{sum:?} {cells:?}");
            }
            // If all cells are in one group, or each in its own, the general pruner finds the same.
            let mut gone = cells.clone();
            pruner.general.prune(&sum, &mut gone);
            if round % 3 < 2 {
                assert_eq!(left(&gone), expected, "{sum:?} {cells:?}");
            }
            // The bounds remove no digit that fits.
            let mut gone = cells.clone();
            pruner.general.prune_bounds(&sum, &mut gone);
            assert!(
                gone.iter()
                    .zip(&expected)
                    .all(|(gone, fit)| gone.1 & fit == 0)
            );
        }
    }
}
