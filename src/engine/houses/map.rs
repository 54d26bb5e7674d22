//! The houses of some rules as index tables for an engine of bit sets.

use crate::engine::mask::Mask;
use crate::rules::Rules;

/// The relations between the sets under some rules.
#[derive(Clone, Debug)]
pub(super) struct Map<M> {
    /// `cell_at[house * N + place]` is the cell.
    pub(super) cell_at: Vec<usize>,
    /// The seats of cell `c` are `seats[seats_of[c]..seats_of[c + 1]]`.
    pub(super) seats: Vec<Seat>,
    pub(super) seats_of: Vec<usize>,
    /// The crossings of `house * N + place` lie between `crossings_of[it]` and the next.
    pub(super) crossings: Vec<Crossing<M>>,
    pub(super) crossings_of: Vec<usize>,
}

/// A cell's place in one of its houses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat {
    /// The index of the house's set for digit 0.
    pub(super) sets: usize,
    pub(super) place: usize,
}

/// Two houses that share several cells: if a digit fits only there in one house, it is removed from
/// the rest of the other (a locked candidate).
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing<M> {
    /// The places of the first house that are not shared.
    pub(super) outside: M,
    /// The other house: the index of its first cell in `cell_at`.
    pub(super) other: usize,
    /// The places of the other house that are not shared.
    pub(super) other_outside: M,
}

impl<M: Mask> Map<M> {
    pub(super) fn new<const N: usize>(rules: &Rules<N>) -> Self {
        let houses = rules.houses();
        let cells = houses.iter().flat_map(|house| &house.cells);
        let cell_at: Vec<usize> = cells.map(|cell| cell.index()).collect();
        let seats_by_cell = || (0..N * N).map(|cell| rules.seats_of(cell));
        let (mut seats, mut seats_of) = (Vec::new(), vec![0]);
        for of_cell in seats_by_cell() {
            seats.extend(of_cell.iter().map(|seat| Seat {
                sets: N * N + seat.house * N,
                place: seat.place,
            }));
            seats_of.push(seats.len());
        }
        // shared[a * houses + b]: the places of house a whose cells are also in house b.
        let mut shared = vec![M::EMPTY; houses.len() * houses.len()];
        for seats in seats_by_cell() {
            for a in seats {
                for b in seats {
                    shared[a.house * houses.len() + b.house] |= M::single(a.place);
                }
            }
        }
        let (mut crossings, mut crossings_of) = (Vec::new(), vec![0]);
        for (at, &cell) in cell_at.iter().enumerate() {
            let house = at / N;
            for seat in rules.seats_of(cell) {
                let other = seat.house;
                let here = shared[house * houses.len() + other];
                if other != house && here.has_several() {
                    crossings.push(Crossing {
                        outside: M::first(N) & !here,
                        other: other * N,
                        other_outside: M::first(N) & !shared[other * houses.len() + house],
                    });
                }
            }
            crossings_of.push(crossings.len());
        }
        Map {
            cell_at,
            seats,
            seats_of,
            crossings,
            crossings_of,
        }
    }
}
