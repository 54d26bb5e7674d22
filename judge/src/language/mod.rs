//! Languages: from a source file to a program that can be run.

mod program;

pub use program::{HEAP_MIB, Program, read_only};
