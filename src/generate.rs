//! Seeded puzzles: the same seed gives the same grids on every machine and in every version.
//!
//! That promise rules out asking an engine for a grid, because an engine may get cleverer and then
//! finds another one. Here an engine only ever counts solutions, and the number of solutions
//! depends on nobody's cleverness; what is drawn at random is drawn by code of this module.

use crate::engine::{self, Engine};
use crate::grid::{Cell, Digit, Grid};
use crate::rules::Rules;

/// A source of random numbers: SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom
/// number generators", OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence of this seed.
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `count - 1`, each as likely as the others.
    ///
    /// # Panics
    ///
    /// If `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        assert!(count > 0, "there is no number below 0");
        let count = count as u64;
        // The draws from `fair` on would make the small numbers likelier.
        let fair = u64::MAX - u64::MAX % count;
        loop {
            let draw = self.next_u64();
            if draw < fair {
                return (draw % count) as usize;
            }
        }
    }

    /// Puts the items into a random order, each order as likely as the others.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// How many grids [`Generator::unique`] and its like dig into before they give up.
const ATTEMPTS: usize = 100;

/// Makes grids and puzzles under some rules.
pub struct Generator<const N: usize> {
    random: Random,
    rules: Rules<N>,
    /// `houses_of[cell]`: the indices of the houses that the cell lies in.
    houses_of: Vec<Vec<usize>>,
    engine: Box<dyn Engine<N>>,
}

impl<const N: usize> Generator<N> {
    /// A generator of classic puzzles.
    pub fn new(seed: u64) -> Self {
        Self::with_rules(seed, &Rules::classic())
    }

    /// A generator of puzzles under `rules`. There must be a grid that they allow: where there is
    /// none, nothing is ever found.
    pub fn with_rules(seed: u64, rules: &Rules<N>) -> Self {
        let mut houses_of = vec![Vec::new(); N * N];
        for (index, house) in rules.houses().iter().enumerate() {
            for cell in house.cells() {
                houses_of[cell.index()].push(index);
            }
        }
        Generator {
            random: Random::new(seed),
            rules: rules.clone(),
            houses_of,
            engine: engine::fastest(rules),
        }
    }

    /// The random numbers that the puzzles are drawn from, for what a caller adds to them.
    pub fn random(&mut self) -> &mut Random {
        &mut self.random
    }

    /// A complete grid.
    pub fn complete(&mut self) -> Grid<N> {
        loop {
            // Some beginnings are unlucky: it is cheaper to start afresh than to see them through.
            let mut fill = Fill {
                random: &mut self.random,
                houses_of: &self.houses_of,
                held: vec![0; self.rules.houses().len()],
                grid: Grid::EMPTY,
                budget: 2 * N * N,
            };
            if fill.search() {
                return fill.grid;
            }
        }
    }

    /// A puzzle with one solution that has several as soon as any given is taken away.
    ///
    /// A 25x25 puzzle may take hours: from about 280 givens down, each proof of uniqueness is hard
    /// work, and there are hundreds of them. [`Generator::unique`] with 290 or more is quick.
    pub fn minimal(&mut self) -> Grid<N> {
        let mut puzzle = self.complete();
        self.dig(&mut puzzle, 0, 1);
        puzzle
    }

    /// A puzzle with one solution and exactly `givens` givens, or `None` when a hundred grids
    /// allowed none with so few.
    pub fn unique(&mut self, givens: usize) -> Option<Grid<N>> {
        for _ in 0..ATTEMPTS {
            let mut puzzle = self.complete();
            self.dig(&mut puzzle, givens, 1);
            if puzzle.count_givens() == givens {
                return Some(puzzle);
            }
        }
        None
    }

    /// A puzzle with exactly `solutions` solutions and at most `givens` givens, or `None` when a
    /// hundred grids gave none.
    ///
    /// The givens are taken from a puzzle with one solution until there are enough solutions, so
    /// that there are few less than `givens` where `solutions` is small.
    pub fn several(&mut self, solutions: u64, givens: usize) -> Option<Grid<N>> {
        for _ in 0..ATTEMPTS {
            let mut puzzle = self.complete();
            self.dig(&mut puzzle, givens, 1);
            while puzzle.count_givens() > 0 {
                let found = self.engine.count(&puzzle, solutions + 1);
                if found == solutions && puzzle.count_givens() <= givens {
                    return Some(puzzle);
                }
                let fewer = puzzle.count_givens() - 1;
                self.dig(&mut puzzle, fewer, solutions);
                if puzzle.count_givens() > fewer {
                    break;
                }
            }
        }
        None
    }

    /// A puzzle with exactly `givens` givens, no two of which clash, and no solution; or `None`
    /// when a hundred grids gave none.
    ///
    /// One of the givens, in no particular place, is the wrong digit.
    pub fn unsolvable(&mut self, givens: usize) -> Option<Grid<N>> {
        for _ in 0..ATTEMPTS {
            let mut puzzle = self.unique(givens.checked_sub(1)?)?;
            let solution = self.engine.first(&puzzle)?;
            let mut wrong: Vec<(Cell<N>, Digit<N>)> = Vec::new();
            for cell in Cell::all().filter(|&cell| puzzle.get(cell).is_none()) {
                for digit in Digit::all().filter(|&digit| solution.get(cell) != Some(digit)) {
                    let mut spoilt = puzzle;
                    spoilt.set(cell, Some(digit));
                    if self.rules.allow(&spoilt) {
                        wrong.push((cell, digit));
                    }
                }
            }
            if !wrong.is_empty() {
                let (cell, digit) = wrong[self.random.below(wrong.len())];
                puzzle.set(cell, Some(digit));
                return Some(puzzle);
            }
        }
        None
    }

    /// Takes givens away, in random order, as long as there are more than `givens` and the puzzle
    /// has no more than `solutions` solutions.
    fn dig(&mut self, puzzle: &mut Grid<N>, givens: usize, solutions: u64) {
        let mut held: Vec<(Cell<N>, Digit<N>)> = puzzle.givens().collect();
        self.random.shuffle(&mut held);
        let mut left = held.len();
        for (cell, digit) in held {
            if left <= givens {
                break;
            }
            puzzle.set(cell, None);
            if self.engine.count(puzzle, solutions + 1) > solutions {
                puzzle.set(cell, Some(digit));
            } else {
                left -= 1;
            }
        }
    }
}

/// A random search for a complete grid, which branches on a smallest set of candidates: the digits
/// of a cell or the places of a digit in a house.
struct Fill<'a, const N: usize> {
    random: &'a mut Random,
    houses_of: &'a [Vec<usize>],
    /// The digits that each house holds, as bits.
    held: Vec<u64>,
    grid: Grid<N>,
    /// How many more digits may be tried.
    budget: usize,
}

impl<const N: usize> Fill<'_, N> {
    /// Whether the grid could be completed; if so, it is.
    fn search(&mut self) -> bool {
        let mut branches = match self.smallest() {
            Some(branches) => branches,
            None => return true,
        };
        self.random.shuffle(&mut branches);
        for (cell, digit) in branches {
            if self.budget == 0 {
                return false;
            }
            self.budget -= 1;
            self.flip(cell, digit);
            self.grid.set(cell, Some(digit));
            if self.search() {
                return true;
            }
            self.flip(cell, digit);
            self.grid.set(cell, None);
        }
        false
    }

    fn flip(&mut self, cell: Cell<N>, digit: Digit<N>) {
        for &house in &self.houses_of[cell.index()] {
            self.held[house] ^= 1 << digit.index();
        }
    }

    /// The candidates of one of the smallest sets, drawn at random among them, or `None` when no
    /// cell is empty.
    fn smallest(&mut self) -> Option<Vec<(Cell<N>, Digit<N>)>> {
        let houses = self.held.len();
        // Candidates by cell, then by house and digit.
        let mut sizes = vec![0u32; N * N + houses * N];
        let mut candidates = Vec::new();
        for cell in Cell::all().filter(|&cell| self.grid.get(cell).is_none()) {
            let houses_of = &self.houses_of[cell.index()];
            let held = houses_of.iter().fold(0, |held, &h| held | self.held[h]);
            for digit in Digit::all().filter(|digit| held >> digit.index() & 1 == 0) {
                candidates.push((cell, digit));
                sizes[cell.index()] += 1;
                for &house in houses_of {
                    sizes[N * N + house * N + digit.index()] += 1;
                }
            }
        }
        let is_open = |set: usize| match set.checked_sub(N * N) {
            None => self.grid.get(Cell::from_index(set)).is_none(),
            Some(set) => self.held[set / N] >> (set % N) & 1 == 0,
        };
        let open: Vec<usize> = (0..sizes.len()).filter(|&set| is_open(set)).collect();
        let smallest = open.iter().map(|&set| sizes[set]).min()?;
        let ties: Vec<usize> = open
            .into_iter()
            .filter(|&set| sizes[set] == smallest)
            .collect();
        let chosen = ties[self.random.below(ties.len())];
        candidates.retain(|&(cell, digit)| match chosen.checked_sub(N * N) {
            None => cell.index() == chosen,
            Some(set) => {
                digit.index() == set % N && self.houses_of[cell.index()].contains(&(set / N))
            }
        });
        Some(candidates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_random_sequence_is_splitmix64() {
        // The first numbers of the reference implementation for seed 1234567.
        let mut random = Random::new(1_234_567);
        let drawn = [random.next_u64(), random.next_u64(), random.next_u64()];
        let reference = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(drawn, reference);
    }

    /// Pinned: whoever changes these grids changes every test case that was ever generated.
    #[test]
    fn a_seed_gives_the_same_grid_for_ever() {
        let rows = Generator::<4>::new(1).complete().to_rows();
        assert_eq!(
            rows,
            [[4, 3, 1, 2], [1, 2, 4, 3], [2, 1, 3, 4], [3, 4, 2, 1]]
        );
        let rows = Generator::<9>::new(1).complete().to_rows();
        assert_eq!(rows[0], [7, 3, 8, 6, 9, 1, 4, 2, 5]);
        assert_eq!(rows[8], [5, 6, 1, 8, 4, 2, 9, 3, 7]);
        let rows = Generator::<9>::new(1).minimal().to_rows();
        assert_eq!(rows[3], [3, 2, 0, 5, 0, 0, 7, 0, 0]);
        assert_eq!(rows[8], [0, 0, 1, 0, 0, 0, 0, 0, 0]);
    }

    fn makes_what_it_says<const N: usize>(givens: usize, rules: &Rules<N>) {
        let mut generator = Generator::with_rules(7, rules);
        let mut engine = engine::fastest(rules);
        assert!(rules.is_solved_by(&generator.complete()));
        let unique = generator.unique(givens).unwrap();
        assert_eq!(
            (unique.count_givens(), engine.count(&unique, 2)),
            (givens, 1)
        );
        let several = generator.several(3, givens).unwrap();
        assert!(several.count_givens() <= givens);
        assert_eq!(engine.count(&several, 4), 3);
        let unsolvable = generator.unsolvable(givens).unwrap();
        assert!(rules.allow(&unsolvable));
        assert_eq!(
            (unsolvable.count_givens(), engine.count(&unsolvable, 1)),
            (givens, 0)
        );
    }

    #[test]
    fn every_side_makes_what_it_says() {
        makes_what_it_says::<4>(6, &Rules::classic());
        makes_what_it_says::<9>(32, &Rules::classic());
        makes_what_it_says::<9>(32, &Rules::diagonal());
        makes_what_it_says::<16>(140, &Rules::classic());
        makes_what_it_says::<25>(380, &Rules::classic());
    }

    #[test]
    fn a_minimal_puzzle_needs_every_given() {
        let mut engine = engine::fastest(&Rules::classic());
        let puzzle = Generator::<9>::new(3).minimal();
        assert_eq!(engine.count(&puzzle, 2), 1);
        for (cell, _) in puzzle.givens() {
            let mut fewer = puzzle;
            fewer.set(cell, None);
            assert_eq!(engine.count(&fewer, 2), 2);
        }
    }
}
