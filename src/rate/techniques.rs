//! The techniques, each as a search for the first place where it applies.

use super::Technique;
use super::marks::{Marks, Move};
use crate::engine::Mask;

/// Calls `found` with every choice of `size` of the `items`, each a set, whose union has `size`
/// members, and with that union; returns the first result.
pub(super) fn choose<T>(
    items: &[(usize, u64)],
    size: usize,
    found: &mut dyn FnMut(&[usize], u64) -> Option<T>,
) -> Option<T> {
    fn go<T>(
        items: &[(usize, u64)],
        size: usize,
        chosen: &mut Vec<usize>,
        union: u64,
        found: &mut dyn FnMut(&[usize], u64) -> Option<T>,
    ) -> Option<T> {
        if chosen.len() == size {
            return found(chosen, union);
        }
        for (i, &(item, set)) in items.iter().enumerate() {
            let union = union | set;
            if union.count_ones() as usize <= size {
                chosen.push(item);
                let result = go(&items[i + 1..], size, chosen, union, found);
                if result.is_some() {
                    return result;
                }
                chosen.pop();
            }
        }
        None
    }
    go(items, size, &mut Vec::new(), 0, found)
}

/// The step that removes these digits from cells of a constraint.
fn removal(technique: Technique, cells: &[usize], removed: Vec<(usize, u64)>) -> Option<Move> {
    let digits = removed.iter().fold(0, |all, (_, gone)| all | gone);
    Move::removing(technique, [], cells.iter().copied(), digits, removed)
}

impl Marks<'_> {
    /// The easiest applicable step; `None` if there is none, or a cell has no candidate.
    pub(super) fn next_move(&self) -> Option<Move> {
        if self.digits.contains(&0) {
            return None;
        }
        Technique::ALL
            .into_iter()
            .find_map(|technique| self.find(technique))
    }

    /// The first place where the technique applies.
    pub(super) fn find(&self, technique: Technique) -> Option<Move> {
        match technique {
            Technique::HiddenSingle => self.hidden_single(),
            Technique::NakedSingle => self.naked_single(),
            Technique::CageSum => self.cage_sum(),
            Technique::Constraint => self.constraint(),
            Technique::Pointing | Technique::Claiming => self.locked(technique),
            Technique::NakedPair => self.naked(technique, 2),
            Technique::NakedTriple => self.naked(technique, 3),
            Technique::NakedQuad => self.naked(technique, 4),
            Technique::HiddenPair => self.hidden(technique, 2),
            Technique::HiddenTriple => self.hidden(technique, 3),
            Technique::HiddenQuad => self.hidden(technique, 4),
            Technique::XWing => self.fish(technique, 2),
            Technique::Swordfish => self.fish(technique, 3),
            Technique::Jellyfish => self.fish(technique, 4),
            Technique::XyWing => self.wing(technique, 2),
            Technique::XyzWing => self.wing(technique, 3),
            Technique::SimpleColouring => self.colouring(),
            Technique::ForcingChain => self.forcing_chain(),
            Technique::Beyond => None,
        }
    }

    fn hidden_single(&self) -> Option<Move> {
        for (house, cells) in self.topology.cells.iter().enumerate() {
            let (mut once, mut twice) = (0, 0);
            for &cell in cells {
                twice |= once & self.digits[cell];
                once |= self.digits[cell];
            }
            let single = once & !twice;
            let mut open = cells.iter().filter(|&&cell| !self.filled[cell]);
            if let Some(&cell) = open.find(|&&cell| self.digits[cell] & single != 0) {
                let digit = (self.digits[cell] & single).trailing_zeros() as usize;
                return Some(Move::single(Technique::HiddenSingle, [house], cell, digit));
            }
        }
        None
    }

    fn naked_single(&self) -> Option<Move> {
        let cell = self
            .open()
            .find(|&cell| self.digits[cell].is_power_of_two())?;
        let digit = self.digits[cell].trailing_zeros() as usize;
        Some(Move::single(Technique::NakedSingle, [], cell, digit))
    }

    fn cage_sum(&self) -> Option<Move> {
        let mut sums = self.topology.sums.iter().filter(|sum| sum.name.is_none());
        sums.find_map(|sum| removal(Technique::CageSum, &sum.cells, self.prune(sum)))
    }

    /// A sum or a pattern of a constraint.
    fn constraint(&self) -> Option<Move> {
        let sums = self.topology.sums.iter();
        let sums = sums.filter_map(|sum| Some((sum.name?, &sum.cells, self.prune(sum))));
        let patterns = self.topology.patterns.iter();
        let patterns = patterns
            .map(|(name, patterns)| (*name, &patterns.cells, self.prune_patterns(patterns)));
        let mut all = sums.chain(patterns);
        all.find_map(|(name, cells, removed)| {
            Some(Move {
                constraint: Some(name),
                ..removal(Technique::Constraint, cells, removed)?
            })
        })
    }

    fn locked(&self, technique: Technique) -> Option<Move> {
        let crossings = self.topology.crossings.iter();
        let mut crossings = crossings.filter(|crossing| crossing.technique == technique);
        crossings.find_map(|crossing| {
            let house = &self.topology.cells[crossing.house];
            let outside = crossing
                .outside
                .members()
                .fold(0, |all, p| all | self.digits[house[p]]);
            let inside = house.iter().fold(0, |all, &cell| all | self.digits[cell]) & !outside;
            let others = crossing.others.iter();
            let gone = others.clone().fold(0, |all, &cell| all | self.digits[cell]) & inside;
            if gone == 0 {
                return None;
            }
            // One digit at a time, as a person sees it.
            let digit = gone & gone.wrapping_neg();
            let cells = house.iter().copied();
            let cells = cells.filter(|&cell| self.digits[cell] & digit != 0);
            let removed = others.filter_map(|&cell| self.removal(cell, digit));
            Move::removing(technique, [crossing.house], cells, digit, removed.collect())
        })
    }

    /// The empty cells of a house with at most `most` candidates.
    fn small_cells(&self, house: usize, most: usize) -> Vec<(usize, u64)> {
        let cells = self.topology.cells[house].iter();
        cells
            .map(|&cell| (cell, self.digits[cell]))
            .filter(|&(cell, set)| !self.filled[cell] && set.count_ones() as usize <= most)
            .collect()
    }

    fn naked(&self, technique: Technique, size: usize) -> Option<Move> {
        (0..self.topology.cells.len()).find_map(|house| {
            let items = self.small_cells(house, size);
            choose(&items, size, &mut |chosen, union| {
                let others = self.topology.cells[house].iter();
                let removed: Vec<(usize, u64)> = others
                    .filter(|cell| !chosen.contains(cell))
                    .filter_map(|&cell| self.removal(cell, union))
                    .collect();
                Move::removing(technique, [house], chosen.iter().copied(), union, removed)
            })
        })
    }

    fn hidden(&self, technique: Technique, size: usize) -> Option<Move> {
        self.each_hidden(size, &mut |house, kept, removed| {
            let cells = self.topology.cells[house].iter().copied();
            let cells = cells.filter(|&cell| self.digits[cell] & kept != 0);
            Move::removing(technique, [house], cells, kept, removed)
        })
    }

    /// Calls `found` with every hidden set that removes candidates: the house, its digits, and what is
    /// removed; returns the first result.
    pub(super) fn each_hidden<T>(
        &self,
        size: usize,
        found: &mut dyn FnMut(usize, u64, Vec<(usize, u64)>) -> Option<T>,
    ) -> Option<T> {
        (0..self.topology.cells.len()).find_map(|house| {
            let digits: Vec<(usize, u64)> = (0..self.topology.side)
                .map(|digit| (digit, self.places(house, digit)))
                .filter(|(_, places)| (2..=size as u32).contains(&places.count_ones()))
                .collect();
            choose(&digits, size, &mut |chosen, union| {
                let kept = chosen.iter().fold(0u64, |kept, digit| kept | 1 << digit);
                let cells = union
                    .members()
                    .map(|place| self.topology.cells[house][place]);
                let removed: Vec<(usize, u64)> =
                    cells.filter_map(|cell| self.removal(cell, !kept)).collect();
                if removed.is_empty() {
                    return None;
                }
                found(house, kept, removed)
            })
        })
    }

    fn fish(&self, technique: Technique, size: usize) -> Option<Move> {
        let side = self.topology.side;
        (0..side).find_map(|digit| {
            [0..side, side..2 * side].into_iter().find_map(|lines| {
                let (first, across) = (lines.start, side - lines.start);
                let items: Vec<(usize, u64)> = lines
                    .map(|line| (line - first, self.places(line, digit)))
                    .filter(|(_, places)| (2..=size as u32).contains(&places.count_ones()))
                    .collect();
                choose(&items, size, &mut |chosen, union| {
                    let (mut cells, mut removed) = (Vec::new(), Vec::new());
                    for crossing in union.members() {
                        let line = &self.topology.cells[across + crossing];
                        for (at, &cell) in line.iter().enumerate() {
                            match self.removal(cell, 1 << digit) {
                                Some(_) if chosen.contains(&at) => cells.push(cell),
                                Some(gone) => removed.push(gone),
                                None => {}
                            }
                        }
                    }
                    let houses = chosen.iter().map(|line| first + line);
                    Move::removing(technique, houses, cells, 1 << digit, removed)
                })
            })
        })
    }

    /// XY-wings and XYZ-wings: around a cell of `size` candidates.
    fn wing(&self, technique: Technique, size: u32) -> Option<Move> {
        let peers = &self.topology.peers;
        for pivot in 0..self.digits.len() {
            let own = self.digits[pivot];
            if own.count_ones() != size {
                continue;
            }
            // Cells of two in sight; together with the pivot they are to have three candidates.
            let pincers: Vec<(usize, u64)> = peers[pivot]
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
                    let removed: Vec<(usize, u64)> = peers[one]
                        .iter()
                        .filter(|&&cell| self.sees(other, cell))
                        .filter(|&&cell| cell != pivot && (size == 2 || self.sees(pivot, cell)))
                        .filter_map(|&cell| self.removal(cell, shared))
                        .collect();
                    let step = Move::removing(technique, [], [pivot, one, other], shared, removed);
                    if step.is_some() {
                        return step;
                    }
                }
            }
        }
        None
    }
}
