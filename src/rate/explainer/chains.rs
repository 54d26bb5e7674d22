//! Chains: eliminations by the implications of one candidate or of several.

use super::Rated;
use super::implications::{Kind, Node, Spread};
use crate::engine::Mask;
use crate::rate::marks::Marks;

impl Marks<'_> {
    /// The easiest forcing chain or cycle from one candidate.
    pub(super) fn chain(&self) -> Option<Rated> {
        let mut best = None;
        for (in_cells, in_houses) in [(false, true), (true, false), (true, true)] {
            let kind = |tenths| Kind {
                tenths,
                in_cells,
                in_houses,
                is_dynamic: false,
                level: 0,
            };
            let (cyclic, forcing) = if in_cells && in_houses {
                (kind(70), kind(70))
            } else {
                (kind(65), kind(66))
            };
            let has_several = |&cell: &usize| self.digits[cell].has_several();
            for cell in self.open().filter(has_several) {
                for digit in self.digits[cell].members() {
                    let if_true = self.spread((cell, digit, true), cyclic, false);
                    if let Some(cycle) = self.cycle(&if_true, cyclic) {
                        cycle.offer(&mut best);
                    }
                    if !in_houses {
                        continue;
                    }
                    let if_false = self.spread((cell, digit, false), forcing, false);
                    let others = self.digits[cell] & !(1 << digit);
                    // A candidate that implies its opposite.
                    for (spread, opposite, gone) in
                        [(if_true, false, 1 << digit), (if_false, true, others)]
                    {
                        if let Some(node) = spread.find(self.key(cell, digit, opposite)) {
                            let removed = vec![(cell, gone)];
                            Rated::of_chain(forcing, removed, spread.cells(node)).offer(&mut best);
                        }
                    }
                }
            }
        }
        best
    }

    /// A cycle back to the true candidate that the implications begin with: one end of each of its links is
    /// true.
    fn cycle(&self, spread: &Spread, kind: Kind) -> Option<Rated> {
        let start = &spread.nodes[0];
        // A false candidate that makes the first true again.
        let closing = (1..spread.nodes.len()).find(|&node| {
            let last = &spread.nodes[node];
            let in_cell = || {
                let is_same = kind.in_cells && last.cell == start.cell;
                is_same && self.digits[last.cell].count_ones() == 2
            };
            let in_house = || {
                let houses = &self.topology.houses_of;
                let is_same = kind.in_houses && last.digit == start.digit;
                is_same
                    && houses[last.cell].iter().any(|house| {
                        houses[start.cell].contains(house)
                            && self.places(*house, start.digit).count_ones() == 2
                    })
            };
            let is_itself = last.cell == start.cell && last.digit == start.digit;
            let is_linked = !last.is_true && !is_itself && (in_cell() || in_house());
            is_linked && spread.ancestors(node).len() > 2
        })?;
        let mut removed: Vec<(usize, u64)> = Vec::new();
        for node in spread.ancestors(closing) {
            let off = &spread.nodes[node];
            let Some(&parent) = off.parents.first().filter(|_| !off.is_true) else {
                continue;
            };
            let on = &spread.nodes[parent];
            // One end of this link is true, so a candidate that both exclude is false.
            let excludes = |node: &Node, cell: usize, digit: usize| {
                if node.cell == cell {
                    node.digit != digit
                } else {
                    node.digit == digit && self.sees(node.cell, cell)
                }
            };
            for cell in self.open() {
                let digits = self.digits[cell].members();
                let gone = digits.filter(|&d| excludes(on, cell, d) && excludes(off, cell, d));
                let gone = gone.fold(0, |all, digit| all | 1 << digit);
                removed.extend(self.removal(cell, gone));
            }
        }
        (!removed.is_empty()).then(|| Rated::of_chain(kind, removed, spread.cells(closing)))
    }

    /// The easiest chain from all digits of a cell, or all places of a digit, or to a contradiction.
    pub(super) fn multiple(&self, kind: Kind) -> Option<Rated> {
        let side = self.topology.side;
        let mut best = None;
        let mut offer = |removed: (usize, u64), branches: &[(&Spread, usize)]| {
            let cells = branches.iter();
            let cells = cells.flat_map(|(spread, node)| spread.cells(*node));
            Rated::of_chain(kind, vec![removed], cells.collect()).offer(&mut best);
        };
        // The implications of each candidate.
        let mut all: Vec<Option<Spread>> = (0..self.digits.len() * side).map(|_| None).collect();
        for cell in self.open() {
            for digit in self.digits[cell].members() {
                let spread = self.spread((cell, digit, true), kind, true);
                if let (true, Some((one, other))) = (kind.is_dynamic, spread.contradiction) {
                    offer((cell, 1 << digit), &[(&spread, one), (&spread, other)]);
                }
                all[cell * side + digit] = Some(spread);
            }
        }
        if kind.is_nishio() {
            return best;
        }
        let mut common = |candidates: &[usize]| {
            let spreads: Vec<&Spread> =
                candidates.iter().filter_map(|&c| all[c].as_ref()).collect();
            let Some((first, others)) = spreads.split_first().filter(|_| spreads.len() > 1) else {
                return;
            };
            for (index, node) in first.nodes.iter().enumerate() {
                let gone = if node.is_true {
                    !(1 << node.digit)
                } else {
                    1 << node.digit
                };
                let Some(removed) = self.removal(node.cell, gone) else {
                    continue;
                };
                let key = self.key(node.cell, node.digit, node.is_true);
                let found = others.iter().map(|spread| spread.find(key));
                if let Some(found) = found.collect::<Option<Vec<usize>>>() {
                    let mut branches = vec![(*first, index)];
                    branches.extend(others.iter().copied().zip(found));
                    offer(removed, &branches);
                }
            }
        };
        let is_tried = |candidates: u64| candidates.count_ones() > 2 || kind.is_dynamic;
        for cell in self.open().filter(|&cell| is_tried(self.digits[cell])) {
            let candidates = self.digits[cell].members().map(|digit| cell * side + digit);
            common(&candidates.collect::<Vec<_>>());
        }
        for (house, cells) in self.topology.cells.iter().enumerate() {
            for digit in 0..side {
                let places = self.places(house, digit);
                if is_tried(places) {
                    let candidates = places.members().map(|place| cells[place] * side + digit);
                    common(&candidates.collect::<Vec<_>>());
                }
            }
        }
        best
    }
}
