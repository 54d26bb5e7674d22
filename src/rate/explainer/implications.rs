//! What follows from a candidate that is true or false.

use crate::engine::Mask;
use crate::rate::Technique;
use crate::rate::marks::Marks;
use std::collections::VecDeque;

/// The kinds of chains from several starts, in their order.
pub(super) const MULTIPLE: [Kind; 7] = [
    Kind::new(75, false, true, 0),
    Kind::new(80, true, false, 0),
    Kind::new(85, true, true, 0),
    Kind::new(90, true, true, 1),
    Kind::new(95, true, true, 2),
    Kind::new(100, true, true, 3),
    Kind::new(105, true, true, 4),
];

/// A kind of chains.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub(super) tenths: u32,
    /// Whether the other digits of a cell become false with one that is true, and its last one true.
    /// Otherwise it is nishio.
    pub(super) in_cells: bool,
    /// Whether the last place of a digit in a house becomes true.
    pub(super) in_houses: bool,
    /// Whether links count that appear when other candidates of the chain are false.
    pub(super) is_dynamic: bool,
    /// From 1 on, steps of other techniques are used inside of chains: from 2 on chains.
    pub(super) level: u32,
}

impl Kind {
    const fn new(tenths: u32, in_cells: bool, is_dynamic: bool, level: u32) -> Self {
        Kind {
            tenths,
            in_cells,
            in_houses: true,
            is_dynamic,
            level,
        }
    }

    pub(super) fn is_nishio(self) -> bool {
        self.is_dynamic && !self.in_cells
    }

    /// The rating of a chain of this many candidates.
    pub(super) fn rated(self, complexity: usize) -> u32 {
        let (mut tenths, mut ceiling, mut is_odd) = (self.tenths, 4, false);
        while complexity.saturating_sub(2) > ceiling {
            tenths += 1;
            ceiling = if is_odd {
                ceiling * 4 / 3
            } else {
                ceiling * 3 / 2
            };
            is_odd = !is_odd;
        }
        tenths
    }
}

/// A candidate that a chain makes true or false, and those that it follows from.
pub(super) struct Node {
    pub(super) cell: usize,
    pub(super) digit: usize,
    pub(super) is_true: bool,
    pub(super) parents: Vec<usize>,
}

/// The consequences of a candidate.
pub(super) struct Spread {
    pub(super) nodes: Vec<Node>,
    /// By candidate and truth, one more than the node.
    pub(super) known: Vec<usize>,
    /// A candidate that is both.
    pub(super) contradiction: Option<(usize, usize)>,
    /// The nodes whose consequences are not added yet: the false ones, and the true ones.
    pending: [VecDeque<usize>; 2],
}

impl Spread {
    pub(super) fn find(&self, key: usize) -> Option<usize> {
        self.known[key].checked_sub(1)
    }

    /// The nodes that a node follows from, itself included.
    pub(super) fn ancestors(&self, node: usize) -> Vec<usize> {
        let mut seen = vec![false; self.nodes.len()];
        let mut found = vec![node];
        seen[node] = true;
        let mut next = 0;
        while next < found.len() {
            for &parent in &self.nodes[found[next]].parents {
                if !core::mem::replace(&mut seen[parent], true) {
                    found.push(parent);
                }
            }
            next += 1;
        }
        found
    }
}

impl Marks<'_> {
    pub(super) fn key(&self, cell: usize, digit: usize, is_true: bool) -> usize {
        (cell * self.topology.side + digit) * 2 + usize::from(is_true)
    }

    /// The consequences of a candidate, each by as few steps as possible.
    pub(super) fn spread(&self, start: (usize, usize, bool), kind: Kind, stops: bool) -> Spread {
        let mut spread = Spread {
            nodes: Vec::new(),
            known: vec![0; self.digits.len() * self.topology.side * 2],
            contradiction: None,
            pending: Default::default(),
        };
        // Without the candidates that have become false.
        let mut current = self.clone();
        let (cell, digit, is_true) = start;
        self.reach(&mut spread, cell, digit, is_true, Vec::new());
        loop {
            if stops && spread.contradiction.is_some() {
                return spread;
            }
            if let Some(node) = spread.pending[1].pop_front() {
                self.make_false(&mut spread, node, kind);
            } else if let Some(node) = spread.pending[0].pop_front() {
                let (cell, digit) = (spread.nodes[node].cell, spread.nodes[node].digit);
                if kind.is_dynamic {
                    current.digits[cell] &= !(1 << digit);
                }
                self.make_true(&mut spread, node, kind, &current);
            } else if kind.level == 0 || !self.advance(&mut spread, kind, &current) {
                return spread;
            }
        }
    }

    /// Adds a node unless it is known, and notes a contradiction.
    fn reach(
        &self,
        spread: &mut Spread,
        cell: usize,
        digit: usize,
        is_true: bool,
        parents: Vec<usize>,
    ) {
        let key = self.key(cell, digit, is_true);
        if spread.known[key] > 0 {
            return;
        }
        spread.nodes.push(Node {
            cell,
            digit,
            is_true,
            parents,
        });
        spread.known[key] = spread.nodes.len();
        spread.pending[usize::from(is_true)].push_back(spread.nodes.len() - 1);
        if let Some(other) = spread.find(key ^ 1)
            && spread.contradiction.is_none()
        {
            spread.contradiction = Some((spread.nodes.len() - 1, other));
        }
    }

    fn make_false(&self, spread: &mut Spread, node: usize, kind: Kind) {
        let (cell, digit) = (spread.nodes[node].cell, spread.nodes[node].digit);
        if kind.in_cells {
            for other in (self.digits[cell] & !(1 << digit)).members() {
                self.reach(spread, cell, other, false, vec![node]);
            }
        }
        for &peer in &self.topology.peers[cell] {
            if self.digits[peer] >> digit & 1 == 1 {
                self.reach(spread, peer, digit, false, vec![node]);
            }
        }
    }

    fn make_true(&self, spread: &mut Spread, node: usize, kind: Kind, current: &Marks<'_>) {
        let (cell, digit) = (spread.nodes[node].cell, spread.nodes[node].digit);
        let find = |spread: &Spread, cell, digit| spread.find(self.key(cell, digit, false));
        if kind.in_cells {
            let left = current.digits[cell] & !(1 << digit);
            if left.count_ones() == 1 {
                let others = self.digits[cell] & !left;
                let parents = others
                    .members()
                    .filter_map(|other| find(spread, cell, other));
                let parents = parents.collect();
                self.reach(spread, cell, left.smallest(), true, parents);
            }
        }
        if kind.in_houses {
            for &house in &self.topology.houses_of[cell] {
                let cells = &self.topology.cells[house];
                let left = cells
                    .iter()
                    .filter(|&&other| other != cell && current.digits[other] >> digit & 1 == 1);
                let left: Vec<usize> = left.copied().collect();
                if let [only] = left[..] {
                    let places = self
                        .places(house, digit)
                        .members()
                        .map(|place| cells[place]);
                    let others = places.filter(|&other| other != only);
                    let parents = others.filter_map(|other| find(spread, other, digit));
                    let parents = parents.collect();
                    self.reach(spread, only, digit, true, parents);
                }
            }
        }
    }

    /// Adds what other techniques make false; whether there was any.
    fn advance(&self, spread: &mut Spread, kind: Kind, current: &Marks<'_>) -> bool {
        const SIMPLE: [Technique; 5] = [
            Technique::Pointing,
            Technique::Claiming,
            Technique::HiddenPair,
            Technique::NakedPair,
            Technique::XWing,
        ];
        if current.digits.contains(&0) {
            return false;
        }
        let before = spread.nodes.len();
        for technique in SIMPLE {
            if let Some(step) = current.find(technique) {
                let mut cells: Vec<usize> = step.cells.clone();
                if technique != Technique::NakedPair {
                    let houses = step.houses.iter().map(|&house| &self.topology.cells[house]);
                    cells.extend(houses.flatten());
                }
                self.reach_all(spread, &step.removed, &cells);
            }
        }
        if spread.nodes.len() == before && kind.level >= 2 {
            let nested = match kind.level {
                2 => current.chain(),
                3 => current.chain().or_else(|| current.multiple(MULTIPLE[1])),
                _ => current.chain().or_else(|| current.multiple(MULTIPLE[1])),
            };
            let nested = nested.or_else(|| {
                let is_deepest = kind.level >= 4;
                is_deepest.then(|| current.multiple(MULTIPLE[2])).flatten()
            });
            if let Some(step) = nested {
                let mut removed = step.removed.clone();
                if let Some((cell, digit)) = step.placed {
                    removed.push((cell, current.digits[cell] & !(1 << digit)));
                }
                self.reach_all(spread, &removed, &step.cells);
            }
        }
        spread.nodes.len() > before
    }

    /// Makes candidates false because of those that are false in some cells.
    fn reach_all(&self, spread: &mut Spread, removed: &[(usize, u64)], cells: &[usize]) {
        let is_in = |node: &Node| !node.is_true && cells.contains(&node.cell);
        let parents = spread.nodes.iter().enumerate();
        let parents: Vec<usize> = parents
            .filter(|(_, node)| is_in(node))
            .map(|(index, _)| index)
            .collect();
        for &(cell, gone) in removed {
            for digit in gone.members() {
                self.reach(spread, cell, digit, false, parents.clone());
            }
        }
    }
}
