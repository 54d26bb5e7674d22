//! The real `judge-server` in a temporary directory, a client that speaks HTTP with it, and a real
//! nats-server.

mod client;
mod command;
mod contest;
mod form;
mod namespace;
mod nats;
mod package;
mod proxy;
#[allow(dead_code)] // Benchmarks use a part of it.
mod rows;
#[path = "../../../../tests/common/search_path.rs"]
mod search_path;
#[allow(dead_code)] // Most benchmarks have none.
mod served;
mod server;
mod wait;
mod worker;

pub use client::Client;
#[allow(unused_imports)] // The benchmark uses `judge`, the tests `judge_run`.
pub use command::{judge, judge_run, judge_server, of_tests};
#[allow(unused_imports)] // The benchmark of the server has none.
pub use contest::Entry;
#[allow(unused_imports)] // Benchmarks have a network.
pub use form::{multipart, urlencoded};
#[allow(unused_imports)] // The benchmark of the server has no faults.
pub use namespace::{Namespace, SmallDisk};
#[allow(unused_imports)] // The benchmark of the server has no NATS.
pub use nats::{NatsServer, start_nats};
#[allow(unused_imports)] // The benchmark of the server uses only `sum`.
pub use package::{Package, echo, patient, slow, sum};
#[allow(unused_imports)]
pub use proxy::Proxy;
#[allow(unused_imports)]
pub use rows::{labelled, new_app, new_app_that_prints, new_contest, new_team, new_user};
#[allow(unused_imports)] // Only tests and the benchmark of the queue have one.
pub use served::{Served, open_store};
pub use server::{Data, Server};
#[allow(unused_imports)] // Benchmarks do not wait for the queue.
pub use wait::{repeats, until, until_empty};
#[allow(unused_imports)] // The benchmark of the server has no NATS.
pub use worker::{LEASE, Worker};

/// A self-signed certificate for 127.0.0.1, valid from 2000 to 4000, and its key.
#[allow(dead_code)] // Benchmarks do not use TLS.
pub const CERTIFICATE: &str = include_str!("../certificate/cert.pem");
#[allow(dead_code)]
pub const PRIVATE_KEY: &str = include_str!("../certificate/key.pem");

/// A worker that starts judgings in the store.
#[allow(dead_code)] // Benchmarks do not use all of this.
pub const STARTER: judge_server::store::Starter<'_> = judge_server::store::Starter {
    machine: "machine",
    machine_class: "default",
    judge: "1",
};
