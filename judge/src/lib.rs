//! The command `judge`: arguments, and the commands besides `run` and `verify`, which judge-session has.
#![forbid(unsafe_code)]
#![allow(
    missing_docs,
    reason = "the public items are for the program, the tests and the fuzzers"
)]

mod calibration;
pub mod commands;
#[doc(hidden)]
pub mod fuzzing;
pub mod generate;
pub mod scaffold;
pub mod stress;

pub use commands::args;
