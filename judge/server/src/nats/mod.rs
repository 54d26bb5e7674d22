//! What is shared between machines, on NATS JetStream.

mod connection;

pub use connection::{Connection, Error, Options, REQUEST, Result, Session};
