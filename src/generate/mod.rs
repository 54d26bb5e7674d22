//! Seeded puzzles: the same seed gives the same grids on every machine and in every version.
//!
//! That promise rules out asking an engine for a grid, because an engine may get cleverer and then
//! finds another one. Here an engine only ever counts solutions, and the number of solutions
//! does not depend on the engine; all random draws are made by code of this module.

mod fill;
mod minimize;
mod random;
#[cfg(test)]
mod tests;
mod variant;

pub use random::Random;
pub use variant::{Kind, overlapping};

use fill::fill;
use minimize::{BATCH, minimize_together};

use crate::engine::nine::Batch;
use crate::engine::{self, Engine, Method};
use crate::grid::{Cell, Digit, Grid};
use crate::rules::Rules;
use core::fmt;

/// No complete grid obeys the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsatisfiable;

impl fmt::Display for Unsatisfiable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no complete grid obeys the rules: check the regions, houses and cages")
    }
}

impl std::error::Error for Unsatisfiable {}

/// The number of grids that [`Generator::unique`] and similar functions try before they give up.
const ATTEMPTS: usize = 100;

/// Makes grids and puzzles under some rules.
pub struct Generator<const N: usize> {
    random: Random,
    rules: Rules<N>,
    engine: Box<dyn Method<N>>,
}

impl<const N: usize> Generator<N> {
    /// A generator of classic puzzles.
    pub fn new(seed: u64) -> Self {
        Self::unproven(seed, &Rules::classic())
    }

    /// Makes puzzles under `rules`.
    ///
    /// # Errors
    ///
    /// [`Unsatisfiable`] when no complete grid obeys the rules, as under some jigsaw maps.
    pub fn with_rules(seed: u64, rules: &Rules<N>) -> Result<Self, Unsatisfiable> {
        let mut generator = Self::unproven(seed, rules);
        // A random grid is the quickest proof that there is one, but only a search can refute it.
        let mut random = Random::new(0);
        if fill(&mut random, rules).is_some() || generator.engine.count(&Grid::EMPTY, 1) > 0 {
            Ok(generator)
        } else {
            Err(Unsatisfiable)
        }
    }

    /// The generator, without the proof that a complete grid exists.
    fn unproven(seed: u64, rules: &Rules<N>) -> Self {
        Generator {
            random: Random::new(seed),
            rules: rules.clone(),
            engine: engine::fastest(rules),
        }
    }

    /// The random numbers that the puzzles are drawn from, for what a caller adds to them.
    pub fn random(&mut self) -> &mut Random {
        &mut self.random
    }

    /// A complete grid.
    pub fn complete(&mut self) -> Grid<N> {
        fill(&mut self.random, &self.rules).unwrap_or_else(|| self.complete_by_search())
    }

    /// A complete grid for rules under which random attempts rarely succeed: digits in random order, each
    /// kept if the engine finds a solution with it.
    fn complete_by_search(&mut self) -> Grid<N> {
        let mut grid = Grid::EMPTY;
        let mut cells: Vec<Cell<N>> = Cell::all().collect();
        self.random.shuffle(&mut cells);
        let mut digits: Vec<Digit<N>> = Digit::all().collect();
        for cell in cells {
            self.random.shuffle(&mut digits);
            for &digit in &digits {
                grid.set(cell, Some(digit));
                if self.engine.count(&grid, 1) > 0 {
                    break;
                }
            }
        }
        grid
    }

    /// A puzzle with one solution that has several if any given is removed.
    ///
    /// A 25x25 puzzle may take hours: from about 280 givens down, each proof of uniqueness is hard
    /// work, and there are hundreds of them. [`Generator::unique`] with 290 or more is quick.
    pub fn minimal(&mut self) -> Grid<N> {
        let mut puzzle = self.complete();
        self.dig(&mut puzzle, 0, 1);
        puzzle
    }

    /// `count` minimal puzzles, the same that as many calls of [`Generator::minimal`] make.
    ///
    /// Classic 9x9 puzzles are made many at a time, each step of all of them checked together by
    /// [`Batch`]: several times as fast as one by one.
    pub fn minimals(&mut self, count: usize) -> Vec<Grid<N>> {
        if N != 9 || !self.rules.is_classic() {
            return (0..count).map(|_| self.minimal()).collect();
        }
        let mut puzzles = Vec::with_capacity(count);
        let mut batch = Batch::new();
        while puzzles.len() < count {
            // The random numbers are drawn as `minimal` draws them; the checks need none.
            let together: Vec<(Grid<9>, Vec<usize>)> = (puzzles.len()..count)
                .take(BATCH)
                .filter_map(|_| {
                    let full = *self.complete().as_side()?;
                    let mut order: Vec<usize> = (0..N * N).collect();
                    self.random.shuffle(&mut order);
                    Some((full, order))
                })
                .collect();
            let minimal = minimize_together(&mut batch, &together);
            puzzles.extend(minimal.iter().filter_map(Grid::as_side));
        }
        puzzles
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
    /// that there are few less than `givens` where `solutions` is small. `None` for `u64::MAX` too:
    /// no count can rule out one more.
    pub fn several(&mut self, solutions: u64, givens: usize) -> Option<Grid<N>> {
        let too_many = solutions.checked_add(1)?;
        for _ in 0..ATTEMPTS {
            let mut puzzle = self.complete();
            self.dig(&mut puzzle, givens, 1);
            loop {
                let found = self.engine.count(&puzzle, too_many);
                if found == solutions && puzzle.count_givens() <= givens {
                    return Some(puzzle);
                }
                let Some(fewer) = puzzle.count_givens().checked_sub(1) else {
                    break;
                };
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

    /// Rules with cages that leave the empty grid one solution: a killer puzzle. The cages cover the
    /// grid and have at most `most` cells each.
    ///
    /// Cages are drawn over a complete grid, then split where they leave several solutions.
    pub fn killer(&mut self, most: usize) -> Rules<N> {
        let solution = self.complete();
        let mut cages = self.partition(&solution, most.clamp(1, N));
        loop {
            let rules = cages.iter().fold(self.rules.clone(), |rules, cells| {
                let digits = cells.iter().filter_map(|&cell| solution.get(cell));
                let sum = digits.map(|digit| u32::from(digit.value())).sum();
                match rules.with_cage(cells, sum) {
                    Ok(rules) => rules,
                    Err(_) => unreachable!("the cells of a cage hold different digits"),
                }
            });
            let found = engine::fastest(&rules).solutions(&Grid::EMPTY, 2);
            let Some(other) = found.iter().find(|&found| *found != solution) else {
                return rules;
            };
            let cells: Vec<Cell<N>> = Cell::all()
                .filter(|&cell| other.get(cell) != solution.get(cell))
                .collect();
            let cell = cells[self.random.below(cells.len())];
            if let Some(cage) = cages.iter_mut().find(|cage| cage.contains(&cell)) {
                cage.retain(|&held| held != cell);
                cages.push(vec![cell]);
            }
        }
    }

    /// All cells in cages of neighbours that hold different digits, each of up to `most` cells.
    fn partition(&mut self, solution: &Grid<N>, most: usize) -> Vec<Vec<Cell<N>>> {
        let mut is_free = vec![true; N * N];
        let mut order: Vec<Cell<N>> = Cell::all().collect();
        self.random.shuffle(&mut order);
        let mut cages = Vec::new();
        for first in order {
            if !core::mem::replace(&mut is_free[first.index()], false) {
                continue;
            }
            let mut cage = vec![first];
            let size = 1 + self.random.below(most).max(usize::from(most > 1));
            while cage.len() < size {
                let fits = |cell: &Cell<N>| {
                    let is_beside = |held: &Cell<N>| {
                        held.row().abs_diff(cell.row()) + held.column().abs_diff(cell.column()) == 1
                    };
                    is_free[cell.index()]
                        && cage.iter().any(is_beside)
                        && cage
                            .iter()
                            .all(|&held| solution.get(held) != solution.get(*cell))
                };
                let beside: Vec<Cell<N>> = Cell::all().filter(fits).collect();
                if beside.is_empty() {
                    break;
                }
                let cell = beside[self.random.below(beside.len())];
                is_free[cell.index()] = false;
                cage.push(cell);
            }
            cages.push(cage);
        }
        cages
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
            if self.engine.count(puzzle, solutions.saturating_add(1)) > solutions {
                puzzle.set(cell, Some(digit));
            } else {
                left -= 1;
            }
        }
    }
}
