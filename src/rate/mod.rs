//! How hard a puzzle is: the hardest technique that a human needs, and the guesses of a search.
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

mod techniques;

use crate::engine::nine::{self, Wide};
use crate::engine::{self, Engine};
use crate::grid::{Cell, Grid};
use crate::rules::{House, HouseKind, Rules};
use core::fmt;
use core::ops::ControlFlow;

/// What a human does next, the easier first; names and order are those of Sudoku Explainer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Technique {
    /// A digit has one place left in a house.
    HiddenSingle,
    /// A cell has one candidate left.
    NakedSingle,
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
    /// None of these: chains, or trial and error.
    Beyond,
}

impl Technique {
    /// All of them, the easiest first.
    pub const ALL: [Technique; 16] = [
        Technique::HiddenSingle,
        Technique::NakedSingle,
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
        Technique::Beyond,
    ];

    /// The name, as commands print it.
    pub fn name(self) -> &'static str {
        match self {
            Technique::HiddenSingle => "hidden single",
            Technique::NakedSingle => "naked single",
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
            Technique::Beyond => "beyond",
        }
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How hard a puzzle is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rating {
    /// The hardest technique that was needed, where the easiest that leads on is always taken. A
    /// complete grid needs none; it counts as [`Technique::HiddenSingle`].
    pub technique: Technique,
    /// The guesses of a search for the solution and for the proof that it is the only one, by the
    /// engine `wide` for the classic 9x9 puzzle and by [`engine::fastest`] otherwise. They are the
    /// same on every processor, but may change with a version.
    pub guesses: u64,
}

/// Rates puzzles under some rules.
pub struct Rater<const N: usize> {
    houses: Houses,
    engine: Box<dyn Engine<N>>,
}

/// The houses of some rules, and what follows from them alone.
struct Houses {
    /// The cells of each house; the first `N` are the rows, the next the columns.
    cells: Vec<Vec<usize>>,
    /// The cells that share a house with each cell, in their order.
    peers: Vec<Vec<usize>>,
    /// Pairs of a box and a line, in both orders, that share two cells or more.
    crossings: Vec<Crossing>,
}

/// Two houses that share cells.
struct Crossing {
    technique: Technique,
    house: usize,
    /// The places in `house` that the other does not have.
    outside: u64,
    /// The other's cells that are not in `house`.
    others: Vec<usize>,
}

impl Houses {
    fn new<const N: usize>(rules: &Rules<N>) -> Self {
        let index = |cells: &[Cell<N>]| cells.iter().map(|cell| cell.index()).collect();
        let cells: Vec<Vec<usize>> = rules
            .houses()
            .iter()
            .map(|house| index(house.cells()))
            .collect();
        let peers = Cell::all().map(|cell| index(&rules.peers(cell))).collect();
        let kinds: Vec<HouseKind> = rules.houses().iter().map(House::kind).collect();
        let mut crossings = Vec::new();
        for (house, own) in cells.iter().enumerate() {
            for (other, theirs) in cells.iter().enumerate() {
                let technique = match (kinds[house], kinds[other]) {
                    (HouseKind::Box, HouseKind::Box) => continue,
                    (HouseKind::Box, _) => Technique::Pointing,
                    (_, HouseKind::Box) => Technique::Claiming,
                    _ => continue,
                };
                let outside = own
                    .iter()
                    .enumerate()
                    .filter(|(_, cell)| !theirs.contains(cell))
                    .fold(0u64, |places, (place, _)| places | 1 << place);
                if N - outside.count_ones() as usize >= 2 {
                    crossings.push(Crossing {
                        technique,
                        house,
                        outside,
                        others: theirs
                            .iter()
                            .copied()
                            .filter(|cell| !own.contains(cell))
                            .collect(),
                    });
                }
            }
        }
        Houses {
            cells,
            peers,
            crossings,
        }
    }
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
            houses: Houses::new(rules),
            engine: wide.unwrap_or_else(|| engine::fastest(rules)),
        }
    }

    /// The rating of a puzzle, or `None` when it has no solution or more than one.
    pub fn rate(&mut self, puzzle: &Grid<N>) -> Option<Rating> {
        let mut found = 0;
        let cost = self.engine.for_each(puzzle, &mut |_| {
            found += 1;
            if found < 2 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        (found == 1).then(|| Rating {
            technique: self.candidates(puzzle).solve(),
            guesses: cost.guesses,
        })
    }

    fn candidates(&self, puzzle: &Grid<N>) -> techniques::Candidates<'_> {
        let mut candidates = techniques::Candidates::new(&self.houses, N);
        for cell in Cell::all() {
            if let Some(digit) = puzzle.get(cell) {
                candidates.place(cell.index(), digit.index());
            }
        }
        candidates
    }
}

#[cfg(test)]
mod tests;
