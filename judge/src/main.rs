//! The `judge` command.
#![forbid(unsafe_code)]

fn main() {}
