//! Engines: ways to solve a puzzle, behind one trait, listed in one registry.

mod backtracking;

pub use backtracking::Backtracking;

use crate::grid::Grid;
use crate::rules::Rules;
use core::fmt;
use core::ops::ControlFlow;

/// What a search cost.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// States of the search that were looked at.
    pub nodes: u64,
    /// Digits that were tried without being forced.
    pub guesses: u64,
}

/// A way to solve puzzles of `N`x`N` cells.
///
/// An engine may keep buffers between searches, so it is `&mut`; a search never depends on the
/// searches before it.
pub trait Engine<const N: usize> {
    /// Hands every solution of `puzzle` to `visit`, in the engine's order, until it breaks.
    ///
    /// This is the one method an engine writes. It may rely on `puzzle` breaking no rule: the
    /// provided methods check that first.
    fn search(&mut self, puzzle: &Grid<N>, visit: &mut Visitor<'_, N>) -> Statistics;

    /// The rules that this engine was made for; the givens are checked against them.
    fn allows(&self, puzzle: &Grid<N>) -> bool {
        crate::rules::allows_classic(puzzle)
    }

    /// Hands every solution of `puzzle` to `visit` until it breaks. Givens that contradict each
    /// other have none.
    fn for_each(&mut self, puzzle: &Grid<N>, visit: &mut Visitor<'_, N>) -> Statistics {
        if self.allows(puzzle) {
            self.search(puzzle, visit)
        } else {
            Statistics::default()
        }
    }

    /// The first solution in the engine's order, or `None` when there is none.
    fn first(&mut self, puzzle: &Grid<N>) -> Option<Grid<N>> {
        let mut found = None;
        self.for_each(puzzle, &mut |solution| {
            found = Some(*solution);
            ControlFlow::Break(())
        });
        found
    }

    /// How many solutions there are, counted up to `limit`.
    fn count(&mut self, puzzle: &Grid<N>, limit: u64) -> u64 {
        let mut count = 0;
        if limit > 0 {
            self.for_each(puzzle, &mut |_| {
                count += 1;
                if count < limit {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            });
        }
        count
    }

    /// Up to `limit` solutions in the engine's order.
    fn solutions(&mut self, puzzle: &Grid<N>, limit: usize) -> Vec<Grid<N>> {
        let mut found = Vec::new();
        if limit > 0 {
            self.for_each(puzzle, &mut |solution| {
                found.push(*solution);
                if found.len() < limit {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            });
        }
        found
    }
}

/// Takes a solution; says whether the search goes on.
pub type Visitor<'a, const N: usize> = dyn FnMut(&Grid<N>) -> ControlFlow<()> + 'a;

/// The rules an engine can be made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Support {
    /// Rows, columns and square boxes only.
    Classic,
    /// Any list of houses.
    AnyHouses,
}

/// An engine as the registry lists it.
pub struct Entry<const N: usize> {
    /// The name, as commands and benchmarks take it.
    pub name: &'static str,
    /// One line on how it searches.
    pub summary: &'static str,
    /// Where the method comes from.
    pub source: &'static str,
    /// The sides `N` that it solves.
    pub sides: &'static [usize],
    /// The rules that it solves.
    pub support: Support,
    /// Whether its solutions come in lexicographic order.
    pub lexicographic: bool,
    make: fn(&Rules<N>) -> Box<dyn Engine<N>>,
}

/// Why an engine cannot be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unsupported {
    /// The engine does not solve grids of this side.
    Side {
        /// The engine's name.
        engine: &'static str,
        /// The side asked for.
        side: usize,
        /// The sides it solves.
        sides: &'static [usize],
    },
    /// The engine solves classic puzzles only.
    Rules {
        /// The engine's name.
        engine: &'static str,
    },
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::Side {
                engine,
                side,
                sides,
            } => write!(
                f,
                "engine {engine} does not solve grids of side {side}, only {sides:?}"
            ),
            Unsupported::Rules { engine } => {
                write!(f, "engine {engine} knows the classic rules only")
            }
        }
    }
}

impl std::error::Error for Unsupported {}

impl<const N: usize> Entry<N> {
    /// The engine, ready for puzzles under `rules`.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] when the engine does not solve this side or these rules.
    pub fn engine(&self, rules: &Rules<N>) -> Result<Box<dyn Engine<N>>, Unsupported> {
        if !self.sides.contains(&N) {
            return Err(Unsupported::Side {
                engine: self.name,
                side: N,
                sides: self.sides,
            });
        }
        if self.support == Support::Classic && !rules.is_classic() {
            return Err(Unsupported::Rules { engine: self.name });
        }
        Ok((self.make)(rules))
    }
}

/// Every engine, the articles' methods first, in their order.
pub fn registry<const N: usize>() -> Vec<Entry<N>> {
    vec![Entry {
        name: "backtracking",
        summary: "tries the digits cell by cell, scanning row, column and box",
        source: "array methods article, method 1",
        sides: &[1, 4, 9, 16, 25],
        support: Support::Classic,
        lexicographic: true,
        make: |_| Box::new(Backtracking::new()),
    }]
}

/// The engine with this name.
pub fn by_name<const N: usize>(name: &str) -> Option<Entry<N>> {
    registry().into_iter().find(|entry| entry.name == name)
}
