//! Chains: eliminations by the implications of one candidate or of several.

use super::Rated;
use super::implications::{Kind, Node, Spread};
use crate::engine::Mask;
use crate::rate::marks::Marks;

impl Marks<'_> {
    /// The easiest forcing chain or cycle from one candidate.
    pub(super) fn chain(&self) -> Option<Rated> {
        let mut best: Option<Rated> = None;
        let mut offer = |step: Rated| {
            let is_better =
                |best: &Rated| (step.tenths, step.complexity) < (best.tenths, best.complexity);
            if best.as_ref().is_none_or(is_better) {
                best = Some(step);
            }
        };
        for (in_cells, in_houses) in [(false, true), (true, false), (true, true)] {
            let base = if in_cells && in_houses { 70 } else { 65 };
            let kind = |tenths| Kind {
                tenths,
                in_cells,
                in_houses,
                is_dynamic: false,
                level: 0,
            };
            for cell in (0..self.digits.len()).filter(|&cell| !self.filled[cell]) {
                for digit in self.digits[cell].members() {
                    if self.digits[cell].count_ones() < 2 {
                        continue;
                    }
                    let spread = self.spread((cell, digit, true), kind(base), false);
                    if let Some(cycle) = self.cycle(&spread, kind(base)) {
                        offer(cycle);
                    }
                    if !in_houses {
                        continue;
                    }
                    let forcing = kind(if in_cells { 70 } else { 66 });
                    for is_true in [true, false] {
                        let from = match is_true {
                            true => None,
                            false => Some(self.spread((cell, digit, false), forcing, false)),
                        };
                        let spread = from.as_ref().unwrap_or(&spread);
                        if let Some(node) = spread.find(self.key(cell, digit, !is_true)) {
                            let gone = if is_true {
                                1 << digit
                            } else {
                                self.digits[cell] & !(1 << digit)
                            };
                            let passed = spread.ancestors(node);
                            let cells = passed.iter().map(|&node| spread.nodes[node].cell);
                            offer(Rated {
                                tenths: forcing.rated(passed.len()),
                                complexity: passed.len(),
                                placed: None,
                                removed: vec![(cell, gone)],
                                cells: cells.collect(),
                            });
                        }
                    }
                }
            }
        }
        best
    }

    /// A cycle back to the true candidate that the consequences begin with: one or the other half of its
    /// candidates is true.
    fn cycle(&self, spread: &Spread, kind: Kind) -> Option<Rated> {
        let start = &spread.nodes[0];
        // A false candidate that makes the first true again.
        let closing = (1..spread.nodes.len()).find(|&node| {
            let last = &spread.nodes[node];
            let is_linked = || {
                let same_cell = kind.in_cells && last.cell == start.cell;
                let same_cell = same_cell && self.digits[last.cell].count_ones() == 2;
                let in_house = kind.in_houses
                    && last.digit == start.digit
                    && self.topology.houses_of[last.cell].iter().any(|house| {
                        self.topology.houses_of[start.cell].contains(house)
                            && self.places(*house, start.digit).count_ones() == 2
                    });
                same_cell || in_house
            };
            let is_itself = last.cell == start.cell && last.digit == start.digit;
            !last.is_true && !is_itself && is_linked() && spread.ancestors(node).len() > 2
        })?;
        let passed = spread.ancestors(closing);
        let mut removed: Vec<(usize, u64)> = Vec::new();
        for &node in &passed {
            let off = &spread.nodes[node];
            let Some(&parent) = off.parents.first().filter(|_| !off.is_true) else {
                continue;
            };
            let on = &spread.nodes[parent];
            // What both ends of a link between true and false make false.
            let at_most_one = |cell: usize, digit: usize| {
                let falls = |node: &Node| {
                    let is_itself = node.cell == cell && node.digit == digit;
                    let same_cell = node.cell == cell && node.digit != digit;
                    let in_house = node.digit == digit && self.sees(node.cell, cell);
                    !is_itself && (same_cell || in_house)
                };
                falls(on) && falls(off)
            };
            for cell in 0..self.digits.len() {
                let digits = self.digits[cell].members();
                let gone = digits.filter(|&digit| at_most_one(cell, digit));
                let gone = gone.fold(0, |all, digit| all | 1 << digit);
                removed.extend(self.removal(cell, gone).filter(|_| !self.filled[cell]));
            }
        }
        (!removed.is_empty()).then(|| Rated {
            tenths: kind.rated(passed.len()),
            complexity: passed.len(),
            placed: None,
            removed,
            cells: passed.iter().map(|&node| spread.nodes[node].cell).collect(),
        })
    }

    /// The easiest chain from all digits of a cell, or all places of a digit, or to a contradiction.
    pub(super) fn multiple(&self, kind: Kind) -> Option<Rated> {
        let side = self.topology.side;
        let mut best: Option<Rated> = None;
        let mut offer = |removed: Vec<(usize, u64)>, branches: &[(&Spread, usize)]| {
            let passed = branches.iter().flat_map(|(spread, node)| {
                let nodes = spread.ancestors(*node).into_iter();
                nodes.map(|node| spread.nodes[node].cell)
            });
            let cells: Vec<usize> = passed.collect();
            let (tenths, complexity) = (kind.rated(cells.len()), cells.len());
            let is_better = |best: &Rated| (tenths, complexity) < (best.tenths, best.complexity);
            if !removed.is_empty() && best.as_ref().is_none_or(is_better) {
                best = Some(Rated {
                    tenths,
                    complexity,
                    placed: None,
                    removed,
                    cells,
                });
            }
        };
        // The consequences of each candidate.
        let mut all: Vec<Option<Spread>> = (0..self.digits.len() * side).map(|_| None).collect();
        for cell in (0..self.digits.len()).filter(|&cell| !self.filled[cell]) {
            for digit in self.digits[cell].members() {
                let spread = self.spread((cell, digit, true), kind, true);
                if let (true, Some((one, other))) = (kind.is_dynamic, spread.contradiction) {
                    let removed = vec![(cell, 1 << digit)];
                    offer(removed, &[(&spread, one), (&spread, other)]);
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
            for node in &first.nodes {
                let key = self.key(node.cell, node.digit, node.is_true);
                let found = others.iter().map(|spread| spread.find(key));
                let Some(found) = found.collect::<Option<Vec<usize>>>() else {
                    continue;
                };
                let gone = if node.is_true {
                    !(1 << node.digit)
                } else {
                    1 << node.digit
                };
                let removed = self.removal(node.cell, gone).into_iter().collect();
                let mut branches = vec![(*first, first.known[key] - 1)];
                branches.extend(others.iter().copied().zip(found));
                offer(removed, &branches);
            }
        };
        for cell in (0..self.digits.len()).filter(|&cell| !self.filled[cell]) {
            if self.digits[cell].count_ones() > 2 || kind.is_dynamic {
                let candidates = self.digits[cell].members().map(|digit| cell * side + digit);
                common(&candidates.collect::<Vec<_>>());
            }
        }
        for (house, cells) in self.topology.cells.iter().enumerate() {
            for digit in 0..side {
                let places = self.places(house, digit);
                if places.count_ones() > 2 || (places.count_ones() == 2 && kind.is_dynamic) {
                    let candidates = places.members().map(|place| cells[place] * side + digit);
                    common(&candidates.collect::<Vec<_>>());
                }
            }
        }
        best
    }
}
