//! Sixteen or 32 grids at once, one in each lane of every vector.

mod lanes;
mod pass;
mod text;
mod transfer;

pub(super) use text::{Answers, LINE, Lines, Puzzles};

use super::Wide;
use super::simd::Processor;
use crate::engine::{Statistics, stop_if};
use crate::grid::Grid;
use crate::solver::Answer;

/// Solves many puzzles, 16 (with AVX-512 32) at a time, each in its own lane; a finished lane takes
/// the next puzzle.
///
/// Its search is that of [`Wide`], so a puzzle's answer is the same from both and does not depend
/// on the puzzles around it. Few puzzles, and the last ones of many, are solved by [`Wide`], which
/// is faster while lanes would be idle.
///
/// Source: this project.
pub struct Batch {
    processor: Processor,
    wide: Wide,
    work: lanes::Work,
}

/// The number of puzzles from which the lanes are faster than [`Wide`].
const MIN_PUZZLES: usize = 12;

impl Default for Batch {
    fn default() -> Self {
        Self::new()
    }
}

impl Batch {
    /// The engine, in the widest registers that this processor has.
    pub fn new() -> Self {
        Self::on(Processor::detect())
    }

    /// The engine on the given processor.
    pub fn on(processor: Processor) -> Self {
        Batch {
            processor,
            wide: Wide::on(processor),
            work: lanes::Work::new(),
        }
    }

    /// Finds out whether each puzzle has no solution, one or several. Answer `i` is that of puzzle
    /// `i`.
    ///
    /// # Panics
    ///
    /// If there are fewer answers than puzzles.
    pub fn solve(&mut self, puzzles: &[Grid<9>], answers: &mut [Answer<9>]) -> Statistics {
        self.grids(puzzles, Answers::Two(&mut answers[..puzzles.len()]), 2)
    }

    /// Finds a solution of each puzzle, or `None` if it has none. Solution `i` is that of puzzle `i`.
    ///
    /// # Panics
    ///
    /// If there are fewer solutions than puzzles.
    pub fn first(&mut self, puzzles: &[Grid<9>], solutions: &mut [Option<Grid<9>>]) -> Statistics {
        self.grids(puzzles, Answers::First(&mut solutions[..puzzles.len()]), 1)
    }

    /// Counts the solutions of each puzzle up to `limit`. Count `i` is that of puzzle `i`.
    ///
    /// # Panics
    ///
    /// If there are fewer counts than puzzles.
    pub fn count(&mut self, puzzles: &[Grid<9>], counts: &mut [u64], limit: u64) -> Statistics {
        self.grids(
            puzzles,
            Answers::Counts(&mut counts[..puzzles.len()]),
            limit,
        )
    }

    fn grids(&mut self, puzzles: &[Grid<9>], mut answers: Answers<'_>, limit: u64) -> Statistics {
        self.solve_any(Puzzles::Grids(puzzles), &mut answers, limit)
    }

    /// Solves puzzles in any form, counting their solutions up to `limit`.
    pub(super) fn solve_any(
        &mut self,
        puzzles: Puzzles<'_>,
        answers: &mut Answers<'_>,
        limit: u64,
    ) -> Statistics {
        if limit > 0 && puzzles.len() >= MIN_PUZZLES {
            return self.processor.run(lanes::Run {
                puzzles,
                answers,
                limit,
                work: &mut self.work,
            });
        }
        let mut total = Statistics::default();
        for i in 0..puzzles.len() {
            let mut found = 0;
            if limit > 0 {
                let mut visit = |solution: &Grid<9>| {
                    if let Some(place) = answers.solution(i, found) {
                        *place = puzzles.write(solution);
                    }
                    found += 1;
                    stop_if(found >= limit)
                };
                total += self.wide.search_values(&puzzles.values(i), &mut visit);
            }
            answers.finish(i, found);
        }
        total
    }
}
