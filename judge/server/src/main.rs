//! The `judge-server` command.
fn main() {}
