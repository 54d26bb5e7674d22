//! The difficulty of a puzzle: the steps of a person's solution, the hardest technique among them, and
//! the guesses of a search.
//!
//! ```
//! use sudoku::rate::{Rater, Technique};
//! use sudoku::{Grid, Rules};
//!
//! let puzzle: Grid<4> = Grid::from_rows(&[[0, 2, 3, 4], [3, 4, 1, 2], [2, 3, 4, 1], [4, 1, 2, 3]])?;
//! let rating = Rater::new(&Rules::classic()).rate(&puzzle).expect("one solution");
//! assert_eq!(rating.technique, Technique::HiddenSingle);
//! assert_eq!(rating.guesses, 0);
//! # Ok::<(), sudoku::grid::InvalidValue>(())
//! ```

mod chains;
mod explainer;
mod marks;
mod step;
mod techniques;

pub use explainer::Difficulty;
pub use step::{HouseName, Step, Steps};

use marks::{Marks, Topology};

use crate::engine::nine::{self, Wide};
use crate::engine::{self, Engine, Method, stop_if};
use crate::grid::Grid;
use crate::rules::Rules;
use core::fmt;

/// A technique of human solvers, ordered from easy to hard; names and order are those of Sudoku
/// Explainer, with cages and constraints added.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Technique {
    /// A digit has one place left in a house.
    HiddenSingle,
    /// A cell has one candidate left.
    NakedSingle,
    /// A digit of a cell is in no way to make the sum of its cage, or what cages leave of a house.
    CageSum,
    /// A digit of a cell does not fit a constraint, such as a thermometer.
    Constraint,
    /// A box has a digit in one line only: it leaves the rest of the line.
    Pointing,
    /// A line has a digit in one box only: it leaves the rest of the box.
    Claiming,
    /// Two cells of a house have two candidates together.
    NakedPair,
    /// Two rows have a digit in the same two columns only, or the other way round.
    XWing,
    /// Two digits have two places in a house together.
    HiddenPair,
    /// Three cells of a house have three candidates together.
    NakedTriple,
    /// Three rows have a digit in the same three columns only, or the other way round.
    Swordfish,
    /// Three digits have three places in a house together.
    HiddenTriple,
    /// A cell of two candidates sees two others, each with one of them and the same third.
    XyWing,
    /// The same with a cell that has all three.
    XyzWing,
    /// Four cells of a house have four candidates together.
    NakedQuad,
    /// Four rows have a digit in the same four columns only, or the other way round.
    Jellyfish,
    /// Four digits have four places in a house together.
    HiddenQuad,
    /// Places of a digit, linked in turn by houses with two places each: one of two colours is true.
    SimpleColouring,
    /// Each digit of a cell, or each place of a digit in a house, leads by singles to the same, or to
    /// a contradiction.
    ForcingChain,
    /// None of these: trial and error.
    Beyond,
}

impl Technique {
    /// All of them, the easiest first.
    pub const ALL: [Technique; 20] = [
        Technique::HiddenSingle,
        Technique::NakedSingle,
        Technique::CageSum,
        Technique::Constraint,
        Technique::Pointing,
        Technique::Claiming,
        Technique::NakedPair,
        Technique::XWing,
        Technique::HiddenPair,
        Technique::NakedTriple,
        Technique::Swordfish,
        Technique::HiddenTriple,
        Technique::XyWing,
        Technique::XyzWing,
        Technique::NakedQuad,
        Technique::Jellyfish,
        Technique::HiddenQuad,
        Technique::SimpleColouring,
        Technique::ForcingChain,
        Technique::Beyond,
    ];

    /// The name, as commands print it.
    pub fn name(self) -> &'static str {
        match self {
            Technique::HiddenSingle => "hidden single",
            Technique::NakedSingle => "naked single",
            Technique::CageSum => "cage sum",
            Technique::Constraint => "constraint",
            Technique::Pointing => "pointing",
            Technique::Claiming => "claiming",
            Technique::NakedPair => "naked pair",
            Technique::XWing => "X-wing",
            Technique::HiddenPair => "hidden pair",
            Technique::NakedTriple => "naked triple",
            Technique::Swordfish => "swordfish",
            Technique::HiddenTriple => "hidden triple",
            Technique::XyWing => "XY-wing",
            Technique::XyzWing => "XYZ-wing",
            Technique::NakedQuad => "naked quad",
            Technique::Jellyfish => "jellyfish",
            Technique::HiddenQuad => "hidden quad",
            Technique::SimpleColouring => "simple colouring",
            Technique::ForcingChain => "forcing chain",
            Technique::Beyond => "beyond",
        }
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The difficulty of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rating {
    /// The hardest technique that is needed if the easiest applicable one is always used. A
    /// complete grid needs none; it counts as [`Technique::HiddenSingle`].
    pub technique: Technique,
    /// The guesses of a search for the solution and for the proof that it is the only one, by the
    /// engine `wide` for the classic 9x9 puzzle and by [`engine::fastest`] otherwise. They are the
    /// same on every processor, but may change with a version.
    pub guesses: u64,
}

/// Rates puzzles under some rules, and finds the next step of a person's solution.
pub struct Rater<const N: usize> {
    topology: Topology,
    engine: Box<dyn Method<N>>,
}

impl<const N: usize> Rater<N> {
    /// A rater of puzzles under `rules`.
    pub fn new(rules: &Rules<N>) -> Self {
        // The same engine on every processor, so that the guesses are the same.
        let wide = if rules.is_classic() {
            nine::boxed(Wide::new())
        } else {
            None
        };
        Rater {
            topology: Topology::new(rules),
            engine: wide.unwrap_or_else(|| engine::fastest(rules)),
        }
    }

    /// The rating of a puzzle, or `None` when it has no solution or more than one.
    pub fn rate(&mut self, puzzle: &Grid<N>) -> Option<Rating> {
        let mut found = 0;
        let cost = self.engine.for_each(puzzle, |_| {
            found += 1;
            stop_if(found >= 2)
        });
        (found == 1).then(|| {
            let mut marks = Marks::new(&self.topology, puzzle);
            let mut technique = Technique::HiddenSingle;
            while marks.empty > 0 {
                let Some(step) = marks.next_move() else {
                    technique = Technique::Beyond;
                    break;
                };
                technique = technique.max(step.technique);
                marks.apply(&step);
            }
            Rating {
                technique,
                guesses: cost.guesses,
            }
        })
    }

    /// The rating of a puzzle on the scale of Sudoku Explainer, or `None` when it has not exactly one solution, or
    /// is beyond the techniques of that scale. The hardest puzzles take minutes.
    ///
    /// The techniques and their numbers are those of that program by Nicolas Juillerat, except that unique loops
    /// of more than four cells, three of the four types of a bivalue grave and exclusion of aligned triples are
    /// missing, and that the parts of nested chains are counted otherwise: there the ratings differ by some tenths.
    ///
    /// ```
    /// use sudoku::{Grid, Rules, rate::Rater};
    ///
    /// let puzzle: Grid<9> =
    ///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
    /// let rating = Rater::new(&Rules::classic()).difficulty(&puzzle).expect("one solution");
    /// assert_eq!(rating.to_string(), "1.2");
    /// # Ok::<(), sudoku::notation::ParseError>(())
    /// ```
    pub fn difficulty(&mut self, puzzle: &Grid<N>) -> Option<Difficulty> {
        let is_unique = self.engine.count(puzzle, 2) == 1;
        is_unique.then(|| Marks::new(&self.topology, puzzle).difficulty())?
    }

    /// The steps of a person's solution, always with the easiest applicable technique, until the grid is
    /// full or no technique applies.
    ///
    /// Of a puzzle with one solution no step removes a digit of the solution. Of one with several, or
    /// none, the steps are as far as the techniques go; the givens must not contradict each other.
    ///
    /// ```
    /// use sudoku::{Grid, Rules, rate::Rater};
    ///
    /// let puzzle: Grid<4> = "1.....3..4.....2".parse()?;
    /// let rater = Rater::new(&Rules::classic());
    /// let mut steps = rater.steps(&puzzle);
    /// let first = steps.next().expect("a step");
    /// assert_eq!(first.to_string(), "hidden single: 3 in row 1 goes to r1c2 only");
    /// assert_eq!(rater.hint(&puzzle), Some(first));
    /// assert_eq!(steps.by_ref().count(), 11);
    /// assert!(steps.is_solved());
    /// # Ok::<(), sudoku::notation::ParseError>(())
    /// ```
    pub fn steps(&self, puzzle: &Grid<N>) -> Steps<'_, N> {
        Steps::new(Marks::new(&self.topology, puzzle), puzzle)
    }

    /// The first step of a person's solution, or `None` if the grid is full or no technique applies.
    pub fn hint(&self, puzzle: &Grid<N>) -> Option<Step<N>> {
        self.steps(puzzle).next()
    }
}

impl<const N: usize> fmt::Debug for Rater<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rater").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
