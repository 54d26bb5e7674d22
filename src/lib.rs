//! Sudoku engines from 4x4 to 25x25, and the notations in which online judges write grids.
//!
//! The library has no dependencies and does no I/O of its own: it reads from and writes to what
//! the caller hands it.
#![deny(unsafe_code)] // one module, the SIMD engine, allows it

pub mod engine;
pub mod grid;
pub mod rules;

pub use grid::{Cell, Digit, Grid};
pub use rules::Rules;
