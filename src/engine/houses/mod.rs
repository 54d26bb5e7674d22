//! The engine `houses`, for any rules: bit sets in four views, singles and locked candidates, learned branching.
//!
//! One flat array of bit sets holds every view of the state:
//!
//! ```text
//! sets[cell]                         the digits that still fit the cell
//! sets[cells + house * N + digit]    the places of the house that still take the digit
//! ```
//!
//! With the classic rules that is the cell view and, for rows, columns and boxes, digit -> places.
//! A candidate (cell, digit) is one bit in each of them; [`Search::remove`] clears them together,
//! so no view is ever rebuilt. A set that falls to one member is a single (naked in the cell view,
//! hidden in a house), a set that falls to none is a conflict.
//!
//! After many guesses without a solution the search is replaced by one that learns from contradictions
//! ([`learn`]).

#[cfg(not(judge_bundle))]
mod learn;
mod map;

use super::constraints::{Links, Propagate};
use super::mask::Mask;
use super::{Checked, Method, Statistics, Visitor};
use crate::grid::{Cell, Digit, Grid};
use crate::rules::{Layout, Rules};
use core::ops::ControlFlow;
use map::Map;

/// The engine for one grid: see [`Houses`].
#[derive(Debug)]
pub(crate) struct OneGrid<const N: usize, M, A> {
    rules: Rules<N>,
    houses: Houses<N, M, A>,
}

impl<const N: usize, M: Mask, A: Propagate> OneGrid<N, M, A> {
    /// The engine for puzzles under `rules`, guessing in the given order.
    ///
    /// # Panics
    ///
    /// If `M` has fewer than `N` bits, or `A` ignores constraints that there are.
    pub(crate) fn new(rules: &Rules<N>, order: Order) -> Self {
        OneGrid {
            rules: rules.clone(),
            houses: Houses::new(&Layout::of_rules(rules), order),
        }
    }
}

impl<const N: usize, M: Mask, A: Propagate> Method<N> for OneGrid<N, M, A> {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        let givens = puzzle.grid().givens();
        let givens = givens.map(|(cell, digit)| (cell.index(), digit.index()));
        self.houses.search(givens, &mut |digits| {
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

/// Bit sets of candidates in every view, kept incrementally; naked and hidden singles, locked
/// candidates; branches on the smallest set of all views, weighted by the conflicts it was in.
///
/// The weighting is dom/wdeg (Boussemart, Hemery, Lecoutre, Sais: "Boosting systematic search by
/// weighting constraints", ECAI 2004). Works with any houses and, where `A` is
/// [`Agenda`](super::constraints::Agenda), with cages and constraints; the cells may be those of several
/// grids. `M` must have at least `N` bits.
#[derive(Clone, Debug)]
pub(crate) struct Houses<const N: usize, M, A> {
    constraints: A,
    links: Option<Links>,
    map: Map<M>,
    cells: usize,
    order: Order,
    /// Memory for the states of a search, the deepest last.
    states: Vec<M>,
    queue: Vec<(usize, usize)>,
    /// See [`Search::changed`].
    changed: Vec<u64>,
    weights: Vec<u32>,
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

impl<const N: usize, M: Mask, A: Propagate> Cells for Houses<N, M, A> {
    fn search_values(
        &mut self,
        values: &[u8],
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Statistics {
        let givens = values.iter().enumerate().filter(|given| *given.1 > 0);
        let givens = givens.map(|(cell, &value)| (cell, usize::from(value) - 1));
        let mut solution = values.to_vec();
        self.search(givens, &mut |digits| {
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

/// The number of guesses without a solution after which the search learns. Measured: hardly a puzzle that
/// needs fewer is solved sooner by learning.
const LEARN_AFTER: u64 = if cfg!(test) { 2 } else { 1000 }; // in unit tests nearly always

/// The maximum number of solutions that are carried over to the search that learns; with more, the
/// search does not change.
const MAX_CARRIED: usize = 64;

impl<const N: usize, M: Mask, A: Propagate> Houses<N, M, A> {
    /// The engine for puzzles under the rules of `layout`, guessing in the given order.
    ///
    /// # Panics
    ///
    /// If `M` has fewer than `N` bits, or `A` ignores constraints that there are.
    pub(crate) fn new(layout: &Layout, order: Order) -> Self {
        assert!(M::CAPACITY >= N, "the bit sets are too narrow for the side");
        assert!(
            A::ACTIVE || !layout.has_constraints(),
            "there are constraints that are not propagated"
        );
        let map = Map::new::<N>(layout);
        let sets = layout.cells + map.cell_at.len();
        let constraints = A::new(layout);
        Houses {
            links: constraints.links(usize::MAX),
            constraints,
            order,
            cells: layout.cells,
            states: vec![M::EMPTY; sets],
            queue: Vec::new(),
            changed: vec![0; map.cell_at.len().div_ceil(64)],
            weights: vec![1; sets],
            map,
        }
    }

    /// Passes every solution with these givens, pairs of cell and digit, to `visit` until it breaks.
    pub(crate) fn search(
        &mut self,
        givens: impl Iterator<Item = (usize, usize)>,
        visit: &mut Receive<'_, M>,
    ) -> Statistics {
        for weight in &mut self.weights {
            *weight = 1;
        }
        self.queue.clear();
        self.queue.extend(givens);
        self.constraints.start();
        let sets = self.weights.len();
        for (number, word) in self.changed.iter_mut().enumerate() {
            *word = u64::first((sets - self.cells - number * 64).min(64));
        }
        for set in &mut self.states[..sets] {
            *set = M::first(N);
        }
        let mut search = Search::<N, M, A> {
            map: &self.map,
            cells: self.cells,
            constraints: &mut self.constraints,
            links: self.links.as_ref(),
            queue: &mut self.queue,
            weights: &mut self.weights,
            changed: &mut self.changed,
            statistics: Statistics {
                nodes: 1,
                guesses: 0,
            },
            fruitless: 0,
            patience: match self.order {
                Order::Smallest if cfg!(not(judge_bundle)) => LEARN_AFTER,
                Order::Learning => 0,
                _ => u64::MAX,
            },
            found: Vec::new(),
        };
        if search.propagate(&mut self.states[..sets]) {
            // Each guess decides a cell, so the depth is at most the number of open cells; one more
            // state is for the copy that `has_solution` starts from.
            let open = |&cell: &usize| self.states[cell].has_several();
            let room = ((0..self.cells).filter(open).count() + 2) * sets;
            if self.states.len() < room {
                self.states.resize(room, M::EMPTY);
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
                let root = &self.states[..sets];
                learn::finish::<N, M, A>(self, root, &found, &mut statistics, visit);
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

struct Search<'a, const N: usize, M, A> {
    map: &'a Map<M>,
    /// The number of cells. The sets with these numbers are those of cells, the others those of houses.
    cells: usize,
    constraints: &'a mut A,
    links: Option<&'a Links>,
    /// Singles found and not yet placed: (cell, digit).
    queue: &'a mut Vec<(usize, usize)>,
    /// For each set, 1 + the conflicts in which it was the one left empty.
    weights: &'a mut [u32],
    /// The sets of houses (as bits) that lost a place since the last search for their locked candidates.
    changed: &'a mut [u64],
    statistics: Statistics,
    /// The number of guesses since the last solution.
    fruitless: u64,
    /// The number of them after which the search stops.
    patience: u64,
    /// The first solutions, one after the other, up to one more than [`MAX_CARRIED`].
    found: Vec<M>,
}

/// The index of a set that was left empty.
#[derive(Clone, Copy)]
struct Conflict(usize);

impl<const N: usize, M: Mask, A: Propagate> Search<'_, N, M, A> {
    /// Visits the solutions below the first state in `states`, which is propagated; the rest is
    /// scratch memory. The first state is overwritten.
    ///
    /// After the search below a guess, its candidate is removed and propagated, and the next set is
    /// chosen with the current weights.
    fn branch(&mut self, states: &mut [M], visit: &mut Receive<'_, M>) -> ControlFlow<Stop> {
        let (state, deeper) = states.split_at_mut(self.weights.len());
        while let Some(set) = self.smallest_set(state) {
            if self.fruitless >= self.patience && self.found.len() <= MAX_CARRIED * self.cells {
                return ControlFlow::Break(Stop::Impatient);
            }
            self.fruitless += 1;
            let (cell, digit) = self.candidate(set, state[set].smallest());
            if self.guess(state, deeper, cell, digit) {
                self.branch(deeper, visit)?;
            }
            if !self.rule_out(state, cell, digit) {
                return ControlFlow::Continue(());
            }
        }
        self.visit(state, visit)
    }

    /// Passes on a solution.
    fn visit(&mut self, state: &[M], visit: &mut Receive<'_, M>) -> ControlFlow<Stop> {
        self.fruitless = 0;
        let digits = &state[..self.cells];
        if self.found.len() <= MAX_CARRIED * self.cells {
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
        states: &mut [M],
        visit: &mut Receive<'_, M>,
    ) -> ControlFlow<Stop> {
        let (state, deeper) = states.split_at_mut(self.weights.len());
        let Some(cell) = (0..self.cells).find(|&cell| state[cell].has_several()) else {
            return self.visit(state, visit);
        };
        for digit in state[cell].members() {
            self.fruitless += 1;
            if self.guess(state, deeper, cell, digit)
                && (self.fruitless <= PATIENCE || self.has_solution(deeper))
            {
                self.branch_in_order(deeper, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether there is a solution below the first of the states, which is not changed.
    fn has_solution(&mut self, states: &mut [M]) -> bool {
        let (state, deeper) = states.split_at_mut(self.weights.len());
        deeper[..state.len()].copy_from_slice(state);
        let (fruitless, solutions) = (self.fruitless, self.found.len());
        let found = self.branch(deeper, &mut |_| ControlFlow::Break(()));
        self.fruitless = fruitless;
        self.found.truncate(solutions);
        found.is_break()
    }

    /// Puts a digit into a cell of a copy of the state; false on a conflict.
    fn guess(&mut self, state: &[M], copies: &mut [M], cell: usize, digit: usize) -> bool {
        self.statistics.nodes += 1;
        self.statistics.guesses += 1;
        let copy = &mut copies[..state.len()];
        copy.copy_from_slice(state);
        self.queue.push((cell, digit));
        self.propagate(copy)
    }

    /// Removes a candidate that has been searched; false on a conflict.
    fn rule_out(&mut self, state: &mut [M], cell: usize, digit: usize) -> bool {
        let removed = self.remove(state, cell, digit);
        let settled = removed.and_then(|()| self.settle(state));
        self.blame(settled)
    }

    /// The set to branch on, or `None` when everything is settled: the one with the smallest
    /// quotient of members and weight.
    fn smallest_set(&self, state: &[M]) -> Option<usize> {
        let (mut best, mut best_members, mut best_weight) = (None, 1, 0);
        for (set, (&members, &weight)) in state.iter().zip(self.weights.iter()).enumerate() {
            if members.has_several() {
                let (members, weight) = (u64::from(members.len()), u64::from(weight));
                if members * best_weight < best_members * weight {
                    best = Some(set);
                    best_members = members;
                    best_weight = weight;
                }
            }
        }
        best
    }

    /// The candidate that a member of a set stands for.
    fn candidate(&self, set: usize, member: usize) -> (usize, usize) {
        match set.checked_sub(self.cells) {
            None => (set, member),
            Some(set) => (self.map.cell_at[set - set % N + member], set % N),
        }
    }

    /// Propagates the queue; false on a conflict.
    fn propagate(&mut self, state: &mut [M]) -> bool {
        let settled = self.settle(state);
        self.blame(settled)
    }

    /// Counts a conflict against the set it was found in. Returns whether there was none.
    fn blame(&mut self, settled: Result<(), Conflict>) -> bool {
        match settled {
            Ok(()) => true,
            Err(Conflict(set)) => {
                self.queue.clear();
                self.constraints.clear();
                self.changed.fill(0);
                self.weights[set] += 1;
                false
            }
        }
    }

    /// Places every single and applies the locked candidates and the sums until nothing changes.
    fn settle(&mut self, state: &mut [M]) -> Result<(), Conflict> {
        loop {
            while let Some((cell, digit)) = self.queue.pop() {
                self.place(state, cell, digit)?;
            }
            let changed = self.changed.iter().position(|&word| word != 0);
            if let Some(word) = changed {
                let set = word * 64 + self.changed[word].smallest();
                self.changed[word] = self.changed[word].without_smallest();
                self.remove_locked(state, set)?;
            } else if !self.remove_by_constraint(state)? {
                return Ok(());
            }
        }
    }

    /// Removes what does not fit a constraint whose cells have changed; false if there is no such
    /// constraint.
    fn remove_by_constraint(&mut self, state: &mut [M]) -> Result<bool, Conflict> {
        let Some(gone) = self.constraints.next(state) else {
            return Ok(false);
        };
        if !gone.is_empty() {
            let gone = gone.to_vec();
            for (cell, digits) in gone {
                for digit in digits.members() {
                    self.remove(state, cell, digit)?;
                }
            }
        }
        Ok(true)
    }

    /// Puts the digit into the cell: every other digit leaves the cell, and the digit leaves the
    /// other cells of its houses.
    fn place(&mut self, state: &mut [M], cell: usize, digit: usize) -> Result<(), Conflict> {
        if !state[cell].has(digit) {
            return Err(Conflict(cell));
        }
        let map = self.map;
        for other in (state[cell] & !M::single(digit)).members() {
            self.remove(state, cell, other)?;
        }
        for seat in &map.seats[map.seats_of[cell]..map.seats_of[cell + 1]] {
            let places = state[seat.sets + digit] & !M::single(seat.place);
            for place in places.members() {
                let peer = map.cell_at[seat.sets - self.cells + place];
                self.remove(state, peer, digit)?;
            }
        }
        if A::ACTIVE {
            for &peer in map.peers(cell) {
                self.remove(state, peer, digit)?;
            }
        }
        Ok(())
    }

    /// Removes a candidate from every view and queues the singles that follow.
    fn remove(&mut self, state: &mut [M], cell: usize, digit: usize) -> Result<(), Conflict> {
        if !state[cell].has(digit) {
            return Ok(());
        }
        self.constraints.touch(cell);
        let map = self.map;
        let digits = state[cell] & !M::single(digit);
        state[cell] = digits;
        if digits.is_empty() {
            return Err(Conflict(cell));
        }
        if !digits.has_several() {
            self.queue.push((cell, digits.smallest()));
        }
        for seat in &map.seats[map.seats_of[cell]..map.seats_of[cell + 1]] {
            let set = seat.sets + digit;
            let places = state[set] & !M::single(seat.place);
            state[set] = places;
            self.changed[(set - self.cells) / 64] |= 1 << ((set - self.cells) % 64);
            if places.is_empty() {
                return Err(Conflict(set));
            }
            if !places.has_several() {
                let only = map.cell_at[seat.sets - self.cells + places.smallest()];
                self.queue.push((only, digit));
            }
        }
        Ok(())
    }

    /// Where all places of a digit in a house, a set of places, lie in another house, removes the digit from the
    /// rest of the other.
    fn remove_locked(&mut self, state: &mut [M], set: usize) -> Result<(), Conflict> {
        let map = self.map;
        let (house, digit) = (set - set % N, set % N);
        let places = state[self.cells + set];
        if !places.has_several() {
            return Ok(());
        }
        if A::ACTIVE && !map.sees.is_empty() && places.len() <= MAX_SEEN {
            self.remove_seen(state, house, places, digit)?;
        }
        match self.links {
            Some(links) if A::ACTIVE && places.len() <= MAX_LINKED => {
                self.remove_linked(state, links, house, places, digit)?;
            }
            _ => {}
        }
        // All places lie in the other house only if the first one does.
        let first = house + places.smallest();
        for crossing in &map.crossings[map.crossings_of[first]..map.crossings_of[first + 1]] {
            if (places & crossing.outside).is_empty() {
                let others = state[self.cells + crossing.other + digit] & crossing.other_outside;
                for place in others.members() {
                    self.remove(state, map.cell_at[crossing.other + place], digit)?;
                }
            }
        }
        Ok(())
    }

    /// Removes the candidates that exclude the digit from all its places in a house.
    fn remove_linked(
        &mut self,
        state: &mut [M],
        links: &Links,
        house: usize,
        places: M,
        digit: usize,
    ) -> Result<(), Conflict> {
        let cell_at = &self.map.cell_at[house..house + N];
        // The other digits without a link from one place, which may hold the candidate itself, and from two.
        let (mut lacking, mut lacking_twice) = (0, 0);
        for place in places.members() {
            let lacks = !links.digits(cell_at[place], digit);
            lacking_twice |= lacking & lacks;
            lacking |= lacks;
        }
        for other in (!lacking_twice).members() {
            for word in 0..links.word_count() {
                let excluded = |place: usize| links.excluded(cell_at[place], digit, other, word);
                let (mut all, mut rest) = (!0, places);
                while all != 0 && !rest.is_empty() {
                    all &= excluded(rest.smallest());
                    rest = rest.without_smallest();
                }
                for bit in all.members() {
                    self.remove(state, word * 64 + bit, other)?;
                }
            }
        }
        Ok(())
    }

    /// Removes the digit from the cells that see all its places in a house.
    fn remove_seen(
        &mut self,
        state: &mut [M],
        house: usize,
        places: M,
        digit: usize,
    ) -> Result<(), Conflict> {
        let map = self.map;
        for word in 0..map.words {
            let mut places = places.members();
            let sees = |place| map.sees[map.cell_at[house + place] * map.words + word];
            let first = places.next().map_or(0, sees);
            for bit in places.fold(first, |all, place| all & sees(place)).members() {
                self.remove(state, word * 64 + bit, digit)?;
            }
        }
        Ok(())
    }
}

/// The maximum number of places of a digit in a house for which [`Search::remove_seen`] pays.
const MAX_SEEN: u32 = 4;

/// The same for [`Search::remove_linked`]: a cell and its four neighbours are in one box.
const MAX_LINKED: u32 = 5;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::engine::constraints::Agenda;
    use crate::generate::{Generator, Kind};

    /// The searches that guess, that learn after some guesses, carrying solutions over, and that learn from the
    /// beginning find the same solutions.
    #[test]
    fn solutions_found_before_learning_are_found_once() {
        let mut several = 0;
        for (number, kind) in Kind::ALL.into_iter().enumerate() {
            let mut generator = Generator::<6>::new(number as u64);
            let (rules, mut puzzle) = generator.variant(kind, 4).expect("a puzzle");
            let givens: Vec<Cell<6>> = puzzle.givens().map(|(cell, _)| cell).collect();
            for cell in givens.into_iter().take(3) {
                puzzle.set(cell, None);
                let found = |order| {
                    let mut engine = OneGrid::<6, u16, Agenda>::new(&rules, order);
                    let mut found = engine.solutions(&puzzle, 300);
                    found.sort_unstable();
                    found
                };
                let expected = found(Order::Lexicographic);
                if expected.len() < 300 {
                    assert_eq!(found(Order::Smallest), expected, "{kind:?} {puzzle}");
                    assert_eq!(found(Order::Learning), expected, "{kind:?} {puzzle}");
                    several += usize::from(expected.len() > 10);
                }
            }
        }
        assert!(several > 5, "{several}");
    }
}
