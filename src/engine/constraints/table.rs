//! A constraint as the list of the ways to satisfy it.

use super::Sum;
use crate::engine::mask::Mask;
use crate::rules::Patterns;

/// The ways to satisfy a constraint, at most 128, as rows: a set of rows is one word, and a candidate fits if a
/// row that is still possible has it ("Compact-Table": Demeulenaere et al., CP 2016).
#[derive(Clone, Debug)]
pub(super) struct Table {
    cells: Vec<usize>,
    side: usize,
    rows: u128,
    /// By place and digit, the rows that allow the digit there.
    supports: Vec<u128>,
    shares: Vec<Share>,
    needs: Vec<Need>,
    /// While every cell has more digits than this, each of them fits.
    slack: u32,
}

/// Places that must hold different ones of some digits in a row.
#[derive(Clone, Debug)]
struct Share {
    row: u128,
    places: u64,
    digits: u64,
}

/// Cells that see all of some places.
#[derive(Clone, Debug)]
struct Need {
    places: u64,
    seen_by: Vec<usize>,
    /// By digit, the rows in which one of the places holds it.
    holding: Vec<u128>,
}

impl Table {
    fn empty(cells: &[usize], side: usize) -> Self {
        Table {
            cells: cells.to_vec(),
            side,
            rows: 0,
            supports: vec![0; cells.len() * side],
            shares: Vec::new(),
            needs: Vec::new(),
            slack: side as u32,
        }
    }

    /// Sets what follows from the rows.
    fn finish(mut self) -> Self {
        if let [_, _] = self.cells[..] {
            let (one, other) = (&self.supports[..self.side], &self.supports[self.side..]);
            let excluded = |rows: u128, others: &[u128]| -> u32 {
                others.iter().map(|&o| u32::from(o & rows == 0)).sum()
            };
            let by_one = one.iter().map(|&rows| excluded(rows, other));
            let by_other = other.iter().map(|&rows| excluded(rows, one));
            self.slack = by_one.chain(by_other).fold(0, u32::max);
        }
        self
    }

    /// The table of a sum: a row for each way to make it. `None` if there are too many.
    pub(super) fn of_sum(sum: &Sum, side: usize, sees: &[Vec<bool>]) -> Option<Self> {
        let mut table = Table::empty(&sum.cells, side);
        table.add_sums(sum, sees, sum.sum as usize, &mut Vec::new(), &mut 0)?;
        for group in sum.groups.iter().filter(|group| group.indices.len() > 1) {
            let places = group.indices.iter().fold(0, |all, &place| all | 1 << place);
            let holding = |digit| {
                let supports = group
                    .indices
                    .iter()
                    .map(|&p| table.supports[p * side + digit]);
                supports.fold(0, |all, rows| all | rows)
            };
            table.needs.push(Need {
                places,
                seen_by: group.seen_by.clone(),
                holding: (0..side).map(holding).collect(),
            });
        }
        Some(table.finish())
    }

    /// Adds the rows that begin with these digits; `left` is the sum of the other values.
    fn add_sums(
        &mut self,
        sum: &Sum,
        sees: &[Vec<bool>],
        left: usize,
        digits: &mut Vec<usize>,
        count: &mut u32,
    ) -> Option<()> {
        let place = digits.len();
        let open = sum.cells.len() - place;
        if left < open || left > open * self.side {
            return Some(());
        }
        if open == 0 {
            let row = 1u128.checked_shl(*count)?;
            *count += 1;
            self.rows |= row;
            for (place, digit) in digits.iter().enumerate() {
                self.supports[place * self.side + digit] |= row;
            }
            return Some(());
        }
        let cell = sum.cells[place];
        for value in 1..=self.side.min(left) {
            let digit = if place < sum.mirrored {
                self.side - value
            } else {
                value - 1
            };
            let mut before = digits.iter().zip(&sum.cells);
            if before.all(|(&other, &at)| other != digit || !sees[cell][at]) {
                digits.push(digit);
                self.add_sums(sum, sees, left - value, digits, count)?;
                digits.truncate(place);
            }
        }
        Some(())
    }

    /// The table of patterns, a row for each. `None` if there are too many.
    pub(super) fn of_patterns(
        patterns: &Patterns,
        side: usize,
        sees: &[Vec<bool>],
    ) -> Option<Self> {
        let mut table = Table::empty(&patterns.cells, side);
        for (number, groups) in patterns.iter().enumerate() {
            let row = 1u128.checked_shl(number as u32)?;
            table.rows |= row;
            for group in groups {
                for place in group.places.members() {
                    for digit in group.digits.members() {
                        table.supports[place * side + digit] |= row;
                    }
                }
                let (places, digits) = (group.places, group.digits);
                if patterns.is_distinct && places.has_several() {
                    table.shares.push(Share {
                        row,
                        places,
                        digits,
                    });
                    if places.len() == digits.len() {
                        table.add_need(row, places, digits, sees);
                    }
                }
            }
        }
        Some(table.finish())
    }

    /// Records that in a row these places hold all of these digits.
    fn add_need(&mut self, row: u128, places: u64, digits: u64, sees: &[Vec<bool>]) {
        let found = (0..self.needs.len()).find(|&at| self.needs[at].places == places);
        let at = found.unwrap_or_else(|| {
            let sees_all = |&cell: &usize| places.members().all(|p| sees[cell][self.cells[p]]);
            self.needs.push(Need {
                places,
                seen_by: (0..sees.len()).filter(sees_all).collect(),
                holding: vec![0; self.side],
            });
            self.needs.len() - 1
        });
        for digit in digits.members() {
            self.needs[at].holding[digit] |= row;
        }
    }

    /// Whether the table is no more than its [exclusions](Self::for_each_exclusion).
    pub(super) fn is_pairs(&self) -> bool {
        self.cells.len() == 2 && self.needs.is_empty() && self.shares.is_empty()
    }

    /// Calls a function with each pair of candidates of different cells that no row has together.
    pub(super) fn for_each_exclusion(&self, act: &mut dyn FnMut([(usize, usize); 2])) {
        let supports = |place: usize, digit: usize| self.supports[place * self.side + digit];
        for other in 1..self.cells.len() {
            for place in 0..other {
                for digit in 0..self.side {
                    for other_digit in 0..self.side {
                        if supports(place, digit) & supports(other, other_digit) == 0 {
                            let cells = [self.cells[place], self.cells[other]];
                            act([(cells[0], digit), (cells[1], other_digit)]);
                        }
                    }
                }
            }
        }
    }

    /// Adds the candidates that fit no row to `gone`, by cell.
    pub(super) fn prune<M: Mask>(&self, state: &[M], gone: &mut Vec<(usize, u64)>) {
        if self
            .cells
            .iter()
            .all(|&cell| state[cell].len() > self.slack)
        {
            return;
        }
        let mut rows = self.rows;
        let supports = || self.supports.chunks_exact(self.side);
        for (&cell, supports) in self.cells.iter().zip(supports()) {
            let digits = state[cell].bits().members();
            rows &= digits.fold(0, |all, digit| all | supports[digit]);
        }
        for share in &self.shares {
            if share.row & rows == 0 {
                continue;
            }
            let digits = |place: usize| state[self.cells[place]].bits() & share.digits;
            let union = share
                .places
                .members()
                .fold(0, |all, place| all | digits(place));
            if union.len() < share.places.len() {
                rows &= !share.row;
            }
        }
        for (&cell, supports) in self.cells.iter().zip(supports()) {
            let digits = state[cell].bits();
            let lost = digits
                .members()
                .filter(|&digit| supports[digit] & rows == 0);
            let lost = lost.fold(0, |all, digit| all | 1 << digit);
            if lost != 0 {
                gone.push((cell, lost));
            }
        }
        if rows == 0 {
            return;
        }
        for need in &self.needs {
            let needed = (0..self.side).filter(|&digit| rows & !need.holding[digit] == 0);
            let needed = needed.fold(0, |all, digit| all | 1 << digit);
            if needed != 0 {
                gone.extend(need.seen_by.iter().map(|&cell| (cell, needed)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Sight;
    use super::*;
    use crate::generate::Random;
    use crate::rules::Constraint;
    use crate::{Cell, Rules};

    const SIDE: usize = 5;

    /// Candidates at random, and by pair of cells whether they see each other.
    fn draw(random: &mut Random, count: usize) -> (Vec<u16>, Vec<Vec<bool>>) {
        let digits = (0..count).map(|_| 1 + random.below((1 << SIDE) - 1) as u16);
        let digits = digits.collect();
        let mut sees = vec![vec![false; count]; count];
        for one in 0..count {
            for other in 0..one {
                sees[one][other] = random.below(2) == 0;
                sees[other][one] = sees[one][other];
            }
        }
        (digits, sees)
    }

    /// The candidates that some combination satisfying `fits` has.
    fn fitting(state: &[u16], sees: &[Vec<bool>], fits: impl Fn(&[usize]) -> bool) -> Vec<u16> {
        let mut fit = vec![0; state.len()];
        for number in 0..SIDE.pow(state.len() as u32) {
            let digit = |cell: usize| number / SIDE.pow(cell as u32) % SIDE;
            let digits: Vec<usize> = (0..state.len()).map(digit).collect();
            let clash = |one: usize| (0..one).any(|o| sees[one][o] && digits[one] == digits[o]);
            let is_open =
                (0..state.len()).all(|cell| state[cell].has(digits[cell]) && !clash(cell));
            if is_open && fits(&digits) {
                for (fit, digit) in fit.iter_mut().zip(digits) {
                    *fit |= 1 << digit;
                }
            }
        }
        fit
    }

    fn pruned(table: &Table, state: &[u16]) -> Vec<u16> {
        let mut gone = Vec::new();
        table.prune(state, &mut gone);
        let mut left = state.to_vec();
        for (cell, digits) in gone {
            left[cell] &= !(digits as u16);
        }
        left
    }

    #[test]
    fn table_of_sum_leaves_what_some_way_to_make_it_has() {
        let mut random = Random::new(3);
        for round in 0..2000 {
            // The last cell is not part of the sum.
            let (state, sees) = draw(&mut random, 5);
            let mirrored = round % 2;
            let total = 1 + random.below(20);
            let sum = Sight(sees.clone()).sum(None, (0..4).collect(), mirrored, total as u32);
            let table = Table::of_sum(&sum, SIDE, &sees).expect("few ways");
            let value = |place: usize, digit: usize| match place < mirrored {
                true => SIDE - digit,
                false => digit + 1,
            };
            let expected = fitting(&state, &sees, |digits| {
                (0..4)
                    .map(|place| value(place, digits[place]))
                    .sum::<usize>()
                    == total
            });
            let left = pruned(&table, &state);
            if expected[0] == 0 {
                continue; // nothing is left of the first cell at least
            }
            for (cell, (left, expected)) in left.iter().zip(&expected).enumerate() {
                assert_eq!(left & expected, *expected, "{sum:?} {state:?} {cell}");
            }
            let within = fitting(&state[..4], &sees, |digits| {
                (0..4)
                    .map(|place| value(place, digits[place]))
                    .sum::<usize>()
                    == total
            });
            assert!(
                left.iter().zip(&within).all(|(left, fit)| left & !fit == 0),
                "{sum:?} {state:?}"
            );
        }
    }

    #[test]
    fn refined_patterns_keep_what_fits_and_remove_more() {
        let mut random = Random::new(4);
        let cells: Vec<Cell<5>> = (0..4).map(Cell::from_index).collect();
        let line = Constraint::between(&cells).expect("a line");
        let rules = Rules::<5>::latin().with(line);
        let patterns = rules.parts().find_map(|(_, part)| match part {
            crate::rules::Part::Patterns(patterns) => Some(patterns.clone()),
            _ => None,
        });
        let patterns = patterns.expect("patterns");
        let apart = vec![vec![false; 4]; 4];
        let plain = Table::of_patterns(&patterns, SIDE, &apart).expect("few");
        let mut removed = 0;
        for _ in 0..2000 {
            let (state, sees) = draw(&mut random, 4);
            let table = Table::of_patterns(&patterns.refined(&sees), SIDE, &sees).expect("few");
            let expected = fitting(&state, &sees, |digits| {
                let (low, high) = (digits[0].min(digits[3]), digits[0].max(digits[3]));
                digits[1..3]
                    .iter()
                    .all(|digit| (low + 1..high).contains(digit))
            });
            let (left, before) = (pruned(&table, &state), pruned(&plain, &state));
            for cell in 0..4 {
                assert_eq!(
                    left[cell] & expected[cell],
                    expected[cell],
                    "{sees:?} {state:?}"
                );
                assert_eq!(left[cell] & !before[cell], 0, "{sees:?} {state:?}");
                removed += usize::from(left[cell] != before[cell]);
            }
        }
        assert!(removed > 100, "{removed}");
    }
}
