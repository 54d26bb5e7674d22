//! The list of engines, with what each can do.

use super::{
    Backtracking, Bitmask, BitmaskFewest, BruteForce, CountedCells, CountedViews, DancingLinks,
    Engine, FourViews, FourViewsFewest, LookupBacktracking, NakedSingles, NakedSinglesUndo, Order,
    Views, big, nine,
};
use crate::rules::Rules;
use core::fmt;

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

/// The articles' methods work on every side they are given.
const ALL_SIDES: &[usize] = &[1, 4, 9, 16, 25];

/// The engines for large grids solve the small ones too.
const BIG_SIDES: &[usize] = &[1, 4, 9, 16, 25, 36];

/// Every engine: the default one, its lexicographic sister, the articles' methods in their order,
/// then those made for one side or for large grids.
pub fn registry<const N: usize>() -> Vec<Entry<N>> {
    vec![
        Entry {
            name: "default",
            summary: "bit sets in four views, singles, locked candidates, branching that learns",
            source: "dom/wdeg: Boussemart et al., ECAI 2004; four views: array methods article",
            sides: ALL_SIDES,
            support: Support::AnyHouses,
            lexicographic: false,
            make: |rules| views(rules, Order::Smallest),
        },
        Entry {
            name: "lexicographic",
            summary: "the default engine guessing cell by cell: all solutions in order",
            source: "array methods article, made fast by the default engine's deductions",
            sides: ALL_SIDES,
            support: Support::AnyHouses,
            lexicographic: true,
            make: |rules| views(rules, Order::Lexicographic),
        },
        Entry {
            name: "wide",
            summary: "one grid in nine SIMD vectors, every rule on all cells at once",
            source: "this project; guessing after the solvers for bit sets per digit",
            sides: &[9],
            support: Support::Classic,
            lexicographic: false,
            make: |_| Box::new(nine::Wide::new()),
        },
        Entry {
            name: "backtracking",
            summary: "tries the digits cell by cell, scanning row, column and box",
            source: "array methods article, method 1",
            sides: ALL_SIDES,
            support: Support::Classic,
            lexicographic: true,
            make: |_| Box::new(Backtracking::new()),
        },
        Entry {
            name: "lookup_backtracking",
            summary: "tries the digits cell by cell, with tables of what each house holds",
            source: "array methods article, method 2",
            sides: ALL_SIDES,
            support: Support::Classic,
            lexicographic: true,
            make: |_| Box::new(LookupBacktracking::new()),
        },
        Entry {
            name: "naked_singles",
            summary: "fills naked singles until stuck, then guesses on a copy",
            source: "array methods article, method 3",
            sides: ALL_SIDES,
            support: Support::Classic,
            lexicographic: true,
            make: |_| Box::new(NakedSingles::new()),
        },
        Entry {
            name: "naked_singles_undo",
            summary: "the same with one grid and a stack of what to undo",
            source: "array methods article, method 4",
            sides: ALL_SIDES,
            support: Support::Classic,
            lexicographic: true,
            make: |_| Box::new(NakedSinglesUndo::new()),
        },
        Entry {
            name: "four_views",
            summary: "singles of cells, rows, columns and boxes, then guesses on a copy",
            source: "array methods article, method 5",
            sides: ALL_SIDES,
            support: Support::Classic,
            lexicographic: true,
            make: |_| Box::new(FourViews::new()),
        },
        Entry {
            name: "four_views_fewest",
            summary: "the same, guessing in the cell with the fewest candidates",
            source: "array methods article, method 6",
            sides: ALL_SIDES,
            support: Support::Classic,
            lexicographic: false,
            make: |_| Box::new(FourViewsFewest::new()),
        },
        Entry {
            name: "counted_cells",
            summary: "the same, with the candidates of each cell counted",
            source: "array methods article, method 7",
            sides: ALL_SIDES,
            support: Support::Classic,
            lexicographic: false,
            make: |_| Box::new(CountedCells::new()),
        },
        Entry {
            name: "counted_views",
            summary: "the same, with the candidates counted in all four views",
            source: "array methods article, method 8",
            sides: ALL_SIDES,
            support: Support::Classic,
            lexicographic: false,
            make: |_| Box::new(CountedViews::new()),
        },
        Entry {
            name: "bitmask_fewest",
            summary: "bit sets of free digits, the cell with the fewest candidates first",
            source: "Luogu P1784 article",
            sides: ALL_SIDES,
            support: Support::Classic,
            lexicographic: false,
            make: |_| Box::new(BitmaskFewest::new()),
        },
        Entry {
            name: "brute_force",
            summary: "tries the digits cell by cell, one loop over row, column and box",
            source: "NowCoder NC47 article, first method",
            sides: ALL_SIDES,
            support: Support::Classic,
            lexicographic: true,
            make: |_| Box::new(BruteForce::new()),
        },
        Entry {
            name: "bitmask",
            summary: "tries the digits cell by cell, with bit sets of what each house holds",
            source: "NowCoder NC47 article, second method",
            sides: ALL_SIDES,
            support: Support::Classic,
            lexicographic: true,
            make: |_| Box::new(Bitmask::new()),
        },
        Entry {
            name: "dancing_links",
            summary: "exact cover in an array arena, smallest column first",
            source: "UVa 1309 article, after Knuth: Dancing links (2000)",
            sides: ALL_SIDES,
            support: Support::AnyHouses,
            lexicographic: false,
            make: |rules| Box::new(DancingLinks::new(rules)),
        },
        Entry {
            name: "large_views",
            summary: "bitmask views of classic rules, guesses where searches fail most",
            source: "dom/wdeg: Boussemart et al., ECAI 2004; own layout",
            sides: BIG_SIDES,
            support: Support::Classic,
            lexicographic: false,
            make: |_| Box::new(big::FourViews::new()),
        },
        Entry {
            name: "learning",
            summary: "bitmask views of classic rules, a clause learned from every contradiction",
            source: "GRASP: Marques-Silva and Sakallah, 1996; Chaff: Moskewicz et al., DAC 2001",
            sides: BIG_SIDES,
            support: Support::Classic,
            lexicographic: false,
            make: |_| Box::new(big::Learning::new()),
        },
    ]
}

/// [`Views`] over the narrowest bit sets that hold `N` digits.
fn views<const N: usize>(rules: &Rules<N>, order: Order) -> Box<dyn Engine<N>> {
    if N <= 16 {
        Box::new(Views::<N, u16>::new(rules, order))
    } else if N <= 32 {
        Box::new(Views::<N, u32>::new(rules, order))
    } else {
        Box::new(Views::<N, u64>::new(rules, order))
    }
}

/// The engine with this name.
pub fn by_name<const N: usize>(name: &str) -> Option<Entry<N>> {
    registry().into_iter().find(|entry| entry.name == name)
}

/// The fastest engine for this side and these rules: what [`crate::solve`] uses.
///
/// This is where an engine made for one side, or for the classic rules, takes over from the
/// default one.
pub fn fastest<const N: usize>(rules: &Rules<N>) -> Box<dyn Engine<N>> {
    if N == 9 && rules.is_classic() {
        return Box::new(nine::Wide::new());
    }
    views(rules, Order::Smallest)
}

/// The engine that gives every solution in lexicographic order, for any list of houses.
pub fn lexicographic<const N: usize>(rules: &Rules<N>) -> Box<dyn Engine<N>> {
    views(rules, Order::Lexicographic)
}
