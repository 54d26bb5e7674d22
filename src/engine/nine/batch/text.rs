//! The forms of puzzles and answers: grids, or lines of text.

use crate::engine::nine::{Bytes, values, values_mut};
use crate::grid::Grid;
use crate::solver::Answer;

/// Puzzles to be solved.
#[derive(Clone, Copy)]
pub(in crate::engine::nine) enum Puzzles<'a> {
    Grids(&'a [Grid<9>]),
    Lines(Lines<'a>),
}

/// Contiguous lines of 81 characters with the same line end, which the last line may lack.
#[derive(Clone, Copy)]
pub(in crate::engine::nine) struct Lines<'a> {
    text: &'a [u8],
    /// The length of a line with its end.
    stride: usize,
}

impl<'a> Lines<'a> {
    /// Splits off the plain lines at the start of `text`, at most `most`; returns them and the rest.
    pub(in crate::engine::nine) fn split(text: &'a [u8], most: usize) -> (Self, &'a [u8]) {
        let windows = text[81.min(text.len())..].starts_with(b"\r\n");
        let stride = if windows { 83 } else { 82 };
        // Byte by byte: two slices are compared by a call.
        let whole = text
            .chunks_exact(stride)
            .take(most)
            .take_while(|line| line[stride - 1] == b'\n' && (!windows || line[81] == b'\r'))
            .count();
        let (lines, rest) = text.split_at(stride * whole);
        let is_last = rest.len() == 81 || (rest.len() == 82 && rest[81] == b'\r');
        if is_last && whole < most {
            return (Lines { text, stride }, &[]);
        }
        let text = lines;
        (Lines { text, stride }, rest)
    }

    pub(in crate::engine::nine) fn len(&self) -> usize {
        // Only a last line without its end is shorter than the stride.
        self.text.len().div_ceil(self.stride)
    }

    #[inline(always)]
    pub(in crate::engine::nine) fn get(&self, index: usize) -> &'a Bytes {
        match self.text[self.stride * index..].first_chunk() {
            Some(line) => line,
            None => unreachable!("a line has 81 characters"),
        }
    }

    fn part(&self, start: usize, end: usize) -> Self {
        let end = (self.stride * end).min(self.text.len());
        Lines {
            text: &self.text[self.stride * start..end],
            stride: self.stride,
        }
    }
}

impl<'a> Puzzles<'a> {
    /// The puzzles from `start` to `end`.
    pub(in crate::engine::nine) fn part(&self, start: usize, end: usize) -> Self {
        match self {
            Puzzles::Grids(puzzles) => Puzzles::Grids(&puzzles[start..end]),
            Puzzles::Lines(lines) => Puzzles::Lines(lines.part(start, end)),
        }
    }

    pub(in crate::engine::nine) fn len(&self) -> usize {
        match self {
            Puzzles::Grids(puzzles) => puzzles.len(),
            Puzzles::Lines(lines) => lines.len(),
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> &'a Bytes {
        match self {
            Puzzles::Grids(puzzles) => values(&puzzles[index]),
            Puzzles::Lines(lines) => lines.get(index),
        }
    }

    /// How an empty cell and the digit 0 are written.
    pub(super) fn alphabet(&self) -> [u8; 2] {
        match self {
            Puzzles::Grids(_) => [0, 0],
            Puzzles::Lines(_) => [b'.', b'0'],
        }
    }

    /// A solution, written as the puzzles are.
    pub(super) fn write(&self, solution: &Grid<9>) -> Bytes {
        let [_, zero] = self.alphabet();
        values(solution).map(|digit| digit + zero)
    }

    /// The values of a puzzle; a value above 9 stands for a character that is no cell.
    pub(super) fn values(&self, index: usize) -> Bytes {
        let [empty, zero] = self.alphabet();
        self.get(index).map(|byte| {
            if byte == empty {
                0
            } else {
                byte.wrapping_sub(zero)
            }
        })
    }
}

/// The destination of answers: first the solutions, as far as they are kept, then their number.
pub(in crate::engine::nine) enum Answers<'a> {
    /// Up to two solutions.
    Two(&'a mut [Answer<9>]),
    First(&'a mut [Option<Grid<9>>]),
    Counts(&'a mut [u64]),
    /// Lines of [`LINE`] bytes: the first solution, or dots where there is none, and the line's end.
    Lines(&'a mut [u8]),
}

/// The length of a line of solutions with its end.
pub(in crate::engine::nine) const LINE: usize = 82;

impl Answers<'_> {
    /// The place for solution `number`, from 0, of puzzle `index`, if it is kept.
    #[inline(always)]
    pub(super) fn solution(&mut self, index: usize, number: u64) -> Option<&mut Bytes> {
        match self {
            Answers::Two(answers) => {
                let answer = &mut answers[index];
                match (number, *answer) {
                    (0, _) => *answer = Answer::Unique(Grid::EMPTY),
                    (1, Answer::Unique(first)) => *answer = Answer::Several(first, Grid::EMPTY),
                    _ => return None,
                }
                match answer {
                    Answer::Unique(grid) | Answer::Several(_, grid) => Some(values_mut(grid)),
                    Answer::None => None,
                }
            }
            Answers::First(solutions) if number == 0 => {
                Some(values_mut(solutions[index].insert(Grid::EMPTY)))
            }
            Answers::Lines(text) if number == 0 => text[LINE * index..].first_chunk_mut(),
            Answers::First(_) | Answers::Counts(_) | Answers::Lines(_) => None,
        }
    }

    /// Stores the number of solutions of puzzle `index`.
    #[inline(always)]
    pub(super) fn finish(&mut self, index: usize, count: u64) {
        match self {
            Answers::Two(answers) => {
                if count == 0 {
                    answers[index] = Answer::None;
                }
            }
            Answers::First(solutions) => {
                if count == 0 {
                    solutions[index] = None;
                }
            }
            Answers::Counts(counts) => counts[index] = count,
            Answers::Lines(text) => {
                let line = &mut text[LINE * index..LINE * (index + 1)];
                line[81] = b'\n';
                if count == 0 {
                    line[..81].fill(b'.');
                }
            }
        }
    }

    /// Splits the answers after the first `count` puzzles.
    pub(in crate::engine::nine) fn split_at(self, count: usize) -> (Self, Self) {
        match self {
            Answers::Two(answers) => {
                let (first, rest) = answers.split_at_mut(count);
                (Answers::Two(first), Answers::Two(rest))
            }
            Answers::First(solutions) => {
                let (first, rest) = solutions.split_at_mut(count);
                (Answers::First(first), Answers::First(rest))
            }
            Answers::Counts(counts) => {
                let (first, rest) = counts.split_at_mut(count);
                (Answers::Counts(first), Answers::Counts(rest))
            }
            Answers::Lines(text) => {
                let (first, rest) = text.split_at_mut(LINE * count);
                (Answers::Lines(first), Answers::Lines(rest))
            }
        }
    }
}
