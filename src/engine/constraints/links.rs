//! Candidates that exclude each other because of a constraint.

use super::table::Table;
use crate::engine::mask::Mask;

/// By candidate, the candidates of other digits that it excludes: those of its own cell, and those that no row of a
/// constraint's table has together with it.
#[derive(Clone, Debug)]
pub(crate) struct Links {
    side: usize,
    /// The words of a set of cells.
    words: usize,
    /// By candidate (cell and digit): the digits of which it excludes candidates in other cells.
    digits: Vec<u64>,
    /// By candidate and other digit: the number of its set in `sets`, from 1; 0 without exclusions in other cells.
    numbers: Vec<u32>,
    /// Sets of cells, `words` words each.
    sets: Vec<u64>,
}

/// The maximum number of pairs of a candidate and a digit: side 25 has fewer, side 36 more.
const MAX_PAIRS: usize = 1 << 20;

impl Links {
    /// The links of some tables; `None` if there are none, or the grid is too large.
    pub(super) fn new<'a>(
        tables: impl Iterator<Item = &'a Table>,
        cells: usize,
        side: usize,
    ) -> Option<Self> {
        let pairs = cells * side * side;
        if pairs > MAX_PAIRS {
            return None;
        }
        let mut links = Links {
            side,
            words: cells.div_ceil(64),
            digits: vec![0; cells * side],
            numbers: vec![0; pairs],
            sets: Vec::new(),
        };
        for table in tables {
            table.for_each_exclusion(|[one, other]| {
                links.add(one, other);
                links.add(other, one);
            });
        }
        (!links.sets.is_empty()).then_some(links)
    }

    fn add(&mut self, (cell, digit): (usize, usize), (other, other_digit): (usize, usize)) {
        let candidate = cell * self.side + digit;
        self.digits[candidate] |= 1 << other_digit;
        let number = &mut self.numbers[candidate * self.side + other_digit];
        if *number == 0 {
            self.sets.extend((0..self.words).map(|_| 0));
            *number = (self.sets.len() / self.words) as u32;
            let start = self.sets.len() - self.words;
            self.sets[start + cell / 64] |= 1 << (cell % 64);
        }
        let start = (*number as usize - 1) * self.words;
        self.sets[start + other / 64] |= 1 << (other % 64);
    }

    /// The digits of which a candidate excludes candidates in other cells.
    #[inline]
    pub(crate) fn digits(&self, cell: usize, digit: usize) -> u64 {
        self.digits[cell * self.side + digit]
    }

    /// The number of words of a set of cells.
    pub(crate) fn word_count(&self) -> usize {
        self.words
    }

    /// A word of the set of cells in which a candidate excludes another digit.
    #[inline]
    pub(crate) fn excluded(&self, cell: usize, digit: usize, other: usize, word: usize) -> u64 {
        match self.numbers[(cell * self.side + digit) * self.side + other] {
            0 if cell / 64 == word => 1 << (cell % 64),
            0 => 0,
            number => self.sets[(number as usize - 1) * self.words + word],
        }
    }

    /// Whether a candidate excludes another digit in a cell.
    pub(crate) fn excludes(&self, cell: usize, digit: usize, other: usize, at: usize) -> bool {
        self.excluded(cell, digit, other, at / 64).has(at % 64)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Agenda, Propagate};
    use crate::Rules;
    use crate::rules::{Constraint, Layout};

    #[test]
    fn candidates_exclude_consecutive_digits_of_neighbours() {
        let rules = Rules::<9>::classic().with(Constraint::nonconsecutive());
        let agenda = Agenda::new(&Layout::of_rules(&rules));
        let links = agenda.links(2).expect("links");
        assert_eq!(links.digits(40, 4), 0b101000);
        let excluded = |digit, other| -> Vec<usize> {
            (0..81)
                .filter(|&cell| links.excludes(40, digit, other, cell))
                .collect()
        };
        assert_eq!(excluded(4, 5), [31, 39, 40, 41, 49]);
        // Without a link only the cell itself.
        assert_eq!(excluded(4, 6), [40]);
        assert!(
            Agenda::new(&Layout::of_rules(&Rules::<9>::classic()))
                .links(2)
                .is_none()
        );
    }
}
