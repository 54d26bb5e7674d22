//! Tests of the server: through its routes without a network, and as a process of its own.

mod common;
mod end_to_end;
mod jury;
