//! NATS JetStream under the server: each test starts a nats-server of its own.

mod command_faults;
mod commands;
mod connection;
mod permissions;
mod queue;
mod results;
