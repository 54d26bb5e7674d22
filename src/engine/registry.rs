//! The list of engines, with what each can do.

use super::constraints::{Agenda, Propagate};
use super::entry::{Entry, Support};
#[cfg(not(judge_bundle))]
use super::houses::Exclusions;
use super::houses::{Cells, Houses, OneGrid, Order, Views};
use super::{Method, articles, big, nine};
use crate::rules::{Layout, Rules, has_square_boxes};

/// The sides of the engines for large grids, which require square boxes.
const BIG_SIDES: &[usize] = &[1, 4, 9, 16, 25, 36];

/// Every engine: the general one, its lexicographic variant, those for one side or for large grids,
/// then the articles' methods in their order.
pub fn registry<const N: usize>() -> Vec<Entry<N>> {
    let mut entries = vec![
        Entry {
            name: "houses",
            summary: "bit sets in four views, singles, locked candidates, branching that learns",
            source: "dom/wdeg: Boussemart et al., ECAI 2004; four views: array methods article",
            support: Support::AnyRules,
            make: |rules| Some(houses(rules, Order::Smallest)),
            ..Entry::CLASSIC
        },
        Entry {
            name: "lexicographic",
            summary: "the engine `houses` guessing cell by cell: all solutions in order",
            source: "array methods article, made fast by the deductions of `houses`",
            support: Support::AnyRules,
            lexicographic: true,
            make: |rules| Some(houses(rules, Order::Lexicographic)),
            ..Entry::CLASSIC
        },
        Entry {
            name: "wide",
            summary: "one grid in nine SIMD vectors, every rule on all cells at once",
            source: "this project; a 4x4 layout of boxes in SIMD is known from tdoku",
            sides: &[9],
            make: |_| nine::boxed(nine::Wide::new()),
            ..Entry::CLASSIC
        },
        Entry {
            name: "bands",
            summary: "27 words, the cells of one digit in one band each, deduced by tables",
            source: "the words are those of zhouyundong_2012's JCZSolve; tables and search: this project",
            sides: &[9],
            make: |_| nine::boxed(nine::Bands),
            ..Entry::CLASSIC
        },
        Entry {
            name: "large",
            summary: "large_views until it has failed often, then learning",
            source: "this project",
            sides: BIG_SIDES,
            make: |_| large(big::Large),
            ..Entry::CLASSIC
        },
        Entry {
            name: "large_views",
            summary: "bitmask views of classic rules, guesses where searches fail most",
            source: "dom/wdeg: Boussemart et al., ECAI 2004; own layout",
            sides: BIG_SIDES,
            make: |_| large(big::LargeViews),
            ..Entry::CLASSIC
        },
        Entry {
            name: "learning",
            summary: "exactly-one sets and clauses, a clause learned from every contradiction",
            source: "GRASP: Marques-Silva and Sakallah, 1996; Chaff: Moskewicz et al., DAC 2001",
            support: Support::AnyRules,
            make: |rules| Some(learning(rules)),
            ..Entry::CLASSIC
        },
    ];
    entries.extend(articles::entries());
    entries
}

/// An engine for large grids, if the boxes of side `N` are square.
fn large<const N: usize>(engine: impl Method<N> + 'static) -> Option<Box<dyn Method<N>>> {
    // `const`, so that the engine is compiled for these sides alone.
    if const { has_square_boxes(N) } {
        Some(Box::new(engine))
    } else {
        None
    }
}

/// [`OneGrid`], with propagation of constraints where there are any.
fn houses<const N: usize>(rules: &Rules<N>, order: Order) -> Box<dyn Method<N>> {
    if !rules.has_constraints() {
        return houses_with::<N, ()>(rules, order);
    }
    #[cfg(not(judge_bundle))]
    {
        // `const`, so that only the branch for this side is compiled.
        if const { N <= 8 } {
            return Box::new(OneGrid::<N, Exclusions<N, 1, u16, Agenda>>::new(
                rules, order,
            ));
        } else if const { N <= 11 } {
            return Box::new(OneGrid::<N, Exclusions<N, 2, u16, Agenda>>::new(
                rules, order,
            ));
        } else if const { N <= 16 } {
            return Box::new(OneGrid::<N, Exclusions<N, 4, u16, Agenda>>::new(
                rules, order,
            ));
        }
    }
    houses_with::<N, Agenda>(rules, order)
}

/// [`OneGrid`] over the narrowest bit sets that hold `N` digits.
fn houses_with<const N: usize, A: Propagate + 'static>(
    rules: &Rules<N>,
    order: Order,
) -> Box<dyn Method<N>> {
    if const { N <= 16 } {
        Box::new(OneGrid::<N, Views<N, u16, A>>::new(rules, order))
    } else if const { N <= 32 } {
        Box::new(OneGrid::<N, Views<N, u32, A>>::new(rules, order))
    } else {
        Box::new(OneGrid::<N, Views<N, u64, A>>::new(rules, order))
    }
}

/// The general engine for the rules of a layout.
pub(crate) fn cells<const N: usize>(layout: &Layout) -> Box<dyn Cells> {
    let order = Order::Smallest;
    if const { N <= 16 } {
        Box::new(Houses::<Views<N, u16, Agenda>>::new(layout, order))
    } else if const { N <= 32 } {
        Box::new(Houses::<Views<N, u32, Agenda>>::new(layout, order))
    } else {
        Box::new(Houses::<Views<N, u64, Agenda>>::new(layout, order))
    }
}

/// The engine that learns from the first contradiction on, for any rules.
fn learning<const N: usize>(rules: &Rules<N>) -> Box<dyn Method<N>> {
    let classic = if rules.is_classic() {
        large(big::Learning)
    } else {
        None
    };
    classic.unwrap_or_else(|| houses(rules, Order::Learning))
}

/// The engine with this name.
pub fn by_name<const N: usize>(name: &str) -> Option<Entry<N>> {
    registry().into_iter().find(|entry| entry.name == name)
}

/// The fastest engine for this side and these rules: what [`Grid::solve`](crate::Grid::solve) uses.
///
/// In a bundle (`cfg(judge_bundle)`, set by the bundler alone) it is `houses` for every
/// side: one small engine instead of all of them, because online judges limit the size of a source.
pub fn fastest<const N: usize>(rules: &Rules<N>) -> Box<dyn Method<N>> {
    #[cfg(not(judge_bundle))]
    if rules.is_classic() {
        return fastest_classic();
    }
    houses(rules, Order::Smallest)
}

/// [`fastest`] for the classic rules: no other engine and no propagation of constraints is compiled.
pub(crate) fn fastest_classic<const N: usize>() -> Box<dyn Method<N>> {
    #[cfg(not(judge_bundle))]
    {
        if const { N == 9 } {
            nine::fastest_engine()
        } else if const { N > 9 && has_square_boxes(N) } {
            Box::new(big::Large)
        } else {
            houses_with::<N, ()>(&Rules::classic(), Order::Smallest)
        }
    }
    #[cfg(judge_bundle)]
    return houses_with::<N, ()>(&Rules::classic(), Order::Smallest);
}

/// Calls `f` with the fastest engine for classic puzzles. The engine for 9x9 puzzles is thread-local
/// and reused.
pub(crate) fn with_classic<const N: usize, T>(f: impl FnOnce(&mut dyn Method<N>) -> T) -> T {
    #[cfg(not(judge_bundle))]
    if const { N == 9 } {
        return nine::with_kept(f);
    }
    f(&mut *fastest_classic())
}

/// [`lexicographic`] for the classic rules, without the propagation of constraints.
pub(crate) fn lexicographic_classic<const N: usize>() -> Box<dyn Method<N>> {
    houses_with::<N, ()>(&Rules::classic(), Order::Lexicographic)
}

/// The engine that gives every solution in lexicographic order, under any rules.
pub fn lexicographic<const N: usize>(rules: &Rules<N>) -> Box<dyn Method<N>> {
    houses(rules, Order::Lexicographic)
}
