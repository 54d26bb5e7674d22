//! Judges submissions in batches of cases on the workers of NATS: those of `judge run` and `judge verify`
//! with `--nats`, and large ones of `judge serve --nats`.
//!
//! The scheduler of [`judge::judging`] asks for compilations and cases as it does for those that run
//! here; the module `table` has the cases, their batches and the threads that wait for results. One thread
//! plans batches and enqueues them as units. A worker that leases one asks this process for its cases,
//! and sends the results through the stream of results. The units end with this process.

mod command;
mod coordinator;
mod lane;
mod planner;
mod run;
mod sent;
mod server;
mod size;
mod table;

pub use command::{run, verify};
pub(crate) use planner::Batches;
pub(crate) use server::Divider;
