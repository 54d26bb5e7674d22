//! The parts of the server that know neither the store nor HTTP, and the table of requirements in docs/ccs.md.
//!
//! Test group: judge.

mod api_versions;
mod ccs;
mod contest_api;
mod layout;
mod scoreboard;
