//! Techniques that follow a digit with two places, or try the candidates of a cell or the places
//! of a digit.

use super::Technique;
use super::marks::{Marks, Move};
use crate::engine::Mask;

const CHAIN: Technique = Technique::ForcingChain;

impl Marks<'_> {
    /// Simple colouring: places of a digit that are linked by houses with two places each are
    /// coloured in turn, so that one of the colours is true.
    pub(super) fn colouring(&self) -> Option<Move> {
        (0..self.topology.side).find_map(|digit| self.colouring_of(digit))
    }

    fn colouring_of(&self, digit: usize) -> Option<Move> {
        let count = self.digits.len();
        let mut links = vec![Vec::new(); count];
        for (house, cells) in self.topology.cells.iter().enumerate() {
            let places = self.places(house, digit);
            if places.count_ones() == 2 {
                let (one, other) = (cells[places.trailing_zeros() as usize], {
                    cells[63 - places.leading_zeros() as usize]
                });
                links[one].push(other);
                links[other].push(one);
            }
        }
        let mut colour = vec![None; count];
        for start in 0..count {
            if colour[start].is_some() || links[start].is_empty() {
                continue;
            }
            // The cells linked with this one, by colour.
            let mut coloured = [vec![start], Vec::new()];
            colour[start] = Some(0);
            let mut next = vec![start];
            while let Some(cell) = next.pop() {
                let other = 1 - colour[cell].unwrap_or(0);
                for &linked in &links[cell] {
                    if colour[linked].is_none() {
                        colour[linked] = Some(other);
                        coloured[other].push(linked);
                        next.push(linked);
                    }
                }
            }
            let sees = |cell: usize, cells: &[usize]| cells.iter().any(|&c| self.sees(c, cell));
            let is_false = |colour: &&Vec<usize>| colour.iter().any(|&cell| sees(cell, colour));
            let removed: Vec<(usize, u64)> = match coloured.iter().find(is_false) {
                // Two cells of a colour see each other, so that colour is false.
                Some(wrong) => wrong.iter().map(|&cell| (cell, 1 << digit)).collect(),
                None => (0..count)
                    .filter(|&cell| sees(cell, &coloured[0]) && sees(cell, &coloured[1]))
                    .filter_map(|cell| self.removal(cell, 1 << digit))
                    .filter(|(cell, _)| !coloured.iter().any(|cells| cells.contains(cell)))
                    .collect(),
            };
            let cells = coloured.into_iter().flatten();
            let step = Move::removing(Technique::SimpleColouring, [], cells, 1 << digit, removed);
            if step.is_some() {
                return step;
            }
        }
        None
    }

    /// Forcing chains: the consequences by singles of each digit of a cell, or of each place of a digit in
    /// a house. A candidate that leads to a contradiction is false; a common consequence is true.
    pub(super) fn forcing_chain(&self) -> Option<Move> {
        let count = self.digits.len();
        let side = self.topology.side;
        // What is left if a candidate is true; nothing where that is contradictory.
        let mut ends: Vec<Option<Vec<u64>>> = vec![None; count * side];
        for cell in self.open() {
            for digit in self.digits[cell].members() {
                match self.follow(cell, digit) {
                    Some(end) => ends[cell * side + digit] = Some(end),
                    None => {
                        let removed = vec![(cell, 1 << digit)];
                        return Move::removing(CHAIN, [], [cell], 1 << digit, removed);
                    }
                }
            }
        }
        let common = |candidates: &[(usize, usize)]| {
            let mut union = vec![0u64; count];
            for &(cell, digit) in candidates {
                let end = ends[cell * side + digit].as_ref()?;
                for (union, end) in union.iter_mut().zip(end) {
                    *union |= end;
                }
            }
            let removed = (0..count).filter_map(|cell| self.removal(cell, !union[cell]));
            Some(removed.collect())
        };
        for cell in self.open() {
            let digits = self.digits[cell];
            let candidates: Vec<(usize, usize)> = digits.members().map(|d| (cell, d)).collect();
            let chain = |removed| Move::removing(CHAIN, [], [cell], digits, removed);
            let step = common(&candidates).and_then(chain);
            if step.is_some() {
                return step;
            }
        }
        for (house, cells) in self.topology.cells.iter().enumerate() {
            for digit in 0..side {
                let places = self
                    .places(house, digit)
                    .members()
                    .map(|place| cells[place]);
                let places: Vec<usize> = places.collect();
                if places.len() < 2 {
                    continue;
                }
                let candidates: Vec<(usize, usize)> = places.iter().map(|&c| (c, digit)).collect();
                let chain = |removed| Move::removing(CHAIN, [house], places, 1 << digit, removed);
                let step = common(&candidates).and_then(chain);
                if step.is_some() {
                    return step;
                }
            }
        }
        None
    }

    /// The candidates that singles leave if the cell holds the digit, or `None` if they lead to a
    /// contradiction.
    fn follow(&self, cell: usize, digit: usize) -> Option<Vec<u64>> {
        let mut marks = self.clone();
        marks.place(cell, digit);
        loop {
            if marks.digits.contains(&0) {
                return None;
            }
            for house in 0..marks.topology.cells.len() {
                let cells = marks.topology.cells[house].iter();
                let all = cells.fold(0, |all, &cell| all | marks.digits[cell]);
                if all.count_ones() as usize != marks.topology.side {
                    return None;
                }
            }
            let single = marks
                .find(Technique::NakedSingle)
                .or_else(|| marks.find(Technique::HiddenSingle));
            match single {
                Some(step) => marks.apply(&step),
                None => break,
            }
        }
        let fits = |sum| {
            let gone = marks.prune(sum);
            gone.iter().all(|&(cell, gone)| marks.digits[cell] != gone)
        };
        marks.topology.sums.iter().all(fits).then_some(marks.digits)
    }
}
