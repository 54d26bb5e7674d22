//! Tests of the library: building sources and checking outputs.
//!
//! Test group: sudoku.

mod checker;
mod files;
mod language;
