//! What is shared between machines, on NATS JetStream.

mod connection;
mod queue;

pub use connection::{Connection, Error, Options, REQUEST, Result, Session};
pub use queue::NatsQueue;
