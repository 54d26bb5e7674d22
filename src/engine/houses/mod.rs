//! The engine `houses`, for any rules: bit sets in four views, singles and locked candidates, learned branching.
//!
//! One flat array of bit sets holds every view of the state:
//!
//! ```text
//! sets[cell]                       the digits that still fit the cell
//! sets[N*N + house * N + digit]    the places of the house that still take the digit
//! ```
//!
//! With the classic rules that is the cell view and, for rows, columns and boxes, digit -> places.
//! A candidate (cell, digit) is one bit in each of them; [`Search::remove`] clears them together,
//! so no view is ever rebuilt. A set that falls to one member is a single (naked in the cell view,
//! hidden in a house), a set that falls to none is a conflict.

mod map;

use super::mask::Mask;
use super::sums::Arithmetic;
use super::{Checked, Method, Statistics, Visitor};
use crate::grid::{Cell, Digit, Grid};
use crate::rules::Rules;
use core::ops::ControlFlow;
use map::Map;

/// Bit sets of candidates in every view, kept incrementally; naked and hidden singles, locked
/// candidates; branches on the smallest set of all views, weighted by the conflicts it was in.
///
/// The weighting is dom/wdeg (Boussemart, Hemery, Lecoutre, Sais: "Boosting systematic search by
/// weighting constraints", ECAI 2004). Works with any houses and, where `A` is
/// [`Sums`](super::sums::Sums), with cages. `M` must have at least `N` bits.
#[derive(Clone, Debug)]
pub(crate) struct Houses<const N: usize, M, A> {
    rules: Rules<N>,
    arithmetic: A,
    map: Map<M>,
    order: Order,
    /// Memory for the states of a search, the deepest last.
    states: Vec<M>,
    queue: Vec<(usize, usize)>,
    weights: Vec<u32>,
}

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
}

/// See [`Order::Lexicographic`]; small puzzles rarely need that many guesses.
const PATIENCE: u64 = 100;

impl<const N: usize, M: Mask, A: Arithmetic> Houses<N, M, A> {
    /// The engine for puzzles under `rules`, guessing in the given order.
    ///
    /// # Panics
    ///
    /// If `M` has fewer than `N` bits, or `A` ignores the cages that there are.
    pub(crate) fn new(rules: &Rules<N>, order: Order) -> Self {
        assert!(M::CAPACITY >= N, "the bit sets are too narrow for the side");
        assert!(
            A::ACTIVE || rules.cages().is_empty(),
            "there are cages, but no arithmetic"
        );
        let map = Map::new(rules);
        let sets = N * N + map.cell_at.len();
        Houses {
            rules: rules.clone(),
            arithmetic: A::new(rules),
            order,
            states: vec![M::EMPTY; sets],
            queue: Vec::new(),
            weights: vec![1; sets],
            map,
        }
    }
}

impl<const N: usize, M: Mask, A: Arithmetic> Method<N> for Houses<N, M, A> {
    fn search(&mut self, puzzle: Checked<'_, N>, visit: &mut Visitor<'_, N>) -> Statistics {
        let puzzle = puzzle.grid();
        for weight in &mut self.weights {
            *weight = 1;
        }
        self.queue.clear();
        self.arithmetic.start();
        let sets = self.weights.len();
        for set in &mut self.states[..sets] {
            *set = M::first(N);
        }
        let mut search = Search {
            map: &self.map,
            arithmetic: &mut self.arithmetic,
            queue: &mut self.queue,
            weights: &mut self.weights,
            changed: u64::first(N),
            statistics: Statistics {
                nodes: 1,
                guesses: 0,
            },
            fruitless: 0,
        };
        for (cell, digit) in puzzle.givens() {
            search.queue.push((cell.index(), digit.index()));
        }
        if search.propagate(&mut self.states[..sets]) {
            // Each guess decides a cell, so the depth is at most the number of open cells; one more
            // state is for the copy that `has_solution` starts from.
            let open = |&cell: &usize| self.states[cell].has_several();
            let room = ((0..N * N).filter(open).count() + 2) * sets;
            if self.states.len() < room {
                self.states.resize(room, M::EMPTY);
            }
            let _ = match self.order {
                Order::Smallest => search.branch(&mut self.states, visit),
                Order::Lexicographic => search.branch_in_order(&mut self.states, visit),
            };
        }
        search.statistics
    }

    fn allows(&self, puzzle: &Grid<N>) -> bool {
        self.rules.allow(puzzle)
    }
}

struct Search<'a, const N: usize, M, A> {
    map: &'a Map<M>,
    arithmetic: &'a mut A,
    /// Singles found and not yet placed: (cell, digit).
    queue: &'a mut Vec<(usize, usize)>,
    /// For each set, 1 + the conflicts in which it was the one left empty.
    weights: &'a mut [u32],
    /// The digits (as bits) that lost a candidate since the last search for their locked candidates.
    changed: u64,
    statistics: Statistics,
    /// The number of guesses since the last solution of a search in order.
    fruitless: u64,
}

/// The index of a set that was left empty.
#[derive(Clone, Copy)]
struct Conflict(usize);

impl<const N: usize, M: Mask, A: Arithmetic> Search<'_, N, M, A> {
    /// Visits the solutions below the first state in `states`, which is propagated; the rest is
    /// scratch memory. The first state is overwritten.
    ///
    /// After the search below a guess, its candidate is removed and propagated, and the next set is
    /// chosen with the current weights.
    fn branch(&mut self, states: &mut [M], visit: &mut Visitor<'_, N>) -> ControlFlow<()> {
        let (state, deeper) = states.split_at_mut(self.weights.len());
        while let Some(set) = self.smallest_set(state) {
            let (cell, digit) = self.candidate(set, state[set].smallest());
            if self.guess(state, deeper, cell, digit) {
                self.branch(deeper, visit)?;
            }
            if !self.rule_out(state, cell, digit) {
                return ControlFlow::Continue(());
            }
        }
        visit(&solution(state))
    }

    /// Like [`Search::branch`], but visits the solutions in lexicographic order.
    fn branch_in_order(&mut self, states: &mut [M], visit: &mut Visitor<'_, N>) -> ControlFlow<()> {
        let (state, deeper) = states.split_at_mut(self.weights.len());
        let cell = match (0..N * N).find(|&cell| state[cell].has_several()) {
            Some(cell) => cell,
            None => {
                self.fruitless = 0;
                return visit(&solution(state));
            }
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
        let found = self.branch(deeper, &mut |_| ControlFlow::Break(()));
        found == ControlFlow::Break(())
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
        if set < N * N {
            (set, member)
        } else {
            let (house, digit) = ((set - N * N) / N, set % N);
            (self.map.cell_at[house * N + member], digit)
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
                self.arithmetic.clear();
                self.changed = 0;
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
            if self.changed == 0 {
                if !self.remove_by_sum(state)? {
                    return Ok(());
                }
                continue;
            }
            let digit = self.changed.smallest();
            self.changed = self.changed.without_smallest();
            self.remove_locked(state, digit)?;
        }
    }

    /// Removes what does not fit a sum whose cells have changed; false if there is no such sum.
    fn remove_by_sum(&mut self, state: &mut [M]) -> Result<bool, Conflict> {
        let Some(gone) = self.arithmetic.next(state) else {
            return Ok(false);
        };
        // Only cages get here.
        let gone = gone.to_vec();
        for (cell, digits) in gone {
            for digit in digits.members() {
                self.remove(state, cell, digit)?;
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
                let peer = map.cell_at[seat.sets - N * N + place];
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
        self.changed |= u64::single(digit);
        self.arithmetic.touch(cell);
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
            if places.is_empty() {
                return Err(Conflict(set));
            }
            if !places.has_several() {
                let only = map.cell_at[seat.sets - N * N + places.smallest()];
                self.queue.push((only, digit));
            }
        }
        Ok(())
    }

    /// Where all places of the digit in one house lie in another house, removes the digit from the
    /// rest of the other.
    fn remove_locked(&mut self, state: &mut [M], digit: usize) -> Result<(), Conflict> {
        let map = self.map;
        for house in (0..map.cell_at.len()).step_by(N) {
            let places = state[N * N + house + digit];
            if !places.has_several() {
                continue;
            }
            // All places lie in the other house only if the first one does.
            let first = house + places.smallest();
            for crossing in &map.crossings[map.crossings_of[first]..map.crossings_of[first + 1]] {
                if (places & crossing.outside).is_empty() {
                    let others = state[N * N + crossing.other + digit] & crossing.other_outside;
                    for place in others.members() {
                        self.remove(state, map.cell_at[crossing.other + place], digit)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The grid of a state in which every cell has one digit left.
fn solution<const N: usize, M: Mask>(state: &[M]) -> Grid<N> {
    let mut grid = Grid::EMPTY;
    for cell in Cell::all() {
        let digit = Digit::from_index(state[cell.index()].smallest());
        grid.set(cell, Some(digit));
    }
    grid
}
