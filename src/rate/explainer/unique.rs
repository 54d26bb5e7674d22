//! Steps that assume that the puzzle has one solution: loops whose two digits could be exchanged, and grids
//! whose cells would all have two candidates.

use super::Rated;
use crate::engine::Mask;
use crate::rate::marks::Marks;
use crate::rate::techniques::choose;
use crate::rules::HouseKind;

/// The largest naked or hidden set beside a loop, and the largest naked set beside a grave, as in that program.
const LARGEST_BESIDE_LOOP: usize = 7;
const LARGEST_BESIDE_GRAVE: usize = 6;

/// A loop: its cells in turn, and the two digits that all of them have.
struct ExchangeLoop {
    cells: Vec<usize>,
    pair: u64,
}

/// The kinds of steps by the cells of a loop that have other candidates, easiest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LoopStep {
    /// There is one such cell: it loses the pair.
    OneCell,
    /// Their other candidates are one digit, which one of them holds.
    OneDigit,
    /// One of two cells holds another digit, and forms a naked set with other cells of a house.
    Naked,
    /// Likewise a hidden set.
    Hidden,
    /// One of two cells holds a digit of the pair, so that none holds the other digit.
    Locked,
}

/// The search for loops from a cell.
struct LoopSearch<'m, 'a> {
    marks: &'m Marks<'a>,
    pair: u64,
    path: Vec<usize>,
    found: Vec<ExchangeLoop>,
}

impl Marks<'_> {
    /// The houses of a cell by their kinds, in the order of that program: box, row, column.
    pub(super) fn houses_by_kind(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        let houses = &self.topology.houses_of[cell];
        let is_line = move |house: &usize| {
            let kind = self.topology.kinds[*house];
            matches!(kind, HouseKind::Row | HouseKind::Column)
        };
        let boxes = houses.iter().copied().filter(move |house| !is_line(house));
        boxes.chain(houses.iter().copied().filter(is_line))
    }

    /// The easiest step by a rectangle in two boxes, or a longer loop, whose cells would have two solutions with the
    /// same two digits.
    pub(super) fn unique_loop(&self) -> Option<Rated> {
        if !self.topology.is_classic {
            return None; // the digits of a loop cannot be exchanged
        }
        let mut best: Option<(LoopStep, Rated)> = None;
        // The kinds of steps that a loop has already given, by its cells.
        let mut known: Vec<(LoopStep, Vec<usize>)> = Vec::new();
        for start in self.open() {
            let pair = self.digits[start];
            if pair.count_ones() != 2 {
                continue;
            }
            let mut search = LoopSearch {
                marks: self,
                pair,
                path: Vec::new(),
                found: Vec::new(),
            };
            search.extend(start, 2, 0, None);
            for found in search.found.iter().filter(|found| self.is_closed(found)) {
                let mut cells = found.cells.clone();
                cells.sort_unstable();
                for (kind, step) in self.steps_of_loop(found) {
                    let key = (kind, cells.clone());
                    if step.removed.is_empty() || known.contains(&key) {
                        continue;
                    }
                    known.push(key);
                    let cost = |kind, step: &Rated| (step.tenths, kind);
                    if best
                        .as_ref()
                        .is_none_or(|(k, best)| cost(kind, &step) < cost(*k, best))
                    {
                        best = Some((kind, step));
                    }
                }
            }
        }
        best.map(|best| best.1)
    }

    /// Whether the loop has two cells, or none, in each house, one of them at an odd place of the loop.
    fn is_closed(&self, found: &ExchangeLoop) -> bool {
        let mut houses = [0u128; 2];
        for (place, &cell) in found.cells.iter().enumerate() {
            for &house in &self.topology.houses_of[cell] {
                if houses[place % 2] >> house & 1 == 1 {
                    return false;
                }
                houses[place % 2] |= 1 << house;
            }
        }
        houses[0] == houses[1]
    }

    /// The steps by a loop.
    fn steps_of_loop(&self, found: &ExchangeLoop) -> Vec<(LoopStep, Rated)> {
        let tenths = match found.cells.len() {
            4 => 45,
            6 => 46,
            8 => 47,
            _ => 50,
        };
        let step = |more: usize, removed| Rated::new(tenths + more as u32, None, removed);
        let is_larger = |&cell: &usize| self.digits[cell] != found.pair;
        let larger: Vec<usize> = found.cells.iter().copied().filter(is_larger).collect();
        let extra = self.union(&larger) & !found.pair;
        let by_one_digit = || {
            (
                LoopStep::OneDigit,
                step(0, self.seen_by_all(&larger, extra)),
            )
        };
        match larger[..] {
            [] => Vec::new(),
            [cell] => vec![(LoopStep::OneCell, step(0, vec![(cell, found.pair)]))],
            [a, b] => {
                let mut steps = Vec::new();
                if extra.is_power_of_two() {
                    steps.push(by_one_digit());
                } else {
                    self.sets_beside([a, b], found.pair, extra, &mut |kind, more, removed| {
                        steps.push((kind, step(more, removed)));
                    });
                }
                let locked = self.locked_in_two(a, b, found.pair);
                steps.extend(locked.map(|removed| (LoopStep::Locked, step(0, removed))));
                steps
            }
            _ => vec![by_one_digit()],
        }
    }

    /// The digits of some cells together.
    fn union(&self, cells: &[usize]) -> u64 {
        cells.iter().fold(0, |all, &cell| all | self.digits[cell])
    }

    /// The houses of `cells[0]` that have all of the cells.
    fn houses_of_all<'c>(&'c self, cells: &'c [usize]) -> impl Iterator<Item = usize> + 'c {
        self.houses_by_kind(cells[0]).filter(move |&house| {
            let own = &self.topology.cells[house];
            cells.iter().all(|cell| own.contains(cell))
        })
    }

    /// The removal of digits one of which each of the cells may hold, from the cells that see all of them.
    fn seen_by_all(&self, cells: &[usize], digits: u64) -> Vec<(usize, u64)> {
        let others = (0..self.digits.len()).filter(|&other| {
            let mut cells = cells.iter();
            !self.filled[other] && cells.all(|&cell| self.sees(cell, other))
        });
        others
            .filter_map(|cell| self.removal(cell, digits))
            .collect()
    }

    /// Calls `offer` with the kind of step, the tenths that its set costs and what it removes: by naked and
    /// hidden sets that other cells of a house form with one of two cells, which holds one of the `extra` digits.
    fn sets_beside(
        &self,
        [a, b]: [usize; 2],
        pair: u64,
        extra: u64,
        offer: &mut dyn FnMut(LoopStep, usize, Vec<(usize, u64)>),
    ) {
        for size in extra.len() as usize..=LARGEST_BESIDE_LOOP {
            for house in self.houses_of_all(&[a, b]) {
                let cells = &self.topology.cells[house];
                let others = self.open_beside(house, &[a, b]);
                let empty = others.len() + 2;
                if size * 2 <= empty {
                    let sure = extra & self.digits[a] & self.digits[b];
                    self.each_naked_with((a, extra), sure, &others, size, &mut |removed| {
                        offer(LoopStep::Naked, size - 1, removed);
                        None::<()>
                    });
                }
                if size * 2 < empty {
                    let digits = (0..self.topology.side).filter(|&digit| !extra.has(digit));
                    let place_of_b = cells.iter().position(|&cell| cell == b).unwrap_or_default();
                    let open = self.union(&others) | pair;
                    let items: Vec<(usize, u64)> = digits
                        .filter(|&digit| open.has(digit))
                        .map(|digit| (digit, self.places(house, digit) & !(1 << place_of_b)))
                        .collect();
                    choose(&items, size, &mut |chosen, union| {
                        let hidden = chosen.iter().fold(0u64, |all, digit| all | 1 << digit);
                        if hidden & pair == pair && union.len() as usize == size {
                            let places = union.members().map(|place| cells[place]);
                            let removed = places.filter(|&cell| cell != a);
                            let removed = removed.filter_map(|cell| self.removal(cell, !hidden));
                            offer(LoopStep::Hidden, size - 2, removed.collect());
                        }
                        None::<()>
                    });
                }
            }
        }
    }

    /// The removals from two cells of a loop if a digit of the pair has no other place in a house of both.
    fn locked_in_two(&self, a: usize, b: usize, pair: u64) -> Option<Vec<(usize, u64)>> {
        let locked = pair.members().find(|&digit| {
            let both = [a, b];
            let mut houses = self.houses_of_all(&both);
            houses.any(|house| self.places(house, digit).count_ones() == 2)
        })?;
        let other = pair & !(1 << locked);
        Some(vec![(a, other), (b, other)])
    }

    /// A bivalue universal grave: without some candidates, all cells would have two, and every digit two places in
    /// each house, or none. One of those candidates is therefore true.
    pub(super) fn bivalue_grave(&self) -> Option<Rated> {
        if !self.topology.is_classic {
            return None;
        }
        let mut without = self.clone();
        // The cells of those candidates, each with its own.
        let mut graves: Vec<(usize, u64)> = Vec::new();
        let side = self.topology.side;
        let lines = 2 * side;
        for house in (lines..self.topology.cells.len()).chain(0..lines) {
            for digit in 0..side {
                let Some(places) = self.odd_places(house, digit) else {
                    continue;
                };
                let cells = places.members().map(|p| self.topology.cells[house][p]);
                let mut large = cells.filter(|&cell| self.digits[cell].len() > 2);
                let cell = large.next()?;
                if large.next().is_some() {
                    continue; // another house has only one of them
                }
                match graves.iter_mut().find(|grave| grave.0 == cell) {
                    Some(grave) => grave.1 |= 1 << digit,
                    None => graves.push((cell, 1 << digit)),
                }
                without.digits[cell] &= !(1 << digit);
            }
        }
        let is_grave = without.open().all(|cell| without.digits[cell].len() == 2)
            && (0..self.topology.cells.len())
                .all(|house| (0..side).all(|digit| without.odd_places(house, digit).is_none()));
        if !is_grave {
            return None;
        }
        let cells: Vec<usize> = graves.iter().map(|grave| grave.0).collect();
        let extra = graves.iter().fold(0, |all, grave| all | grave.1);
        if let [(cell, extra)] = graves[..] {
            let removed = self.removal(cell, !extra)?;
            return Some(Rated::new(56, None, vec![removed]));
        }
        let step = |more: usize, removed: Vec<(usize, u64)>| {
            (!removed.is_empty()).then(|| Rated::new(57 + more as u32, None, removed))
        };
        if extra.is_power_of_two() {
            let found = step(0, self.seen_by_all(&cells, extra));
            return found.or_else(|| step(0, self.locked_in_graves(&graves, extra)));
        }
        step(0, self.locked_in_graves(&graves, extra)).or_else(|| {
            let houses = self.houses_of_all(&cells);
            let mut sets = houses.filter_map(|house| self.naked_beside(house, &cells, extra));
            sets.next()
                .and_then(|(size, removed)| step(size - 1, removed))
        })
    }

    /// The places of a digit in a house, unless there are two or none.
    fn odd_places(&self, house: usize, digit: usize) -> Option<u64> {
        let cells = self.topology.cells[house].iter();
        let is_filled = cells
            .clone()
            .any(|&cell| self.filled[cell] && self.digits[cell].has(digit));
        let places = self.places(house, digit);
        (!is_filled && places != 0 && places.len() != 2).then_some(places)
    }

    /// The removals from two cells of a grave in one house, which have one more candidate in common: one of them holds it.
    fn locked_in_graves(&self, graves: &[(usize, u64)], extra: u64) -> Vec<(usize, u64)> {
        let &[(a, extra_of_a), (b, extra_of_b)] = graves else {
            return Vec::new();
        };
        let common = self.digits[a] & self.digits[b] & !extra;
        if !common.is_power_of_two() || self.houses_of_all(&[a, b]).next().is_none() {
            return Vec::new();
        }
        let gone = [(a, extra_of_a), (b, extra_of_b)].into_iter();
        gone.filter_map(|(cell, own)| self.removal(cell, !(own | common)))
            .collect()
    }

    /// The smallest naked set that cells of a house form with one of the cells of a grave: its size, and what it
    /// removes.
    fn naked_beside(
        &self,
        house: usize,
        graves: &[usize],
        extra: u64,
    ) -> Option<(usize, Vec<(usize, u64)>)> {
        let others = self.open_beside(house, graves);
        (2..=LARGEST_BESIDE_GRAVE).find_map(|size| {
            self.each_naked_with((graves[0], extra), 0, &others, size, &mut |removed| {
                (!removed.is_empty()).then_some((size, removed))
            })
        })
    }

    /// The open cells of a house without these.
    fn open_beside(&self, house: usize, without: &[usize]) -> Vec<usize> {
        let cells = self.topology.cells[house].iter().copied();
        let open = cells.filter(|cell| !without.contains(cell) && !self.filled[*cell]);
        open.collect()
    }

    /// Calls `found` with the removals by each naked set of this size; returns the first result. The set consists of some of
    /// the `others` and of a cell that stands for several, one of which holds an `extra` digit. Each digit of the set is one of
    /// the `sure` ones, or a candidate of another cell of the set.
    fn each_naked_with<T>(
        &self,
        (cell, extra): (usize, u64),
        sure: u64,
        others: &[usize],
        size: usize,
        found: &mut dyn FnMut(Vec<(usize, u64)>) -> Option<T>,
    ) -> Option<T> {
        let mut items = vec![(cell, extra)];
        items.extend(others.iter().map(|&other| (other, self.digits[other])));
        items.retain(|(_, digits)| digits.has_several());
        choose(&items, size, &mut |chosen, union| {
            let in_set = chosen.iter().copied().filter(|&other| other != cell);
            let in_set: Vec<usize> = in_set.collect();
            let is_covered = (self.union(&in_set) | sure).len() as usize == size;
            if in_set.len() == size || !is_covered {
                return None;
            }
            let beside = others.iter().filter(|other| !in_set.contains(other));
            let removed = beside.filter_map(|&other| self.removal(other, union));
            found(removed.collect())
        })
    }
}

impl LoopSearch<'_, '_> {
    /// Adds a cell to the path, then all that may follow. `left` is the number of cells that may still have more than the
    /// two digits, `extra` the other digits of the path, `from` the kind of house of the last step.
    fn extend(&mut self, cell: usize, left: i32, mut extra: u64, from: Option<HouseKind>) {
        self.path.push(cell);
        let marks = self.marks;
        for house in marks.houses_by_kind(cell) {
            let kind = marks.topology.kinds[house];
            if from == Some(kind) {
                continue;
            }
            for &next in &marks.topology.cells[house] {
                let digits = marks.digits[next];
                if next == self.path[0] && self.path.len() >= 4 {
                    self.found.push(ExchangeLoop {
                        cells: self.path.clone(),
                        pair: self.pair,
                    });
                } else if digits & self.pair == self.pair && !self.path.contains(&next) {
                    // As in that program, the digits of all cells that were looked at count.
                    extra |= digits & !self.pair;
                    let is_larger = digits != self.pair;
                    if !is_larger || extra.is_power_of_two() || left > 0 {
                        self.extend(next, left - i32::from(is_larger), extra, Some(kind));
                    }
                }
            }
        }
        self.path.pop();
    }
}
