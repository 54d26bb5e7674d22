//! The parts of the server that know neither the store nor HTTP, and the imports between all parts.

mod contest_api;
mod layout;
mod scoreboard;
