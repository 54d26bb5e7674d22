//! Bitmask views, singles and locked candidates, and guesses where searches have failed most.

use super::learning;
use super::root::{self, Root};
use super::views::{Agenda, Placement, SetId, Views};
use crate::engine::mask::Mask;
use crate::engine::{Engine, Statistics, Visitor};
use crate::grid::{Digit, Grid};

/// See [`crate::engine::big`].
#[derive(Clone, Debug, Default)]
pub struct LargeViews<const N: usize>(());

impl<const N: usize> LargeViews<N> {
    /// The engine.
    pub fn new() -> Self {
        LargeViews(())
    }
}

impl<const N: usize> Engine<N> for LargeViews<N> {
    fn search(&mut self, puzzle: &Grid<N>, visit: &mut Visitor<'_, N>) -> Statistics {
        search(puzzle, u64::MAX, visit)
    }
}

/// The engine for any large grid: searches like [`LargeViews`] until that has failed often, then
/// like [`Learning`](super::Learning).
#[derive(Clone, Debug, Default)]
pub struct Large<const N: usize>(());

impl<const N: usize> Large<N> {
    /// The engine.
    pub fn new() -> Self {
        Large(())
    }
}

impl<const N: usize> Engine<N> for Large<N> {
    fn search(&mut self, puzzle: &Grid<N>, visit: &mut Visitor<'_, N>) -> Statistics {
        let patience = if N <= 16 { PATIENCE_16 } else { PATIENCE_25 };
        search(puzzle, patience, visit)
    }
}

/// Contradictions in a row, without a solution, after which learning is quicker: measured.
const PATIENCE_16: u64 = 2000;
/// The same for 25x25 and more.
const PATIENCE_25: u64 = 1000;
/// Solutions that are carried over when the search changes; where there are more, it does not.
const MOST_CARRIED: usize = 64;

fn search<const N: usize>(
    puzzle: &Grid<N>,
    patience: u64,
    visit: &mut Visitor<'_, N>,
) -> Statistics {
    if N <= 16 {
        Search::<N, u16>::run(puzzle, patience, visit)
    } else if N <= 32 {
        Search::<N, u32>::run(puzzle, patience, visit)
    } else {
        Search::<N, u64>::run(puzzle, patience, visit)
    }
}

/// What follows from the givens of a 16x16 puzzle before any guess.
fn root_of<const N: usize>(puzzle: &Grid<N>) -> (root::Cells, Root) {
    let mut cells = [[!0; 16]; 16];
    for (cells, line) in cells.iter_mut().zip(puzzle.rows()) {
        for (cell, held) in cells.iter_mut().zip(line) {
            *cell = held.map_or(!0, |digit| 1 << digit.index());
        }
    }
    let root = root::settle(&mut cells);
    (cells, root)
}

/// The grid in which every cell has one candidate.
fn solution_of<const N: usize>(cells: &root::Cells) -> Grid<N> {
    let mut grid = Grid::EMPTY;
    for (line, cells) in grid.rows_mut().iter_mut().zip(cells) {
        for (cell, digits) in line.iter_mut().zip(cells) {
            *cell = Digit::new(digits.trailing_zeros() as u8 + 1);
        }
    }
    grid
}

struct Search<'a, 'v, const N: usize, M> {
    puzzle: &'a Grid<N>,
    views: Views<N, M>,
    agenda: Agenda,
    /// The views before each guess that still stands, and the guess.
    stack: Vec<(Views<N, M>, Placement)>,
    /// By view and set: one more than the contradictions that turned up in it.
    weights: [[[f32; N]; N]; 4],
    /// By view and line of sets: the greatest of its weights.
    heaviest: [[f32; N]; 4],
    /// Solutions found under the first guess that stands, up to one more than are carried over.
    found: Vec<Grid<N>>,
    /// Contradictions before the search changes over to learning.
    patience: u64,
    failures: u64,
    statistics: Statistics,
    visit: &'a mut Visitor<'v, N>,
}

impl<'a, 'v, const N: usize, M: Mask> Search<'a, 'v, N, M> {
    fn run(puzzle: &'a Grid<N>, patience: u64, visit: &'a mut Visitor<'v, N>) -> Statistics {
        // Most of a 16x16 grid, often all, is filled before any view is made.
        let mut cells = [[M::EMPTY; N]; N];
        if N == 16 {
            let settled = root_of(puzzle);
            let statistics = Statistics {
                nodes: 1,
                guesses: 0,
            };
            match settled {
                (_, Root::Dead) => return statistics,
                (cells, Root::Solved) => {
                    let solution = solution_of(&cells);
                    // Nothing is left to look at, whether the search is to go on or not.
                    let _ = visit(&solution);
                    return statistics;
                }
                (left, Root::Open) => {
                    for (line, left) in cells.iter_mut().zip(&left) {
                        for (cell, &left) in line.iter_mut().zip(left) {
                            *cell = M::from(left);
                        }
                    }
                }
            }
        }
        let mut search: Search<'_, '_, N, M> = Search {
            puzzle,
            views: Views::<N, M>::empty(),
            agenda: Agenda::default(),
            stack: Vec::new(),
            weights: [[[1.0; N]; N]; 4],
            heaviest: [[1.0; N]; 4],
            found: Vec::new(),
            patience,
            failures: 0,
            statistics: Statistics::default(),
            visit,
        };
        let loaded = if N == 16 {
            search.views.load_cells(&cells, &mut search.agenda)
        } else {
            search.views.load(puzzle, &mut search.agenda)
        };
        if loaded.is_ok() {
            search.work();
        }
        search.statistics
    }

    /// Goes through the tree of guesses: a candidate placed, and when that leads nowhere, removed.
    fn work(&mut self) {
        loop {
            self.statistics.nodes += 1;
            match self.views.propagate(&mut self.agenda) {
                Ok(()) => match self.choose() {
                    Some(guess) => {
                        self.statistics.guesses += 1;
                        self.stack.push((self.views.clone(), guess));
                        self.agenda.placements.push(guess);
                        continue;
                    }
                    None => {
                        let solution = self.views.solution(self.puzzle);
                        if (self.visit)(&solution).is_break() {
                            return;
                        }
                        if self.found.len() <= MOST_CARRIED && self.patience != u64::MAX {
                            self.found.push(solution);
                        }
                        self.failures = 0;
                    }
                },
                Err(failed) => self.blame(failed),
            }
            let impatient = self.failures >= self.patience && self.found.len() <= MOST_CARRIED;
            if impatient && !self.stack.is_empty() {
                // Everything is still to be searched that the first guess left open.
                let (puzzle, views) = (self.puzzle, &self.stack[0].0);
                learning::finish(puzzle, views, &self.found, &mut self.statistics, self.visit);
                return;
            }
            // Back to the last guess: it is wrong, or its solutions are all found.
            loop {
                let (views, guess) = match self.stack.pop() {
                    Some(guess) => guess,
                    None => return,
                };
                if self.stack.is_empty() {
                    self.found.clear();
                }
                self.views = views;
                self.agenda.clear();
                let (r, c, d) = (
                    usize::from(guess.row),
                    usize::from(guess.column),
                    usize::from(guess.digit),
                );
                match self.views.remove(r, c, d, &mut self.agenda) {
                    Ok(()) => break,
                    Err(failed) => self.blame(failed),
                }
            }
        }
    }

    fn blame(&mut self, failed: SetId) {
        self.failures += 1;
        let (view, major) = (failed.view as usize, usize::from(failed.major));
        let weight = &mut self.weights[view][major][usize::from(failed.minor)];
        *weight += 1.0;
        let heaviest = &mut self.heaviest[view][major];
        *heaviest = heaviest.max(*weight);
    }

    /// A candidate of the open set with the fewest members for its weight.
    fn choose(&self) -> Option<Placement> {
        let mut best = None;
        let mut best_score = 0.0f32;
        for (view, sets) in self.views.all() {
            for major in 0..N {
                // A set has two members at least: most lines, and most sets, need no count.
                if self.heaviest[view as usize][major] <= best_score * 2.0 {
                    continue;
                }
                let weights = &self.weights[view as usize][major];
                for minor in self.views.open[view as usize][major].members() {
                    let weight = weights[minor];
                    if weight <= best_score * 2.0 {
                        continue;
                    }
                    let set = sets[major][minor];
                    let score = weight / set.len() as f32;
                    if score > best_score {
                        best_score = score;
                        best = Some((SetId::new(view, major, minor), set.smallest()));
                    }
                }
            }
        }
        best.map(|(set, k)| set.candidate::<N>(k))
    }
}
