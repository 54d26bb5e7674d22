//! Ratings on the scale of Sudoku Explainer, by Nicolas Juillerat: always the easiest step, and the
//! hardest of them counts.
//!
//! The order and the numbers are those of that program: from 1.0 for the last cell of a house over 2.3 for
//! a naked single and 6.5 for a cycle to 9.5 and more for nested chains. The rating of a chain grows with
//! the number of candidates that it passes.

use super::Technique;
use super::marks::{Marks, Move};
use crate::engine::Mask;
use crate::rules::HouseKind;
use core::fmt;
use std::collections::VecDeque;

/// A rating on the scale of Sudoku Explainer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Difficulty {
    tenths: u32,
}

impl Difficulty {
    /// The rating in tenths: 71 for 7.1.
    pub fn tenths(self) -> u32 {
        self.tenths
    }
}

/// Such as `7.1`.
impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.tenths / 10, self.tenths % 10)
    }
}

/// A step and its rating.
struct Rated {
    tenths: u32,
    /// The number of candidates of a chain.
    complexity: usize,
    placed: Option<(usize, usize)>,
    removed: Vec<(usize, u64)>,
    /// The cells that a chain passes.
    cells: Vec<usize>,
}

/// The ratings of the techniques that are no chains and follow in this order.
const SIMPLE: [(Technique, u32); 10] = [
    (Technique::Pointing, 26),
    (Technique::Claiming, 28),
    (Technique::NakedPair, 30),
    (Technique::XWing, 32),
    (Technique::HiddenPair, 34),
    (Technique::NakedTriple, 36),
    (Technique::Swordfish, 38),
    (Technique::HiddenTriple, 40),
    (Technique::XyWing, 42),
    (Technique::XyzWing, 44),
];

/// The same for those after unique rectangles.
const LARGE: [(Technique, u32); 3] = [
    (Technique::NakedQuad, 50),
    (Technique::Jellyfish, 52),
    (Technique::HiddenQuad, 54),
];

/// The kinds of chains from several starts, in their order.
const MULTIPLE: [Kind; 7] = [
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
struct Kind {
    tenths: u32,
    /// Whether the other digits of a cell become false with one that is true, and its last one true.
    /// Otherwise it is nishio.
    in_cells: bool,
    /// Whether the last place of a digit in a house becomes true.
    in_houses: bool,
    /// Whether links count that appear when other candidates of the chain are false.
    is_dynamic: bool,
    /// From 1 on, steps of other techniques are used inside of chains: from 2 on chains.
    level: u32,
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

    fn is_nishio(self) -> bool {
        self.is_dynamic && !self.in_cells
    }

    /// The rating of a chain of this many candidates.
    fn rated(self, complexity: usize) -> u32 {
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
struct Node {
    cell: usize,
    digit: usize,
    is_true: bool,
    parents: Vec<usize>,
}

/// The consequences of a candidate.
struct Spread {
    nodes: Vec<Node>,
    /// By candidate and truth, one more than the node.
    known: Vec<usize>,
    /// A candidate that is both.
    contradiction: Option<(usize, usize)>,
    /// The nodes whose consequences are not added yet: the false ones, and the true ones.
    pending: [VecDeque<usize>; 2],
}

impl Spread {
    fn find(&self, key: usize) -> Option<usize> {
        self.known[key].checked_sub(1)
    }

    /// The nodes that a node follows from, itself included.
    fn ancestors(&self, node: usize) -> Vec<usize> {
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
    /// The rating of the puzzle, whose solution is the only one; `None` if the techniques do not solve
    /// it.
    pub(super) fn difficulty(mut self) -> Option<Difficulty> {
        let mut tenths = 10;
        while self.empty > 0 {
            let step = self.rated_step()?;
            tenths = tenths.max(step.tenths);
            for &(cell, gone) in &step.removed {
                self.digits[cell] &= !gone;
            }
            if let Some((cell, digit)) = step.placed {
                self.place(cell, digit);
            }
        }
        Some(Difficulty { tenths })
    }

    fn rated_step(&self) -> Option<Rated> {
        let of = |technique, tenths| self.find(technique).map(|step| Rated::of(step, tenths));
        let all = |list: &[(Technique, u32)]| list.iter().find_map(|&(t, tenths)| of(t, tenths));
        self.last_or_hidden()
            .or_else(|| self.direct_locked())
            .or_else(|| self.direct_hidden(2, 20))
            .or_else(|| of(Technique::NakedSingle, 23))
            .or_else(|| self.direct_hidden(3, 25))
            .or_else(|| all(&SIMPLE))
            .or_else(|| self.unique_rectangle())
            .or_else(|| all(&LARGE))
            .or_else(|| self.bivalue_grave())
            .or_else(|| self.aligned_pair())
            .or_else(|| self.chain())
            .or_else(|| MULTIPLE.iter().find_map(|&kind| self.multiple(kind)))
    }

    /// A hidden single: 1.0 if it fills a house, 1.2 in a box, 1.5 in a line.
    fn last_or_hidden(&self) -> Option<Rated> {
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
                if best.as_ref().is_none_or(|best| tenths < best.tenths) {
                    let placed = Some((cells[places.smallest()], digit));
                    best = Some(Rated::new(tenths, placed, Vec::new()));
                }
            }
        }
        best
    }

    /// A locked candidate that leaves its digit one place in a house.
    fn direct_locked(&self) -> Option<Rated> {
        for (technique, tenths) in [(Technique::Pointing, 17), (Technique::Claiming, 19)] {
            let crossings = self.topology.crossings.iter();
            for crossing in crossings.filter(|crossing| crossing.technique == technique) {
                let cells = &self.topology.cells[crossing.house];
                for digit in 0..self.topology.side {
                    let places = self.places(crossing.house, digit);
                    if places == 0 || places & crossing.outside != 0 {
                        continue;
                    }
                    let gone = crossing.others.iter();
                    let gone: Vec<(usize, u64)> = gone
                        .filter_map(|&cell| self.removal(cell, 1 << digit))
                        .collect();
                    if gone.is_empty() || places.count_ones() < 2 || cells.is_empty() {
                        continue;
                    }
                    if let Some(placed) = self.single_after(&gone, None, 1 << digit) {
                        return Some(Rated::new(tenths, Some(placed), Vec::new()));
                    }
                }
            }
        }
        None
    }

    /// A hidden set that leaves another digit one place in its house.
    fn direct_hidden(&self, size: usize, tenths: u32) -> Option<Rated> {
        self.each_hidden(size, &mut |house, kept, removed| {
            let placed = self.single_after(&removed, Some(house), !kept)?;
            Some(Rated::new(tenths, Some(placed), Vec::new()))
        })
    }

    /// A hidden single of one of the digits, in the house or in any, after some candidates are removed.
    fn single_after(
        &self,
        removed: &[(usize, u64)],
        house: Option<usize>,
        digits: u64,
    ) -> Option<(usize, usize)> {
        let mut marks = self.clone();
        for &(cell, gone) in removed {
            marks.digits[cell] &= !gone;
        }
        let houses = house.map_or(0..self.topology.cells.len(), |house| house..house + 1);
        let mut pairs = houses.flat_map(|house| (0..self.topology.side).map(move |d| (house, d)));
        pairs.find_map(|(house, digit)| {
            let places = marks.places(house, digit);
            let cell = self.topology.cells[house][places.smallest() % self.topology.side];
            let is_new = self.places(house, digit) != places;
            let is_single = digits >> digit & 1 == 1 && places.count_ones() == 1 && is_new;
            is_single.then_some((cell, digit))
        })
    }

    /// A rectangle in two boxes whose four cells would have two solutions with the same two digits.
    fn unique_rectangle(&self) -> Option<Rated> {
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
                    let extra: Vec<usize> = cells
                        .into_iter()
                        .filter(|&cell| self.digits[cell] != pair)
                        .collect();
                    if used.len() != 2 {
                        continue;
                    }
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

    /// All cells have two candidates but one, and every digit has two places in each house but there.
    fn bivalue_grave(&self) -> Option<Rated> {
        if !self.topology.is_classic {
            return None;
        }
        let open = || (0..self.digits.len()).filter(|&cell| !self.filled[cell]);
        let mut large = open().filter(|&cell| self.digits[cell].count_ones() != 2);
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
    fn aligned_pair(&self) -> Option<Rated> {
        let open = || (0..self.digits.len()).filter(|&cell| !self.filled[cell]);
        for a in open() {
            for b in open().filter(|&b| b > a) {
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

    fn key(&self, cell: usize, digit: usize, is_true: bool) -> usize {
        (cell * self.topology.side + digit) * 2 + usize::from(is_true)
    }

    /// The easiest forcing chain or cycle from one candidate.
    fn chain(&self) -> Option<Rated> {
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

    /// The consequences of a candidate, each by as few steps as possible.
    fn spread(&self, start: (usize, usize, bool), kind: Kind, stops: bool) -> Spread {
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

    /// The easiest chain from all digits of a cell, or all places of a digit, or to a contradiction.
    fn multiple(&self, kind: Kind) -> Option<Rated> {
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

impl Rated {
    fn new(tenths: u32, placed: Option<(usize, usize)>, removed: Vec<(usize, u64)>) -> Self {
        Rated {
            tenths,
            complexity: 0,
            placed,
            removed,
            cells: Vec::new(),
        }
    }

    fn of(step: Move, tenths: u32) -> Self {
        Rated::new(tenths, step.placed, step.removed)
    }
}
