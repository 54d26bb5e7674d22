//! The techniques, each as a search for the first place where it leads on.

use super::{Houses, Technique};

/// The candidates of a puzzle, as a human keeps them: a cell is filled by a single only.
pub(super) struct Candidates<'a> {
    houses: &'a Houses,
    side: usize,
    /// Of each cell the digits that are left, as bits.
    pub(super) digits: Vec<u64>,
    pub(super) filled: Vec<bool>,
    empty: usize,
}

/// The members of a set of bits.
fn members(mut set: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let member = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (member < 64).then_some(member)
    })
}

/// Calls `found` with every choice of `size` of the `items`, each a set, whose union has `size`
/// members, and with that union; until it returns true.
fn choose(
    items: &[(usize, u64)],
    size: usize,
    found: &mut dyn FnMut(&[usize], u64) -> bool,
) -> bool {
    fn go(
        items: &[(usize, u64)],
        size: usize,
        chosen: &mut Vec<usize>,
        union: u64,
        found: &mut dyn FnMut(&[usize], u64) -> bool,
    ) -> bool {
        if chosen.len() == size {
            return found(chosen, union);
        }
        for (i, &(item, set)) in items.iter().enumerate() {
            let union = union | set;
            if union.count_ones() as usize <= size {
                chosen.push(item);
                if go(&items[i + 1..], size, chosen, union, found) {
                    return true;
                }
                chosen.pop();
            }
        }
        false
    }
    go(items, size, &mut Vec::new(), 0, found)
}

impl<'a> Candidates<'a> {
    pub(super) fn new(houses: &'a Houses, side: usize) -> Self {
        let cells = houses.peers.len();
        Candidates {
            houses,
            side,
            digits: vec![(1 << side) - 1; cells],
            filled: vec![false; cells],
            empty: cells,
        }
    }

    pub(super) fn place(&mut self, cell: usize, digit: usize) {
        self.digits[cell] = 1 << digit;
        self.filled[cell] = true;
        self.empty -= 1;
        for &peer in &self.houses.peers[cell] {
            self.digits[peer] &= !(1 << digit);
        }
    }

    /// Takes the easiest step again and again; the hardest that was needed.
    pub(super) fn solve(&mut self) -> Technique {
        let mut hardest = Technique::HiddenSingle;
        while self.empty > 0 {
            match Technique::ALL.into_iter().find(|&step| self.apply(step)) {
                Some(step) => hardest = hardest.max(step),
                None => return Technique::Beyond,
            }
        }
        hardest
    }

    /// Whether the technique leads on somewhere; it is applied there.
    fn apply(&mut self, technique: Technique) -> bool {
        match technique {
            Technique::HiddenSingle => self.hidden_single(),
            Technique::NakedSingle => self.naked_single(),
            Technique::Pointing | Technique::Claiming => self.locked(technique),
            Technique::NakedPair => self.naked(2),
            Technique::NakedTriple => self.naked(3),
            Technique::NakedQuad => self.naked(4),
            Technique::HiddenPair => self.hidden(2),
            Technique::HiddenTriple => self.hidden(3),
            Technique::HiddenQuad => self.hidden(4),
            Technique::XWing => self.fish(2),
            Technique::Swordfish => self.fish(3),
            Technique::Jellyfish => self.fish(4),
            Technique::XyWing => self.wing(2),
            Technique::XyzWing => self.wing(3),
            Technique::Beyond => false,
        }
    }

    /// Takes these digits from a cell; whether it had any.
    fn remove(&mut self, cell: usize, gone: u64) -> bool {
        let had = self.digits[cell] & gone != 0;
        self.digits[cell] &= !gone;
        had
    }

    /// The places of a digit in a house, as bits.
    fn places(&self, house: usize, digit: usize) -> u64 {
        let cells = self.houses.cells[house].iter().enumerate();
        cells.fold(0, |places, (place, &cell)| {
            places | (self.digits[cell] >> digit & 1) << place
        })
    }

    fn hidden_single(&mut self) -> bool {
        for house in &self.houses.cells {
            let (mut once, mut twice) = (0, 0);
            for &cell in house {
                twice |= once & self.digits[cell];
                once |= self.digits[cell];
            }
            let single = once & !twice;
            let found = house
                .iter()
                .find(|&&cell| !self.filled[cell] && self.digits[cell] & single != 0);
            if let Some(&cell) = found {
                let digit = (self.digits[cell] & single).trailing_zeros();
                self.place(cell, digit as usize);
                return true;
            }
        }
        false
    }

    fn naked_single(&mut self) -> bool {
        let single = |&cell: &usize| !self.filled[cell] && self.digits[cell].is_power_of_two();
        let found = (0..self.digits.len()).find(single);
        if let Some(cell) = found {
            self.place(cell, self.digits[cell].trailing_zeros() as usize);
        }
        found.is_some()
    }

    fn locked(&mut self, technique: Technique) -> bool {
        for crossing in &self.houses.crossings {
            if crossing.technique != technique {
                continue;
            }
            let house = &self.houses.cells[crossing.house];
            let outside = members(crossing.outside).fold(0, |all, p| all | self.digits[house[p]]);
            let inside = house.iter().fold(0, |all, &cell| all | self.digits[cell]) & !outside;
            let mut leads_on = false;
            for &cell in &crossing.others {
                leads_on |= self.remove(cell, inside);
            }
            if leads_on {
                return true;
            }
        }
        false
    }

    /// The empty cells of a house with at most `most` candidates.
    fn small_cells(&self, house: usize, most: usize) -> Vec<(usize, u64)> {
        let cells = self.houses.cells[house].iter();
        cells
            .map(|&cell| (cell, self.digits[cell]))
            .filter(|&(cell, set)| !self.filled[cell] && set.count_ones() as usize <= most)
            .collect()
    }

    fn naked(&mut self, size: usize) -> bool {
        for house in 0..self.houses.cells.len() {
            let items = self.small_cells(house, size);
            let houses = self.houses;
            let found = &mut |chosen: &[usize], union: u64| {
                let mut leads_on = false;
                for &cell in &houses.cells[house] {
                    if !chosen.contains(&cell) {
                        leads_on |= self.remove(cell, union);
                    }
                }
                leads_on
            };
            if choose(&items, size, found) {
                return true;
            }
        }
        false
    }

    fn hidden(&mut self, size: usize) -> bool {
        for house in 0..self.houses.cells.len() {
            let houses = self.houses;
            let digits: Vec<(usize, u64)> = (0..self.side)
                .map(|digit| (digit, self.places(house, digit)))
                .filter(|(_, places)| (2..=size as u32).contains(&places.count_ones()))
                .collect();
            let found = &mut |chosen: &[usize], union: u64| {
                let kept = chosen.iter().fold(0u64, |kept, digit| kept | 1 << digit);
                let mut leads_on = false;
                for place in members(union) {
                    leads_on |= self.remove(houses.cells[house][place], !kept);
                }
                leads_on
            };
            if choose(&digits, size, found) {
                return true;
            }
        }
        false
    }

    fn fish(&mut self, size: usize) -> bool {
        let side = self.side;
        for digit in 0..side {
            for lines in [0..side, side..2 * side] {
                let (first, across) = (lines.start, side - lines.start);
                let items: Vec<(usize, u64)> = lines
                    .map(|line| (line - first, self.places(line, digit)))
                    .filter(|(_, places)| (2..=size as u32).contains(&places.count_ones()))
                    .collect();
                let houses = self.houses;
                let found = &mut |chosen: &[usize], union: u64| {
                    let mut leads_on = false;
                    for crossing in members(union) {
                        for (line, &cell) in houses.cells[across + crossing].iter().enumerate() {
                            if !chosen.contains(&line) {
                                leads_on |= self.remove(cell, 1 << digit);
                            }
                        }
                    }
                    leads_on
                };
                if choose(&items, size, found) {
                    return true;
                }
            }
        }
        false
    }

    /// XY-wings and XYZ-wings: around a cell of `size` candidates.
    fn wing(&mut self, size: u32) -> bool {
        let houses = self.houses;
        for pivot in 0..self.digits.len() {
            let own = self.digits[pivot];
            if own.count_ones() != size {
                continue;
            }
            // Cells of two in sight; together with the pivot they are to have three candidates.
            let pincers: Vec<(usize, u64)> = houses.peers[pivot]
                .iter()
                .map(|&cell| (cell, self.digits[cell]))
                .filter(|&(_, set)| {
                    let three = (set | own).count_ones() == 3;
                    set.count_ones() == 2 && set & own != 0 && set != own && three
                })
                .collect();
            for (i, &(one, set)) in pincers.iter().enumerate() {
                for &(other, other_set) in &pincers[..i] {
                    let shared = set & other_set;
                    let fits = shared.count_ones() == 1
                        && (set | other_set | own).count_ones() == 3
                        && (shared & own != 0) == (size == 3);
                    if !fits {
                        continue;
                    }
                    let mut leads_on = false;
                    for &cell in &houses.peers[one] {
                        let sees_pivot = houses.peers[pivot].binary_search(&cell).is_ok();
                        if houses.peers[other].binary_search(&cell).is_ok()
                            && (size == 2 || sees_pivot)
                        {
                            leads_on |= self.remove(cell, shared);
                        }
                    }
                    if leads_on {
                        return true;
                    }
                }
            }
        }
        false
    }
}
