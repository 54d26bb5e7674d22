//! Tests of the library through its public items. They are one program, because each program compiles every engine
//! for every side that it uses. For the same reason tests that use public items only are here, not in the library.
//!
//! Test group: sudoku.

mod articles;
mod common;
mod conformance;
mod constraints;
mod fuzz;
mod generate;
mod heaviest;
mod large;
mod notation;
mod properties;
mod public_api;
mod rate;
