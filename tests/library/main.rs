//! Tests of the library through its public items. They are one program, because each program compiles every engine
//! for every side that it uses.

mod articles;
mod common;
mod conformance;
mod fuzz;
mod large;
mod properties;
mod public_api;
