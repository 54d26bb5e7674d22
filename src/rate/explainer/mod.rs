//! Ratings on the scale of Sudoku Explainer, by Nicolas Juillerat: always the easiest step, and the
//! hardest of them counts.
//!
//! The order and the numbers are those of that program: from 1.0 for the last cell of a house over 2.3 for
//! a naked single and 6.5 for a cycle to 9.5 and more for nested chains. The rating of a chain grows with
//! the number of candidates that it passes.

mod chains;
mod implications;
mod techniques;

use super::Technique;
use super::marks::{Marks, Move};
use core::fmt;
use implications::MULTIPLE;

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

impl Marks<'_> {
    /// The rating of the puzzle, whose solution is the only one; `None` if the techniques do not solve
    /// it.
    pub(in crate::rate) fn difficulty(mut self) -> Option<Difficulty> {
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
