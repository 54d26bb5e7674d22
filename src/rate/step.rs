//! One step of a person's solution, and its description.

use super::Technique;
use super::marks::{Marks, Move};
use crate::engine::Mask;
use crate::grid::{Cell, Digit, Grid};
use crate::rules::HouseKind;
use core::fmt;

/// A house of a step: what it is, and its number among the houses of its kind, from 0.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct HouseName {
    /// The kind of the house.
    pub kind: HouseKind,
    /// Its number among those of its kind, from 0.
    pub number: usize,
}

impl fmt::Debug for HouseName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for HouseName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            HouseKind::Row => "row",
            HouseKind::Column => "column",
            HouseKind::Box => "box",
            HouseKind::Diagonal => "diagonal",
            HouseKind::Extra => "extra house",
        };
        write!(f, "{kind} {}", self.number + 1)
    }
}

/// A step of a person's solution: the technique, its place, and its effect.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Step<const N: usize> {
    /// The technique.
    pub technique: Technique,
    /// The houses that it is seen in; none where it is seen in the cells alone.
    pub houses: Vec<HouseName>,
    /// The name of the constraint that it follows from, if it is one.
    pub constraint: Option<&'static str>,
    /// The cells that it follows from: the place of a single, the cells of a pair, the pivot and the
    /// pincers of a wing, where a chain begins.
    pub cells: Vec<Cell<N>>,
    /// The digits that it is about.
    pub digits: Vec<Digit<N>>,
    /// The cell that is filled, and its digit.
    pub placed: Option<(Cell<N>, Digit<N>)>,
    /// The candidates that are removed; what a placed digit removes from its houses is not among
    /// them.
    pub removed: Vec<(Cell<N>, Digit<N>)>,
}

impl<const N: usize> Step<N> {
    fn new(marks: &Marks<'_>, found: &Move) -> Self {
        let kinds = &marks.topology.kinds;
        let name = |&house: &usize| HouseName {
            kind: kinds[house],
            number: kinds[..house]
                .iter()
                .filter(|&&kind| kind == kinds[house])
                .count(),
        };
        let candidate = |(cell, digit)| (Cell::from_index(cell), Digit::from_index(digit));
        Step {
            technique: found.technique,
            houses: found.houses.iter().map(name).collect(),
            constraint: found.constraint,
            cells: found
                .cells
                .iter()
                .map(|&cell| Cell::from_index(cell))
                .collect(),
            digits: found.digits.members().map(Digit::from_index).collect(),
            placed: found.placed.map(candidate),
            removed: found
                .removed
                .iter()
                .flat_map(|&(cell, gone)| gone.members().map(move |digit| (cell, digit)))
                .map(candidate)
                .collect(),
        }
    }
}

/// A sentence, such as `hidden single: 5 in row 3 goes to r3c4 only`.
impl<const N: usize> fmt::Display for Step<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (digits, cells, houses) = (List(&self.digits), List(&self.cells), List(&self.houses));
        write!(f, "{}: ", self.technique)?;
        match self.technique {
            Technique::HiddenSingle => write!(f, "{digits} in {houses} goes to {cells} only")?,
            Technique::NakedSingle => write!(f, "{cells} has {digits} as its only candidate")?,
            Technique::CageSum => write!(f, "the sum of {cells}")?,
            Technique::Constraint => {
                write!(f, "the {} of {cells}", self.constraint.unwrap_or("rule"))?;
            }
            Technique::Pointing | Technique::Claiming => {
                write!(
                    f,
                    "{digits} in {houses} is in {cells}, all in one other house"
                )?;
            }
            Technique::HiddenPair | Technique::HiddenTriple | Technique::HiddenQuad => {
                write!(f, "{digits} in {houses} have the places {cells} only")?;
            }
            Technique::NakedPair | Technique::NakedTriple | Technique::NakedQuad => {
                write!(f, "{cells} in {houses} have the candidates {digits} only")?;
            }
            Technique::XWing | Technique::Swordfish | Technique::Jellyfish => {
                write!(f, "{digits} in {houses} is in {cells} only")?;
            }
            Technique::XyWing | Technique::XyzWing => {
                write!(f, "one of {cells} is {digits}")?;
            }
            Technique::SimpleColouring => write!(f, "{digits} alternates over {cells}")?,
            Technique::ForcingChain if self.removed.len() == 1 && self.houses.is_empty() => {
                write!(f, "{digits} in {cells} decides what follows")?;
            }
            Technique::ForcingChain => {
                write!(f, "whichever of {cells} holds which of {digits}")?;
            }
            Technique::Beyond => {}
        }
        if !self.removed.is_empty() {
            f.write_str("; so not ")?;
            for (index, (cell, digit)) in self.removed.iter().enumerate() {
                let separator = if index > 0 { ", " } else { "" };
                write!(f, "{separator}{cell:?}={digit:?}")?;
            }
        }
        Ok(())
    }
}

/// Items with commas between.
struct List<'a, T>(&'a [T]);

impl<T: fmt::Debug> fmt::Display for List<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, item) in self.0.iter().enumerate() {
            let separator = if index > 0 { ", " } else { "" };
            write!(f, "{separator}{item:?}")?;
        }
        Ok(())
    }
}

/// The steps of a solution, always with the easiest applicable technique: see
/// [`Rater::steps`](super::Rater::steps).
pub struct Steps<'a, const N: usize> {
    marks: Marks<'a>,
    grid: Grid<N>,
}

impl<'a, const N: usize> Steps<'a, N> {
    pub(super) fn new(marks: Marks<'a>, puzzle: &Grid<N>) -> Self {
        Steps {
            marks,
            grid: *puzzle,
        }
    }

    /// The digits filled in so far.
    pub fn grid(&self) -> &Grid<N> {
        &self.grid
    }

    /// The remaining candidates of a cell.
    pub fn candidates(&self, cell: Cell<N>) -> impl Iterator<Item = Digit<N>> + use<N> {
        self.marks.digits[cell.index()]
            .members()
            .map(Digit::from_index)
    }

    /// Fills an empty cell without a technique, as a guess does; does nothing if the cell is filled.
    pub fn place(&mut self, cell: Cell<N>, digit: Digit<N>) {
        if self.grid[cell].is_none() {
            self.marks.place(cell.index(), digit.index());
            self.grid.set(cell, Some(digit));
        }
    }

    /// Whether every cell is filled.
    pub fn is_solved(&self) -> bool {
        self.marks.empty == 0
    }
}

impl<const N: usize> Iterator for Steps<'_, N> {
    type Item = Step<N>;

    fn next(&mut self) -> Option<Step<N>> {
        if self.is_solved() {
            return None;
        }
        let found = self.marks.next_move()?;
        let step = Step::new(&self.marks, &found);
        self.marks.apply(&found);
        if let Some((cell, digit)) = step.placed {
            self.grid.set(cell, Some(digit));
        }
        Some(step)
    }
}
