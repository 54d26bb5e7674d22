//! The steps of this scale, apart from chains, that are no [`Technique`]: direct singles, steps that
//! assume a unique solution, and the exclusion of aligned pairs.

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

    /// A rectangle in two boxes whose four cells would have two solutions with the same two digits.
    pub(super) fn unique_rectangle(&self) -> Option<Rated> {
        let topology = self.topology;
        if !topology.is_classic {
            return None; // the digits of a rectangle cannot be exchanged
        }
        let is_box = |house: &usize| topology.kinds[*house] == HouseKind::Box;
        let boxes: Vec<usize> = (0..topology.cells.len()).filter(is_box).collect();
        let side = topology.side;
        let box_of = |cell: usize| {
            boxes
                .iter()
                .position(|&b| topology.cells[b].contains(&cell))
        };
        for one in 0..side * side {
            if self.filled[one] || self.digits[one].count_ones() != 2 {
                continue;
            }
            let pair = self.digits[one];
            let has_pair = |cell: usize| !self.filled[cell] && self.digits[cell] & pair == pair;
            for other_row in (0..side).filter(|row| *row != one / side) {
                for other_column in (0..side).filter(|column| *column != one % side) {
                    let cells = [
                        one,
                        one / side * side + other_column,
                        other_row * side + one % side,
                        other_row * side + other_column,
                    ];
                    if !cells.iter().all(|&cell| has_pair(cell)) {
                        continue;
                    }
                    let mut used: Vec<_> = cells.iter().map(|&cell| box_of(cell)).collect();
                    used.sort_unstable();
                    used.dedup();
                    if used.len() != 2 {
                        continue;
                    }
                    let extra: Vec<usize> = cells
                        .into_iter()
                        .filter(|&cell| self.digits[cell] != pair)
                        .collect();
                    let removed = match extra[..] {
                        [last] => vec![(last, pair)],
                        [a, b] if self.sees(a, b) => self.rectangle_of_two(a, b, pair),
                        _ => Vec::new(),
                    };
                    if !removed.is_empty() {
                        return Some(Rated::new(45, None, removed));
                    }
                }
            }
        }
        None
    }

    /// The candidates that go if one of two cells with more than the pair must hold another digit.
    fn rectangle_of_two(&self, a: usize, b: usize, pair: u64) -> Vec<(usize, u64)> {
        let more = (self.digits[a] | self.digits[b]) & !pair;
        if more.count_ones() == 1 {
            let peers = self.topology.peers[a].iter();
            let both = peers.filter(|&&cell| cell != b && self.sees(b, cell));
            let removed: Vec<(usize, u64)> =
                both.filter_map(|&cell| self.removal(cell, more)).collect();
            if !removed.is_empty() {
                return removed;
            }
        }
        // A digit of the pair is in one of the two, so the other digit in neither.
        for digit in pair.members() {
            let mut houses = self.topology.cells.iter().enumerate();
            let is_locked = houses.any(|(house, cells)| {
                cells.contains(&a)
                    && cells.contains(&b)
                    && self.places(house, digit).count_ones() == 2
            });
            if is_locked {
                let other = pair & !(1 << digit);
                return [a, b]
                    .into_iter()
                    .filter_map(|cell| self.removal(cell, other))
                    .collect();
            }
        }
        Vec::new()
    }

    /// A bivalue universal grave of type 1: all cells but one have two candidates, and every digit has two
    /// places in each house, except that one digit has three in the houses of that cell.
    pub(super) fn bivalue_grave(&self) -> Option<Rated> {
        if !self.topology.is_classic {
            return None;
        }
        let mut large = self
            .open()
            .filter(|&cell| self.digits[cell].count_ones() != 2);
        let (Some(cell), None) = (large.next(), large.next()) else {
            return None;
        };
        let mut odd = 0;
        for (house, cells) in self.topology.cells.iter().enumerate() {
            for digit in 0..self.topology.side {
                let count = self.places(house, digit).count_ones();
                let is_filled = cells
                    .iter()
                    .any(|&c| self.filled[c] && self.digits[c] >> digit & 1 == 1);
                match (count, cells.contains(&cell)) {
                    (3, true) => odd |= 1u64 << digit,
                    (2, _) => {}
                    _ if is_filled => {}
                    _ => return None,
                }
            }
        }
        let gone = self.digits[cell] & !odd;
        (odd.count_ones() == 1 && gone != 0).then(|| Rated::new(56, None, vec![(cell, gone)]))
    }

    /// Digits of two cells that would leave a cell, which sees both, without a candidate.
    pub(super) fn aligned_pair(&self) -> Option<Rated> {
        for a in self.open() {
            for b in self.open().filter(|&b| b > a) {
                let pairs = self.topology.peers[a]
                    .iter()
                    .filter(|&&cell| self.sees(b, cell));
                let pairs: Vec<u64> = pairs
                    .map(|&cell| self.digits[cell])
                    .filter(|digits| digits.count_ones() == 2)
                    .collect();
                if pairs.len() < 2 {
                    continue;
                }
                let mut fit = (0, 0);
                for one in self.digits[a].members() {
                    for other in self.digits[b].members() {
                        let both = 1u64 << one | 1 << other;
                        let is_twin = one == other && self.sees(a, b);
                        if !is_twin && !pairs.iter().any(|digits| digits & !both == 0) {
                            fit = (fit.0 | 1u64 << one, fit.1 | 1u64 << other);
                        }
                    }
                }
                let removed: Vec<(usize, u64)> = [(a, !fit.0), (b, !fit.1)]
                    .into_iter()
                    .filter_map(|(cell, gone)| self.removal(cell, gone))
                    .collect();
                if !removed.is_empty() {
                    return Some(Rated::new(62, None, removed));
                }
            }
        }
        None
    }
}
