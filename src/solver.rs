//! The main interface: solve, count and list, classic puzzles as functions of the grid, others with a
//! [`Solver`].

use crate::engine::{self, Cells, Engine, Method, Statistics, Visitor, stop_if};
use crate::grid::{Cell, Digit, Grid};
use crate::rules::{Layout, Overlap, Rules};
use core::fmt;
use core::ops::ControlFlow;

/// The solutions of a puzzle, as far as [`Grid::solve`] looks for them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer<const N: usize> {
    /// No solution.
    None,
    /// Exactly one solution.
    Unique(Grid<N>),
    /// Several solutions; these are two of them.
    Several(Grid<N>, Grid<N>),
}

impl<const N: usize> Answer<N> {
    /// A solution, if there is one.
    pub fn solution(&self) -> Option<&Grid<N>> {
        match self {
            Answer::None => None,
            Answer::Unique(solution) | Answer::Several(solution, _) => Some(solution),
        }
    }

    /// A solution, if there is one.
    pub fn into_solution(self) -> Option<Grid<N>> {
        self.solution().copied()
    }

    /// The solution, if there is exactly one.
    pub fn unique(&self) -> Option<&Grid<N>> {
        match self {
            Answer::Unique(solution) => Some(solution),
            Answer::None | Answer::Several(..) => None,
        }
    }

    /// The result of `search`, which is stopped at the second solution.
    pub(crate) fn of_search(search: impl FnOnce(&mut Visitor<'_, N>)) -> Self {
        let mut answer = Answer::None;
        search(&mut |solution| match answer {
            Answer::None => {
                answer = Answer::Unique(*solution);
                ControlFlow::Continue(())
            }
            Answer::Unique(first) | Answer::Several(first, _) => {
                answer = Answer::Several(first, *solution);
                ControlFlow::Break(())
            }
        });
        answer
    }
}

/// Solving under the classic rules; a [`Solver`] takes others.
///
/// A 9x9 puzzle is solved by a thread-local engine, without any allocation; for many puzzles of
/// another side a [`Solver`] saves the set-up.
impl<const N: usize> Grid<N> {
    /// Whether the puzzle has no solution, one or several.
    ///
    /// ```
    /// use sudoku::{Answer, Grid};
    ///
    /// let puzzle: Grid<4> = "1.....3..4.....2".parse()?;
    /// let Answer::Unique(solution) = puzzle.solve() else {
    ///     panic!("no solution, or several");
    /// };
    /// assert_eq!(solution.to_string(), "1324423124133142");
    /// # Ok::<(), sudoku::notation::ParseError>(())
    /// ```
    pub fn solve(&self) -> Answer<N> {
        engine::with_classic(|engine| {
            Answer::of_search(|visit| {
                engine.for_each(self, visit);
            })
        })
    }

    /// A solution, or `None` if there is none. If there are several, any of them may be returned.
    ///
    /// Faster than [`Grid::solve`], which also proves that there is no other.
    pub fn solution(&self) -> Option<Self> {
        engine::with_classic(|engine| engine.first(self))
    }

    /// The number of solutions, counted up to `limit`.
    pub fn count_solutions(&self, limit: u64) -> u64 {
        engine::with_classic(|engine| engine.count(self, limit))
    }

    /// The solutions in lexicographic order.
    ///
    /// ```
    /// let puzzle: sudoku::Grid<4> = "1...............".parse()?;
    /// assert_eq!(puzzle.solutions().count(), 72);
    /// # Ok::<(), sudoku::notation::ParseError>(())
    /// ```
    pub fn solutions(&self) -> Solutions<N> {
        Solutions::new(engine::fastest_classic(), self)
    }

    /// Calls `visit` with the solutions in lexicographic order - the first cells, row by row, count
    /// most - until it breaks. It keeps no solutions, unlike [`Grid::solutions`], which is faster.
    pub fn for_each_solution(&self, visit: impl FnMut(&Grid<N>) -> ControlFlow<()>) -> Statistics {
        engine::lexicographic_classic().for_each(self, visit)
    }

    /// Whether there is exactly one solution, and several as soon as any given is removed.
    pub fn is_minimal(&self) -> bool {
        let mut without = *self;
        self.count_solutions(2) == 1
            && self.givens().all(|(cell, digit)| {
                without.set(cell, None);
                let solutions = without.count_solutions(2);
                without.set(cell, Some(digit));
                solutions > 1
            })
    }
}

/// Solves puzzles under some rules, one after the other, with the fastest engine for them.
///
/// It reuses its memory between puzzles, and can be sent to another thread.
///
/// ```
/// use sudoku::{Answer, Grid, Rules, Solver};
///
/// let mut solver = Solver::with_rules(&Rules::<9>::windoku());
/// let empty = Grid::EMPTY;
/// assert!(matches!(solver.solve(&empty), Answer::Several(..)));
/// assert_eq!(solver.count(&empty, 10), 10);
/// let some: Vec<Grid<9>> = solver.solutions(&empty).take(3).collect();
/// assert!(some[0] < some[1] && some[1] < some[2]);
/// ```
pub struct Solver<const N: usize> {
    engine: Box<dyn Method<N>>,
}

impl<const N: usize> Solver<N> {
    /// A solver of classic puzzles.
    pub fn new() -> Self {
        Solver {
            engine: engine::fastest_classic(),
        }
    }

    /// A solver of puzzles under `rules`.
    pub fn with_rules(rules: &Rules<N>) -> Self {
        Solver {
            engine: engine::fastest(rules),
        }
    }

    /// Whether the puzzle has no solution, one or several.
    pub fn solve(&mut self, puzzle: &Grid<N>) -> Answer<N> {
        Answer::of_search(|visit| {
            self.engine.for_each(puzzle, visit);
        })
    }

    /// A solution, or `None` if there is none. If there are several, any of them may be returned.
    pub fn first(&mut self, puzzle: &Grid<N>) -> Option<Grid<N>> {
        self.engine.first(puzzle)
    }

    /// The number of solutions, counted up to `limit`.
    pub fn count(&mut self, puzzle: &Grid<N>, limit: u64) -> u64 {
        self.engine.count(puzzle, limit)
    }

    /// All solutions in lexicographic order.
    pub fn solutions(&mut self, puzzle: &Grid<N>) -> Solutions<N, &mut dyn Method<N>> {
        Solutions::new(&mut *self.engine, puzzle)
    }

    /// The engine, for statistics and other functions that the solver does not offer.
    pub fn engine(&mut self) -> &mut dyn Method<N> {
        &mut *self.engine
    }
}

impl<const N: usize> Default for Solver<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> fmt::Debug for Solver<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").finish_non_exhaustive()
    }
}

/// Solves puzzles of several grids that overlap. A puzzle, and a solution, is one [`Grid`] for each grid.
///
/// ```
/// use sudoku::rules::Overlap;
/// use sudoku::{Grid, OverlapSolver, Rules};
///
/// // Two grids of side 4 that share a box.
/// let two = Overlap::<4>::new([((0, 0), Rules::classic()), ((2, 2), Rules::classic())])?;
/// let mut solver = OverlapSolver::new(&two);
/// let full: Grid<4> = "1234341221434321".parse().expect("a grid");
/// let solutions = solver.solutions(&[full, Grid::EMPTY], 100);
/// assert_eq!(solutions.len(), 12);
/// assert!(two.is_solved_by(&solutions[0]));
/// # Ok::<(), sudoku::rules::RulesError>(())
/// ```
pub struct OverlapSolver<const N: usize> {
    overlap: Overlap<N>,
    engine: Box<dyn Cells>,
}

impl<const N: usize> OverlapSolver<N> {
    /// A solver of puzzles of these grids.
    pub fn new(overlap: &Overlap<N>) -> Self {
        OverlapSolver {
            overlap: overlap.clone(),
            engine: engine::cells::<N>(&Layout::of_overlap(overlap)),
        }
    }

    /// Passes every solution to `visit` until it breaks. There is none if two grids give a shared cell
    /// different digits, or if `puzzle` has not as many grids.
    pub fn for_each(
        &mut self,
        puzzle: &[Grid<N>],
        mut visit: impl FnMut(&[Grid<N>]) -> ControlFlow<()>,
    ) -> Statistics {
        let Some(values) = self.overlap.values(puzzle) else {
            return Statistics::default();
        };
        let overlap = &self.overlap;
        self.engine
            .search_values(&values, &mut |values| visit(&overlap.grids(values)))
    }

    /// Up to `limit` solutions, in no particular order.
    pub fn solutions(&mut self, puzzle: &[Grid<N>], limit: usize) -> Vec<Vec<Grid<N>>> {
        let mut found = Vec::new();
        if limit > 0 {
            self.for_each(puzzle, |solution| {
                found.push(solution.to_vec());
                stop_if(found.len() >= limit)
            });
        }
        found
    }
}

impl<const N: usize> fmt::Debug for OverlapSolver<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OverlapSolver").finish_non_exhaustive()
    }
}

/// The initial and the maximum size of a batch of solutions; a grid has `N * N` bytes.
const INITIAL_BATCH: usize = 16;
const MAX_BATCH: usize = 4096;

/// All solutions of a puzzle in lexicographic order - the first cells, row by row, count most -
/// independent of the order in which the engine finds them.
///
/// A puzzle with few solutions has them sorted. One with more is split by the digit in its first
/// empty cell, smallest first, until each part has few: the memory is bounded, however many
/// solutions there are.
pub struct Solutions<const N: usize, E = Box<dyn Method<N>>> {
    engine: E,
    /// The unsolved parts of the puzzle, the next one last.
    parts: Vec<Grid<N>>,
    /// The remaining solutions of the current part, the next one last.
    found: Vec<Grid<N>>,
    /// The number of solutions that are searched for and sorted together.
    batch: usize,
}

impl<const N: usize, E: Method<N>> Solutions<N, E> {
    /// The solutions of `puzzle` that `engine` finds.
    pub fn new(engine: E, puzzle: &Grid<N>) -> Self {
        Solutions {
            engine,
            parts: vec![*puzzle],
            found: Vec::new(),
            batch: INITIAL_BATCH,
        }
    }
}

impl<const N: usize, E: Method<N>> Iterator for Solutions<N, E> {
    type Item = Grid<N>;

    fn next(&mut self) -> Option<Grid<N>> {
        while self.found.is_empty() {
            let part = self.parts.pop()?;
            let mut found = self.engine.solutions(&part, self.batch + 1);
            let open = Cell::all().find(|&cell| part.get(cell).is_none());
            match open {
                Some(cell) if found.len() > self.batch => {
                    for digit in Digit::all().rev() {
                        let mut part = part;
                        part.set(cell, Some(digit));
                        self.parts.push(part);
                    }
                }
                _ => {
                    // Larger batches pay if there are many solutions.
                    if found.len() * 2 > self.batch {
                        self.batch = MAX_BATCH.min(2 * self.batch);
                    }
                    found.sort_unstable_by(|a, b| b.cmp(a));
                    self.found = found;
                }
            }
        }
        self.found.pop()
    }
}

impl<const N: usize, E> fmt::Debug for Solutions<N, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solutions").finish_non_exhaustive()
    }
}
