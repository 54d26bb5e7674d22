//! What is shared between machines, on NATS JetStream.

mod connection;
mod objects;
mod own_units;
mod protocol;
mod queue;
mod remote;
mod reporter;
mod requests;
mod results;
mod service;

pub use connection::{Connection, Error, Options, REQUEST, Result, Session};
pub use objects::Cache;
pub use own_units::OwnUnits;
pub use protocol::{Results, check_name, encode, presence_subject, results_subject};
pub use queue::NatsQueue;
pub use remote::Remote;
pub use service::{Site, serve, server_name};

/// What the names of streams and subjects begin with.
pub const PREFIX: &str = "judge";
