//! The steps of this scale, apart from chains and those that assume a unique solution, that are no [`Technique`]: direct
//! singles, and the exclusion of aligned pairs and triplets.

use super::Rated;
use crate::engine::Mask;
use crate::rate::Technique;
use crate::rate::marks::Marks;
use crate::rules::HouseKind;

impl Marks<'_> {
    /// A hidden single: 1.0 if it fills a house, 1.2 in a box, 1.5 in a line.
    pub(super) fn last_or_hidden(&self) -> Option<Rated> {
        let mut best: Option<Rated> = None;
        for (house, cells) in self.topology.cells.iter().enumerate() {
            let open = cells.iter().filter(|&&cell| !self.filled[cell]).count();
            for digit in 0..self.topology.side {
                let places = self.places(house, digit);
                if places.count_ones() != 1 || self.filled[cells[places.smallest()]] {
                    continue;
                }
                let tenths = match self.topology.kinds[house] {
                    _ if open == 1 => 10,
                    HouseKind::Box => 12,
                    _ => 15,
                };
                let placed = Some((cells[places.smallest()], digit));
                Rated::new(tenths, placed, Vec::new()).offer(&mut best);
            }
        }
        best
    }

    /// A locked candidate that leaves its digit one place in another house of the same kind.
    pub(super) fn direct_locked(&self) -> Option<Rated> {
        for (technique, tenths) in [(Technique::Pointing, 17), (Technique::Claiming, 19)] {
            let crossings = self.topology.crossings.iter();
            for crossing in crossings.filter(|crossing| crossing.technique == technique) {
                for digit in 0..self.topology.side {
                    let places = self.places(crossing.house, digit);
                    if places.count_ones() < 2 || places & crossing.outside != 0 {
                        continue;
                    }
                    let gone = crossing.others.iter();
                    let gone: Vec<(usize, u64)> = gone
                        .filter_map(|&cell| self.removal(cell, 1 << digit))
                        .collect();
                    if gone.is_empty() {
                        continue;
                    }
                    let kinds = &self.topology.kinds;
                    let others =
                        (0..kinds.len()).filter(|&other| kinds[other] == kinds[crossing.house]);
                    if let Some(placed) = self.single_after(&gone, others, 1 << digit) {
                        return Some(Rated::new(tenths, Some(placed), Vec::new()));
                    }
                }
            }
        }
        None
    }

    /// A hidden set that leaves another digit one place in its house.
    pub(super) fn direct_hidden(&self, size: usize, tenths: u32) -> Option<Rated> {
        self.each_hidden(size, &mut |house, kept, removed| {
            let placed = self.single_after(&removed, [house].into_iter(), !kept)?;
            Some(Rated::new(tenths, Some(placed), Vec::new()))
        })
    }

    /// A hidden single of one of the digits in one of the houses, after some candidates are removed.
    fn single_after(
        &self,
        removed: &[(usize, u64)],
        houses: impl Iterator<Item = usize>,
        digits: u64,
    ) -> Option<(usize, usize)> {
        let mut marks = self.clone();
        marks.remove(removed);
        let mut pairs = houses.flat_map(|house| (0..self.topology.side).map(move |d| (house, d)));
        pairs.find_map(|(house, digit)| {
            let places = marks.places(house, digit);
            let is_single = digits.has(digit) && places.count_ones() == 1;
            let is_new = is_single && self.places(house, digit) != places;
            is_new.then(|| (self.topology.cells[house][places.smallest()], digit))
        })
    }

    /// Digits of two or three cells that would leave a cell, which sees them all, without a candidate.
    pub(super) fn aligned(&self, size: usize, tenths: u32) -> Option<Rated> {
        // Each cell that may be one of them, with the cells in sight whose candidates its digit may use up.
        let bases: Vec<(usize, Vec<usize>)> = self
            .open()
            .filter(|&cell| self.digits[cell].has_several())
            .filter_map(|cell| {
                let seen = self
                    .houses_by_kind(cell)
                    .flat_map(|house| &self.topology.cells[house]);
                let mut small: Vec<usize> = Vec::new();
                for &other in seen.filter(|&&other| !self.filled[other] && other != cell) {
                    match self.digits[other].count_ones() as usize {
                        1 => return None,
                        count if count <= size && !small.contains(&other) => small.push(other),
                        _ => {}
                    }
                }
                (!small.is_empty()).then_some((cell, small))
            })
            .collect();
        for (second, (b, near_b)) in bases.iter().enumerate() {
            for (a, near_a) in &bases[..second] {
                if size == 2 {
                    if let Some(found) = self.exclusion(near_a, &[*a, *b], tenths) {
                        return Some(found);
                    }
                    continue;
                }
                let is_base = |cell| bases.binary_search_by_key(&cell, |base| base.0).is_ok();
                let only_b = near_b.iter().filter(|c| !near_a.contains(c));
                for &c in near_a.iter().chain(only_b) {
                    if c != *a && c != *b && is_base(c) {
                        let found = self.exclusion(near_a, &[*a, *b, c], tenths);
                        if found.is_some() {
                            return found;
                        }
                    }
                }
            }
        }
        None
    }

    /// The removals from these cells that the candidates of `near` prove, as far as all of the cells see them.
    fn exclusion(&self, near: &[usize], cells: &[usize], tenths: u32) -> Option<Rated> {
        let is_seen = |near: &&usize| cells.iter().all(|&cell| self.sees(cell, **near));
        let common = near.iter().filter(is_seen);
        let common: Vec<u64> = common.map(|&cell| self.digits[cell]).collect();
        if common.len() < 2 {
            return None;
        }
        let mut fit = vec![0; cells.len()];
        self.fitting(cells, &common, &mut Vec::new(), &mut fit);
        let removed = cells.iter().zip(&fit);
        let removed: Vec<(usize, u64)> = removed
            .filter_map(|(&cell, fit)| self.removal(cell, !fit))
            .collect();
        (!removed.is_empty()).then(|| Rated::new(tenths, None, removed))
    }

    /// Adds to `fit` the digits that the cells have in all choices that leave each of the `common` sets a
    /// member; `chosen` are those of the first cells.
    fn fitting(&self, cells: &[usize], common: &[u64], chosen: &mut Vec<usize>, fit: &mut [u64]) {
        let Some(&cell) = cells.get(chosen.len()) else {
            let all = chosen.iter().fold(0u64, |all, digit| all | 1 << digit);
            if common.iter().all(|digits| digits & !all != 0) {
                for (fit, digit) in fit.iter_mut().zip(chosen) {
                    *fit |= 1 << *digit;
                }
            }
            return;
        };
        for digit in self.digits[cell].members() {
            let mut earlier = chosen.iter().zip(cells);
            if !earlier.any(|(&own, &other)| own == digit && self.sees(cell, other)) {
                chosen.push(digit);
                self.fitting(cells, common, chosen, fit);
                chosen.pop();
            }
        }
    }
}
