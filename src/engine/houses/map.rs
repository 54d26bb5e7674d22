//! The houses of some rules as index tables for an engine of bit sets.

use crate::engine::mask::Mask;
use crate::rules::Layout;

/// The relations between the sets under some rules.
#[derive(Clone, Debug)]
pub(crate) struct Map<M> {
    /// `cell_at[house * N + place]` is the cell.
    pub(super) cell_at: Vec<usize>,
    /// The seats of cell `c` are `seats[seats_of[c]..seats_of[c + 1]]`.
    pub(super) seats: Vec<Seat>,
    pub(super) seats_of: Vec<usize>,
    /// The crossings of `house * N + place` lie between `crossings_of[it]` and the next.
    pub(super) crossings: Vec<Crossing<M>>,
    pub(super) crossings_of: Vec<usize>,
    /// The cells that cannot hold the same digit as cell `c`, and share no house with it, are
    /// `peers[peers_of[c]..peers_of[c + 1]]`.
    pub(super) peers: Vec<usize>,
    pub(super) peers_of: Vec<usize>,
    /// By cell, `words` words: the cells that cannot hold the same digit. Empty unless there are `peers`.
    pub(super) sees: Vec<u64>,
    pub(super) words: usize,
}

/// A cell's place in one of its houses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat {
    /// The index of the house's set for digit 0.
    pub(super) sets: usize,
    pub(super) place: usize,
}

/// Two houses that share several cells: if a digit fits only there in one house, it is removed from
/// the rest of the other (a locked candidate).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossing<M> {
    /// The places of the first house that are not shared.
    pub(super) outside: M,
    /// The other house: the index of its first cell in `cell_at`.
    pub(super) other: usize,
    /// The places of the other house that are not shared.
    pub(super) other_outside: M,
}

impl<M: Mask> Map<M> {
    pub(super) fn new<const N: usize>(layout: &Layout) -> Self {
        let houses = &layout.houses;
        let cell_at: Vec<usize> = houses.iter().flat_map(|h| &h.cells).copied().collect();
        let mut places_of = vec![Vec::new(); layout.cells];
        for (at, &cell) in cell_at.iter().enumerate() {
            places_of[cell].push((at / N, at % N));
        }
        let (mut seats, mut seats_of) = (Vec::new(), vec![0]);
        for places in &places_of {
            seats.extend(places.iter().map(|&(house, place)| Seat {
                sets: layout.cells + house * N,
                place,
            }));
            seats_of.push(seats.len());
        }
        // shared[a * houses + b]: the places of house a whose cells are also in house b.
        let mut shared = vec![M::EMPTY; houses.len() * houses.len()];
        for places in &places_of {
            for &(a, place) in places {
                for &(b, _) in places {
                    shared[a * houses.len() + b] |= M::single(place);
                }
            }
        }
        let (mut crossings, mut crossings_of) = (Vec::new(), vec![0]);
        for (at, &cell) in cell_at.iter().enumerate() {
            let house = at / N;
            for &(other, _) in &places_of[cell] {
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
        let mut map = Map {
            cell_at,
            seats,
            seats_of,
            crossings,
            crossings_of,
            peers: Vec::new(),
            peers_of: vec![0; layout.cells + 1],
            sees: Vec::new(),
            words: layout.cells.div_ceil(64),
        };
        if layout.distinct().next().is_some() {
            map.add_peers(layout, &places_of);
        }
        map
    }

    /// Adds the pairs of cells that hold different digits but share no house.
    fn add_peers(&mut self, layout: &Layout, places_of: &[Vec<(usize, usize)>]) {
        let sight = layout.sight();
        for (one, sees) in sight.iter().enumerate() {
            let is_apart = |other: &usize| {
                let mut houses = places_of[one].iter().map(|place| place.0);
                sees[*other]
                    && !houses.any(|house| places_of[*other].iter().any(|place| place.0 == house))
            };
            self.peers.extend((0..layout.cells).filter(is_apart));
            self.peers_of[one + 1] = self.peers.len();
        }
        if self.peers.is_empty() {
            return;
        }
        self.sees = vec![0; layout.cells * self.words];
        for (one, sees) in sight.iter().enumerate() {
            for (other, _) in sees.iter().enumerate().filter(|(_, sees)| **sees) {
                self.sees[one * self.words + other / 64] |= 1 << (other % 64);
            }
        }
    }

    /// The number of cells.
    pub(super) fn cells(&self) -> usize {
        self.seats_of.len() - 1
    }

    /// The peers of a cell outside its houses.
    #[inline]
    pub(super) fn peers(&self, cell: usize) -> &[usize] {
        &self.peers[self.peers_of[cell]..self.peers_of[cell + 1]]
    }
}
