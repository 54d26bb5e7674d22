//! A state as one set of cells for each digit, and what each candidate excludes.
//!
//! Every rule that two candidates break together is a bit of [`Exclusions::excluded`]: two digits in a cell, a digit twice
//! in a house, two consecutive digits in neighbours, two digits that no way to make a sum has together. All these rules
//! have one deduction: what every member of an exactly-one set excludes is false. With one member it is a naked or
//! hidden single, with several a locked candidate, or what a relation leaves of its cells' digits.

use super::map::Map;
use super::{Conflict, Space, smallest_by_weight};
use crate::engine::constraints::Propagate;
use crate::engine::mask::Mask;
use crate::rules::Layout;

/// See the [module](self). There are at most `64 * W` cells; `M` must have at least `N` bits.
#[derive(Clone, Debug)]
pub(crate) struct Exclusions<const N: usize, const W: usize, M, A> {
    constraints: A,
    map: Map<M>,
    /// By house: its cells.
    houses: Vec<[u64; W]>,
    /// By candidate (cell and digit): those that it excludes.
    excluded: Vec<Planes<N, W>>,
    /// The candidates of an empty grid.
    all: Planes<N, W>,
    /// By set, cells before houses: with more members they exclude no candidate together.
    limits: Vec<u8>,
    /// By set: the digits of candidates that several members exclude together.
    common: Vec<u64>,
    /// By group of 64 houses and cell: the houses of the cell, as bits.
    houses_of: Vec<u64>,
    /// By set: 1 + the conflicts in which it was the one left empty.
    weights: Vec<u32>,
}

/// By digit: cells, as bits.
type Planes<const N: usize, const W: usize> = [[u64; W]; N];

#[derive(Debug)]
pub(crate) struct State<const N: usize, const W: usize, M> {
    planes: Planes<N, W>,
    /// The same by cell.
    digits: Vec<M>,
    /// By set: its number of members.
    counts: Vec<u8>,
}

/// Not derived: `clone_from` keeps the memory.
impl<const N: usize, const W: usize, M: Mask> Clone for State<N, W, M> {
    fn clone(&self) -> Self {
        State {
            planes: self.planes,
            digits: self.digits.clone(),
            counts: self.counts.clone(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.planes = other.planes;
        self.digits.copy_from_slice(&other.digits);
        self.counts.copy_from_slice(&other.counts);
    }
}

impl<const N: usize, const W: usize, M: Mask, A: Propagate> Space for Exclusions<N, W, M, A> {
    const SIDE: usize = N;
    const LEARN_AFTER: u64 = 20_000;
    type Digits = M;
    type State = State<N, W, M>;
    type Constraints = A;

    fn new(layout: &Layout) -> Self {
        assert!(layout.cells <= 64 * W && M::CAPACITY >= N, "too large");
        let map = Map::new::<N>(layout);
        let houses = map.cell_at.chunks_exact(N);
        let houses = houses.map(|house| house.iter().fold([0; W], |all, &cell| with(all, cell)));
        let houses: Vec<[u64; W]> = houses.collect();
        let mut houses_of = vec![0; layout.cells * houses.len().div_ceil(64)];
        for (at, &cell) in map.cell_at.iter().enumerate() {
            let house = at / N;
            houses_of[house / 64 * layout.cells + cell] |= 1 << (house % 64);
        }
        let mut excluded = vec![[[0; W]; N]; layout.cells * N];
        for (one, sees) in layout.sight().iter().enumerate() {
            let seen = sees.iter().enumerate().filter(|sees| *sees.1);
            let seen = seen.fold([0; W], |all, (cell, _)| with(all, cell));
            for digit in 0..N {
                let own = &mut excluded[one * N + digit];
                *own = [with([0; W], one); N];
                own[digit] = seen;
            }
        }
        let mut constraints = A::new(layout);
        constraints.take_exclusions(&mut |pair| {
            for ((cell, digit), (other, other_digit)) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                let set = &mut excluded[cell * N + digit][other_digit];
                *set = with(*set, other);
            }
        });
        let mut space = Exclusions {
            all: [(0..layout.cells).fold([0; W], with); N],
            limits: Vec::new(),
            common: Vec::new(),
            houses_of,
            weights: vec![1; layout.cells + map.cell_at.len()],
            constraints,
            map,
            houses,
            excluded,
        };
        for set in 0..space.weights.len() {
            space.add_limit(set);
        }
        space
    }

    fn state(&self) -> State<N, W, M> {
        State {
            planes: [[0; W]; N],
            digits: vec![M::EMPTY; self.map.cells()],
            counts: vec![0; self.weights.len()],
        }
    }

    fn start(
        &mut self,
        state: &mut State<N, W, M>,
        givens: &mut dyn Iterator<Item = (usize, usize)>,
    ) -> bool {
        self.weights.fill(1);
        self.constraints.start();
        let before = [(0..self.map.cells()).fold([0; W], with); N];
        state.planes = self.all;
        state.digits.fill(M::first(N));
        state.counts.fill(N as u8);
        for (cell, digit) in givens {
            remove(&mut state.planes, &self.excluded[cell * N + digit]);
        }
        self.propagate(state, &before)
    }

    fn digits(state: &State<N, W, M>) -> &[M] {
        &state.digits
    }

    fn place(&mut self, state: &mut State<N, W, M>, cell: usize, digit: usize) -> bool {
        let before = state.planes;
        remove(&mut state.planes, &self.excluded[cell * N + digit]);
        self.propagate(state, &before)
    }

    fn rule_out(&mut self, state: &mut State<N, W, M>, cell: usize, digit: usize) -> bool {
        let before = state.planes;
        state.planes[digit][cell / 64] &= !(1 << (cell % 64));
        self.propagate(state, &before)
    }

    fn choose(&self, state: &State<N, W, M>) -> Option<(usize, usize)> {
        let sizes = state.counts.iter().map(|&count| u32::from(count));
        let set = smallest_by_weight(sizes, &self.weights)?;
        Some(match set.checked_sub(self.map.cells()) {
            None => (set, state.digits[set].smallest()),
            Some(set) => {
                let (house, digit) = (set / N, set % N);
                let cell = members(and(&state.planes[digit], &self.houses[house])).next();
                (cell?, digit)
            }
        })
    }

    fn map(&self) -> &Map<M> {
        &self.map
    }

    fn constraints(&self) -> &A {
        &self.constraints
    }

    fn excluded(&self, cell: usize, digit: usize, other: usize) -> &[u64] {
        &self.excluded[cell * N + digit][other]
    }
}

impl<const N: usize, const W: usize, M: Mask, A: Propagate> Exclusions<N, W, M, A> {
    /// Counts which candidates the members of a set exclude together, and removes what all of them exclude.
    fn add_limit(&mut self, set: usize) {
        let candidates: Vec<usize> = match set.checked_sub(self.map.cells()) {
            None => (set * N..(set + 1) * N).collect(),
            Some(set) => {
                let cells = self.map.cell_at[set - set % N..].iter().take(N);
                cells.map(|cell| cell * N + set % N).collect()
            }
        };
        let excluded = self.all_exclude(&candidates.iter().copied(), u64::first(N));
        remove(&mut self.all, &excluded);
        let mut counts = vec![0; self.excluded.len()];
        let (mut most, mut common) = (1, 0);
        for &candidate in &candidates {
            for (digit, &cells) in self.excluded[candidate].iter().enumerate() {
                for cell in members(cells) {
                    let other = cell * N + digit;
                    counts[other] += 1;
                    if counts[other] > 1 && !candidates.contains(&other) {
                        most = most.max(counts[other]);
                        common |= 1 << digit;
                    }
                }
            }
        }
        self.limits.push(most);
        self.common.push(common);
    }

    /// Propagates what was removed since `before`; false on a conflict, which is counted against its set.
    fn propagate(&mut self, state: &mut State<N, W, M>, before: &Planes<N, W>) -> bool {
        let settled = self.settle(state, before);
        if let Err(Conflict(set)) = settled {
            self.constraints.clear();
            self.weights[set] += 1;
        }
        settled.is_ok()
    }

    fn settle(
        &mut self,
        state: &mut State<N, W, M>,
        before: &Planes<N, W>,
    ) -> Result<(), Conflict> {
        let (mut before_singles, mut before_common) = (*before, *before);
        loop {
            while self.examine::<true>(state, &mut before_singles)? {}
            while let Some(gone) = self.constraints.next(&state.digits) {
                for &(cell, digits) in gone {
                    for digit in (digits & state.digits[cell].bits()).members() {
                        state.planes[digit][cell / 64] &= !(1 << (cell % 64));
                    }
                }
            }
            if state.planes != before_singles {
                continue;
            }
            self.examine::<false>(state, &mut before_common)?;
            if state.planes == before_singles {
                return Ok(());
            }
        }
    }

    /// Examines the sets that have changed since `before`, which becomes the state: the singles, and whether a set is
    /// empty, or else the sets of several members. Returns whether there were any.
    #[inline(always)]
    fn examine<const SINGLES: bool>(
        &mut self,
        state: &mut State<N, W, M>,
        before: &mut Planes<N, W>,
    ) -> Result<bool, Conflict> {
        let mut cells = [0; W];
        for digit in 0..N {
            for word in 0..W {
                before[digit][word] &= !state.planes[digit][word];
                cells[word] |= before[digit][word];
            }
        }
        let lost = core::mem::replace(before, state.planes);
        if cells == [0; W] {
            return Ok(false);
        }
        for cell in members(cells) {
            if SINGLES {
                let digits = (0..N).filter(|&digit| state.planes[digit][cell / 64].has(cell % 64));
                let digits = digits.fold(M::EMPTY, |all, digit| all | M::single(digit));
                state.digits[cell] = digits;
                state.counts[cell] = digits.len() as u8;
                self.constraints.touch(cell);
            }
            match state.counts[cell] {
                0 => return Err(Conflict(cell)),
                1 if SINGLES => {
                    let digit = state.digits[cell].smallest();
                    remove(&mut state.planes, &self.excluded[cell * N + digit]);
                }
                count if !SINGLES && count > 1 && count <= self.limits[cell] => {
                    let candidates = state.digits[cell].members().map(|digit| cell * N + digit);
                    let gone = self.all_exclude(&candidates, self.common[cell]);
                    remove(&mut state.planes, &gone);
                }
                _ => {}
            }
        }
        let cells = self.map.cells();
        for digit in 0..N {
            if lost[digit] == [0; W] {
                continue;
            }
            for group in 0..self.houses.len().div_ceil(64) {
                let houses_of = |cell| self.houses_of[group * cells + cell];
                let houses = members(lost[digit]).fold(0, |all, cell| all | houses_of(cell));
                for house in houses.members() {
                    let house = group * 64 + house;
                    let set = cells + house * N + digit;
                    let places = and(&state.planes[digit], &self.houses[house]);
                    if places == [0; W] {
                        return Err(Conflict(set));
                    }
                    if SINGLES {
                        state.counts[set] = places.iter().map(|word| word.len() as u8).sum();
                    }
                    match state.counts[set] {
                        1 if SINGLES => {
                            let cell = members(places).next().unwrap_or(0);
                            if state.digits[cell].has_several() {
                                remove(&mut state.planes, &self.excluded[cell * N + digit]);
                            }
                        }
                        count if !SINGLES && count > 1 && count <= self.limits[set] => {
                            let candidates = members(places).map(|cell| cell * N + digit);
                            let gone = self.all_exclude(&candidates, self.common[set]);
                            remove(&mut state.planes, &gone);
                        }
                        _ => {}
                    }
                }
            }
        }
        Ok(true)
    }

    /// The candidates of these digits that all of some candidates exclude.
    #[inline(always)]
    fn all_exclude(
        &self,
        candidates: &(impl Iterator<Item = usize> + Clone),
        digits: u64,
    ) -> Planes<N, W> {
        let mut all = [[0; W]; N];
        for digit in digits.members() {
            let excluded = candidates
                .clone()
                .map(|candidate| &self.excluded[candidate][digit]);
            all[digit] = excluded.fold([!0; W], |all, cells| and(&all, cells));
        }
        all
    }
}

/// Removes some candidates.
#[inline(always)]
fn remove<const N: usize, const W: usize>(planes: &mut Planes<N, W>, gone: &Planes<N, W>) {
    for (plane, gone) in planes.iter_mut().zip(gone) {
        for (word, gone) in plane.iter_mut().zip(gone) {
            *word &= !gone;
        }
    }
}

/// The cells that are in both sets.
#[inline(always)]
fn and<const W: usize>(one: &[u64; W], other: &[u64; W]) -> [u64; W] {
    core::array::from_fn(|word| one[word] & other[word])
}

/// The set and one more cell.
fn with<const W: usize>(mut set: [u64; W], cell: usize) -> [u64; W] {
    set[cell / 64] |= 1 << (cell % 64);
    set
}

/// The cells of a set.
#[inline(always)]
fn members<const W: usize>(set: [u64; W]) -> impl Iterator<Item = usize> + Clone {
    let words = set.into_iter().enumerate();
    words.flat_map(|(number, word)| word.members().map(move |bit| number * 64 + bit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use crate::engine::constraints::Agenda;
    use crate::rules::Constraint;

    #[test]
    fn candidates_exclude_consecutive_digits_of_neighbours() {
        let rules = Rules::<9>::classic().with(Constraint::nonconsecutive());
        let space = Exclusions::<9, 2, u16, Agenda>::new(&Layout::of_rules(&rules));
        let excluded = |other| members(space.excluded[40 * 9 + 4][other]).collect::<Vec<_>>();
        assert_eq!(excluded(5), [31, 39, 40, 41, 49]);
        // Of a digit that is not consecutive only the cell's own.
        assert_eq!(excluded(6), [40]);
        // The centre of a box excludes the digit from five of its cells.
        let centre = 81 + (18 + 4) * 9 + 5;
        assert_eq!(space.limits[centre], 5);
    }
}
