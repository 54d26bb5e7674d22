//! The parts of the server that know neither the store nor HTTP.

mod contest_api;
mod layout;
mod scoreboard;
mod statement;
