//! A state as bit sets in every view.
//!
//! One flat array:
//!
//! ```text
//! sets[cell]                         the digits that still fit the cell
//! sets[cells + house * N + digit]    the places of the house that still take the digit
//! ```
//!
//! With the classic rules that is the cell view and, for rows, columns and boxes, digit -> places.
//! A candidate (cell, digit) is one bit in each of them; [`Hand::remove`] clears them together,
//! so no view is ever rebuilt. A set that falls to one member is a single (naked in the cell view,
//! hidden in a house), a set that falls to none is a conflict.

use super::map::Map;
use super::{Conflict, Space, smallest_by_weight};
use crate::engine::constraints::Propagate;
use crate::engine::mask::Mask;
use crate::rules::Layout;

/// Bit sets of candidates in every view, kept incrementally; naked and hidden singles, locked candidates.
///
/// Works with any houses and, where `A` is [`Agenda`](crate::engine::constraints::Agenda), with cages and constraints;
/// the cells may be those of several grids. `M` must have at least `N` bits.
#[derive(Clone, Debug)]
pub(crate) struct Views<const N: usize, M, A> {
    constraints: A,
    map: Map<M>,
    /// The number of cells. The sets with these numbers are those of cells, the others those of houses.
    cells: usize,
    /// Singles found and not yet placed: (cell, digit).
    queue: Vec<(usize, usize)>,
    /// The sets of houses (as bits) that lost a place since the last search for their locked candidates.
    changed: Vec<u64>,
    /// For each set, 1 + the conflicts in which it was the one left empty.
    weights: Vec<u32>,
}

impl<const N: usize, M: Mask, A: Propagate> Space for Views<N, M, A> {
    const SIDE: usize = N;
    const LEARN_AFTER: u64 = 1000;
    type Digits = M;
    type State = Vec<M>;
    type Constraints = A;

    fn new(layout: &Layout) -> Self {
        assert!(M::CAPACITY >= N, "the bit sets are too narrow for the side");
        assert!(
            A::ACTIVE || !layout.has_constraints(),
            "there are constraints that are not propagated"
        );
        let map = Map::new::<N>(layout);
        Views {
            constraints: A::new(layout),
            cells: layout.cells,
            queue: Vec::new(),
            changed: vec![0; map.cell_at.len().div_ceil(64)],
            weights: vec![1; layout.cells + map.cell_at.len()],
            map,
        }
    }

    fn state(&self) -> Vec<M> {
        vec![M::EMPTY; self.weights.len()]
    }

    fn start(
        &mut self,
        state: &mut Vec<M>,
        givens: &mut dyn Iterator<Item = (usize, usize)>,
    ) -> bool {
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
        for set in state.iter_mut() {
            *set = M::first(N);
        }
        self.hand().propagate(state)
    }

    fn digits(state: &Vec<M>) -> &[M] {
        &state[..]
    }

    fn place(&mut self, state: &mut Vec<M>, cell: usize, digit: usize) -> bool {
        self.queue.push((cell, digit));
        self.hand().propagate(state)
    }

    fn rule_out(&mut self, state: &mut Vec<M>, cell: usize, digit: usize) -> bool {
        let mut hand = self.hand();
        let removed = hand.remove(state, cell, digit);
        let settled = removed.and_then(|()| hand.settle(state));
        hand.blame(settled)
    }

    fn choose(&self, state: &Vec<M>) -> Option<(usize, usize)> {
        let sizes = state.iter().map(|set| match set.has_several() {
            true => set.len(),
            false => 1,
        });
        let set = smallest_by_weight(sizes, &self.weights)?;
        let member = state[set].smallest();
        Some(match set.checked_sub(self.cells) {
            None => (set, member),
            Some(set) => (self.map.cell_at[set - set % N + member], set % N),
        })
    }

    fn map(&self) -> &Map<M> {
        &self.map
    }

    fn constraints(&self) -> &A {
        &self.constraints
    }
}

impl<const N: usize, M: Mask, A: Propagate> Views<N, M, A> {
    #[inline(always)]
    fn hand(&mut self) -> Hand<'_, N, M, A> {
        Hand {
            map: &self.map,
            cells: self.cells,
            constraints: &mut self.constraints,
            queue: &mut self.queue,
            changed: &mut self.changed,
            weights: &mut self.weights,
        }
    }
}

/// The parts of [`Views`], so that one changes while another is read.
struct Hand<'a, const N: usize, M, A> {
    map: &'a Map<M>,
    cells: usize,
    constraints: &'a mut A,
    queue: &'a mut Vec<(usize, usize)>,
    changed: &'a mut [u64],
    weights: &'a mut [u32],
}

impl<const N: usize, M: Mask, A: Propagate> Hand<'_, N, M, A> {
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

/// The maximum number of places of a digit in a house for which [`Hand::remove_seen`] pays.
const MAX_SEEN: u32 = 4;
