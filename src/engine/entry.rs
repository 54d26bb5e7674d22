//! An engine as the registry lists it: what it solves, and how it is made.

use super::Method;
use crate::grid::MAX_SIDE;
use crate::rules::Rules;
use core::fmt;

/// The rules an engine can be made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Support {
    /// [`Rules::classic`] only.
    Classic,
    /// Any houses, but no cages and constraints.
    AnyHouses,
    /// Any rules.
    AnyRules,
}

impl Support {
    /// Whether the engines take these rules.
    pub fn includes<const N: usize>(self, rules: &Rules<N>) -> bool {
        match self {
            Support::Classic => rules.is_classic(),
            Support::AnyHouses => !rules.has_constraints(),
            Support::AnyRules => true,
        }
    }
}

/// An engine as the registry lists it.
#[non_exhaustive]
pub struct Entry<const N: usize> {
    /// The name that commands and benchmarks accept.
    pub name: &'static str,
    /// A description of the search in one line.
    pub summary: &'static str,
    /// The source of the method.
    pub source: &'static str,
    /// The sides `N` that it solves.
    pub sides: &'static [usize],
    /// The rules that it solves.
    pub support: Support,
    /// Whether solutions come in lexicographic order.
    pub lexicographic: bool,
    /// Makes the engine; `None` if the engine does not support the side `N`.
    pub(super) make: fn(&Rules<N>) -> Option<Box<dyn Method<N>>>,
}

/// The reason why an engine cannot be made.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
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
    /// The engine does not take these rules.
    Rules {
        /// The engine's name.
        engine: &'static str,
        /// The rules that it takes.
        support: Support,
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
            Unsupported::Rules { engine, support } => {
                let support = match support {
                    Support::Classic => "the classic rules",
                    Support::AnyHouses => "houses, not cages or constraints",
                    Support::AnyRules => "any rules",
                };
                write!(f, "engine {engine} takes {support} only")
            }
        }
    }
}

impl std::error::Error for Unsupported {}

impl<const N: usize> Entry<N> {
    /// The defaults of an entry: any side, the classic rules, no order.
    pub(super) const CLASSIC: Self = Entry {
        name: "",
        summary: "",
        source: "",
        sides: ALL_SIDES,
        support: Support::Classic,
        lexicographic: false,
        make: |_| None,
    };

    /// The engine, ready for puzzles under `rules`.
    ///
    /// # Errors
    ///
    /// [`Unsupported`] when the engine does not solve this side or these rules.
    pub fn engine(&self, rules: &Rules<N>) -> Result<Box<dyn Method<N>>, Unsupported> {
        let side = Unsupported::Side {
            engine: self.name,
            side: N,
            sides: self.sides,
        };
        if !self.sides.contains(&N) {
            return Err(side);
        }
        if !self.support.includes(rules) {
            return Err(Unsupported::Rules {
                engine: self.name,
                support: self.support,
            });
        }
        (self.make)(rules).ok_or(side)
    }
}

/// Every side that the types allow.
const ALL_SIDES: &[usize] = &{
    let mut sides = [0; MAX_SIDE];
    let mut index = 0;
    while index < MAX_SIDE {
        sides[index] = index + 1;
        index += 1;
    }
    sides
};
