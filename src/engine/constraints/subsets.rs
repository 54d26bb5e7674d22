//! The arithmetic of sums on sets of sets of digits.

use super::{Group, Sum};
use crate::engine::mask::Mask;

/// The pruner for up to nine digits. It is exact, except that it ignores conflicts between cells of
/// different groups.
///
/// The possible sets of digits of some cells of a group are one bit set ([`Subsets`]), the possible
/// sums of several groups another, so that combinations are never enumerated.
#[derive(Clone, Debug, Default)]
pub(super) struct SubsetPruner {
    /// By group, the possible sets of digits of its first cells: none of them, one, two ...
    layers: Vec<Vec<Subsets>>,
    /// By group, one bit for each possible sum.
    sums: Vec<u64>,
    /// By group, one bit for each possible sum of all groups after it.
    sums_after: Vec<u128>,
}

impl SubsetPruner {
    pub(super) const DIGITS: u32 = 9;

    /// The maximum number of cells: their largest sum is a bit of a `u128`.
    pub(super) const MAX_CELLS: usize = 14;

    /// Replaces the candidates of each cell by those that no longer fit, and adds to `needed`, for each
    /// group, the digits that every combination with the sum has in it.
    pub(super) fn prune(&mut self, sum: &Sum, cells: &mut [(usize, u64)], needed: &mut Vec<u64>) {
        let count = sum.groups.len();
        if self.layers.len() < count {
            self.layers.resize(count, Vec::new());
        }
        self.sums.clear();
        for (group, layers) in sum.groups.iter().zip(&mut self.layers) {
            layers.clear();
            let digits = |at: usize| cells[group.indices[at]].1;
            self.sums.push(match group.indices.len() {
                1 => digits(0) << 1,
                2 => digits(0).members().fold(0, |all, digit| {
                    all | (digits(1) & !(1 << digit)) << (digit + 2)
                }),
                count => {
                    fill_layers(group, cells, layers);
                    layers[count].sums(count)
                }
            });
        }
        self.sums_after.clear();
        self.sums_after.resize(count, 1);
        for number in (1..count).rev() {
            self.sums_after[number - 1] = add_sums(self.sums_after[number], self.sums[number]);
        }
        let mut sums_before = 1;
        for (number, group) in sum.groups.iter().enumerate() {
            let own = self.sums[number];
            // The sums up to and with this group that the groups after it complete, and its own that are a part of them.
            let completed = self.sums_after[number].reverse_bits() >> (127 - sum.sum.min(127));
            let is_part = |&own: &usize| sums_before << own & completed != 0;
            let left = own.members().filter(is_part);
            let left = left.fold(0, |all, sum| all | 1 << sum);
            sums_before = add_sums(sums_before, own);
            let layers = &mut self.layers[number];
            let mut is_open = group.indices.iter().map(|&index| cells[index].1.len());
            if left == own && is_open.all(|digits| digits as usize > group.indices.len()) {
                // Each digit of each cell is part of a way, and no digit is part of all.
                needed.push(0);
                group.indices.iter().for_each(|&index| cells[index].1 = 0);
                continue;
            }
            if layers.is_empty() {
                fill_layers(group, cells, layers);
            }
            let mut ways = layers[group.indices.len()];
            if left != own {
                let allowed = left.members().map(|sum| SETS_OF_SUM[sum]);
                ways = ways.and(allowed.fold(Subsets::default(), Subsets::or));
            }
            needed.push(ways.common_digits());
            for (&index, before) in group.indices.iter().zip(&*layers).rev() {
                let cell = &mut cells[index];
                let mut fit = 0;
                let mut leading = Subsets::default();
                for digit in cell.1.members() {
                    let from = ways.without(digit).and(*before);
                    if !from.is_empty() {
                        fit |= 1 << digit;
                        leading = leading.or(from);
                    }
                }
                ways = leading;
                cell.1 &= !fit;
            }
        }
    }
}

/// Adds the possible sets of digits of the first cells of a group: none of them, one, two ...
fn fill_layers(group: &Group, cells: &[(usize, u64)], layers: &mut Vec<Subsets>) {
    let mut layer = Subsets::EMPTY_SET;
    layers.push(layer);
    for &index in &group.indices {
        layer = layer.with_one_of(cells[index].1);
        layers.push(layer);
    }
}

/// All sums of one member of each set of sums.
fn add_sums(all: u128, sums: u64) -> u128 {
    sums.members().fold(0, |found, sum| found | all << sum)
}

/// Sets of digits below nine: bit `s` says whether the set with the bits `s` is among them.
#[derive(Clone, Copy, Debug, Default)]
struct Subsets([u64; 8]);

/// The sum of the values of nine different digits.
const MAX_SUM: usize = 45;

/// For each sum, the sets of digits whose values (digit + 1) add up to it.
static SETS_OF_SUM: [Subsets; MAX_SUM + 1] = {
    let mut table = [Subsets([0; 8]); MAX_SUM + 1];
    let mut set = 0;
    while set < 512 {
        let (mut sum, mut digit) = (0, 0);
        while digit < 9 {
            sum += (set >> digit & 1) * (digit + 1);
            digit += 1;
        }
        table[sum].0[set / 64] |= 1 << (set % 64);
        set += 1;
    }
    table
};

/// By digit below six, the numbers below 64 without its bit.
const LACKING: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0F0F_0F0F_0F0F_0F0F,
    0x00FF_00FF_00FF_00FF,
    0x0000_FFFF_0000_FFFF,
    0x0000_0000_FFFF_FFFF,
];

impl Subsets {
    /// The empty set alone.
    const EMPTY_SET: Self = Subsets([1, 0, 0, 0, 0, 0, 0, 0]);

    fn is_empty(self) -> bool {
        self.0.iter().fold(0, |any, sets| any | sets) == 0
    }

    fn or(self, other: Self) -> Self {
        Subsets(core::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    fn and(self, other: Self) -> Self {
        Subsets(core::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// Each set with each of the digits that it lacks.
    fn with_one_of(self, digits: u64) -> Self {
        let mut all = Subsets::default();
        for digit in digits.members() {
            if digit < 6 {
                let lacking = LACKING[digit];
                for (all, sets) in all.0.iter_mut().zip(self.0) {
                    *all |= (sets & lacking) << (1 << digit);
                }
            } else {
                let bit = 1 << (digit - 6);
                for word in (0..8).filter(|word| word & bit == 0) {
                    all.0[word | bit] |= self.0[word];
                }
            }
        }
        all
    }

    /// The sets that have the digit, without it.
    fn without(self, digit: usize) -> Self {
        if digit < 6 {
            let lacking = LACKING[digit];
            Subsets(self.0.map(|sets| sets >> (1 << digit) & lacking))
        } else {
            let bit = 1 << (digit - 6);
            Subsets(core::array::from_fn(|word| match word & bit {
                0 => self.0[word | bit],
                _ => 0,
            }))
        }
    }

    /// The digits that are in every set.
    fn common_digits(self) -> u64 {
        let any = self.0.iter().fold(0, |any, sets| any | sets);
        let low = (0..6).filter(|&digit| any & LACKING[digit] == 0);
        let high = (6..9).filter(|&digit| {
            let lacking = (0..8).filter(|word| word >> (digit - 6) & 1 == 0);
            lacking.fold(0, |any, word| any | self.0[word]) == 0
        });
        low.chain(high).fold(0, |all, digit| all | 1 << digit)
    }

    /// One bit for each sum that a set has; all have this many digits.
    fn sums(self, count: usize) -> u64 {
        let triangle = |number: usize| number * (number + 1) / 2;
        let sums = triangle(count)..=MAX_SUM - triangle(9 - count);
        let has = |&sum: &usize| !self.and(SETS_OF_SUM[sum]).is_empty();
        sums.filter(has).fold(0, |all, sum| all | 1 << sum)
    }
}
