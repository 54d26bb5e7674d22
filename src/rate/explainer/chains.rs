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

    /// The easiest cycle back to the true candidate that the implications begin with: its candidates are true and
    /// false in turn, one way or the other.
    fn cycle(&self, spread: &Spread, kind: Kind) -> Option<Rated> {
        let start = &spread.nodes[0];
        if !kind.in_houses && self.digits[start.cell].count_ones() != 2 {
            return None;
        }
        let mut best = None;
        let true_nodes = spread.nodes.iter().enumerate().skip(1);
        for (number, node) in true_nodes.filter(|(_, node)| node.is_true) {
            let path = spread.ancestors(number);
            let is_passed = |cell: usize, digit: usize| {
                let mut nodes = path.iter().map(|&node| &spread.nodes[node]);
                nodes.any(|node| node.cell == cell && node.digit == digit)
            };
            for (cell, digit) in self.conjugates(start, kind) {
                let is_excluded = if node.cell == cell {
                    kind.in_cells && node.digit != digit
                } else {
                    node.digit == digit && self.sees(node.cell, cell)
                };
                if is_excluded && !is_passed(cell, digit) {
                    let removed = self.removed_by_cycle(spread, &path, (cell, digit));
                    if !removed.is_empty() {
                        let cells = path.iter().map(|&node| spread.nodes[node].cell);
                        let cells = cells.chain([cell]).collect();
                        Rated::of_chain(kind, removed, cells).offer(&mut best);
                    }
                }
            }
        }
        best
    }

    /// The candidates one of which, or this one, is true.
    fn conjugates(&self, of: &Node, kind: Kind) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        if kind.in_cells && self.digits[of.cell].count_ones() == 2 {
            let others = self.digits[of.cell] & !(1 << of.digit);
            found.push((of.cell, others.smallest()));
        }
        if kind.in_houses {
            for &house in &self.topology.houses_of[of.cell] {
                let places = self.places(house, of.digit);
                let cells = places.members().map(|p| self.topology.cells[house][p]);
                if let (2, Some(cell)) = (places.count_ones(), { cells }.find(|&c| c != of.cell)) {
                    found.push((cell, of.digit));
                }
            }
        }
        found
    }

    /// The candidates outside the cells of a cycle that see one of its candidates that are true together, and
    /// one of the others. The cycle consists of a path of nodes and its last candidate.
    fn removed_by_cycle(
        &self,
        spread: &Spread,
        path: &[usize],
        last: (usize, usize),
    ) -> Vec<(usize, u64)> {
        let nodes = path.iter().map(|&node| &spread.nodes[node]);
        let nodes = nodes.map(|node| (node.cell, node.digit, node.is_true));
        let nodes: Vec<_> = nodes.chain([(last.0, last.1, false)]).collect();
        let outside = self
            .open()
            .filter(|&cell| nodes.iter().all(|node| node.0 != cell));
        let seen = |cell: usize, is_true: bool| {
            let seen = nodes
                .iter()
                .filter(|node| node.2 == is_true && self.sees(node.0, cell));
            seen.fold(0, |all, node| all | 1 << node.1)
        };
        outside
            .filter_map(|cell| self.removal(cell, seen(cell, true) & seen(cell, false)))
            .collect()
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
