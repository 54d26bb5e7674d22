//! The implications of a candidate that is assumed to be true or false.

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
    /// Whether there are links in cells: a true digit makes the others of its cell false, and the last one
    /// left is true. A dynamic kind without them is nishio.
    pub(super) in_cells: bool,
    /// Whether the last place left for a digit in a house is true.
    pub(super) in_houses: bool,
    /// Whether candidates that the chain made false create links.
    pub(super) is_dynamic: bool,
    /// The steps inside the chain: none at 0, simple techniques from 1 on, chains from 2 on.
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

/// The implications of a candidate, which is the first node.
pub(super) struct Spread {
    pub(super) nodes: Vec<Node>,
    /// By [`Marks::key`]: the node's index plus 1, or 0.
    known: Vec<usize>,
    /// The nodes of a candidate that is both true and false.
    pub(super) contradiction: Option<(usize, usize)>,
    /// The nodes whose implications are not added yet: the false ones, then the true ones.
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

    /// The cells of [`Spread::ancestors`].
    pub(super) fn cells(&self, node: usize) -> Vec<usize> {
        let nodes = self.ancestors(node).into_iter();
        nodes.map(|node| self.nodes[node].cell).collect()
    }
}

impl Marks<'_> {
    pub(super) fn key(&self, cell: usize, digit: usize, is_true: bool) -> usize {
        (cell * self.topology.side + digit) * 2 + usize::from(is_true)
    }

    /// The implications of a candidate, each by as few steps as possible; up to a contradiction if it `stops`
    /// there.
    pub(super) fn spread(&self, start: (usize, usize, bool), kind: Kind, stops: bool) -> Spread {
        let mut spread = Spread {
            nodes: Vec::new(),
            known: vec![0; self.digits.len() * self.topology.side * 2],
            contradiction: None,
            pending: Default::default(),
        };
        // Lacks the candidates that became false, if the kind is dynamic.
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
        if spread.contradiction.is_none() {
            let opposite = spread.find(key ^ 1);
            spread.contradiction = opposite.map(|other| (spread.nodes.len() - 1, other));
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

    /// Adds the candidates that other steps make false. Returns whether there were any.
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
                let mut cells = step.cells;
                if technique != Technique::NakedPair {
                    let houses = step.houses.iter().map(|&house| &self.topology.cells[house]);
                    cells.extend(houses.flatten());
                }
                self.reach_all(spread, &step.removed, &cells);
            }
        }
        if spread.nodes.len() == before && kind.level >= 2 {
            let kinds = match kind.level {
                2 => &[][..],
                3 => &MULTIPLE[1..2],
                _ => &MULTIPLE[1..3],
            };
            let multiple = || kinds.iter().find_map(|&kind| current.multiple(kind));
            if let Some(step) = current.chain().or_else(multiple) {
                self.reach_all(spread, &step.removed, &step.cells);
            }
        }
        spread.nodes.len() > before
    }

    /// Makes candidates false; their parents are all nodes that are false in some cells.
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
