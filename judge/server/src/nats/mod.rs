//! The queue, objects and results that machines share, on NATS JetStream.

mod connection;
mod objects;
mod protocol;
mod queue;
mod remote;
mod reporter;
mod requests;
mod results;
mod service;
mod site;

pub use crate::worker::Results;
use connection::Error;
pub(crate) use connection::Result;
pub use connection::{Connection, Options, REQUEST, Session};
pub use objects::Cache;
pub(crate) use objects::{Content, create as create_objects, packed, put as put_object};
pub(crate) use protocol::{
    Answer, Cancel, Object, Start, cancel_subject, check_name, inline, presence_subject, send,
};
pub use protocol::{RESULTS, encode, results_subject};
pub use queue::NatsQueue;
pub(crate) use queue::OwnUnits;
pub use remote::Remote;
pub(crate) use requests::{Handler, answer};
pub(crate) use results::Reader;
pub use results::{delete as delete_results, present_stream, stream as results_stream};
pub use service::server_name;
pub(crate) use service::{Server, hear_workers, serve};
pub(crate) use site::Site;

/// Prefix of the names of streams and subjects.
pub const PREFIX: &str = "judge";
