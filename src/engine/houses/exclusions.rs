//! A state as one set of cells for each digit, and what each candidate excludes.
//!
//! Every rule that two candidates break together is a bit of [`Exclusions::excluded`]: two digits in a cell, a digit twice
//! in a house, two consecutive digits in neighbours, two digits that no way to make a sum has together. All these rules
//! have one deduction: what every member of an exactly-one set excludes is false. With one member it is a naked or
//! hidden single, with several a locked candidate, or what a relation leaves of its cells' digits.
//!
//! A conflict counts against every cell without a digit; only where no cell is empty, against the house's set that is. The
//! cell at which both branches failed last is guessed first (Lecoutre, Sais, Tabary, Vidal: "Reasoning from last
//! conflict(s) in constraint programming", Artificial Intelligence, 2009).

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
    cells: [u64; W],
    /// By candidate (cell and digit): those that it excludes.
    excluded: Vec<Planes<N, W>>,
    /// The candidates of an empty grid.
    candidates: Planes<N, W>,
    /// By set, cells before houses: with more members they exclude no candidate together.
    limits: Vec<u8>,
    /// By set: the digits of candidates that several members exclude together.
    common: Vec<u64>,
    /// By group of 64 houses and cell: the houses of the cell, as bits.
    houses_of: Vec<u64>,
    /// By set: the conflicts in which it was left empty, and its weight at the start.
    weights: Vec<u32>,
    /// The cell of the last guess of which both branches failed.
    last_failed: Option<usize>,
    /// The sets of houses found to have one member, while they are examined.
    singles: Vec<usize>,
}

/// The weight at the start of a cell's set; that of a house's set is 1.
const CELL_WEIGHT: u32 = 2;

/// By digit: cells, as bits.
type Planes<const N: usize, const W: usize> = [[u64; W]; N];

#[derive(Debug)]
pub(crate) struct State<const N: usize, const W: usize, M> {
    planes: Planes<N, W>,
    /// The cells whose digit has been placed.
    placed: [u64; W],
    /// The candidates by cell.
    digits: Vec<M>,
    /// By set: its number of members.
    counts: Vec<u8>,
}

/// Not derived: `clone_from` keeps the memory.
impl<const N: usize, const W: usize, M: Mask> Clone for State<N, W, M> {
    fn clone(&self) -> Self {
        State {
            planes: self.planes,
            placed: self.placed,
            digits: self.digits.clone(),
            counts: self.counts.clone(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.planes = other.planes;
        self.placed = other.placed;
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
        let cells = (0..layout.cells).fold([0; W], with);
        let mut space = Exclusions {
            cells,
            candidates: [cells; N],
            limits: Vec::new(),
            common: Vec::new(),
            houses_of,
            weights: vec![1; layout.cells + map.cell_at.len()],
            last_failed: None,
            singles: Vec::new(),
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
            placed: [0; W],
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
        self.weights[..self.map.cells()].fill(CELL_WEIGHT);
        self.last_failed = None;
        self.constraints.start();
        let before = [self.cells; N];
        state.planes = self.candidates;
        state.placed = [0; W];
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
        let is_possible = self.propagate(state, &before);
        if !is_possible {
            self.last_failed = Some(cell);
        }
        is_possible
    }

    fn choose(&self, state: &State<N, W, M>) -> Option<(usize, usize)> {
        let last = self.last_failed.filter(|&cell| state.counts[cell] > 1);
        let sizes = state.counts.iter().map(|&count| u32::from(count));
        let set = last.or_else(|| smallest_by_weight(sizes, &self.weights))?;
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
        let mut left = self.candidates;
        self.remove_excluded(&mut left, &candidates.iter().copied(), u64::first(N));
        self.candidates = left;
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

    /// Propagates what was removed since `before`; false on a conflict, which is counted.
    fn propagate(&mut self, state: &mut State<N, W, M>, before: &Planes<N, W>) -> bool {
        let settled = self.settle(state, before);
        if let Err(Conflict(set)) = settled {
            self.constraints.clear();
            let filled = state
                .planes
                .iter()
                .fold([0; W], |all, plane| or(&all, plane));
            let mut empty = members(and(&self.cells, &filled.map(|word| !word))).peekable();
            if empty.peek().is_none() {
                self.weights[set] += 1;
            }
            for cell in empty {
                self.weights[cell] += 1;
            }
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
            loop {
                self.place_naked_singles(state)?;
                if !self.place_hidden_singles(state, &mut before_singles)? {
                    break;
                }
            }
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
            self.remove_common(state, &mut before_common);
            if state.planes == before_singles {
                return Ok(());
            }
        }
    }

    /// Places the digits of cells with one candidate, until there is no such cell.
    #[inline(always)]
    fn place_naked_singles(&self, state: &mut State<N, W, M>) -> Result<(), Conflict> {
        loop {
            let (mut once, mut twice) = ([0; W], [0; W]);
            for plane in &state.planes {
                twice = or(&twice, &and(&once, plane));
                once = or(&once, plane);
            }
            let mut is_settled = true;
            for word in 0..W {
                let empty = self.cells[word] & !once[word];
                if empty != 0 {
                    return Err(Conflict(word * 64 + empty.smallest()));
                }
                let singles = once[word] & !twice[word] & !state.placed[word];
                is_settled &= singles == 0;
                for bit in singles.members() {
                    // The digit may have been excluded by another single of this round: then the cell is empty.
                    let digit = (0..N).find(|&digit| state.planes[digit][word].has(bit));
                    if let Some(digit) = digit {
                        self.place_single(state, word * 64 + bit, digit);
                    }
                }
            }
            if is_settled {
                return Ok(());
            }
        }
    }

    #[inline(always)]
    fn place_single(&self, state: &mut State<N, W, M>, cell: usize, digit: usize) {
        state.placed[cell / 64] |= 1 << (cell % 64);
        remove(&mut state.planes, &self.excluded[cell * N + digit]);
    }

    /// Updates digits and counts by what was removed since `before`, which becomes the present, and places the hidden
    /// singles among the changed sets. Returns whether anything was removed.
    #[inline(always)]
    fn place_hidden_singles(
        &mut self,
        state: &mut State<N, W, M>,
        before: &mut Planes<N, W>,
    ) -> Result<bool, Conflict> {
        let lost = lost(&state.planes, before);
        let mut changed = [0; W];
        self.singles.clear();
        for digit in 0..N {
            changed = or(&changed, &lost[digit]);
            for word in 0..W {
                for bit in lost[digit][word].members() {
                    let cell = word * 64 + bit;
                    state.digits[cell] &= !M::single(digit);
                    let seats = self.map.seats_of[cell]..self.map.seats_of[cell + 1];
                    for seat in &self.map.seats[seats] {
                        let set = seat.sets + digit;
                        state.counts[set] -= 1;
                        match state.counts[set] {
                            0 => return Err(Conflict(set)),
                            1 => self.singles.push(set),
                            _ => {}
                        }
                    }
                }
            }
        }
        if changed == [0; W] {
            return Ok(false);
        }
        for cell in members(changed) {
            state.counts[cell] = state.digits[cell].len() as u8;
            self.constraints.touch(cell);
        }
        for &set in &self.singles {
            let of_house = set - self.map.cells();
            let (house, digit) = (of_house / N, of_house % N);
            let places = and(&state.planes[digit], &self.houses[house]);
            let cell = members(places).next().ok_or(Conflict(set))?;
            if !state.placed[cell / 64].has(cell % 64) {
                self.place_single(state, cell, digit);
            }
        }
        Ok(true)
    }

    /// Removes the candidates that all members of a set exclude, for the sets that have changed since `before`, which becomes
    /// the present.
    #[inline(always)]
    fn remove_common(&self, state: &mut State<N, W, M>, before: &mut Planes<N, W>) {
        let lost = lost(&state.planes, before);
        let cells = self.map.cells();
        for cell in members(lost.iter().fold([0; W], |all, plane| or(&all, plane))) {
            if self.may_exclude(state, cell) {
                let candidates = state.digits[cell].members().map(|digit| cell * N + digit);
                self.remove_excluded(&mut state.planes, &candidates, self.common[cell]);
            }
        }
        for digit in 0..N {
            for group in 0..self.houses.len().div_ceil(64) {
                let houses_of = &self.houses_of[group * cells..][..cells];
                let houses = members(lost[digit]).fold(0, |all, cell| all | houses_of[cell]);
                for house in houses.members() {
                    let house = group * 64 + house;
                    let set = cells + house * N + digit;
                    if self.may_exclude(state, set) {
                        let places = and(&state.planes[digit], &self.houses[house]);
                        let candidates = members(places).map(|cell| cell * N + digit);
                        self.remove_excluded(&mut state.planes, &candidates, self.common[set]);
                    }
                }
            }
        }
    }

    /// Whether a set has several members, but few enough to exclude a candidate together.
    #[inline(always)]
    fn may_exclude(&self, state: &State<N, W, M>, set: usize) -> bool {
        let count = state.counts[set];
        count > 1 && count <= self.limits[set]
    }

    /// Removes the candidates of these digits that all of some candidates exclude.
    #[inline(always)]
    fn remove_excluded(
        &self,
        planes: &mut Planes<N, W>,
        candidates: &(impl Iterator<Item = usize> + Clone),
        digits: u64,
    ) {
        for digit in digits.members() {
            let excluded = candidates
                .clone()
                .map(|candidate| &self.excluded[candidate][digit]);
            let all = excluded.fold([!0; W], |all, cells| and(&all, cells));
            planes[digit] = and(&planes[digit], &all.map(|word| !word));
        }
    }
}

/// The candidates removed since `before`, which becomes the present.
#[inline(always)]
fn lost<const N: usize, const W: usize>(
    planes: &Planes<N, W>,
    before: &mut Planes<N, W>,
) -> Planes<N, W> {
    let mut lost = core::mem::replace(before, *planes);
    remove(&mut lost, planes);
    lost
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

/// The cells that are in one of both sets.
#[inline(always)]
fn or<const W: usize>(one: &[u64; W], other: &[u64; W]) -> [u64; W] {
    core::array::from_fn(|word| one[word] | other[word])
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
