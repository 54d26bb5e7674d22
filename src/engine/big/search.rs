//! The search on bitmask views: singles and locked candidates, and guesses where searches have
//! failed most. After too many contradictions the strategy's other search may take over.

use super::propagate16::{self, Root};
use super::views::{Agenda, Placement, SetId, View, Views};
use crate::engine::mask::Mask;
use crate::engine::{Statistics, Visitor};
use crate::grid::Grid;

/// A strategy: the search that takes over from the one on views, and when.
pub trait Plan {
    /// Contradictions in a row, without a solution, after which `finish` takes over: 0 for before
    /// the first guess, `u64::MAX` for never.
    fn patience(side: usize) -> u64;

    /// Passes every solution below `views` to `visit`, except those already `found`.
    fn finish<const N: usize, M: Mask>(
        puzzle: &Grid<N>,
        views: &Views<N, M>,
        found: &[Grid<N>],
        statistics: &mut Statistics,
        visit: &mut Visitor<'_, N>,
    );
}

/// The maximum number of solutions that are carried over to the other search; with more, the search
/// does not change.
const MAX_CARRIED: usize = 64;

/// Passes every solution of `puzzle` to `visit` until it breaks.
pub fn search<const N: usize, P: Plan>(puzzle: &Grid<N>, visit: &mut Visitor<'_, N>) -> Statistics {
    // `const`, so that only the branch for this side is compiled.
    if const { N <= 16 } {
        Search::<N, u16>::run::<P>(puzzle, visit)
    } else if const { N <= 32 } {
        Search::<N, u32>::run::<P>(puzzle, visit)
    } else {
        Search::<N, u64>::run::<P>(puzzle, visit)
    }
}

/// The consequences of the givens of a 16x16 puzzle before any guess.
fn root_of<const N: usize>(puzzle: &Grid<N>) -> (propagate16::Cells, Root) {
    let mut cells = [[!0; 16]; 16];
    for (cells, line) in cells.iter_mut().zip(puzzle.rows()) {
        for (cell, held) in cells.iter_mut().zip(line) {
            *cell = if *held == 0 { !0 } else { 1 << (held - 1) };
        }
    }
    let root = propagate16::settle(&mut cells);
    (cells, root)
}

/// The grid in which every cell has one candidate.
fn solution_of<const N: usize>(cells: &propagate16::Cells) -> Grid<N> {
    let mut grid = Grid::EMPTY;
    for (line, cells) in grid.rows_mut().iter_mut().zip(cells) {
        for (cell, digits) in line.iter_mut().zip(cells) {
            *cell = digits.trailing_zeros() as u8 + 1;
        }
    }
    grid
}

struct Search<'a, 'v, const N: usize, M> {
    puzzle: &'a Grid<N>,
    views: Views<N, M>,
    agenda: Agenda,
    /// The current guesses, each with the views before it.
    stack: Vec<(Views<N, M>, Placement)>,
    /// By view and set: one more than the contradictions that turned up in it.
    weights: [[[f32; N]; N]; 4],
    /// By view and line of sets: the maximum of its weights.
    heaviest: [[f32; N]; 4],
    /// Solutions found under the first current guess, up to `MAX_CARRIED + 1`.
    found: Vec<Grid<N>>,
    /// Contradictions since the last solution.
    failures: u64,
    statistics: Statistics,
    visit: &'a mut Visitor<'v, N>,
}

impl<'a, 'v, const N: usize, M: Mask> Search<'a, 'v, N, M> {
    fn run<P: Plan>(puzzle: &'a Grid<N>, visit: &'a mut Visitor<'v, N>) -> Statistics {
        // Most of a 16x16 grid, often all, is filled before any view is made.
        let mut cells = [[M::EMPTY; N]; N];
        if const { N == 16 } {
            let settled = root_of(puzzle);
            let statistics = Statistics {
                nodes: 1,
                guesses: 0,
            };
            match settled {
                (_, Root::Dead) => return statistics,
                (cells, Root::Solved) => {
                    let solution = solution_of(&cells);
                    // The search is complete, independent of what the visitor returns.
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
            failures: 0,
            statistics: Statistics::default(),
            visit,
        };
        let loaded = if const { N == 16 } {
            search.views.load_settled(&cells, &mut search.agenda);
            Ok(())
        } else {
            search.views.load(puzzle, &mut search.agenda)
        };
        if loaded.is_ok() {
            search.work::<P>();
        }
        search.statistics
    }

    /// Searches the tree of guesses: places a candidate and, after its subtree, removes it.
    fn work<P: Plan>(&mut self) {
        let patience = P::patience(N);
        if patience == 0 {
            self.statistics.nodes += 1;
            if self.views.propagate(&mut self.agenda).is_ok() {
                let (puzzle, views) = (self.puzzle, &self.views);
                P::finish(puzzle, views, &[], &mut self.statistics, self.visit);
            }
            return;
        }
        loop {
            self.statistics.nodes += 1;
            match self.views.propagate(&mut self.agenda) {
                Ok(()) => match self.choose() {
                    Some(guess) => {
                        self.statistics.guesses += 1;
                        self.stack.push((self.views, guess));
                        self.agenda.placements.push(guess);
                        continue;
                    }
                    None => {
                        let solution = self.views.solution(self.puzzle);
                        if (self.visit)(&solution).is_break() {
                            return;
                        }
                        if self.found.len() <= MAX_CARRIED && patience != u64::MAX {
                            self.found.push(solution);
                        }
                        self.failures = 0;
                    }
                },
                Err(failed) => self.blame(failed),
            }
            let impatient = patience != u64::MAX && self.failures >= patience;
            if impatient && self.found.len() <= MAX_CARRIED && !self.stack.is_empty() {
                // Everything is still to be searched that the first guess left open.
                let (puzzle, views) = (self.puzzle, &self.stack[0].0);
                P::finish(puzzle, views, &self.found, &mut self.statistics, self.visit);
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

    /// Picks the open set with the smallest size for its weight and returns its first candidate.
    fn choose(&self) -> Option<Placement> {
        let mut best = None;
        let mut best_score = 0.0f32;
        for view in View::ALL {
            let sets = &self.views.sets[view as usize];
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
