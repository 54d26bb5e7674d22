//! Rules in the form that the general engine takes.

use super::{HouseKind, Overlap, Part, Rules};

/// Rules about cells by their index, of one grid or of several that overlap.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The number of digits.
    pub(crate) side: usize,
    pub(crate) cells: usize,
    pub(crate) houses: Vec<LayoutHouse>,
    /// Cages with their sums.
    pub(crate) cages: Vec<(Vec<usize>, u32)>,
    /// The parts of all constraints, each with the constraint's name.
    pub(crate) parts: Vec<(&'static str, Part)>,
}

/// A house of a [`Layout`].
#[derive(Clone, Debug)]
pub(crate) struct LayoutHouse {
    pub(crate) kind: HouseKind,
    /// The grid that the house belongs to.
    pub(crate) grid: usize,
    pub(crate) cells: Vec<usize>,
}

impl Layout {
    /// The rules of one grid.
    pub(crate) fn of_rules<const N: usize>(rules: &Rules<N>) -> Self {
        let mut layout = Layout::empty(N, N * N);
        layout.add(0, rules, |cell| cell);
        layout
    }

    /// The rules of grids that overlap. A house of two grids, such as a shared box, is there once.
    pub(crate) fn of_overlap<const N: usize>(overlap: &Overlap<N>) -> Self {
        let mut layout = Layout::empty(N, overlap.cells());
        for (grid, rules) in overlap.rules().iter().enumerate() {
            layout.add(grid, rules, |cell| overlap.cell(grid, cell));
        }
        layout
    }

    fn empty(side: usize, cells: usize) -> Self {
        Layout {
            side,
            cells,
            houses: Vec::new(),
            cages: Vec::new(),
            parts: Vec::new(),
        }
    }

    fn add<const N: usize>(&mut self, grid: usize, rules: &Rules<N>, to: impl Fn(usize) -> usize) {
        for house in rules.houses() {
            let cells: Vec<usize> = house.cells.iter().map(|cell| to(cell.index())).collect();
            let mut shared = self.houses.iter().filter(|other| other.grid != grid);
            if !shared.any(|other| other.cells == cells) {
                let kind = house.kind;
                self.houses.push(LayoutHouse { kind, grid, cells });
            }
        }
        for cage in rules.cages() {
            let cells = cage.cells.iter().map(|cell| to(cell.index())).collect();
            self.cages.push((cells, cage.sum));
        }
        let parts = rules.parts().map(|(name, part)| (name, part.moved(&to)));
        self.parts.extend(parts);
    }

    /// Whether there are rules besides houses.
    pub(crate) fn has_constraints(&self) -> bool {
        !(self.cages.is_empty() && self.parts.is_empty())
    }

    /// The groups of cells that hold different digits besides the houses.
    pub(crate) fn distinct(&self) -> impl Iterator<Item = &[usize]> {
        let parts = self.parts.iter().filter_map(|(_, part)| match part {
            Part::Distinct(cells) => Some(&cells[..]),
            _ => None,
        });
        self.cages.iter().map(|cage| &cage.0[..]).chain(parts)
    }

    /// By pair of cells: whether they cannot hold the same digit.
    pub(crate) fn sight(&self) -> Vec<Vec<bool>> {
        let mut sees = vec![vec![false; self.cells]; self.cells];
        let houses = self.houses.iter().map(|house| &house.cells[..]);
        for cells in houses.chain(self.distinct()) {
            for &one in cells {
                for &other in cells {
                    sees[one][other] |= one != other;
                }
            }
        }
        sees
    }
}
