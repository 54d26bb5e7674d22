//! The engine `houses`, for any rules: singles, locked candidates, learned branching.
//!
//! The search copies a state for each guess. [`Space`] is what a state holds and how it is propagated: [`views`] is for
//! any rules; [`exclusions`] is faster, but takes more memory.
//!
//! After many guesses without a solution the search is replaced by one that learns from contradictions
//! ([`learn`]).

#[cfg(not(judge_bundle))]
mod exclusions;
#[cfg(not(judge_bundle))]
mod learn;
mod map;
mod views;

#[cfg(not(judge_bundle))]
pub(crate) use exclusions::Exclusions;
pub(crate) use views::Views;

use super::constraints::Propagate;
use super::mask::Mask;
use super::{Checked, Method, Statistics, Visitor};
use crate::grid::{Cell, Digit, Grid};
use crate::rules::{Layout, Rules};
use core::ops::ControlFlow;
use map::Map;

/// The engine for one grid: see [`Houses`].
pub(crate) struct OneGrid<const N: usize, S: Space> {
    rules: Rules<N>,
    houses: Houses<S>,
}

impl<const N: usize, S: Space> OneGrid<N, S> {
    /// The engine for puzzles under `rules`, guessing in the given order.
    pub(crate) fn new(rules: &Rules<N>, order: Order) -> Self {
        OneGrid {
            rules: rules.clone(),
            houses: Houses::new(&Layout::of_rules(rules), order),
        }
    }
}

impl<const N: usize, S: Space> Method<N> for OneGrid<N, S> {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        let givens = puzzle.grid().givens();
        let mut givens = givens.map(|(cell, digit)| (cell.index(), digit.index()));
        self.houses.search(&mut givens, &mut |digits| {
            let mut grid = Grid::EMPTY;
            for cell in Cell::all() {
                let digit = Digit::from_index(digits[cell.index()].smallest());
                grid.set(cell, Some(digit));
            }
            visit(&grid)
        })
    }

    fn allows(&self, puzzle: &Grid<N>) -> bool {
        self.rules.allow(puzzle)
    }
}

/// The states of a search, and their propagation.
///
/// It counts conflicts against the set that was left without a member, and branches on the smallest set, weighted by
/// them: dom/wdeg (Boussemart, Hemery, Lecoutre, Sais: "Boosting systematic search by weighting constraints",
/// ECAI 2004).
pub(crate) trait Space: Send {
    /// The side.
    const SIDE: usize;
    /// The number of guesses without a solution after which the search learns. Measured: hardly a puzzle that needs
    /// fewer is solved sooner by learning.
    const LEARN_AFTER: u64;
    /// The digits of a cell.
    type Digits: Mask;
    type State: Clone + Send;
    type Constraints: Propagate;

    /// # Panics
    ///
    /// If `Digits` has fewer bits than there are digits, or constraints are not propagated.
    fn new(layout: &Layout) -> Self;

    /// A state, to be overwritten.
    fn state(&self) -> Self::State;

    /// Forgets the conflicts of the last search, and puts these givens into an empty grid; false on a conflict.
    fn start(
        &mut self,
        state: &mut Self::State,
        givens: &mut dyn Iterator<Item = (usize, usize)>,
    ) -> bool;

    /// The candidates of each cell.
    fn digits(state: &Self::State) -> &[Self::Digits];

    /// Puts a digit into a cell; false on a conflict.
    fn place(&mut self, state: &mut Self::State, cell: usize, digit: usize) -> bool;

    /// Removes a candidate; false on a conflict.
    fn rule_out(&mut self, state: &mut Self::State, cell: usize, digit: usize) -> bool;

    /// The candidate to guess, or `None` when everything is settled: one of the set with the smallest quotient of
    /// members and weight.
    fn choose(&self, state: &Self::State) -> Option<(usize, usize)>;

    fn map(&self) -> &Map<Self::Digits>;

    fn constraints(&self) -> &Self::Constraints;

    /// The cells, as bits of words, in which a candidate excludes another digit, where that is known.
    fn excluded(&self, _cell: usize, _digit: usize, _other: usize) -> &[u64] {
        &[]
    }
}

/// The set with the smallest quotient of members and weight among those with several members.
#[inline(always)]
fn smallest_by_weight(sizes: impl Iterator<Item = u32>, weights: &[u32]) -> Option<usize> {
    let (mut best, mut best_size, mut best_weight) = (None, 1, 0);
    for (set, (size, &weight)) in sizes.zip(weights).enumerate() {
        if size > 1 {
            let (size, weight) = (u64::from(size), u64::from(weight));
            if size * best_weight < best_size * weight {
                (best, best_size, best_weight) = (Some(set), size, weight);
            }
        }
    }
    best
}

/// A search for the solutions in a [`Space`].
pub(crate) struct Houses<S: Space> {
    space: S,
    order: Order,
    /// Memory for the states of a search, the deepest last.
    states: Vec<S::State>,
}

/// A search over cells by their index, for rules that are not those of one grid.
pub(crate) trait Cells: Send {
    /// Passes every solution with these values, 0 for an empty cell, to `visit` until it breaks.
    fn search_values(
        &mut self,
        values: &[u8],
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Statistics;
}

impl<S: Space> Cells for Houses<S> {
    fn search_values(
        &mut self,
        values: &[u8],
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Statistics {
        let givens = values.iter().enumerate().filter(|given| *given.1 > 0);
        let mut givens = givens.map(|(cell, &value)| (cell, usize::from(value) - 1));
        let mut solution = values.to_vec();
        self.search(&mut givens, &mut |digits| {
            for (value, digit) in solution.iter_mut().zip(digits) {
                *value = digit.smallest() as u8 + 1;
            }
            visit(&solution)
        })
    }
}

/// Receives a solution: the digit of each cell, as a set. Decides whether the search goes on.
pub(crate) type Receive<'a, M> = dyn FnMut(&[M]) -> ControlFlow<()> + 'a;

/// The order of guesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// Guesses in the set with the smallest expected tree.
    Smallest,
    /// Guesses in the first open cell, smallest digit first: solutions come in lexicographic order.
    ///
    /// That order alone can take very long if there is no solution. So after `PATIENCE` guesses
    /// without a solution each guess must first prove, by a search in the other order, that a
    /// solution lies below it.
    Lexicographic,
    /// Learns from the first contradiction on.
    Learning,
}

/// See [`Order::Lexicographic`]; small puzzles rarely need that many guesses.
const PATIENCE: u64 = 100;

/// The maximum number of solutions that are carried over to the search that learns; with more, the
/// search does not change.
const MAX_CARRIED: usize = 64;

impl<S: Space> Houses<S> {
    /// The engine for puzzles under the rules of `layout`, guessing in the given order.
    pub(crate) fn new(layout: &Layout, order: Order) -> Self {
        let space = S::new(layout);
        Houses {
            states: vec![space.state()],
            order,
            space,
        }
    }

    /// Passes every solution with these givens, pairs of cell and digit, to `visit` until it breaks.
    pub(crate) fn search(
        &mut self,
        givens: &mut dyn Iterator<Item = (usize, usize)>,
        visit: &mut Receive<'_, S::Digits>,
    ) -> Statistics {
        let is_possible = self.space.start(&mut self.states[0], givens);
        let mut search = Search {
            space: &mut self.space,
            statistics: Statistics {
                nodes: 1,
                guesses: 0,
            },
            fruitless: 0,
            patience: match self.order {
                Order::Smallest if cfg!(test) => 2, // so that unit tests nearly always learn
                Order::Smallest if cfg!(not(judge_bundle)) => S::LEARN_AFTER,
                Order::Learning => 0,
                _ => u64::MAX,
            },
            found: Vec::new(),
        };
        if is_possible {
            // Each guess decides a cell, so the depth is at most the number of open cells; one more
            // state is for the copy that `has_solution` starts from.
            let digits = S::digits(&self.states[0]).iter();
            let room = digits.filter(|digits| digits.has_several()).count() + 2;
            if self.states.len() < room {
                self.states.resize(room, search.space.state());
            }
            let stopped = match self.order {
                Order::Smallest | Order::Learning => search.branch(&mut self.states, visit),
                Order::Lexicographic => search.branch_in_order(&mut self.states, visit),
            };
            #[cfg(not(judge_bundle))]
            if stopped == ControlFlow::Break(Stop::Impatient) {
                let Search {
                    found,
                    mut statistics,
                    ..
                } = search;
                let root = S::digits(&self.states[0]);
                learn::finish(&self.space, root, &found, &mut statistics, visit);
                return statistics;
            }
            let _ = stopped;
        }
        search.statistics
    }
}

/// Why a search ended before all solutions were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stop {
    /// The visitor broke.
    Visitor,
    /// Too many guesses in a row found no solution.
    Impatient,
}

struct Search<'a, S: Space> {
    space: &'a mut S,
    statistics: Statistics,
    /// The number of guesses since the last solution.
    fruitless: u64,
    /// The number of guesses without a solution after which the search stops.
    patience: u64,
    /// The first solutions, one after the other, up to one more than [`MAX_CARRIED`].
    found: Vec<S::Digits>,
}

/// The index of a set that was left empty.
#[derive(Clone, Copy)]
struct Conflict(usize);

impl<S: Space> Search<'_, S> {
    /// Visits the solutions below the first of the states, which is propagated; the others are
    /// scratch memory. The first state is overwritten.
    ///
    /// After the search below a guess, its candidate is removed and propagated, and the next set is
    /// chosen with the current weights.
    fn branch(
        &mut self,
        states: &mut [S::State],
        visit: &mut Receive<'_, S::Digits>,
    ) -> ControlFlow<Stop> {
        let (state, deeper) = states.split_at_mut(1);
        while let Some((cell, digit)) = self.space.choose(&state[0]) {
            if self.fruitless >= self.patience && self.is_carried() {
                return ControlFlow::Break(Stop::Impatient);
            }
            self.fruitless += 1;
            if self.guess(&state[0], deeper, cell, digit) {
                self.branch(deeper, visit)?;
            }
            if !self.space.rule_out(&mut state[0], cell, digit) {
                return ControlFlow::Continue(());
            }
        }
        self.visit(&state[0], visit)
    }

    /// Whether all solutions so far are in `found`.
    fn is_carried(&self) -> bool {
        self.found.len() <= MAX_CARRIED * self.space.map().cells()
    }

    /// Passes on a solution.
    fn visit(&mut self, state: &S::State, visit: &mut Receive<'_, S::Digits>) -> ControlFlow<Stop> {
        self.fruitless = 0;
        let digits = S::digits(state);
        if self.is_carried() {
            self.found.extend_from_slice(digits);
        }
        match visit(digits) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(Stop::Visitor),
        }
    }

    /// Like [`Search::branch`], but visits the solutions in lexicographic order.
    fn branch_in_order(
        &mut self,
        states: &mut [S::State],
        visit: &mut Receive<'_, S::Digits>,
    ) -> ControlFlow<Stop> {
        let (state, deeper) = states.split_at_mut(1);
        let digits = S::digits(&state[0]);
        let Some(cell) = digits.iter().position(|digits| digits.has_several()) else {
            return self.visit(&state[0], visit);
        };
        for digit in digits[cell].members() {
            self.fruitless += 1;
            if self.guess(&state[0], deeper, cell, digit)
                && (self.fruitless <= PATIENCE || self.has_solution(deeper))
            {
                self.branch_in_order(deeper, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether there is a solution below the first of the states, which is not changed.
    fn has_solution(&mut self, states: &mut [S::State]) -> bool {
        let (state, deeper) = states.split_at_mut(1);
        deeper[0].clone_from(&state[0]);
        let (fruitless, solutions) = (self.fruitless, self.found.len());
        let found = self.branch(deeper, &mut |_| ControlFlow::Break(()));
        self.fruitless = fruitless;
        self.found.truncate(solutions);
        found.is_break()
    }

    /// Puts a digit into a cell of a copy of the state; false on a conflict.
    fn guess(
        &mut self,
        state: &S::State,
        copies: &mut [S::State],
        cell: usize,
        digit: usize,
    ) -> bool {
        self.statistics.nodes += 1;
        self.statistics.guesses += 1;
        copies[0].clone_from(state);
        self.space.place(&mut copies[0], cell, digit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::engine::constraints::Agenda;
    use crate::generate::{Generator, Kind};

    fn solutions<S: Space>(rules: &Rules<6>, puzzle: &Grid<6>, order: Order) -> Vec<Grid<6>> {
        let mut found = OneGrid::<6, S>::new(rules, order).solutions(puzzle, 300);
        found.sort_unstable();
        found
    }

    /// The searches that guess, that learn after some guesses, carrying solutions over, and that learn from the
    /// beginning find the same solutions, in both forms of a state.
    #[test]
    fn solutions_found_before_learning_are_found_once() {
        let mut several = 0;
        for (number, kind) in Kind::ALL.into_iter().enumerate() {
            let mut generator = Generator::<6>::new(number as u64);
            let (rules, mut puzzle) = generator.variant(kind, 4).expect("a puzzle");
            let givens: Vec<Cell<6>> = puzzle.givens().map(|(cell, _)| cell).collect();
            for cell in givens.into_iter().take(3) {
                puzzle.set(cell, None);
                let by_views = |order| solutions::<Views<6, u16, Agenda>>(&rules, &puzzle, order);
                let by_exclusions =
                    |order| solutions::<Exclusions<6, 1, u16, Agenda>>(&rules, &puzzle, order);
                let expected = by_views(Order::Lexicographic);
                if expected.len() < 300 {
                    for order in [Order::Lexicographic, Order::Smallest, Order::Learning] {
                        assert_eq!(by_views(order), expected, "{kind:?} {puzzle} {order:?}");
                        assert_eq!(
                            by_exclusions(order),
                            expected,
                            "{kind:?} {puzzle} {order:?}"
                        );
                    }
                    several += usize::from(expected.len() > 10);
                }
            }
        }
        assert!(several > 5, "{several}");
    }
}
