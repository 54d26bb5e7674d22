//! The real `judge-server` in a temporary directory, and a client that speaks HTTP with it.

mod client;
mod command;
mod contest;
mod package;
mod server;

pub use client::Client;
#[allow(unused_imports)] // The benchmark uses `judge`, the tests `judge_run`.
pub use command::{judge, judge_run};
pub use package::{Package, sum};
pub use server::{Data, Server};
