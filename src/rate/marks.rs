//! The candidates of a puzzle as a person marks them, and tables derived from the rules.

use super::Technique;
use crate::engine::constraints::{Pruner, Sum, prune_patterns, sums};
use crate::grid::{Cell, Grid};
use crate::rules::{HouseKind, Layout, Part, Patterns, Rules};

/// The houses and sums of some rules, and tables derived from them.
pub(super) struct Topology {
    pub(super) side: usize,
    /// The cells of each house; the first `side` are the rows, the next the columns.
    pub(super) cells: Vec<Vec<usize>>,
    pub(super) kinds: Vec<HouseKind>,
    /// The houses of each cell.
    pub(super) houses_of: Vec<Vec<usize>>,
    pub(super) is_classic: bool,
    /// The cells that cannot hold the same digit as each cell, in their order.
    pub(super) peers: Vec<Vec<usize>>,
    /// Pairs of a box and a line, in both orders, that share two cells or more.
    pub(super) crossings: Vec<Crossing>,
    pub(super) sums: Vec<Sum>,
    /// The patterns of the constraints, with the constraints' names.
    pub(super) patterns: Vec<(&'static str, Patterns)>,
}

/// Two houses that share cells.
pub(super) struct Crossing {
    pub(super) technique: Technique,
    pub(super) house: usize,
    /// The places in `house` that the other does not have.
    pub(super) outside: u64,
    /// The other's cells that are not in `house`.
    pub(super) others: Vec<usize>,
}

impl Topology {
    pub(super) fn new<const N: usize>(rules: &Rules<N>) -> Self {
        let index = |cells: &[Cell<N>]| cells.iter().map(|cell| cell.index()).collect();
        let cells: Vec<Vec<usize>> = rules
            .houses()
            .iter()
            .map(|house| index(&house.cells))
            .collect();
        let kinds: Vec<HouseKind> = rules.houses().iter().map(|house| house.kind).collect();
        Topology {
            side: N,
            is_classic: rules.is_classic(),
            houses_of: (0..N * N)
                .map(|cell| rules.seats_of(cell).iter().map(|seat| seat.house).collect())
                .collect(),
            peers: Cell::all().map(|cell| index(&rules.peers(cell))).collect(),
            crossings: crossings(&cells, &kinds, N),
            sums: sums(&Layout::of_rules(rules)),
            patterns: rules
                .parts()
                .filter_map(|(name, part)| match part {
                    Part::Patterns(patterns) => Some((name, patterns.clone())),
                    _ => None,
                })
                .collect(),
            cells,
            kinds,
        }
    }
}

fn crossings(cells: &[Vec<usize>], kinds: &[HouseKind], side: usize) -> Vec<Crossing> {
    let is_line = |house: usize| matches!(kinds[house], HouseKind::Row | HouseKind::Column);
    let mut crossings = Vec::new();
    for (house, own) in cells.iter().enumerate() {
        for (other, theirs) in cells.iter().enumerate() {
            let technique = match (is_line(house), is_line(other)) {
                (false, _) => Technique::Pointing,
                (true, false) => Technique::Claiming,
                (true, true) => continue,
            };
            let outside = own
                .iter()
                .enumerate()
                .filter(|(_, cell)| !theirs.contains(cell))
                .fold(0u64, |places, (place, _)| places | 1 << place);
            let shared = side - outside.count_ones() as usize;
            if shared >= 2 && shared < side {
                let others = theirs.iter().copied().filter(|cell| !own.contains(cell));
                crossings.push(Crossing {
                    technique,
                    house,
                    outside,
                    others: others.collect(),
                });
            }
        }
    }
    crossings
}

/// The next step of a person, by the indices of cells, houses and digits.
#[derive(Clone, Debug)]
pub(super) struct Move {
    pub(super) technique: Technique,
    /// The houses that it is seen in.
    pub(super) houses: Vec<usize>,
    /// The constraint that it follows from, if it is one.
    pub(super) constraint: Option<&'static str>,
    /// The cells that it follows from.
    pub(super) cells: Vec<usize>,
    /// The digits that it is about, as bits.
    pub(super) digits: u64,
    pub(super) placed: Option<(usize, usize)>,
    /// Cells, each with the digits that leave it.
    pub(super) removed: Vec<(usize, u64)>,
}

impl Move {
    /// The digit is placed in the cell, for a reason that lies in the houses.
    pub(super) fn single<const HOUSES: usize>(
        technique: Technique,
        houses: [usize; HOUSES],
        cell: usize,
        digit: usize,
    ) -> Self {
        Move {
            technique,
            houses: houses.to_vec(),
            constraint: None,
            cells: vec![cell],
            digits: 1 << digit,
            placed: Some((cell, digit)),
            removed: Vec::new(),
        }
    }

    /// Candidates are removed; `None` if there are none to remove.
    pub(super) fn removing(
        technique: Technique,
        houses: impl IntoIterator<Item = usize>,
        cells: impl IntoIterator<Item = usize>,
        digits: u64,
        removed: Vec<(usize, u64)>,
    ) -> Option<Self> {
        (!removed.is_empty()).then(|| Move {
            technique,
            houses: houses.into_iter().collect(),
            constraint: None,
            cells: cells.into_iter().collect(),
            digits,
            placed: None,
            removed,
        })
    }
}

/// The candidates of a puzzle. A cell is filled by a single only.
#[derive(Clone)]
pub(super) struct Marks<'a> {
    pub(super) topology: &'a Topology,
    /// The remaining digits of each cell, as bits.
    pub(super) digits: Vec<u64>,
    pub(super) filled: Vec<bool>,
    pub(super) empty: usize,
}

impl<'a> Marks<'a> {
    /// The candidates that the givens of a puzzle leave.
    pub(super) fn new<const N: usize>(topology: &'a Topology, puzzle: &Grid<N>) -> Self {
        let mut marks = Marks {
            topology,
            digits: vec![(1 << N) - 1; N * N],
            filled: vec![false; N * N],
            empty: N * N,
        };
        for (cell, digit) in puzzle.givens() {
            marks.place(cell.index(), digit.index());
        }
        marks
    }

    pub(super) fn place(&mut self, cell: usize, digit: usize) {
        self.digits[cell] = 1 << digit;
        self.filled[cell] = true;
        self.empty -= 1;
        for &peer in &self.topology.peers[cell] {
            self.digits[peer] &= !(1 << digit);
        }
    }

    pub(super) fn remove(&mut self, removed: &[(usize, u64)]) {
        for &(cell, gone) in removed {
            self.digits[cell] &= !gone;
        }
    }

    pub(super) fn apply(&mut self, step: &Move) {
        self.remove(&step.removed);
        if let Some((cell, digit)) = step.placed {
            self.place(cell, digit);
        }
    }

    /// The cells that are not filled.
    pub(super) fn open(&self) -> impl Iterator<Item = usize> {
        (0..self.digits.len()).filter(|&cell| !self.filled[cell])
    }

    /// The digits of `gone` that the cell has, as a removal; `None` if it has none.
    pub(super) fn removal(&self, cell: usize, gone: u64) -> Option<(usize, u64)> {
        let gone = self.digits[cell] & gone;
        (gone != 0).then_some((cell, gone))
    }

    /// The places of a digit in a house, as bits.
    pub(super) fn places(&self, house: usize, digit: usize) -> u64 {
        let cells = self.topology.cells[house].iter().enumerate();
        cells.fold(0, |places, (place, &cell)| {
            places | (self.digits[cell] >> digit & 1) << place
        })
    }

    pub(super) fn sees(&self, one: usize, other: usize) -> bool {
        self.topology.peers[one].binary_search(&other).is_ok()
    }

    /// The digits that do not fit the cells of a sum.
    pub(super) fn prune(&self, sum: &Sum) -> Vec<(usize, u64)> {
        self.pruned(&sum.cells, |cells| {
            Pruner::default().prune(sum, self.topology.side, cells);
        })
    }

    /// The digits that do not fit the cells of some patterns.
    pub(super) fn prune_patterns(&self, patterns: &Patterns) -> Vec<(usize, u64)> {
        self.pruned(&patterns.cells, |cells| prune_patterns(patterns, cells))
    }

    /// The digits of the cells that `prune` leaves.
    fn pruned(
        &self,
        cells: &[usize],
        prune: impl FnOnce(&mut [(usize, u64)]),
    ) -> Vec<(usize, u64)> {
        let mut gone: Vec<(usize, u64)> = cells
            .iter()
            .map(|&cell| (cell, self.digits[cell]))
            .collect();
        prune(&mut gone);
        gone.retain(|&(_, gone)| gone != 0);
        gone
    }
}
