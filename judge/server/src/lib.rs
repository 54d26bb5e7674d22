//! Serves problems to many users.
#![forbid(unsafe_code)]
#![allow(
    missing_docs,
    reason = "the public items are for the command and the tests"
)]

mod access;
pub mod api;
pub mod backup;
mod batches;
pub mod blobs;
mod boards;
mod client;
pub mod contest_api;
pub mod contest_package;
mod contest_view;
mod coordinator;
mod disk;
pub mod elsewhere;
mod feed;
pub mod http;
pub mod jury;
pub mod languages;
pub mod layout;
mod machine;
mod metrics;
pub mod nats;
mod notices;
pub mod packages;
mod pages;
pub mod printing;
mod prints;
pub mod queue;
pub mod scoreboard;
pub mod secret;
pub mod shadow;
pub mod start;
mod statement;
pub mod store;
pub mod submissions;
pub mod submit;
mod threads;
pub mod units;
pub mod web;
mod word_enums;
pub mod work_protocol;
pub mod worker;
pub mod worker_process;
mod zone;
