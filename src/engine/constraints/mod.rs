//! Propagation of cages and constraints: finds the digits that no longer fit their cells.
//!
//! This module propagates groups of cells with a known sum, and cells that match one of some patterns; engines
//! themselves propagate that cells hold different digits. Known are the sums of cages, of constraints such as
//! arrows, and of the cells that cages leave in a house, or in several rows or columns side by side: a house adds
//! up to the sum of all digits. (Killer players call these cells innies and outies.)

mod patterns;
mod prune;
mod subsets;
#[cfg(not(judge_bundle))]
mod table;

pub(crate) use patterns::prune_patterns;
pub(crate) use prune::Pruner;

use super::mask::Mask;
use crate::rules::{HouseKind, Layout, Part, Patterns};
use table::Table;

/// In a bundle no constraint has a table, which keeps the source small.
#[cfg(judge_bundle)]
mod table {
    use super::Sum;
    use crate::engine::mask::Mask;
    use crate::rules::Patterns;

    #[derive(Clone, Debug)]
    pub(super) enum Table {}

    impl Table {
        pub(super) fn of_sum(_: &Sum, _: usize, _: &[Vec<bool>]) -> Option<Self> {
            None
        }

        pub(super) fn of_patterns(_: &Patterns, _: usize, _: &[Vec<bool>]) -> Option<Self> {
            None
        }

        pub(super) fn prune<M: Mask>(&self, _: &[M], _: &mut Vec<(usize, u64)>) {
            match *self {}
        }
    }
}

/// The constraints that an engine propagates. `()` is for rules of houses alone, and costs nothing.
pub(super) trait Propagate: Send {
    /// Whether constraints are supported.
    const ACTIVE: bool;

    fn new(layout: &Layout) -> Self;

    /// Resets the state: every constraint is due.
    fn start(&mut self);

    /// Records that a cell lost a candidate.
    fn touch(&mut self, cell: usize);

    /// Forgets which cells lost candidates.
    fn clear(&mut self);

    /// Examines a constraint whose cells lost candidates. Returns the digits that no longer fit its
    /// cells, or cells that see them; `None` if there is no such constraint left.
    ///
    /// The digits of a cell are those of `state`.
    fn next<M: Mask>(&mut self, state: &[M]) -> Option<&[(usize, u64)]>;

    /// The sums.
    fn sums(&self) -> &[Sum] {
        &[]
    }

    /// The patterns.
    fn patterns(&self) -> &[Patterns] {
        &[]
    }

    /// Passes on the pairs of candidates, cell and digit, that a table excludes. Constraints that are no more than such
    /// pairs are not examined from then on.
    #[cfg(not(judge_bundle))]
    fn take_exclusions(&mut self, _: &mut dyn FnMut([(usize, usize); 2])) {}
}

impl Propagate for () {
    const ACTIVE: bool = false;

    fn new(_: &Layout) -> Self {}

    fn start(&mut self) {}

    #[inline(always)]
    fn touch(&mut self, _: usize) {}

    #[inline(always)]
    fn clear(&mut self) {}

    #[inline(always)]
    fn next<M: Mask>(&mut self, _: &[M]) -> Option<&[(usize, u64)]> {
        None
    }
}

/// Cells whose values have a known sum.
#[derive(Clone, Debug)]
pub(crate) struct Sum {
    /// The constraint's name; `None` for cages, and what they leave of a house.
    pub(crate) name: Option<&'static str>,
    pub(crate) cells: Vec<usize>,
    /// How many of the first cells count reversed: each adds the side plus one, minus its digit.
    pub(crate) mirrored: usize,
    pub(crate) sum: u32,
    /// Whether the sum only follows from others.
    pub(crate) is_derived: bool,
    /// A partition of `cells`, as indices: no two cells of a group can have the same value.
    groups: Vec<Group>,
}

#[derive(Clone, Debug)]
struct Group {
    indices: Vec<usize>,
    /// The cells that see every cell of the group; none for mirrored cells.
    seen_by: Vec<usize>,
}

impl Sum {
    /// Whether all cells have different values.
    pub(crate) fn is_distinct(&self) -> bool {
        self.groups.len() == 1
    }

    /// Whether the cells that are not mirrored have different values.
    pub(crate) fn are_others_distinct(&self) -> bool {
        self.groups.len() <= self.mirrored + 1
    }
}

/// The digits with their order reversed.
pub(crate) fn mirror(digits: u64, side: usize) -> u64 {
    digits.reverse_bits() >> (64 - side)
}

/// All sums and patterns that follow from some rules, and the queue of those that are due.
#[derive(Clone, Debug)]
pub(crate) struct Agenda {
    side: usize,
    sums: Vec<Sum>,
    patterns: Vec<Patterns>,
    /// By sum and pattern, where there are few ways to satisfy it.
    tables: Vec<Option<Table>>,
    /// The sums and patterns that each cell is in; patterns are numbered after the sums.
    of: Vec<Vec<usize>>,
    /// For each sum and pattern, whether [`Propagate::take_exclusions`] has taken all of it.
    is_taken: Vec<bool>,
    /// The sums and patterns to be checked next.
    due: Vec<usize>,
    /// For each sum and pattern, whether `due` contains it.
    is_due: Vec<bool>,
    gone: Vec<(usize, u64)>,
    pruner: Pruner,
}

/// The sums that follow from the rules, the cages first, then those of constraints.
pub(crate) fn sums(layout: &Layout) -> Vec<Sum> {
    if !layout.has_constraints() {
        return Vec::new();
    }
    let sight = Sight(layout.sight());
    let cages = layout.cages.iter();
    let mut sums: Vec<Sum> = cages
        .map(|(cells, sum)| sight.sum(None, cells.clone(), 0, *sum))
        .collect();
    let cages = sums.clone();
    for (name, part) in &layout.parts {
        if let Part::Sum {
            cells,
            mirrored,
            sum,
        } = part
        {
            sums.push(sight.sum(Some(name), cells.clone(), *mirrored, *sum));
        }
    }
    if cages.is_empty() {
        return sums;
    }
    for (region, houses) in regions(layout) {
        let total = (houses * layout.side * (layout.side + 1) / 2) as u32;
        for (cells, sum) in [
            within(&cages, &region, total),
            around(&cages, &region, total),
        ]
        .into_iter()
        .flatten()
        {
            let is_new = sums.iter().all(|other| other.cells != cells);
            if is_new && (1..=MAX_CELLS).contains(&cells.len()) {
                let sum = sight.sum(None, cells, 0, sum);
                sums.push(Sum {
                    is_derived: true,
                    ..sum
                });
            }
        }
    }
    sums
}

/// The maximum number of cells of a sum: larger ones rarely rule out a candidate.
const MAX_CELLS: usize = 9;

/// The maximum number of adjacent rows or columns that are examined together.
const MAX_LINES: usize = 5;

/// Cells that consist of whole houses, which ones as one flag per cell, and how many houses.
fn regions(layout: &Layout) -> Vec<(Vec<bool>, usize)> {
    let houses = &layout.houses;
    let mut regions = Vec::new();
    for (first, house) in houses.iter().enumerate() {
        let most = match house.kind {
            HouseKind::Row | HouseKind::Column => MAX_LINES,
            _ => 1,
        };
        let same = houses[first..].iter();
        let same = same.take_while(|h| h.kind == house.kind && h.grid == house.grid);
        let mut region = vec![false; layout.cells];
        for (more, house) in same.take(most).enumerate() {
            for &cell in &house.cells {
                region[cell] = true;
            }
            regions.push((region.clone(), more + 1));
        }
    }
    regions
}

/// The rest of a region without the cages inside it, of which no two share a cell.
fn within(cages: &[Sum], region: &[bool], total: u32) -> Option<(Vec<usize>, u32)> {
    let mut left = region.to_vec();
    let mut sum = 0;
    for cage in cages {
        if cage.cells.iter().all(|&cell| left[cell]) {
            sum += cage.sum;
            for &cell in &cage.cells {
                left[cell] = false;
            }
        }
    }
    let cells: Vec<usize> = (0..left.len()).filter(|&cell| left[cell]).collect();
    // The cages have a larger sum than the region: no digits have the sum, so the search ends.
    (sum > 0).then(|| (cells, total.checked_sub(sum).unwrap_or(u32::MAX)))
}

/// The cells outside a region of the cages that cover it.
fn around(cages: &[Sum], region: &[bool], total: u32) -> Option<(Vec<usize>, u32)> {
    let mut left = region.to_vec();
    let mut cells = Vec::new();
    let mut sum = 0;
    for cage in cages {
        if cage.cells.iter().any(|&cell| region[cell]) {
            sum += cage.sum;
            for &cell in &cage.cells {
                if !region[cell] {
                    cells.push(cell);
                } else if !core::mem::replace(&mut left[cell], false) {
                    return None; // two cages share the cell
                }
            }
        }
    }
    cells.sort_unstable();
    let covers = !left.contains(&true) && cells.windows(2).all(|two| two[0] != two[1]);
    covers.then(|| (cells, sum.checked_sub(total).unwrap_or(u32::MAX)))
}

/// By pair of cells: whether they cannot hold the same digit.
struct Sight(Vec<Vec<bool>>);

impl Sight {
    /// The sum with its cells in groups, each cell in the first group that it fits (first fit); mirrored cells
    /// are alone.
    fn sum(&self, name: Option<&'static str>, cells: Vec<usize>, mirrored: usize, sum: u32) -> Sum {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (index, &cell) in cells.iter().enumerate() {
            let fits = |group: &&mut Vec<usize>| {
                let fits = |&i: &usize| i >= mirrored && self.0[cells[i]][cell];
                index >= mirrored && group.iter().all(fits)
            };
            match groups.iter_mut().find(fits) {
                Some(group) => group.push(index),
                None => groups.push(vec![index]),
            }
        }
        let groups = groups.into_iter().map(|indices| Group {
            seen_by: (0..self.0.len())
                .filter(|&cell| {
                    let sees = |&i: &usize| i >= mirrored && self.0[cells[i]][cell];
                    indices.iter().all(sees)
                })
                .collect(),
            indices,
        });
        Sum {
            name,
            groups: groups.collect(),
            cells,
            mirrored,
            sum,
            is_derived: false,
        }
    }
}

impl Propagate for Agenda {
    const ACTIVE: bool = true;

    fn new(layout: &Layout) -> Self {
        let sums = sums(layout);
        let parts = layout.parts.iter();
        let sight = layout.sight();
        let patterns: Vec<Patterns> = parts
            .filter_map(|(_, part)| match part {
                Part::Patterns(patterns) => Some(patterns.refined(&sight)),
                _ => None,
            })
            .collect();
        let mut of = vec![Vec::new(); layout.cells];
        let sums_cells = sums.iter().map(|sum| &sum.cells);
        let cells = sums_cells.chain(patterns.iter().map(|patterns| &patterns.cells));
        for (index, cells) in cells.enumerate() {
            for &cell in cells {
                of[cell].push(index);
            }
        }
        let sums_tables = sums
            .iter()
            .map(|sum| Table::of_sum(sum, layout.side, &sight));
        let tables = patterns
            .iter()
            .map(|patterns| Table::of_patterns(patterns, layout.side, &sight));
        let tables = sums_tables.chain(tables).collect();
        Agenda {
            side: layout.side,
            tables,
            of,
            due: Vec::new(),
            is_taken: vec![false; sums.len() + patterns.len()],
            is_due: vec![false; sums.len() + patterns.len()],
            gone: Vec::new(),
            pruner: Pruner::default(),
            sums,
            patterns,
        }
    }

    fn start(&mut self) {
        self.clear();
        for (index, is_due) in self.is_due.iter_mut().enumerate() {
            if !self.is_taken[index] {
                *is_due = true;
                self.due.push(index);
            }
        }
    }

    fn touch(&mut self, cell: usize) {
        for &index in &self.of[cell] {
            if !core::mem::replace(&mut self.is_due[index], true) {
                self.due.push(index);
            }
        }
    }

    fn clear(&mut self) {
        for index in self.due.drain(..) {
            self.is_due[index] = false;
        }
    }

    fn next<M: Mask>(&mut self, state: &[M]) -> Option<&[(usize, u64)]> {
        let index = self.due.pop()?;
        self.is_due[index] = false;
        self.gone.clear();
        if let Some(table) = &self.tables[index] {
            table.prune(state, &mut self.gone);
            return Some(&self.gone);
        }
        let digits = |&cell: &usize| (cell, state[cell].bits());
        if let Some(patterns) = index.checked_sub(self.sums.len()) {
            let patterns = &self.patterns[patterns];
            self.gone.extend(patterns.cells.iter().map(digits));
            prune_patterns(patterns, &mut self.gone);
        } else {
            let sum = &self.sums[index];
            self.gone.extend(sum.cells.iter().map(digits));
            self.pruner.prune(sum, self.side, &mut self.gone);
            for (group, &needed) in sum.groups.iter().zip(&self.pruner.needed) {
                if needed != 0 {
                    let seen_by = group.seen_by.iter().map(|&cell| (cell, needed));
                    self.gone.extend(seen_by);
                }
            }
        }
        self.gone
            .retain(|&(cell, digits)| state[cell].bits() & digits != 0);
        Some(&self.gone)
    }

    fn sums(&self) -> &[Sum] {
        &self.sums
    }

    fn patterns(&self) -> &[Patterns] {
        &self.patterns
    }

    #[cfg(not(judge_bundle))]
    fn take_exclusions(&mut self, act: &mut dyn FnMut([(usize, usize); 2])) {
        for (index, table) in self.tables.iter().enumerate() {
            let Some(table) = table else { continue };
            table.for_each_exclusion(act);
            if table.is_pairs() {
                self.is_taken[index] = true;
                for of in &mut self.of {
                    of.retain(|&other| other != index);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Cell;
    use crate::rules::Rules;

    #[test]
    fn what_cages_leave_of_a_house_is_a_sum() {
        let cells = |columns: core::ops::Range<usize>| -> Vec<Cell<4>> {
            columns.map(|column| Cell::at(0, column)).collect()
        };
        let rules = Rules::<4>::classic().with_cage(&cells(0..3), 7).unwrap();
        let found = sums(&Layout::of_rules(&rules));
        let left = found
            .iter()
            .find(|sum| sum.cells == [3])
            .expect("the fourth cell");
        assert_eq!((left.sum, left.groups.len()), (3, 1));
        let rules = Rules::<4>::classic()
            .with_cage(&cells(0..3), 7)
            .unwrap()
            .with_cage(&[Cell::at(0, 3), Cell::at(1, 3)], 4)
            .unwrap();
        let found = sums(&Layout::of_rules(&rules));
        let outside = found
            .iter()
            .find(|sum| sum.cells == [7])
            .expect("the cell below");
        assert_eq!(outside.sum, 1);
        assert!(sums(&Layout::of_rules(&Rules::<4>::classic())).is_empty());
    }
}
