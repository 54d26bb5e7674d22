//! Arithmetic of cages: finds the digits that still fit cells whose sum is known.
//!
//! Sums are known of the cages, and of what the cages leave of a house or of several rows or columns
//! side by side, since the sum of a house is that of all digits (killer players call these cells
//! innies and outies).

mod prune;
mod subsets;

pub(crate) use prune::Pruner;

use super::mask::Mask;
use crate::grid::Cell;
use crate::rules::{HouseKind, Rules};

/// The sums that an engine prunes with. `()` is for rules without cages, and costs nothing.
pub(super) trait Arithmetic: Send {
    /// Whether cages are supported.
    const ACTIVE: bool;

    fn new<const N: usize>(rules: &Rules<N>) -> Self;

    /// Resets the state: every sum is due.
    fn start(&mut self);

    /// Records that a cell lost a candidate.
    fn touch(&mut self, cell: usize);

    /// Forgets which cells lost candidates.
    fn clear(&mut self);

    /// Examines a sum whose cells lost candidates. Returns the digits that no longer fit its cells, or
    /// cells that see them; `None` if there is no such sum left.
    ///
    /// The digits of a cell are those of `state`.
    fn next<M: Mask>(&mut self, state: &[M]) -> Option<&[(usize, u64)]>;
}

impl Arithmetic for () {
    const ACTIVE: bool = false;

    fn new<const N: usize>(_: &Rules<N>) -> Self {}

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

/// Cells whose digits have a known sum.
#[derive(Clone, Debug)]
pub(crate) struct Sum {
    pub(crate) cells: Vec<usize>,
    pub(crate) sum: u32,
    /// A partition of `cells`, as indices: no two cells of a group can hold the same digit.
    groups: Vec<Group>,
}

#[derive(Clone, Debug)]
struct Group {
    indices: Vec<usize>,
    /// The cells that see every cell of the group.
    seen_by: Vec<usize>,
}

/// All sums that follow from some rules, and the queue of those that are due.
#[derive(Clone, Debug)]
pub(crate) struct Sums {
    sums: Vec<Sum>,
    /// The sums that each cell is in.
    of: Vec<Vec<usize>>,
    /// The due sums, and for each sum whether it is among them.
    agenda: Vec<usize>,
    is_due: Vec<bool>,
    gone: Vec<(usize, u64)>,
    pruner: Pruner,
}

impl Sums {
    /// The sums that follow from the cages of `rules`, the cages first.
    pub(crate) fn of_rules<const N: usize>(rules: &Rules<N>) -> Vec<Sum> {
        if rules.cages().is_empty() {
            return Vec::new();
        }
        let sight = Sight::new(rules);
        let mut sums: Vec<Sum> = rules
            .cages()
            .iter()
            .map(|cage| {
                let cells = cage.cells.iter().map(|cell| cell.index()).collect();
                sight.sum(cells, cage.sum)
            })
            .collect();
        let cages = sums.clone();
        for (region, houses) in regions(rules) {
            let total = (houses * N * (N + 1) / 2) as u32;
            for (cells, sum) in [
                within(&cages, &region, total),
                around(&cages, &region, total),
            ]
            .into_iter()
            .flatten()
            {
                let is_new = sums.iter().all(|other| other.cells != cells);
                if is_new && (1..=MAX_CELLS).contains(&cells.len()) {
                    sums.push(sight.sum(cells, sum));
                }
            }
        }
        sums
    }
}

/// The maximum number of cells of a sum: larger ones rarely rule out a candidate.
const MAX_CELLS: usize = 9;

/// The maximum number of adjacent rows or columns that are examined together.
const MAX_LINES: usize = 5;

/// Cells that consist of whole houses, which ones as one flag per cell, and how many houses.
fn regions<const N: usize>(rules: &Rules<N>) -> Vec<(Vec<bool>, usize)> {
    let mut regions = Vec::new();
    let mut add = |houses: &[usize]| {
        let mut region = vec![false; N * N];
        for &house in houses {
            for cell in &rules.houses()[house].cells {
                region[cell.index()] = true;
            }
        }
        regions.push((region, houses.len()));
    };
    for (house, description) in rules.houses().iter().enumerate() {
        match description.kind {
            HouseKind::Row | HouseKind::Column => {
                let end = (house / N + 1) * N;
                for lines in 1..=MAX_LINES.min(end - house) {
                    add(&(house..house + lines).collect::<Vec<_>>());
                }
            }
            _ => add(&[house]),
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
    fn new<const N: usize>(rules: &Rules<N>) -> Self {
        Sight(
            Cell::all()
                .map(|cell| {
                    let mut sees = vec![false; N * N];
                    for peer in rules.peers(cell) {
                        sees[peer.index()] = true;
                    }
                    sees
                })
                .collect(),
        )
    }

    /// The sum with its cells in groups, each cell in the first group that it fits (first fit).
    fn sum(&self, cells: Vec<usize>, sum: u32) -> Sum {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (index, &cell) in cells.iter().enumerate() {
            let fits = |group: &&mut Vec<usize>| group.iter().all(|&i| self.0[cells[i]][cell]);
            match groups.iter_mut().find(fits) {
                Some(group) => group.push(index),
                None => groups.push(vec![index]),
            }
        }
        let groups = groups.into_iter().map(|indices| Group {
            seen_by: (0..self.0.len())
                .filter(|&cell| indices.iter().all(|&i| self.0[cells[i]][cell]))
                .collect(),
            indices,
        });
        Sum {
            groups: groups.collect(),
            cells,
            sum,
        }
    }
}

impl Arithmetic for Sums {
    const ACTIVE: bool = true;

    fn new<const N: usize>(rules: &Rules<N>) -> Self {
        let sums = Self::of_rules(rules);
        let mut of = vec![Vec::new(); N * N];
        for (index, sum) in sums.iter().enumerate() {
            for &cell in &sum.cells {
                of[cell].push(index);
            }
        }
        Sums {
            of,
            agenda: Vec::new(),
            is_due: vec![false; sums.len()],
            gone: Vec::new(),
            pruner: Pruner::default(),
            sums,
        }
    }

    fn start(&mut self) {
        self.agenda = (0..self.sums.len()).collect();
        self.is_due.fill(true);
    }

    fn touch(&mut self, cell: usize) {
        for &sum in &self.of[cell] {
            if !core::mem::replace(&mut self.is_due[sum], true) {
                self.agenda.push(sum);
            }
        }
    }

    fn clear(&mut self) {
        for sum in self.agenda.drain(..) {
            self.is_due[sum] = false;
        }
    }

    fn next<M: Mask>(&mut self, state: &[M]) -> Option<&[(usize, u64)]> {
        let index = self.agenda.pop()?;
        self.is_due[index] = false;
        let sum = &self.sums[index];
        self.gone.clear();
        let digits = |&cell: &usize| (cell, state[cell].bits());
        self.gone.extend(sum.cells.iter().map(digits));
        self.pruner.prune(sum, &mut self.gone);
        for (group, &needed) in sum.groups.iter().zip(&self.pruner.needed) {
            if needed != 0 {
                let seen_by = group.seen_by.iter().map(|&cell| (cell, needed));
                self.gone.extend(seen_by);
            }
        }
        self.gone
            .retain(|&(cell, digits)| state[cell].bits() & digits != 0);
        Some(&self.gone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cages_leave_of_a_house_is_a_sum() {
        let cells = |columns: core::ops::Range<usize>| -> Vec<Cell<4>> {
            columns.map(|column| Cell::at(0, column)).collect()
        };
        let rules = Rules::<4>::classic().with_cage(&cells(0..3), 7).unwrap();
        let sums = Sums::of_rules(&rules);
        let left = sums
            .iter()
            .find(|sum| sum.cells == [3])
            .expect("the fourth cell");
        assert_eq!((left.sum, left.groups.len()), (3, 1));
        let rules = Rules::<4>::classic()
            .with_cage(&cells(0..3), 7)
            .unwrap()
            .with_cage(&[Cell::at(0, 3), Cell::at(1, 3)], 4)
            .unwrap();
        let sums = Sums::of_rules(&rules);
        let outside = sums
            .iter()
            .find(|sum| sum.cells == [7])
            .expect("the cell below");
        assert_eq!(outside.sum, 1);
        assert!(Sums::of_rules(&Rules::<4>::classic()).is_empty());
    }
}
