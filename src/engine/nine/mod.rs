//! Engines for the classic 9x9 puzzle alone: the fastest of the library.
//!
//! They implement [`Engine`]; where speed counts, call them through [`NineEngine`] with [`Values`],
//! the bytes of the input.
//!
//! ```
//! use sudoku::engine::nine::{NineEngine, Wide, parse_line};
//!
//! let line = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
//! let puzzle = parse_line(line).expect("81 cells");
//! let solution = Wide::new().first_values(&puzzle).expect("a solution");
//! assert_eq!(solution[..9], [5, 3, 4, 6, 7, 8, 9, 1, 2]);
//! ```
//!
//! They do not implement [`Engine`] for other sides:
//!
//! ```compile_fail
//! use sudoku::{Grid, engine::{Engine, nine::Wide}};
//!
//! Wide::new().first(&Grid::<16>::EMPTY);
//! ```

mod bands;
mod batch;
mod branching;
mod known;
mod rules;
mod simd;
mod stream;
#[cfg(test)]
mod tests;
mod wide;

pub use bands::Bands;
pub use batch::{Answer, Batch};
pub use simd::Processor;
pub use stream::{LineError, Stream, StreamError};
pub use wide::Wide;

use super::{Checked, Engine, Method, Statistics, Visitor, stop_if};
use crate::grid::{Digit, Grid};
use core::any::Any;
use core::ops::ControlFlow;

/// The values of a 9x9 grid, row by row: 0 for an empty cell, else its digit.
///
/// A puzzle with a value above 9, or with a digit twice in a house, has no solution.
pub type Values = [u8; 81];

/// Receives the values of a solution; decides whether the search goes on.
pub type ValuesVisitor<'a> = dyn FnMut(&Values) -> ControlFlow<()> + 'a;

/// An engine for classic 9x9 puzzles given as [`Values`].
pub trait NineEngine: Send {
    /// Passes every solution of `puzzle` to `visit`, in the engine's order, until it breaks.
    fn search_values(&mut self, puzzle: &Values, visit: &mut ValuesVisitor<'_>) -> Statistics;

    /// The first solution in the engine's order, or `None` when there is none.
    fn first_values(&mut self, puzzle: &Values) -> Option<Values> {
        let mut found = None;
        self.search_values(puzzle, &mut |solution| {
            found = Some(*solution);
            ControlFlow::Break(())
        });
        found
    }

    /// The number of solutions, counted up to `limit`.
    fn count_values(&mut self, puzzle: &Values, limit: u64) -> u64 {
        let mut count = 0;
        if limit > 0 {
            self.search_values(puzzle, &mut |_| {
                count += 1;
                stop_if(count >= limit)
            });
        }
        count
    }
}

/// Makes a [`NineEngine`] an [`Engine`] of side 9.
macro_rules! engine {
    ($name:ty) => {
        impl Method<9> for $name {
            fn search(&mut self, puzzle: Checked<'_, 9>, visit: &mut Visitor<'_, 9>) -> Statistics {
                self.search_values(&to_values(puzzle.grid()), &mut |solution| {
                    visit(&from_values(solution))
                })
            }

            fn allows(&self, _: &Grid<9>) -> bool {
                true // the search finds the contradiction itself
            }
        }
    };
}

engine!(Wide);
engine!(Bands);

/// The engine as an [`Engine`] of side `N`, if `N` is 9.
pub(crate) fn boxed<const N: usize>(
    engine: impl Engine<9> + 'static,
) -> Option<Box<dyn Engine<N>>> {
    let mut engine: Option<Box<dyn Engine<9>>> = Some(Box::new(engine));
    let engine: &mut dyn Any = &mut engine;
    engine.downcast_mut::<Option<Box<dyn Engine<N>>>>()?.take()
}

/// The fastest of these engines on this processor, for one puzzle at a time.
pub fn fastest() -> Box<dyn NineEngine> {
    let processor = Processor::detect();
    if processor.has_vectors() {
        Box::new(Wide::on(processor))
    } else {
        Box::new(Bands)
    }
}

/// [`fastest`] as an [`Engine`] of side `N`, if `N` is 9.
pub(super) fn fastest_engine<const N: usize>() -> Option<Box<dyn Engine<N>>> {
    let processor = Processor::detect();
    if N != 9 {
        None
    } else if processor.has_vectors() {
        boxed(Wide::on(processor))
    } else {
        boxed(Bands)
    }
}

#[cfg(not(judge_bundle))]
thread_local! {
    /// The engine of [`with_kept`]; `None` while it is in use.
    static KEPT: core::cell::Cell<Option<Box<dyn Engine<9>>>> = const { core::cell::Cell::new(None) };
}

/// Calls `f` with the fastest engine, which the thread keeps for the next call.
///
/// # Panics
///
/// If `N` is not 9.
#[cfg(not(judge_bundle))]
pub(super) fn with_kept<const N: usize, T>(f: impl FnOnce(&mut dyn Engine<N>) -> T) -> T {
    // A search inside `f` makes an engine of its own.
    let mut engine = KEPT.take().or_else(fastest_engine::<9>);
    let any: &mut dyn Any = &mut engine;
    let found = match any.downcast_mut::<Option<Box<dyn Engine<N>>>>() {
        Some(Some(engine)) => f(&mut **engine),
        _ => unreachable!("an engine for 9x9 puzzles"),
    };
    KEPT.set(engine);
    found
}

/// The values of a grid.
pub fn to_values(grid: &Grid<9>) -> Values {
    let mut values = [0; 81];
    // Row by row, so that the compiler uses vectors.
    for (values, row) in values.chunks_exact_mut(9).zip(grid.rows()) {
        for (value, cell) in values.iter_mut().zip(row) {
            *value = cell.map_or(0, Digit::value);
        }
    }
    values
}

/// The grid of these values; a value above 9 becomes an empty cell.
pub fn from_values(values: &Values) -> Grid<9> {
    let mut grid = Grid::EMPTY;
    for (row, values) in grid.rows_mut().iter_mut().zip(values.chunks_exact(9)) {
        for (cell, &value) in row.iter_mut().zip(values) {
            *cell = Digit::new(value);
        }
    }
    grid
}

/// The values of a puzzle written as 81 characters, each a digit or one of the marks for an empty
/// cell that every [`Notation`](crate::notation::Notation) has (`.`, `0`, `-`, `*`, `?`), or `None`
/// when there are more or fewer characters, or others.
pub fn parse_line(line: &[u8]) -> Option<Values> {
    let line = <&[u8; 81]>::try_from(line).ok()?;
    if is_line(line) {
        return Some(line.map(cell_value));
    }
    let mut values = [0; 81];
    crate::notation::values_of::<9>(line, &mut values).then_some(values)
}

/// The value of a cell written as a digit or a dot; a value above 9 for other characters.
#[inline(always)]
fn cell_value(byte: u8) -> u8 {
    if byte == b'.' {
        0
    } else {
        byte.wrapping_sub(b'0')
    }
}

/// Whether a line has nothing but digits and dots, which is how [`Batch`] reads it.
fn is_line(line: &[u8; 81]) -> bool {
    let mut largest = 0;
    for &byte in line {
        largest = core::cmp::max(largest, cell_value(byte));
    }
    largest <= 9
}

/// The 81 characters of values, `.` for an empty cell.
pub fn format_line(values: &Values) -> [u8; 81] {
    let mut line = [b'.'; 81];
    for (byte, &value) in line.iter_mut().zip(values) {
        if value != 0 {
            *byte = b'0' + value;
        }
    }
    line
}
