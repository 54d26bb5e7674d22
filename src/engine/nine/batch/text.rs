//! The forms of puzzles and answers: values, or lines of text.

use super::Answer;
use crate::engine::nine::Values;

/// Puzzles to be solved.
#[derive(Clone, Copy)]
pub(in crate::engine::nine) enum Puzzles<'a> {
    Values(&'a [Values]),
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
    pub(in crate::engine::nine) fn get(&self, index: usize) -> &'a [u8; 81] {
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
            Puzzles::Values(puzzles) => Puzzles::Values(&puzzles[start..end]),
            Puzzles::Lines(lines) => Puzzles::Lines(lines.part(start, end)),
        }
    }

    pub(in crate::engine::nine) fn len(&self) -> usize {
        match self {
            Puzzles::Values(puzzles) => puzzles.len(),
            Puzzles::Lines(lines) => lines.len(),
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> &'a [u8; 81] {
        match self {
            Puzzles::Values(puzzles) => &puzzles[index],
            Puzzles::Lines(lines) => lines.get(index),
        }
    }

    /// How an empty cell and the digit 0 are written.
    pub(super) fn alphabet(&self) -> [u8; 2] {
        match self {
            Puzzles::Values(_) => [0, 0],
            Puzzles::Lines(_) => [b'.', b'0'],
        }
    }

    /// A solution, written as the puzzles are.
    pub(super) fn write(&self, solution: &Values) -> Values {
        let [_, zero] = self.alphabet();
        solution.map(|digit| digit + zero)
    }

    /// The values of a puzzle.
    pub(super) fn values(&self, index: usize) -> Values {
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

/// The destination of answers: first the solution, if there is one, then the count.
pub(in crate::engine::nine) enum Answers<'a> {
    Values(&'a mut [Answer]),
    /// Lines of [`LINE`] bytes: the solution, or dots where there is none, and the line's end.
    Lines(&'a mut [u8]),
}

/// The length of a line of solutions with its end.
pub(in crate::engine::nine) const LINE: usize = 82;

impl Answers<'_> {
    /// The place for the solution of puzzle `index`.
    #[inline(always)]
    pub(super) fn solution(&mut self, index: usize) -> &mut Values {
        match self {
            Answers::Values(answers) => &mut answers[index].solution,
            Answers::Lines(text) => match text[LINE * index..].first_chunk_mut() {
                Some(line) => line,
                None => unreachable!("there is a line for each puzzle"),
            },
        }
    }

    /// Stores the number of solutions of puzzle `index`.
    #[inline(always)]
    pub(super) fn finish(&mut self, index: usize, count: u64) {
        match self {
            Answers::Values(answers) => {
                answers[index].count = count;
                if count == 0 {
                    answers[index] = Answer::NONE;
                }
            }
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
            Answers::Values(answers) => {
                let (first, rest) = answers.split_at_mut(count);
                (Answers::Values(first), Answers::Values(rest))
            }
            Answers::Lines(text) => {
                let (first, rest) = text.split_at_mut(LINE * count);
                (Answers::Lines(first), Answers::Lines(rest))
            }
        }
    }
}
