//! Serves problems to many users.
#![forbid(unsafe_code)]

pub mod contest_api;
pub mod scoreboard;
