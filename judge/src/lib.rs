//! The command `judge`: arguments, and the commands besides `run` and `verify`, which judge-session has.
#![forbid(unsafe_code)]

mod calibration;
pub mod commands;
#[doc(hidden)]
pub mod fuzzing;
pub mod generate;
pub mod scaffold;
pub mod stress;

pub use commands::args;
