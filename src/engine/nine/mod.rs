//! Engines for the classic 9x9 puzzle alone: the fastest of the library.
//!
//! [`Wide`] and [`Bands`] solve one puzzle at a time, [`Batch`] many on one thread, [`Stream`] many on several
//! threads, and lines of text.
//!
//! They do not implement [`Method`] for other sides:
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
mod layout;
mod rules;
mod simd;
mod stream;
#[cfg(test)]
mod tests;
mod wide;

pub use bands::Bands;
pub use batch::Batch;
pub use simd::Processor;
pub use stream::{LineError, Stream, StreamError};
pub use wide::Wide;

use super::Method;
use crate::grid::Grid;
use core::any::Any;

/// The bytes of a 9x9 grid, row by row: the values of the cells, or 81 characters.
type Bytes = [u8; 81];

/// The values of a grid.
#[inline(always)]
fn values(grid: &Grid<9>) -> &Bytes {
    match grid.values().first_chunk() {
        Some(values) => values,
        None => unreachable!("a 9x9 grid has 81 cells"),
    }
}

/// The values of a grid, to be filled in place with values up to 9.
#[inline(always)]
fn values_mut(grid: &mut Grid<9>) -> &mut Bytes {
    match grid.rows_mut().as_flattened_mut().first_chunk_mut() {
        Some(values) => values,
        None => unreachable!("a 9x9 grid has 81 cells"),
    }
}

/// The engine as one of side `N`, if `N` is 9.
pub(crate) fn boxed<const N: usize>(
    engine: impl Method<9> + 'static,
) -> Option<Box<dyn Method<N>>> {
    let mut engine: Option<Box<dyn Method<9>>> = Some(Box::new(engine));
    let engine: &mut dyn Any = &mut engine;
    engine.downcast_mut::<Option<Box<dyn Method<N>>>>()?.take()
}

/// The fastest of these engines on this processor for one puzzle at a time.
///
/// # Panics
///
/// If `N` is not 9.
pub(super) fn fastest_engine<const N: usize>() -> Box<dyn Method<N>> {
    let processor = Processor::detect();
    let engine = match processor.has_vectors() {
        true => boxed(Wide::on(processor)),
        false => boxed(Bands),
    };
    match engine {
        Some(engine) => engine,
        None => unreachable!("an engine for 9x9 puzzles"),
    }
}

#[cfg(not(judge_bundle))]
thread_local! {
    /// The engine of [`with_kept`]; `None` while it is in use.
    static KEPT: core::cell::Cell<Option<Box<dyn Method<9>>>> = const { core::cell::Cell::new(None) };
}

/// Calls `f` with the fastest engine, which the thread keeps for the next call.
///
/// # Panics
///
/// If `N` is not 9.
#[cfg(not(judge_bundle))]
pub(super) fn with_kept<const N: usize, T>(f: impl FnOnce(&mut dyn Method<N>) -> T) -> T {
    // A search inside `f` makes an engine of its own.
    let mut engine = KEPT.take().or_else(|| Some(fastest_engine::<9>()));
    let any: &mut dyn Any = &mut engine;
    let found = match any.downcast_mut::<Option<Box<dyn Method<N>>>>() {
        Some(Some(engine)) => f(&mut **engine),
        _ => unreachable!("an engine for 9x9 puzzles"),
    };
    KEPT.set(engine);
    found
}

/// The puzzle written as 81 characters, each a digit or one of the marks for an empty cell that every
/// [`Notation`](crate::notation::Notation) has (`.`, `0`, `-`, `*`, `?`), or `None` when there are others.
fn parse_line(line: &Bytes) -> Option<Grid<9>> {
    let mut grid = Grid::EMPTY;
    crate::notation::values_of::<9>(line, values_mut(&mut grid)).then_some(grid)
}

/// Whether a line has nothing but digits and dots, which is how [`Batch`] reads it.
fn is_line(line: &Bytes) -> bool {
    let mut largest = 0;
    for &byte in line {
        let value = if byte == b'.' {
            0
        } else {
            byte.wrapping_sub(b'0')
        };
        largest = core::cmp::max(largest, value);
    }
    largest <= 9
}
