//! Ratings on the scale of Sudoku Explainer, by Nicolas Juillerat: the rating of the hardest step, if the
//! easiest one is always used.
//!
//! The order of the steps and their ratings are those of that program: from 1.0 for the last cell of a house
//! over 2.3 for a naked single and 6.5 for a cycle to 9.5 and more for nested chains. The rating of a chain
//! grows with the number of candidates that it passes.

mod chains;
mod implications;
mod techniques;
mod unique;

use super::Technique;
use super::marks::{Marks, Move};
use core::fmt;
use implications::{Kind, MULTIPLE};

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
    placed: Option<(usize, usize)>,
    removed: Vec<(usize, u64)>,
    /// The cells of the candidates that a chain passes; none for other steps.
    cells: Vec<usize>,
}

/// The techniques from locked candidates to wings, in their order, with their ratings.
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

/// The techniques that follow unique rectangles.
const LARGE: [(Technique, u32); 3] = [
    (Technique::NakedQuad, 50),
    (Technique::Jellyfish, 52),
    (Technique::HiddenQuad, 54),
];

impl Marks<'_> {
    /// The rating of the puzzle, whose solution is the only one; `None` if the techniques do not solve
    /// it.
    pub(in crate::rate) fn difficulty(mut self) -> Option<Difficulty> {
        let mut tenths = 10;
        while self.empty > 0 {
            let step = self.rated_step()?;
            tenths = tenths.max(step.tenths);
            self.remove(&step.removed);
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
            .or_else(|| self.unique_loop())
            .or_else(|| all(&LARGE))
            .or_else(|| self.bivalue_grave())
            .or_else(|| self.aligned(2, 62))
            .or_else(|| self.chain())
            .or_else(|| self.aligned(3, 75))
            .or_else(|| MULTIPLE.iter().find_map(|&kind| self.multiple(kind)))
    }
}

impl Rated {
    fn new(tenths: u32, placed: Option<(usize, usize)>, removed: Vec<(usize, u64)>) -> Self {
        Rated {
            tenths,
            placed,
            removed,
            cells: Vec::new(),
        }
    }

    fn of(step: Move, tenths: u32) -> Self {
        Rated::new(tenths, step.placed, step.removed)
    }

    /// The step that a chain of this kind proves. `cells` are those of its candidates, one for each.
    fn of_chain(kind: Kind, removed: Vec<(usize, u64)>, cells: Vec<usize>) -> Self {
        Rated {
            tenths: kind.rated(cells.len()),
            placed: None,
            removed,
            cells,
        }
    }

    /// Replaces `best` if this step is easier.
    fn offer(self, best: &mut Option<Rated>) {
        let cost = |step: &Rated| (step.tenths, step.cells.len());
        if best.as_ref().is_none_or(|best| cost(&self) < cost(best)) {
            *best = Some(self);
        }
    }
}
