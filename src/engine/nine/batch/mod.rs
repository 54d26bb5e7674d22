//! Sixteen or 32 grids at once, one in each lane of every vector.

mod lanes;
mod pass;
mod text;
mod transfer;

pub(super) use text::{Answers, LINE, Lines, Puzzles};

use super::simd::Processor;
use super::{NineEngine, Values, Wide};
use crate::engine::{Statistics, stop_if};

/// The result of [`Batch::solve`] for one puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The number of solutions, counted up to the limit.
    pub count: u64,
    /// The first of them, or nothing but zeros.
    pub solution: Values,
}

impl Answer {
    /// The answer for a puzzle without a solution.
    pub const NONE: Answer = Answer {
        count: 0,
        solution: [0; 81],
    };
}

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

    /// Solves every puzzle, counting its solutions up to `limit`: 1 to solve it, 2 to see whether
    /// it has one solution only. Answer `i` is that of puzzle `i`.
    ///
    /// # Panics
    ///
    /// If there are fewer answers than puzzles.
    pub fn solve(&mut self, puzzles: &[Values], answers: &mut [Answer], limit: u64) -> Statistics {
        let mut answers = Answers::Values(&mut answers[..puzzles.len()]);
        self.solve_any(Puzzles::Values(puzzles), &mut answers, limit)
    }

    /// Like [`Batch::solve`], for puzzles and answers in any form.
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
                let mut visit = |solution: &Values| {
                    if found == 0 {
                        *answers.solution(i) = puzzles.write(solution);
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
