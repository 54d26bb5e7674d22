//! The parts of the server that know neither the store nor HTTP, and the imports between all parts.
//!
//! Test group: judge.

mod contest_api;
mod layout;
mod scoreboard;
mod statement;
